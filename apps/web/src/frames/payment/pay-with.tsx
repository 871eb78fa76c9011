import { marketNow } from "@marketday/client/clock.ts";
import type { PaymentMethod } from "@marketday/contracts/payments";
import type { FormProblem } from "@marketday/ui/form.tsx";
import { RadioRows } from "@marketday/ui/radio-rows.tsx";

import { config } from "../../lib/boot.ts";
import { type CardDraft, cardOf, cardProblems, emptyCard } from "../checkout/card.ts";
import { brandName, NewCard } from "../checkout/payment-step.tsx";
import type { FormUse } from "./stripe-form.ts";
import { cardToken, usesStripe } from "./stripe-session.ts";

/** How something that is no order is paid. `method` null: the default card, or a new one where there is none. */
export interface Paying {
  method: number | "new" | null;
  card: CardDraft;
}
export const emptyPaying: Paying = { method: null, card: emptyCard };

/** Whether this market can sell what is paid at once. */
export const takesCards = config.payments !== "offline";

const chosen = ({ method }: Paying, methods: readonly PaymentMethod[]) => method ?? methods[0]?.id ?? "new";

/** What is wrong with how it is paid. */
export const payingProblems = (paying: Paying, methods: readonly PaymentMethod[]): FormProblem[] =>
  chosen(paying, methods) === "new" && !usesStripe ? cardProblems(paying.card, marketNow()) : [];

/** As the calls take it. Only without problems; throws what the provider's own form says is wrong. */
export async function meansOf(paying: Paying, methods: readonly PaymentMethod[]) {
  const method = chosen(paying, methods);
  if (method !== "new") return { paymentMethodId: method };
  if (!usesStripe) return { card: cardOf(paying.card) };
  const typed = await cardToken();
  if ("problem" in typed) throw new Error(typed.problem);
  return { confirmationToken: typed.token };
}

interface PayWithProps {
  methods: PaymentMethod[];
  paying: Paying;
  problems: FormProblem[];
  onChange: (paying: Paying) => void;
  /** The payment that the card is for, required by the provider's form. */
  use: FormUse;
}

/** A saved card or a new one. */
export function PayWith({ methods, paying, problems, onChange, use }: PayWithProps) {
  const method = chosen(paying, methods);
  return (
    <>
      {methods.length > 0 && (
        <RadioRows
          legend="Pay with"
          value={method}
          onChange={(next) => onChange({ ...paying, method: next })}
          rows={[
            ...methods.map(({ id, brand, last4, expMonth, expYear }) => ({
              value: id,
              label: `${brandName(brand)} ending in ${last4}`,
              note: `Expires ${formatExpiry(expMonth, expYear)}`,
            })),
            { value: "new" as const, label: "Another card" },
          ]}
        />
      )}
      {method === "new" && (
        <NewCard
          card={paying.card}
          problems={problems}
          use={use}
          onChange={(change) => onChange({ ...paying, card: { ...paying.card, ...change } })}
        />
      )}
    </>
  );
}

/** "09 / 28" */
export const formatExpiry = (month: number, year: number): string =>
  `${String(month).padStart(2, "0")} / ${String(year).slice(2)}`;
