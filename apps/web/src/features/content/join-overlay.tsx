import { PageFrame } from "./page-frame.tsx";

/** `/join`: its page in a frame. */
export default function JoinOverlay() {
  return <PageFrame title="Become a vendor" src="/embed/become-a-vendor" />;
}
