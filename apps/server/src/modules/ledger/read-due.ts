import type { DuePayout, DueStatement } from "@marketday/contracts/admin/payouts";
import { type CalendarDate, formatLongWithYear } from "@marketday/domain/calendar-date";
import { cents, toDollars } from "@marketday/domain/money";

import { AppError, notFound } from "../../lib/app-error.ts";
import { marketDate } from "../hubs/market-date.ts";
import type { Context } from "../identity/context.ts";
import { type DueParts, findDueParts, findSold } from "./due-sql.ts";
import { isPaidLater } from "./paid-later.ts";
import { findDues } from "./payout-store.ts";
import { findVendorById } from "./store.ts";

type Parts = Pick<DuePayout["lines"][number], "sales" | "commission" | "compensation" | "earlier" | "due">;

const dollars = (amount: number): number => toDollars(cents(amount));

/**
 * The last delivery day of a payout, by default the market's date.
 * @throws AppError 400 `future` for a later date: what is due for it can still change
 */
export async function payableUntil(
  { deps, now }: Pick<Context, "deps" | "now">,
  to: string | undefined,
): Promise<{ to: string; today: CalendarDate }> {
  const today = await marketDate(deps, now);
  if (to !== undefined && to > today)
    throw new AppError(
      400,
      `Choose a date up to today, ${formatLongWithYear(today)}: deliveries after it can still change. The command \`ledger payouts\` with --include-future pays for them.`,
      { code: "future", field: "to" },
    );
  return { to: to ?? today, today };
}

/** The parts of an amount in dollars; `earlier` is what the others do not explain, so that they always add up. */
function partsOf(dueCents: number, found: DueParts | undefined): Parts {
  const { salesCents = 0, commissionCents = 0, compensationCents = 0 } = found ?? {};
  return {
    sales: dollars(salesCents),
    commission: dollars(commissionCents),
    compensation: dollars(compensationCents),
    earlier: dollars(dueCents - (salesCents - commissionCents + compensationCents)),
    due: dollars(dueCents),
  };
}

/** What vendors are owed (`findDues`), and what it is made of: three statements. @throws AppError 400 `future` */
export async function readDuePayout(ctx: Context, requested: string | undefined): Promise<DuePayout> {
  const { db } = ctx.deps;
  const { to, today } = await payableUntil(ctx, requested);
  const dues = await findDues(db, to);
  const { parts, openDays, last } = await findDueParts(
    db,
    dues.map(({ id }) => id),
    to,
  );
  const byVendor = new Map(parts.map((part) => [part.vendorId, part]));
  const paid = dues.filter((due) => due.due_cents > 0);
  return {
    to,
    today,
    lines: dues
      .filter(({ id, due_cents: due }) => !isPaidLater(due, byVendor.get(id), { to, today }))
      .map(({ due_cents: due, ...vendor }) => ({ vendor, ...partsOf(due, byVendor.get(vendor.id)) })),
    vendors: paid.length,
    total: dollars(paid.reduce((sum, { due_cents: due }) => sum + due, 0)),
    openDays,
    last,
  };
}

/** The same of one vendor, with what was sold. @throws AppError 404; 400 `future` */
export async function readDueStatement(
  ctx: Context,
  vendorId: number,
  requested: string | undefined,
): Promise<DueStatement> {
  const { db } = ctx.deps;
  const { to, today } = await payableUntil(ctx, requested);
  const vendor = await findVendorById(db, vendorId);
  if (!vendor) throw notFound();
  const [due] = await findDues(db, to, vendorId);
  const { parts } = await findDueParts(db, [vendorId], to);
  const { orders, items } = await findSold(db, vendorId, to);
  const dueCents = due?.due_cents ?? 0;
  return {
    vendor,
    to,
    paidTo: parts[0]?.until ?? null,
    items: items.map(({ amountCents, ...item }) => ({ ...item, amount: dollars(amountCents) })),
    orders,
    ...partsOf(isPaidLater(dueCents, parts[0], { to, today }) ? 0 : dueCents, parts[0]),
  };
}
