import { useAction } from "@marketday/client/forms/use-action.ts";
import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import { DELIVERY_NOTES_MAX, DISCOUNT_CODE_MAX, TIP_CHOICES, type TipPercentage } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { TextArea, TextInput } from "@marketday/ui/text-input.tsx";
import { useId, useState } from "react";

import { call } from "../../lib/api.ts";
import type { Draft } from "./draft.ts";

import s from "./extras-step.module.css";

interface ExtrasStepProps {
  draft: Draft;
  put: (change: Partial<Draft>) => void;
  /** Store credit the account has, dollars. */
  credit: number;
  /** Why the typed code was refused. */
  codeError: string | null;
  /** A gift card became store credit: the account as it is now. */
  onRedeemed: (customer: Customer) => void;
  onNext: () => void;
}

/** Delivery notes, the driver's tip, a discount code, a gift card and store credit: all of it optional. */
export default function ExtrasStep({ draft, put, credit, codeError, onRedeemed, onNext }: ExtrasStepProps) {
  return (
    <Form onSubmit={onNext}>
      {draft.type === "delivery" && <TipChoice value={draft.tip} onChange={(tip) => put({ tip })} />}
      <Field label={draft.type === "delivery" ? "Delivery notes (optional)" : "Notes (optional)"}>
        <TextArea
          rows={2}
          maxLength={DELIVERY_NOTES_MAX}
          autoComplete="off"
          value={draft.notes}
          onChange={(event) => put({ notes: event.target.value })}
        />
      </Field>
      <CodeField code={draft.code ?? ""} error={codeError} onApply={(code) => put({ code: code || null })} />
      <GiftCodeField onRedeemed={onRedeemed} />
      {credit > 0 && (
        <Checkbox checked={draft.useCredit} onChange={(event) => put({ useCredit: event.target.checked })}>
          Use my store credit of {formatMoney(credit)}
        </Checkbox>
      )}
      <Button type="submit" size="lg">
        Continue
      </Button>
    </Form>
  );
}

/** The tip in four pills; native radios below, so arrow keys work by themselves. */
export function TipChoice({ value, onChange }: { value: TipPercentage; onChange: (tip: TipPercentage) => void }) {
  const name = useId();
  return (
    <fieldset>
      <legend className={s.legend}>Tip for your driver</legend>
      <div className={s.tips}>
        {TIP_CHOICES.map((tip) => (
          <label key={tip} className={s.tip}>
            <input type="radio" name={name} value={tip} checked={tip === value} onChange={() => onChange(tip)} />
            {tip === 0 ? "No tip" : `${tip}%`}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A gift card's code becomes store credit, which then pays; the text stays when it is refused. */
function GiftCodeField({ onRedeemed }: { onRedeemed: (customer: Customer) => void }) {
  const [text, setText] = useState("");
  const [added, setAdded] = useState<string | null>(null);
  const { running, error, attempt } = useAction();
  const redeem = async () => {
    const code = text.trim();
    if (code === "") return;
    const customer = await attempt("redeem", () => call(calls.redeemGiftCard, { body: { code } }));
    if (!customer) return;
    setText("");
    setAdded(`Added. You have ${formatMoney(customer.credit)} of store credit.`);
    onRedeemed(customer);
  };
  return (
    <Field label="Gift card code (optional)" error={error} {...(added ? { hint: added } : {})}>
      <div className={s.code}>
        <TextInput
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={50}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || text.trim() === "") return;
            // Enter tries the code instead of leaving the step.
            event.preventDefault();
            void redeem();
          }}
        />
        <Button
          kind="outline"
          disabled={text.trim() === ""}
          busy={running !== null && "Adding…"}
          onClick={() => void redeem()}
        >
          Redeem
        </Button>
      </div>
    </Field>
  );
}

/** A code is tried with its own button; the text stays when it is refused. */
function CodeField({ code, error, onApply }: { code: string; error: string | null; onApply: (code: string) => void }) {
  const [text, setText] = useState(code);
  const applied = code !== "";
  return (
    <Field label="Discount code (optional)" error={error} {...(applied ? { hint: "Applied" } : {})}>
      <div className={s.code}>
        <TextInput
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={DISCOUNT_CODE_MAX}
          readOnly={applied}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || applied || text.trim() === "") return;
            // Enter tries the code instead of leaving the step.
            event.preventDefault();
            onApply(text.trim());
          }}
        />
        <Button
          kind="outline"
          disabled={!applied && text.trim() === ""}
          onClick={() => {
            onApply(applied ? "" : text.trim());
            if (applied) setText("");
          }}
        >
          {applied ? "Remove" : "Apply"}
        </Button>
      </div>
    </Field>
  );
}
