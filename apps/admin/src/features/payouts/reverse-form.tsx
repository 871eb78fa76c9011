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

import * as t from "#messages/payouts";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { isUndecided } from "../session/request-key.ts";
import { useStepUp } from "../session/step-up.tsx";
import { formKeys } from "../shell/form-keys.ts";
import { type PayoutPart, rereadPayouts } from "./api.ts";

import s from "./payouts.module.css";

const none = { reason: "" };
const ids = controlIds("payout-reverse-form", none);

interface ReverseFormProps {
  payout: number;
  part: PayoutPart;
  onClose: () => void;
}

/** Why a vendor's part of a payout did not arrive or was wrong; with the amount and the name in a sentence, and a proof of identity. */
export function ReverseForm({ payout, part: { vendor, amount }, onClose }: ReverseFormProps) {
  const client = useQueryClient();
  const withStepUp = useStepUp();
  const { values, put, clear } = useFormDraft(`reverse-payout-${payout}-${vendor.id}`, none);
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, { reason: values.reason.trim() === "" && t.reasonMissing }),
  });
  useEffect(() => document.getElementById(ids.reason)?.focus(), []);
  const dollars = formatMoney(amount);
  const effect = t.reverseEffect(dollars, vendor.name, payout, vendor.email !== null);
  // What comes of it is shown here.
  const cancel = () => {
    if (running === null) onClose();
  };
  const reverse = async () => {
    const sent = { params: { id: payout, vendor: vendor.id }, body: { reason: values.reason.trim() } };
    try {
      const done = await withStepUp(
        { title: t.reverseTitle(dollars, vendor.name), effect, action: t.doReverse(dollars) },
        (idempotencyKey) => call(calls.reversePayout, sent, { idempotencyKey }),
        sent,
      );
      // Not confirmed: what was typed stays.
      if (!done) return;
      clear();
      toast({ text: done.amount === 0 ? t.reversedBefore(vendor.name) : t.reversedNow(dollars, vendor.name) });
      // The part shows it before its form closes.
      await rereadPayouts(client);
      onClose();
    } catch (cause) {
      void rereadPayouts(client);
      throw cause;
    }
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className={s.form} aria-label={t.reverseTitle(dollars, vendor.name)} onKeyDown={formKeys(cancel)}>
      <Form
        problems={problems}
        onSubmit={() => void submit(reverse, (cause) => (isUndecided(cause) ? t.reverseUnknown : messageOf(cause)))}
      >
        <p className={s.effect}>{effect}</p>
        <Compact>
          <Field label={t.reason} hint={t.reasonHint} {...field("reason")}>
            <TextInput
              autoComplete="off"
              maxLength={500}
              value={values.reason}
              onChange={({ target }) => put({ reason: target.value })}
            />
          </Field>
        </Compact>
        {error && <AlertBox key={error}>{error}</AlertBox>}
        <div className={s.buttons}>
          <Compact>
            <Button type="submit" kind="danger" icon="key" busy={running !== null && t.reversing}>
              {t.doReverse(dollars)}
            </Button>
            <Button kind="outline" disabled={running !== null} onClick={cancel}>
              {t.cancel}
            </Button>
          </Compact>
        </div>
      </Form>
    </section>
  );
}
