import type { OrderBox } from "@marketday/contracts/admin/orders";

import { dollars } from "./box-money.ts";
import type { BoxAuditRow, BoxTransactionRow } from "./order-box-sql.ts";

/** What was sold and who gets it, then who paid. Accounts that are not named come last. */
const ACCOUNTS = [
  "vendor",
  "commission",
  "tips",
  "tax",
  "delivery_fees",
  "card_fees",
  "discounts",
  "promotions",
  "refunds",
  "write_offs",
  "store_credit",
  "shopper",
  "provider",
];
/** The first of the kinds that were booked at once names the change. */
const KINDS = ["sale", "write_off", "dispute", "capture", "edit", "refund", "compensation", "credit"];
/** What booked an edit or a refund, by the action in the audit log. */
const CAUSES: Record<string, string> = {
  "orders short": "short",
  "orders cancel": "cancel",
  "days close": "cancel",
  "orders refund": "refund",
};

const placeIn = (list: readonly string[], key: string): number => {
  const place = list.indexOf(key);
  return place === -1 ? list.length : place;
};

function columnName(kinds: readonly string[], at: number, audit: readonly BoxAuditRow[]): string {
  const [kind = ""] = kinds.toSorted((a, b) => placeIn(KINDS, a) - placeIn(KINDS, b));
  if (kind === "sale" || kind === "capture" || kind === "dispute") return kind;
  const cause = audit.find(({ action, at: when }) => Date.parse(when) === at && CAUSES[action] !== undefined);
  return cause ? CAUSES[cause.action]! : kind;
}

/** The bookings of a box: a column for all that was booked at one instant, a row for each account and vendor. A booking of nothing is none. */
export function boxLedger(
  transactions: readonly BoxTransactionRow[],
  audit: readonly BoxAuditRow[],
): NonNullable<OrderBox["ledger"]> {
  const booked = transactions.filter(({ entries }) => entries.length > 0);
  const columns = [...Map.groupBy(booked, ({ at }) => Date.parse(at))].toSorted(([a], [b]) => a - b);
  const rows = new Map<string, { account: string; name: string | null; cents: number[] }>();
  for (const [place, [, column]] of columns.entries())
    for (const { account, vendor, cents } of column.flatMap(({ entries }) => entries)) {
      const key = `${account} ${vendor ?? ""}`;
      const row = rows.get(key) ?? { account, name: vendor, cents: columns.map(() => 0) };
      row.cents[place]! += cents;
      rows.set(key, row);
    }
  return {
    columns: columns.map(([at, column]) => ({
      what: columnName(
        column.map(({ kind }) => kind),
        at,
        audit,
      ),
      at: new Date(at).toISOString(),
    })),
    rows: [...rows.values()]
      .toSorted(
        (a, b) =>
          placeIn(ACCOUNTS, a.account) - placeIn(ACCOUNTS, b.account) || (a.name ?? "").localeCompare(b.name ?? ""),
      )
      .map(({ account, name, cents }) => ({
        account,
        name,
        amounts: cents.map(dollars),
        now: dollars(cents.reduce((sum, each) => sum + each, 0)),
      })),
  };
}
