import type { PaymentMethod } from "@marketday/contracts/payments";
import { Banner } from "@marketday/ui/banner.tsx";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form, type FormProblem } from "@marketday/ui/form.tsx";
import { RadioRows } from "@marketday/ui/radio-rows.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import type { ChangeEvent, ReactNode } from "react";

import { config } from "../../lib/boot.ts";
import { StripeCard } from "../payment/stripe-card.tsx";
import type { FormUse } from "../payment/stripe-form.ts";
import { usesStripe } from "../payment/stripe-session.ts";
import { cardControls, caretAfter, type CardDraft, formatCardNumber, formatExpiry } from "./card.ts";
import type { Draft, Paying } from "./draft.ts";

import s from "./payment-step.module.css";

/** Formats a field while it is typed in. The caret stays where it was put: setting a value moves it to the end. */
const typed =
  (format: (text: string) => string, put: (text: string) => void) =>
  ({ target }: ChangeEvent<HTMLInputElement>) => {
    const { value, selectionStart } = target;
    const shown = format(value);
    put(shown);
    if (selectionStart === null || selectionStart === value.length) return;
    const at = caretAfter(value, selectionStart, shown);
    requestAnimationFrame(() => target.setSelectionRange(at, at));
  };

/** The form that the "Place order" button, which stands elsewhere, submits. */
const PAYMENT_FORM = "payment";

interface PaymentStepProps {
  draft: Draft;
  put: (change: Partial<Draft>) => void;
  paying: Paying;
  methods: PaymentMethod[];
  /** The order closes later than an unsaved card could be charged. */
  mustSave: boolean;
  /** What the card pays, cents. */
  dueCents: number;
  /** Credit pays all of it. */
  nothingDue: boolean;
  problems: FormProblem[];
  onSubmit: () => void;
}

/** How it is paid: a saved card, a new one, at the door, or not at all. */
export function PaymentStep({
  draft,
  put,
  paying,
  methods,
  mustSave,
  dueCents,
  nothingDue,
  problems,
  onSubmit,
}: PaymentStepProps) {
  return (
    <div id={PAYMENT_FORM} className={s.payment}>
      {nothingDue ? (
        <p>Your store credit covers everything. There is nothing left to pay.</p>
      ) : !paying.asksForCard ? (
        <Banner tone="other" title={draft.type === "pickup" ? "Pay at pickup" : "Pay at the door"}>
          Pay at pickup or at the door. Nothing is charged now.
        </Banner>
      ) : (
        <Form onSubmit={onSubmit} problems={problems}>
          {methods.length > 0 && (
            <RadioRows
              legend="Pay with"
              legendHidden
              value={paying.method}
              onChange={(method) => put({ method })}
              rows={[
                ...methods.map(({ id, brand, last4, expMonth, expYear }) => ({
                  value: id,
                  label: `${brandName(brand)} ending in ${last4}`,
                  note: `Expires ${String(expMonth).padStart(2, "0")} / ${String(expYear).slice(2)}`,
                })),
                { value: "new" as const, label: "Another card" },
              ]}
            />
          )}
          {paying.method === "new" && (
            <NewCard
              card={draft.card}
              problems={problems}
              use={{ kind: "payment", cents: dueCents, saves: paying.saves }}
              onChange={(change) => put({ card: { ...draft.card, ...change } })}
            >
              <Checkbox
                checked={paying.saves}
                aria-describedby={mustSave ? "must-save" : undefined}
                onChange={(event) => !mustSave && put({ save: event.target.checked })}
              >
                Save this card for next time
              </Checkbox>
              {mustSave && (
                <p id="must-save" className={s.note}>
                  This order closes more than 6 days from now, so the card is saved until then.
                </p>
              )}
            </NewCard>
          )}
          {/* The visible button stands by the total; Enter in a field needs one in the form. */}
          <button type="submit" className="sr" tabIndex={-1} aria-hidden="true" />
        </Form>
      )}
    </div>
  );
}

/** "visa" → "Visa". */
export const brandName = (brand: string) => brand.charAt(0).toUpperCase() + brand.slice(1);

interface NewCardProps {
  /** The payment that the card is for, required by the provider's form. */
  use: FormUse;
  card: CardDraft;
  problems: FormProblem[];
  onChange: (change: Partial<CardDraft>) => void;
  children?: ReactNode;
}

/** The fields of a card, also for what is no order. */
export function NewCard({ card, problems, onChange, use, children }: NewCardProps) {
  const field = (id: string) => ({ id, error: problems.find((problem) => problem.field === id)?.message ?? null });
  if (usesStripe)
    return (
      <div className={s.card}>
        <StripeCard use={use} />
        {children}
      </div>
    );
  return (
    <div className={s.card}>
      {config.payments === "test" && (
        <Banner tone="information" title="Test payments: no money moves">
          4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined, 4000 0025 0000 3155 asks your bank. Any later date,
          any three digits.
        </Banner>
      )}
      <Field label="Card number" {...field(cardControls.number)}>
        <TextInput
          inputMode="numeric"
          autoComplete="cc-number"
          spellCheck={false}
          enterKeyHint="next"
          placeholder="1234 1234 1234 1234"
          value={card.number}
          onChange={typed(formatCardNumber, (number) => onChange({ number }))}
        />
      </Field>
      <div className={s.pair}>
        <Field label="Expires" {...field(cardControls.expiry)}>
          <TextInput
            inputMode="numeric"
            autoComplete="cc-exp"
            enterKeyHint="next"
            placeholder="MM / YY"
            value={card.expiry}
            onChange={typed(formatExpiry, (expiry) => onChange({ expiry }))}
          />
        </Field>
        <Field label="Security code" {...field(cardControls.cvc)}>
          <TextInput
            inputMode="numeric"
            autoComplete="cc-csc"
            enterKeyHint="go"
            placeholder="CVC"
            value={card.cvc}
            onChange={(event) => onChange({ cvc: event.target.value.replace(/\D/g, "").slice(0, 4) })}
          />
        </Field>
      </div>
      {children}
    </div>
  );
}
