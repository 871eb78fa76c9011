import type { BoxMoney } from "@marketday/contracts/admin/orders";
import { cents, toDollars } from "@marketday/domain/money";

import type { BoxMoneyRow } from "./box-money-sql.ts";

/** Dollars of an amount in cents. */
export const dollars = (amount: number): number => toDollars(cents(amount));

/** Where the money of a box is, in a word: what a person must know first. */
export function serializeBoxMoney(row: BoxMoneyRow): BoxMoney {
  const amounts: [BoxMoney["state"], number][] = [
    [row.is_declined ? "declined" : "due", row.due_cents],
    ["back_failed", row.back_failed_cents],
    ["back", row.back_cents],
    ["written_off", row.written_off_cents],
    ["held", row.held_cents],
    ["to_charge", row.to_charge_cents],
    ["paid", row.paid_cents],
  ];
  const [state, amount] = amounts.find(([, each]) => each > 0) ?? (["none", 0] as const);
  return { state, amount: dollars(amount) };
}

/** The state of a box by those of its live orders: cancelled when there is none. */
export function boxStatus(statuses: readonly string[]): "open" | "packing" | "delivered" | "cancelled" {
  const live = statuses.filter((status) => status !== "cancelled");
  if (live.length === 0) return "cancelled";
  if (live.some((status) => status === "open" || status === "future")) return "open";
  return live.includes("pending") ? "packing" : "delivered";
}
