import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import * as t from "#messages/customers";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { isUnknown } from "../orders/api.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { useStepUp } from "../session/step-up.tsx";
import { type Customer, rereadCustomer } from "./api.ts";
import { nameOf } from "./format.ts";
import { PanelForm } from "./panel-form.tsx";

import s from "./customers.module.css";

const none = { email: "", reason: "" };
const ids = controlIds("customer-delete-form", none);

/** Deletes an account for good: what is lost is in the sentence, the email is typed, and a passkey confirms it. */
export function DeleteForm({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const client = useQueryClient();
  const withStepUp = useStepUp();
  const { values, put, clear } = useFormDraft(`delete-customer-${customer.id}`, none);
  const isTyped = values.email.trim().toLowerCase() === customer.email.toLowerCase();
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, {
      email: !isTyped && t.emailDiffers,
      reason: values.reason.trim() === "" && t.reasonMissing,
    }),
  });
  useEffect(() => document.getElementById(ids.email)?.focus(), []);
  const name = nameOf(customer.name);
  const lost = customer.credit > 0 ? formatMoney(customer.credit) : null;
  const effect = t.deleteEffect(name, lost);
  const remove = async () => {
    const sent = {
      params: { id: customer.id },
      body: { email: values.email.trim(), reason: values.reason.trim() },
    };
    try {
      const done = await withStepUp(
        { title: t.deleteSubject(name), effect, action: t.doDelete(name) },
        (idempotencyKey) => call(calls.deleteCustomer, sent, { idempotencyKey }).then(() => true),
        sent,
      );
      if (done === null) return;
      clear();
      toast({ text: t.deleted(name) });
      onClose();
    } finally {
      rereadCustomer(client, customer.id);
    }
  };
  return (
    <PanelForm id="customer-delete-title" title={t.deleteForm(name)} onClose={onClose}>
      <Form
        problems={problems}
        onSubmit={() => void submit(remove, (cause) => (isUnknown(cause) ? t.unknown : messageOf(cause)))}
      >
        <p className={s.effect}>{effect}</p>
        <div className={s.fields}>
          <Compact>
            <Field label={t.typeEmail} hint={t.typeEmailHint(customer.email)} {...field("email")}>
              <TextInput
                inputMode="email"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={320}
                value={values.email}
                onChange={({ target }) => put({ email: target.value })}
              />
            </Field>
            <Field label={t.reason} hint={t.deleteReasonHint} {...field("reason")}>
              <TextInput
                autoComplete="off"
                maxLength={500}
                value={values.reason}
                onChange={({ target }) => put({ reason: target.value })}
              />
            </Field>
          </Compact>
        </div>
        {error && <AlertBox key={error}>{error}</AlertBox>}
        <div className={s.buttons}>
          <Compact>
            <Button type="submit" kind="danger" busy={running !== null && t.deleting}>
              {t.doDelete(name)}
            </Button>
            <Button kind="outline" onClick={onClose}>
              {t.keepAccount}
            </Button>
          </Compact>
        </div>
      </Form>
    </PanelForm>
  );
}
