import type { Customer } from "@marketday/contracts/account";
import type { CheckoutChoice, Quote } from "@marketday/contracts/checkout";
import type { AddressInput, Address } from "@marketday/contracts/common";
import { SAVED_CARD_AFTER_MS, type TipPercentage } from "@marketday/domain/limits";
import type { z } from "zod";

import { addressProblems, emptyAddress } from "../../features/account/address.ts";
import { forget, keep, recall } from "../../lib/storage.ts";
import type { FormProblem } from "../../ui/form.tsx";
import { type CardDraft, cardOf, cardProblems, emptyCard } from "./card.ts";

/** Everything a shopper says at checkout, as it stands. */
export interface Draft {
  type: "delivery" | "pickup";
  address: Address;
  pickupPointId: number | null;
  notes: string;
  tip: TipPercentage;
  /** A discount code the quote has accepted; "": the cart's, if it has one; null: none. */
  code: string | null;
  useCredit: boolean;
  /** A saved card, a new one, or null: the default one where there is one. */
  method: number | "new" | null;
  card: CardDraft;
  save: boolean;
}

/** The control of the pickup choice, for the error summary. */
export const pickupControl = "pickup-points";

type Choice = z.input<typeof CheckoutChoice>;
export type QuoteBody = Choice;

const KEPT = "checkout";

/** What was typed in this tab before, over what is known of customer and cart. The card is never kept. */
export function startDraft(customer: Customer | null, cartCode = ""): Draft {
  const kept = recall<Partial<Draft>>("session", KEPT) ?? {};
  return {
    type: "delivery",
    address: customer?.deliveryAddress ?? { ...emptyAddress, zipCode: customer?.zipCode ?? "" },
    pickupPointId: null,
    notes: "",
    tip: 0,
    useCredit: (customer?.credit ?? 0) > 0,
    method: null,
    save: false,
    ...kept,
    code: kept.code === null ? null : kept.code || cartCode,
    card: emptyCard,
  };
}

/** Keeps it for this tab, so that closing the frame loses nothing; without the card. */
export const keepDraft = (draft: Draft): void => keep("session", KEPT, { ...draft, card: undefined });

/** The order is placed: the next one starts anew. */
export const forgetDraft = (): void => forget("session", KEPT);

/** What is wrong with where the order shall go. */
export function deliveryProblems(draft: Draft): FormProblem[] {
  if (draft.type === "delivery") return addressProblems(draft.address);
  return draft.pickupPointId === null ? [{ field: pickupControl, message: "Choose a pickup point" }] : [];
}

/** The saved card that is chosen, or a new one: the default as long as nothing else was said. */
export function methodOf(draft: Draft, quote: Quote | null): number | "new" {
  const methods = quote?.paymentMethods ?? [];
  if (draft.method === "new" || methods.some(({ id }) => id === draft.method)) return draft.method ?? "new";
  return (methods.find(({ isDefault }) => isDefault) ?? methods[0])?.id ?? "new";
}

/** What is asked of a payment: nothing when nothing is due or nobody takes cards here. */
export interface Paying {
  asksForCard: boolean;
  method: number | "new";
  /** A card is typed into our own fields; not so where the provider brings its own. */
  ownFields: boolean;
  /** The card must be saved, or the shopper wants it. */
  saves: boolean;
}

/** What is wrong with how it is paid. */
export const paymentProblems = (draft: Draft, { asksForCard, method, ownFields }: Paying, now: Date): FormProblem[] =>
  asksForCard && method === "new" && ownFields ? cardProblems(draft.card, now) : [];

/** Whether a card must be saved: an order that closes later than an authorisation lives (decisions §7). */
export const mustSaveCard = (quote: Quote | null, now: Date): boolean =>
  (quote?.orders ?? []).some(({ cutoff }) => Date.parse(cutoff) - now.getTime() > SAVED_CARD_AFTER_MS);

const addressInput = (address: Address): z.input<typeof AddressInput> => ({
  ...address,
  // A draft without problems has one of the fixed list; an unfinished one is never sent.
  state: address.state as z.input<typeof AddressInput>["state"],
});

/** What decides the price. An unfinished address is left out: then home delivery is priced. */
export function quoteBody(draft: Draft): QuoteBody {
  const whole = draft.type === "delivery" && addressProblems(draft.address).length === 0;
  return {
    type: draft.type,
    ...(whole ? { deliveryAddress: addressInput(draft.address) } : {}),
    ...(draft.type === "pickup" && draft.pickupPointId !== null ? { pickupPointId: draft.pickupPointId } : {}),
    // Nobody drives to a pickup point.
    tipPercentage: draft.type === "pickup" ? 0 : draft.tip,
    ...(draft.code === "" ? {} : { discountCode: draft.code }),
    useCredit: draft.useCredit,
  };
}

/** How it is paid, as the wire has it: nothing where no card is asked for. */
function paymentOf(draft: Draft, { asksForCard, method, saves }: Paying, token: string | null): Partial<Choice> {
  if (!asksForCard) return {};
  if (method !== "new") return { paymentMethodId: method };
  return {
    ...(token === null ? { card: cardOf(draft.card) } : { confirmationToken: token }),
    savePaymentMethod: saves,
  };
}

/** The whole choice, for placing. Only for a draft without problems. `token`: of a card typed into the provider's own form. */
export const choiceOf = (draft: Draft, paying: Paying, token: string | null = null): Choice => ({
  ...quoteBody(draft),
  deliveryNotes: draft.notes,
  ...paymentOf(draft, paying, token),
});
