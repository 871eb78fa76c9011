import { problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import * as calls from "@marketday/contracts/calls";
import { EMAIL_MAX } from "@marketday/domain/limits";
import { isEmail } from "@marketday/domain/text";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useEffect, useState } from "react";

import { call } from "../../lib/api.ts";
import { config } from "../../lib/boot.ts";
import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { useShopper } from "../session/api.ts";
import { pauseEmailCapture } from "./email-capture.ts";
import { StepCount } from "./step-count.tsx";

import s from "./welcome.module.css";

const ids = { email: "capture-email" };

/** One field and a plain way out (spec §2.4 Email capture); as the second step of a welcome it says so. */
export default function EmailCaptureModal({ modal, onDone }: ModalProps<Extract<Modal, { kind: "email-capture" }>>) {
  const { profile } = useShopper();
  const [email, setEmail] = useState("");
  useUnsaved(email !== "");
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, { email: !isEmail(email) && "Valid email is required" }),
  });
  // Shown counts: however it is closed, it does not come back for 30 days.
  useEffect(pauseEmailCapture, []);

  const send = async () => {
    await call(calls.createLead, { body: { kind: "email", email, zipCode: profile?.zipCode ?? null } });
    toast({ text: "Thanks, we'll be in touch." });
    onDone();
  };

  return (
    <DialogBody>
      <div className={s.welcome}>
        {modal.step && <StepCount now={2} />}
        <DialogTitle>{modal.vendor ? `Hear from ${modal.vendor} first` : "Hear what's in season"}</DialogTitle>
        <p className={s.lead}>
          {modal.vendor
            ? `Leave your email for news from their stall and the others at ${config.marketName}.`
            : `Leave your email for news from ${config.marketName}: what's ripe, what's back, who's new.`}
        </p>
        <Form onSubmit={() => void submit(send)} problems={problems}>
          <Field label="Email" {...field("email")}>
            <TextInput
              data-autofocus=""
              type="email"
              inputMode="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              enterKeyHint="send"
              maxLength={EMAIL_MAX}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          </Field>
          <Button type="submit" size="lg" wide busy={running !== null && "Sending…"}>
            Keep me posted
          </Button>
        </Form>
        {error && <AlertBox>{error}</AlertBox>}
        <Button kind="outline" size="lg" wide onClick={onDone}>
          No thanks
        </Button>
      </div>
    </DialogBody>
  );
}
