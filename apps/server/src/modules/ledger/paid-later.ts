import type { Conn } from "@marketday/db";

import { type DueParts, findDueParts } from "./due-sql.ts";
import type { DueRow } from "./payout-store.ts";

/** The last delivery day of what is due, and the market's date. `YYYY-MM-DD` */
interface Until {
  to: string;
  today: string;
}

/**
 * Whether an amount below zero, up to a day before the market's date, is only what was paid for later days: payouts are deducted whatever
 * their days, and nothing was paid too much.
 */
export const isPaidLater = (dueCents: number, found: DueParts | undefined, { to, today }: Until): boolean =>
  dueCents < 0 && to < today && (found?.until ?? to) > to && found?.salesCents === 0;

/** Of vendors and their dues up to `to`, those who were paid too much: without those who were only paid for later days (`isPaidLater`). */
export async function findOverpaid(db: Conn, dues: readonly DueRow[], until: Until): Promise<DueRow[]> {
  const below = dues.filter((due) => due.due_cents < 0);
  // From the market's date on, `isPaidLater` holds for no vendor.
  if (below.length === 0 || until.to >= until.today) return below;
  const { parts } = await findDueParts(
    db,
    below.map(({ id }) => id),
    until.to,
  );
  const byVendor = new Map(parts.map((part) => [part.vendorId, part]));
  return below.filter(({ id, due_cents: due }) => !isPaidLater(due, byVendor.get(id), until));
}
