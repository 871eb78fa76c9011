import { REFERRAL_FRIEND_DISCOUNT, TOAST_LOGIN_MS } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { toast } from "@marketday/ui/toast-store.ts";

import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import RegisterForm from "../auth/register-form.tsx";
import { useAdoptCustomer, useShopper } from "../session/api.ts";
import { StepCount } from "./step-count.tsx";

import s from "./welcome.module.css";

const dollars = REFERRAL_FRIEND_DISCOUNT / 100;

/** The second step for a referred visitor (spec §4): the account that the friend's $20 waits for. */
export default function ReferralStepModal({ onDone }: ModalProps<Extract<Modal, { kind: "referral-step" }>>) {
  const { profile } = useShopper();
  const { replaceWithModal } = useNavigation();
  const adopt = useAdoptCustomer();
  return (
    <DialogBody>
      <div className={s.welcome}>
        <StepCount now={2} />
        <DialogTitle>Take ${dollars} off your first order</DialogTitle>
        <p className={s.lead}>
          It's waiting for your free account. Your friend gets ${dollars} too, once your order has arrived.
        </p>
        <RegisterForm
          zipCode={profile?.zipCode}
          onDone={async (customer) => {
            await adopt(customer);
            toast({ text: `Welcome, ${customer.firstName ?? "neighbor"}`, duration: TOAST_LOGIN_MS });
            onDone();
          }}
          onOther={() => replaceWithModal({ kind: "login" })}
        />
        <Button kind="outline" size="lg" wide onClick={onDone}>
          Look around first
        </Button>
      </div>
    </DialogBody>
  );
}
