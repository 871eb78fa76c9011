import { useForm } from "@marketday/client/forms/use-form.ts";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import * as calls from "@marketday/contracts/calls";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { PasswordInput } from "@marketday/ui/text-input.tsx";
import { useState } from "react";

import { call } from "../../lib/api.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { removeAll } from "../../lib/storage.ts";
import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { forgetSearches } from "../search/recent.ts";
import { useShopper } from "../session/api.ts";

import s from "./profile.module.css";

const words = {
  export: {
    title: "Download my data",
    body: "We'll email you a link to one file with everything we keep about you. It works once, for a day.",
    submitLabel: "Email me the link",
    busy: "Sending…",
  },
  delete: {
    title: "Delete my account",
    body: "Your details, favorites, subscriptions and messages are gone for good. Orders stay in our books and reviews with their products, without your name.",
    submitLabel: "Delete my account",
    busy: "Deleting…",
  },
} as const;

const ids = { password: "my-data-password" };

/** Asks for the password once more, before one's data leave or are forgotten. */
export default function MyDataModal({ modal, onDone }: ModalProps<Extract<Modal, { kind: "my-data" }>>) {
  const { what } = modal;
  const { title, body, submitLabel, busy } = words[what];
  const { close } = useNavigation();
  const { profile } = useShopper();
  const [password, setPassword] = useState("");
  useUnsaved(password !== "");
  const [isSent, setSent] = useState(false);
  const { running, error, problems, field, submit } = useForm({ ids, problems: [] });

  const run = async () => {
    if (what === "export") {
      await call(calls.exportAccount, { body: { password } });
      setPassword("");
      setSent(true);
      return;
    }
    await call(calls.deleteAccount, { body: { password } });
    removeAll("session");
    forgetSearches();
    location.assign(paths.root);
  };

  return (
    <DialogBody>
      <div className={s.data}>
        <DialogTitle>{title}</DialogTitle>
        {isSent ? (
          <>
            <Banner tone="other" role="status" title={screenMessages.checkEmail}>
              The link to your data is on its way{profile?.email ? ` to ${profile.email}` : ""}.
            </Banner>
            <Button size="lg" wide onClick={onDone}>
              Done
            </Button>
          </>
        ) : (
          <Form onSubmit={() => password !== "" && void submit(run)} problems={problems}>
            <p>{body}</p>
            {what === "delete" && profile !== null && profile.credit > 0 && (
              <Banner tone="warning" title={`You still have ${formatMoney(profile.credit)} of store credit`}>
                It will be deleted with your account.
              </Banner>
            )}
            <Field label="Your password" {...field("password")}>
              <PasswordInput
                data-autofocus=""
                autoComplete="current-password"
                enterKeyHint="go"
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            </Field>
            {error && <AlertBox>{error}</AlertBox>}
            <div className={s.choose}>
              <Button kind="outline" size="lg" onClick={close}>
                Cancel
              </Button>
              <Button
                type="submit"
                size="lg"
                kind={what === "delete" ? "danger" : "primary"}
                disabled={password === ""}
                busy={running !== null && busy}
              >
                {submitLabel}
              </Button>
            </div>
          </Form>
        )}
      </div>
    </DialogBody>
  );
}
