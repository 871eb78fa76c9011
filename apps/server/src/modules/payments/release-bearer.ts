import type { AnyTx } from "@marketday/db";
import { compensationEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import { insertBookings } from "../ledger/booking-sql.ts";
import type { UnresolvedRefund } from "./unresolved-store.ts";

/** Gives the vendor who bears a failed goodwill refund what of it is not given to the shopper after all. Cents. */
export async function releaseBearer(
  tx: AnyTx,
  { order_id: orderId, bearer_id: vendorId }: UnresolvedRefund,
  amountCents: number,
  now: Date,
): Promise<void> {
  if (orderId === null || vendorId === null) return;
  const entries = compensationEntries([{ vendorId, amountCents: cents(amountCents) }]);
  await insertBookings(tx, [{ kind: "compensation", orderId, entries }], now);
}
