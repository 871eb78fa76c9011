import { TOAST_LOGIN_MS } from "@marketday/domain/limits";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { toast } from "@marketday/ui/toast-store.ts";

import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { useAdoptCustomer, useShopper } from "../session/api.ts";
import { finish, onward } from "./finish.ts";
import RegisterForm from "./register-form.tsx";

import s from "./auth.module.css";

/** Registering over whatever the shopper was looking at; the guest's cart and market stay. */
export default function RegisterModal({ modal, onDone }: ModalProps<Extract<Modal, { kind: "register" }>>) {
  const { replaceWithModal } = useNavigation();
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
          onOther={() => replaceWithModal({ kind: "login", ...onward(modal.unfinished) })}
        />
      </div>
    </DialogBody>
  );
}
