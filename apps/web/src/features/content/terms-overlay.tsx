import { PageFrame } from "./page-frame.tsx";

/** `/terms`: its page in a frame. */
export default function TermsOverlay() {
  return <PageFrame title="Terms of Service" src="/embed/terms" />;
}
