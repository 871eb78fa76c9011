import type { Customer } from "@marketday/contracts/account";
import type { Quote } from "@marketday/contracts/checkout";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { type Ref, useId } from "react";

import { formatCard, formatPlace } from "../../features/account/fulfillment.ts";
import type { Draft, Paying } from "./draft.ts";

import s from "./next-time.module.css";

interface NextTimeProps {
  /** The line, null while it is not shown. */
  ref: Ref<HTMLDivElement>;
  customer: Customer;
  draft: Draft;
  put: (change: Partial<Draft>) => void;
  paying: Paying;
  quote: Quote | null;
}

/**
 * Where and with which card automatic orders and the next checkout go on, where the choice differs from what is stored
 * (docs/product.md §9). Null: it does not.
 */
export default function NextTime({ ref, customer, draft, put, paying, quote }: NextTimeProps) {
  const id = useId();
  const methods = quote?.paymentMethods ?? [];
  const stored = {
    place: customer.fulfillment && formatPlace(customer.fulfillment),
    card: cardWords(methods.find(({ isDefault }) => isDefault)),
  };
  const place = chosenPlace(draft, customer, quote);
  const card = !paying.asksForCard
    ? null
    : paying.method !== "new"
      ? cardWords(methods.find((method) => method.id === paying.method && !method.isDefault))
      : paying.saves
        ? "the card you typed"
        : null;
  if (place === null && card === null) return null;
  const words = draft.useNextTime
    ? [place, card]
    : [place !== null && (stored.place ?? "no place yet"), card !== null && (stored.card ?? card)];
  return (
    <div ref={ref} className={s.line}>
      <Checkbox
        checked={draft.useNextTime}
        aria-describedby={id}
        onChange={(event) => put({ useNextTime: event.target.checked })}
      >
        Also use this for automatic orders and next time
      </Checkbox>
      <p id={id} className={s.note}>
        {draft.useNextTime ? "" : "They keep "}
        {words.filter(Boolean).join(", and ")}
      </p>
    </div>
  );
}

const cardWords = (card: { brand: string; last4: string } | undefined): string | null =>
  card ? formatCard(card) : null;

/** The chosen place in words; null: it is the stored one, or not chosen yet. */
function chosenPlace(draft: Draft, { fulfillment }: Customer, quote: Quote | null): string | null {
  if (draft.type === "pickup") {
    const point = quote?.pickupPoints.find(({ id }) => id === draft.pickupPointId);
    return point && point.id !== fulfillment?.pickupPoint?.id
      ? formatPlace({ pickupPoint: point, deliveryAddress: null })
      : null;
  }
  const { address } = draft;
  const before = fulfillment?.deliveryAddress;
  const isSame =
    before && (Object.keys(before) as (keyof typeof before)[]).every((key) => address[key].trim() === before[key]);
  if (isSame) return null;
  const instructions = address.instructions.trim();
  return `${formatPlace({ pickupPoint: null, deliveryAddress: address })}${instructions ? ` (${instructions})` : ""}`;
}
