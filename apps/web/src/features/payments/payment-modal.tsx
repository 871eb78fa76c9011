import { AccountFrame } from "../frame-host/account-frame.tsx";

/** The saved cards and which of them is the default (spec §2.4 External pages). */
export default function PaymentModal() {
  return <AccountFrame title="Payment methods" src="/embed/payment" />;
}
