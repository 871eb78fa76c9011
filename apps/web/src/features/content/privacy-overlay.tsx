import { PageFrame } from "./page-frame.tsx";

/** `/privacy`: its page in a frame. */
export default function PrivacyOverlay() {
  return <PageFrame title="Privacy Policy" src="/embed/privacy" />;
}
