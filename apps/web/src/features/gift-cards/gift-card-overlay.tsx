import { AccountFrame } from "../frame-host/account-frame.tsx";

/** `/gift-card` (spec §2.1): guests log in first, in the frame, and go on where they were. `#redeem` opens the code field, `#sent` the cards that were bought. */
export default function GiftCardOverlay() {
  return (
    <AccountFrame
      title="Gift cards"
      src={`/embed/gift-cards${["#redeem", "#sent"].includes(location.hash) ? location.hash : ""}`}
    />
  );
}
