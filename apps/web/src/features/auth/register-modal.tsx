import { TOAST_LOGIN_MS } from "@marketday/domain/limits";

import type { ModalProps } from "../../app/modals.tsx";
import type { Modal } from "../../app/overlay-stack.ts";
import { useOverlays } from "../../app/use-overlays.ts";
import { DialogBody, DialogTitle } from "../../ui/dialog.tsx";
import { toast } from "../../ui/toast-store.ts";
import { useAdoptCustomer, useShopper } from "../session/api.ts";
import { finish, onward } from "./finish.ts";
import { RegisterForm } from "./register-form.tsx";

import s from "./auth.module.css";

/** Registering over whatever the shopper was looking at; the guest's cart and market stay. */
export default function RegisterModal({ modal, onDone }: ModalProps<Extract<Modal, { kind: "register" }>>) {
  const { insteadOpenModal } = useOverlays();
  const { profile } = useShopper();
  const adopt = useAdoptCustomer();
  return (
    <DialogBody>
      <div className={s.auth}>
        <DialogTitle>Create your free account</DialogTitle>
        <RegisterForm
          zipCode={profile?.zipCode}
          onDone={async (customer) => {
            await finish(modal.unfinished);
            await adopt(customer);
            toast({ text: `Welcome, ${customer.firstName ?? "neighbor"}`, duration: TOAST_LOGIN_MS });
            onDone();
          }}
          onOther={() => insteadOpenModal({ kind: "login", ...onward(modal.unfinished) })}
        />
      </div>
    </DialogBody>
  );
}
