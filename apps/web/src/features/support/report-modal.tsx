import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { AccountFrame } from "../frame-host/account-frame.tsx";

/** Report a problem: its page in a frame (spec §2.4 External pages in in-app frames). */
export default function ReportModal({ modal }: ModalProps<Extract<Modal, { kind: "report-problem" }>>) {
  return <AccountFrame title="Report a problem" src={`/embed/report-problem?order=${modal.orderId}`} />;
}
