import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";

import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { onward } from "./finish.ts";
import ForgotForm from "./forgot-form.tsx";

import s from "./auth.module.css";

/** Forgot Password over whatever the shopper was looking at. */
export default function ForgotModal({ modal }: ModalProps<Extract<Modal, { kind: "forgot" }>>) {
  const { replaceWithModal } = useNavigation();
  return (
    <DialogBody>
      <div className={s.auth}>
        <DialogTitle>Forgot Password</DialogTitle>
        <ForgotForm onBack={() => replaceWithModal({ kind: "login", ...onward(modal.unfinished) })} />
      </div>
    </DialogBody>
  );
}
