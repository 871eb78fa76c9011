import { AccountFrame } from "../frame-host/account-frame.tsx";

/** `/wagon-pass` (spec §2.1). */
export default function WagonPassOverlay() {
  return <AccountFrame title="Wagon pass" src="/embed/wagon-pass" />;
}
