import { dateInZone, isCalendarDate } from "@marketday/domain/calendar-date";
import { type Cents, cents, formatUsd } from "@marketday/domain/money";
import { formatClock } from "@marketday/domain/order";
import { parseTotes } from "@marketday/domain/totes";
import type { MoneyBack } from "@marketday/server/modules/orders/refund-paid";
import type { SettledRefund } from "@marketday/server/modules/payments/finish-refund";
import { formatRefundFailure } from "@marketday/server/modules/payments/refund-failures";
import { InvalidArgumentError } from "commander";

/** Parsers of options and arguments; an invalid value ends the command with an example of a valid one. */

export function dollars(text: string): Cents {
  const found = /^\$?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text);
  if (!found) throw new InvalidArgumentError("Give an amount in dollars, such as 4.50.");
  return cents(Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0")));
}

export function day(text: string): string {
  if (!isCalendarDate(text)) throw new InvalidArgumentError("Give a date such as 2026-11-26.");
  return text;
}

export function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Give a whole number.");
  return Number(text);
}

/** "1-15,18" */
export function totes(text: string): number[] {
  const numbers = parseTotes(text);
  if (!numbers) throw new InvalidArgumentError("Give tote numbers such as 7 or 1-15,18.");
  return numbers;
}

/** "9/12": 9 of 12 came. Null for any other text. */
export function parseCount(text: string): { came: number; of: number } | null {
  const [, came, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  return came !== undefined && Number(came) < Number(of) ? { came: Number(came), of: Number(of) } : null;
}

export function count(text: string): { came: number; of: number } {
  const found = parseCount(text);
  if (!found)
    throw new InvalidArgumentError(`Write CAME/ORDERED instead of "${text}", such as 9/12 when 9 of 12 came.`);
  return found;
}

export function destination(text: string): "card" | "credit" {
  if (text !== "card" && text !== "credit") throw new InvalidArgumentError("Say card or credit.");
  return text;
}

export function bearer(text: string): "market" | "vendor" {
  if (text !== "market" && text !== "vendor") throw new InvalidArgumentError("Use market or vendor.");
  return text;
}

export const email = (text: string): string => {
  if (!/^[^\s@"<>]+@[^\s@"<>]+\.[^\s@"<>]+$/.test(text)) throw new InvalidArgumentError("Give an e-mail address.");
  return text.toLowerCase();
};

/** "1 row", "1,200 rows". */
export const some = (count: number, things: string): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? things.replace(/s$/, "") : things}`;

/** Cents as dollars. */
export const usd = (amount: unknown): string => formatUsd(cents(Number(amount)));

/** `formatMoneyBack` of nothing. */
export const NO_MONEY = "no money moves";

/** "back to the card", "did NOT go back to the card: …", by what became of the refund. */
export function whereRefunded({ state, failure }: SettledRefund, card: string): string {
  switch (state) {
    case "planned":
    case "done":
      return `back to ${card}`;
    case "pending":
      return `on its way back to ${card} (the payment provider has not sent it to the bank yet)`;
    case "waiting":
      return `will go back to ${card}: ${formatRefundFailure(failure)} It is requested again automatically`;
    case "failed":
      return `did NOT go back to ${card}: ${formatRefundFailure(failure)} \`./market refunds list\` has it`;
  }
}

/**
 * "$12.00 back to the card", "$3.10 less to collect at the door": where the money of lowered orders goes.
 * @param card "the cards" for several orders
 */
export function formatMoneyBack(money: MoneyBack, to: "card" | "credit", card = "the card"): string {
  const elsewhere = to === "credit" ? money.creditCents - money.backCents : money.creditCents;
  const byResult = Map.groupBy(money.refunds, (refund) => whereRefunded(refund, card));
  const amounts: [number, string][] = [
    ...[...byResult].map(([where, refunds]): [number, string] => [
      refunds.reduce((sum, { amountCents }) => sum + amountCents, 0),
      where,
    ]),
    [to === "credit" ? money.backCents : 0, "back to store credit"],
    [elsewhere, money.backCents > 0 && to === "credit" ? "of used store credit back" : "back to store credit"],
    [money.uncollectedCents, "less to collect at the door"],
    [money.unchargedCents, `less to charge to ${card}`],
    [money.bankCents, "with the shopper's bank, which disputes the payment: not refunded again"],
    [money.earlierCents, "given back before"],
  ];
  const moved = amounts.filter(([amount]) => amount > 0).map(([amount, where]) => `${usd(amount)} ${where}`);
  return moved.length > 0 ? moved.join(", ") : NO_MONEY;
}

/** Whether a refund did not go back: the command ends with exit code 1. */
export const hasFailedRefund = ({ refunds }: MoneyBack): boolean => refunds.some(({ state }) => state === "failed");

/** "2026-11-25 1:01AM", as clocks in the zone show it. */
export const localTime = (at: Date | string, zone: string): string => {
  const instant = new Date(at);
  return `${dateInZone(instant, zone)} ${formatClock(instant, zone)}`;
};
