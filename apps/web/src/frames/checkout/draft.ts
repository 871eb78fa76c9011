import { addChanges, type Changes, withChanges } from "@marketday/client/forms/changes.ts";
import type { Customer } from "@marketday/contracts/account";
import type { CheckoutChoice, Quote } from "@marketday/contracts/checkout";
import type { AddressInput } from "@marketday/contracts/common";
import { SAVED_CARD_AFTER_MS, type TipPercentage } from "@marketday/domain/limits";
import type { FormProblem } from "@marketday/ui/form.tsx";
import type { z } from "zod";

import { type AddressDraft, addressProblems, newAddress } from "../../features/account/address.ts";
import { CHECKOUT_DRAFT } from "../../features/checkout/open-order.ts";
import { setItem, getItem } from "../../lib/storage.ts";
import { type CardDraft, cardOf, cardProblems, emptyCard } from "./card.ts";

/** Everything a shopper says at checkout, as it stands. */
export interface Draft {
  type: "delivery" | "pickup";
  address: AddressDraft;
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
  /** Place and card are also those of automatic orders and of the next checkout. */
  useNextTime: boolean;
}

/** The control of the pickup choice, for the error summary. */
export const pickupControl = "pickup-points";

type Choice = z.input<typeof CheckoutChoice>;
export type QuoteBody = Choice;

/** Choices that are the shopper's own; a card is never kept. */
export type Choices = Omit<Draft, "card">;

/** What the account, its cart and its market say while the shopper has chosen nothing else. */
export interface CheckoutAccount {
  customer: Customer;
  /** The cart's discount code, "" for none. */
  cartCode: string;
  hubId: number | null;
}

const choicesOf = ({ customer, cartCode }: CheckoutAccount): Choices => ({
  type: customer.fulfillment?.type ?? "delivery",
  address: customer.deliveryAddress ?? newAddress(customer.zipCode),
  pickupPointId: pointOf(customer),
  notes: "",
  tip: 0,
  code: cartCode,
  useCredit: customer.credit > 0,
  method: null,
  save: false,
  useNextTime: true,
});

/** Where the customer picks up; null: nowhere, or the point has closed or is another market's. */
const pointOf = ({ fulfillment }: Customer): number | null =>
  fulfillment && !fulfillment.problem ? (fulfillment.pickupPoint?.id ?? null) : null;

/** The account's values that a choice was made over, where they are others than the choice's own. */
const accountOf = ({ customer, hubId }: CheckoutAccount): Partial<Record<keyof Choices, unknown>> => {
  const place = [hubId, customer.fulfillment?.type, pointOf(customer)];
  return { address: customer.deliveryAddress, useCredit: customer.credit, type: place, pickupPointId: place };
};

/** Choices changed at checkout and not ordered yet, of one customer. */
interface KeptChoices {
  customerId: Customer["customerId"];
  changes: Changes<Choices>;
}

/**
 * The checkout's choices: the account's own, with what this customer changed in this tab before. A change gives way when
 * the account's value changes later, so that an order never goes to an address that was corrected.
 */
export function draftOf(account: CheckoutAccount, changes: Changes<Choices>, card: CardDraft = emptyCard): Draft {
  return { ...withChanges(choicesOf(account), changes, accountOf(account)), card };
}

/** The changes with `next` among them. */
export const changeDraft = (
  account: CheckoutAccount,
  changes: Changes<Choices>,
  next: Partial<Choices>,
): Changes<Choices> => addChanges(changes, next, choicesOf(account), accountOf(account));

/** What this customer changed before; nothing of anyone else. */
export function recallDraft({ customerId }: Customer): Changes<Choices> {
  const kept = getItem<KeptChoices>("session", CHECKOUT_DRAFT);
  return kept?.customerId === customerId ? kept.changes : {};
}

/** Keeps the changes in this tab, so that closing the frame loses nothing. */
export const keepDraft = ({ customerId }: Customer, changes: Changes<Choices>): void =>
  setItem("session", CHECKOUT_DRAFT, { customerId, changes } satisfies KeptChoices);

/** What is wrong with where the order shall go. */
export function deliveryProblems(draft: Draft): FormProblem[] {
  if (draft.type === "delivery") return addressProblems(draft.address);
  return draft.pickupPointId === null ? [{ field: pickupControl, message: "Choose a pickup point" }] : [];
}

/** The chosen saved card, or null for a new one; the default card until a choice is made. */
export function methodOf(draft: Draft, quote: Quote | null): number | "new" {
  const methods = quote?.paymentMethods ?? [];
  if (draft.method === "new" || methods.some(({ id }) => id === draft.method)) return draft.method ?? "new";
  return (methods.find(({ isDefault }) => isDefault) ?? methods[0])?.id ?? "new";
}

/** What a payment requires: nothing when nothing is due or the market takes no cards. */
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

/** Whether a card must be saved: an order that closes later than an authorisation lives (docs/product.md §7). */
export const mustSaveCard = (quote: Quote | null, now: Date): boolean =>
  (quote?.orders ?? []).some(({ cutoff }) => Date.parse(cutoff) - now.getTime() > SAVED_CARD_AFTER_MS);

const addressInput = ({ auto: _auto, ...address }: AddressDraft): z.input<typeof AddressInput> => ({
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
    // Pickup has no driver.
    tipPercentage: draft.type === "pickup" ? 0 : draft.tip,
    ...(draft.code === "" ? {} : { discountCode: draft.code }),
    useCredit: draft.useCredit,
  };
}

/** The payment fields of the request; empty where no card is required. */
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
  useNextTime: draft.useNextTime,
  ...paymentOf(draft, paying, token),
});
