import { pluralIn } from "@marketday/domain/message-format";

import { formatOrderNumber } from "../../../lib/order-number.ts";

// What is done to many orders at once, in English.

const plural = pluralIn("en");
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const whole = new Intl.NumberFormat("en-US");
const money = (amount: number): string => dollars.format(amount);
const orders = (count: number) => plural(count, { one: "1 order", other: `${whole.format(count)} orders` });
const emails = (count: number) => plural(count, { one: "1 email", other: `${whole.format(count)} emails` });

// The bar

export const selection = "Selected orders";
export const selected = (count: number) => `${whole.format(count)} selected`;
export const total = "Total";
export const clear = "Clear";
export const escape = "Esc";
export const selectBox = (name: string, id: number) =>
  name === "" ? `Select order ${formatOrderNumber(id)}` : `Select the order of ${name}`;
export const selectAll = "Select all boxes in the list";
export const tooMany = (most: number) => `Choose at most ${whole.format(most)} orders`;

export const print = "Print";
export const message = "Message";
export const paid = "Mark paid";
export const inMenu = {
  deliver: "Deliver",
  place: "Move to a pickup point…",
  charge: "Charge again",
  cancel: "Cancel…",
} as const;
export const more = "More";

// Titles and buttons

export type Verb = "paid" | "deliver" | "place" | "cancel" | "charge" | "message";
export const titles: Readonly<Record<Verb | "print", string>> = {
  paid: "Mark as paid",
  deliver: "Mark as delivered",
  place: "Move to a pickup point",
  cancel: "Cancel orders",
  charge: "Charge cards again",
  message: "Write to customers",
  print: "Print",
};
/** Not those of `verbKeys` of an order, whose panel can be open beside the bar. */
export const verbKeys = { print: "P", message: "M" };
export const doIt: Readonly<Record<Verb, (count: number, amount: number, mails: number) => string>> = {
  paid: (_count, amount) => `Record ${money(amount)}`,
  deliver: (count) => `Deliver ${orders(count)}`,
  place: (count) => `Move ${orders(count)}`,
  cancel: (count, amount) => `Cancel ${orders(count)}${amount > 0 ? `, ${money(amount)} back` : ""}`,
  charge: (_count, amount) => `Charge ${money(amount)}`,
  message: (_count, _amount, mails) => `Send ${emails(mails)}`,
};
export const doing = "One moment…";
export const doOthers = (count: number) => `Do the other ${whole.format(count)}`;
export const close = "Close";
export const planning = "Checking what this does…";
export const tryAgain = "Try again";
export const unknown = "The server didn’t answer. Try again: nothing is done twice.";
export const conflict = "These orders were changed in the meantime. Nothing was done. This is what it does now.";

// What it does

export const whatItDoes = "What it does";
interface Effect {
  count: number;
  back: number;
  credit: number;
  uncharged: number;
  uncollected: number;
  amount: number;
  feeOff: number;
  feeKept: number;
  mails: number;
  vendorMails: number;
}
/** "23 orders, $412.10 back to cards, 23 emails" */
export const effect = (verb: Verb, of: Effect): string =>
  [
    orders(of.count),
    verb === "paid" && of.amount > 0 && `${money(of.amount)} recorded as paid`,
    verb === "charge" && of.amount > 0 && `${money(of.amount)} to charge`,
    of.feeOff > 0 && `${money(of.feeOff)} of delivery fees taken off`,
    of.feeKept > 0 && `${money(of.feeKept)} of delivery fees stay, because orders are closed`,
    of.back > 0 && `${money(of.back)} back to cards`,
    of.credit > 0 && `${money(of.credit)} as store credit`,
    of.uncharged > 0 && `${money(of.uncharged)} less to charge`,
    of.uncollected > 0 && `${money(of.uncollected)} less to collect`,
    of.mails > 0 && emails(of.mails),
    of.vendorMails > 0 && `${emails(of.vendorMails)} to vendors`,
  ]
    .filter(Boolean)
    .join(", ");
export const feesStayOff = "Undo does not bring the delivery fees back.";
/** As `placeOnSheets` of one order. */
export const onSheets = "The sheets are made: the day shows what to print again.";
export const nothing = "Nothing would change.";
export const unchanged: Readonly<Record<Verb, (count: number) => string>> = {
  paid: (count) => `${orders(count)} already paid.`,
  deliver: (count) => `${orders(count)} already delivered.`,
  place: (count) => `${orders(count)} already there.`,
  cancel: (count) => `${orders(count)} already cancelled.`,
  charge: (count) => `${orders(count)} already paid.`,
  message: () => "",
};
export const refusedTitle = (count: number) =>
  plural(count, { one: "1 order can’t be included:", other: `${whole.format(count)} orders can’t be included:` });
export const refusedLine = (id: number, name: string, reason: string) =>
  `${name === "" ? "" : `${name}, `}order ${formatOrderNumber(id)}: ${reason}`;
export const early = (hub: string, day: string) => `The delivery day of ${hub}, ${day}, has not come yet.`;
export const overLimit = (limit: number) =>
  `That gives back more than the ${money(limit)} that you may give back at once. Choose fewer orders, or ask a manager.`;
export const onceEach = "Each person gets one email, whatever the number of their orders. They can answer it.";

// Fields

export const reason = "Reason";
export const reasonHint = "The customers read it.";
export const reasonMissing = "Give a reason";
export const refundTo = "Give the money back";
export const toCard = "To the card";
export const toCredit = "As store credit";
export const subject = "Subject";
export const subjectMissing = "Write a subject";
export const text = "Message";
export const textHint = "Plain text. The order’s number and day are added.";
export const textMissing = "Write a message";
export const point = "Pickup point";
export const pointMissing = "Choose a pickup point";
export const choosePoint = "Choose one…";
export const inPoint = (name: string, address: string) => `${name}, ${address}`;
export const loadingPoints = "Loading…";
export const noPoints = (markets: number) =>
  markets === 1 ? "This market has no open pickup point." : "These markets have no open pickup point.";
export const noPlaceMail = "Customers get no email about it. Write to them with Message.";

// Paper

export const printWhat = "What to print";
export const prints = { labels: "Labels", packing: "Packing lists", receipts: "Receipts" } as const;
export const openPdf = (count: number) => `Open the PDF of ${orders(count)}`;

// Step-up

export const stepUpEffect = "Money goes back to customers.";
