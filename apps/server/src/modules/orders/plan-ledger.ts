import type { LedgerPlan } from "@marketday/contracts/admin/order-changes";
import type { Client } from "@marketday/db";
import type { LedgerEntry } from "@marketday/domain/ledger";
import { cents, toDollars } from "@marketday/domain/money";

/** The sums of these entries by account and vendor, as a person reads them. */
export async function planLedger(db: Client, entries: readonly LedgerEntry[]): Promise<LedgerPlan> {
  const vendorIds = [...new Set(entries.flatMap(({ vendorId }) => vendorId ?? []))];
  const vendors = await db.vendor.findMany({ where: { id: { in: vendorIds } }, select: { id: true, name: true } });
  const names = new Map(vendors.map(({ id, name }) => [id, name]));
  const rows = Map.groupBy(entries, ({ account, vendorId }) => `${account} ${vendorId ?? ""}`);
  return [...rows.values()]
    .map((row) => ({
      account: row[0]!.account,
      name: row[0]!.vendorId === null ? null : (names.get(row[0]!.vendorId) ?? ""),
      amount: toDollars(cents(row.reduce((sum, { amountCents }) => sum + amountCents, 0))),
    }))
    .filter(({ amount }) => amount !== 0);
}
