import { PageFrame } from "./page-frame.tsx";

/** `/contact-us`: its page in a frame. */
export default function ContactUsOverlay() {
  return <PageFrame title="Contact us" src="/embed/contact-us" />;
}
