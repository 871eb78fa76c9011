import { TOAST_LOGIN_MS } from "@marketday/domain/limits";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { toast } from "@marketday/ui/toast-store.ts";

import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { useAdoptCustomer } from "../session/api.ts";
import { finish, onward } from "./finish.ts";
import LoginForm from "./login-form.tsx";

import s from "./auth.module.css";

/** Login over whatever the shopper was looking at; what they were about to do there is done on the way back. */
export default function LoginModal({ modal, onDone }: ModalProps<Extract<Modal, { kind: "login" }>>) {
  const { hasModal, replaceWithModal } = useNavigation();
  const adopt = useAdoptCustomer();
  return (
    <DialogBody>
      <div className={s.auth}>
        <DialogTitle>Login</DialogTitle>
        <LoginForm
          onForgot={() => replaceWithModal({ kind: "forgot", ...onward(modal.unfinished) })}
          onDone={async (customer) => {
            await finish(modal.unfinished);
            await adopt(customer);
            toast({
              text: customer.firstName ? `Welcome back, ${customer.firstName}` : "Welcome back",
              duration: TOAST_LOGIN_MS,
            });
            onDone();
          }}
          {...(hasModal("register")
            ? { onOther: () => replaceWithModal({ kind: "register", ...onward(modal.unfinished) }) }
            : {})}
        />
      </div>
    </DialogBody>
  );
}
