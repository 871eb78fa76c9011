import { randomUUID } from "node:crypto";

import { createDb } from "@marketday/db";
import { createDatabaseBefore } from "@marketday/db/testing/old-database";
import { expect, test } from "vitest";

import { createCustomer, createHub, createOrder, createProduct } from "../../../test/factories.ts";

test("goodwill of the version before: vendors have back what they bear of cancelled orders, and nothing else", async () => {
  const old = await createDatabaseBefore("goodwill_that_was_paid_back");
  const db = createDb({ url: old.url });
  try {
    const hub = await createHub(db);
    const product = await createProduct(db, hub.id, { inventory: 9 });
    const other = await createProduct(db, hub.id, { inventory: 9 });
    const { id: customerId } = await createCustomer(db, { hubId: hub.id, pepper: "pepper" });
    const order = async (status: "cancelled" | "closed") =>
      (await createOrder(db, { customerId, hub, product, status })).id;
    const [cancelled, delivered] = [await order("cancelled"), await order("closed")];
    const refund = (
      orderId: number,
      amountCents: number,
      {
        bearer = product.vendor_id,
        state = "done",
        isResolved = false,
        kind = "care",
      }: { bearer?: number | null; state?: string; isResolved?: boolean; kind?: string } = {},
    ) =>
      old.client.query(
        `insert into refund (id, order_id, kind, destination, amount_cents, reason, state, failure, bearer_id, resolved_at, created_at)
         values ($1, $2, $3, 'credit', $4, '', $5, case when $5 = 'failed' then 'expired_card' end, $6, case when $7 then now() end, now())`,
        [randomUUID(), orderId, kind, amountCents, state, bearer, isResolved],
      );
    await refund(cancelled, 100);
    await refund(cancelled, 20, { state: "failed" });
    await refund(cancelled, 3, { bearer: other.vendor_id });
    await refund(cancelled, 1000, { state: "failed", isResolved: true });
    await refund(cancelled, 2000, { bearer: null });
    await refund(cancelled, 4000, { bearer: null, kind: "cancel" });
    await refund(delivered, 8000);
    await old.upgrade();
    const { rows } = await old.client.query(
      `select t.kind, t.order_id, e.account, e.vendor_id, e.amount_cents from ledger_entry e
       join ledger_transaction t on t.id = e.transaction_id order by e.amount_cents desc`,
    );
    const booked = { kind: "compensation", order_id: cancelled };
    expect(rows).toEqual([
      { ...booked, account: "vendor", vendor_id: product.vendor_id, amount_cents: 120 },
      { ...booked, account: "vendor", vendor_id: other.vendor_id, amount_cents: 3 },
      { ...booked, account: "refunds", vendor_id: null, amount_cents: -123 },
    ]);
    const released = await db.refund.findMany({ orderBy: { amount_cents: "asc" }, select: { released_cents: true } });
    expect(released.map(({ released_cents: cents }) => cents)).toEqual([3, 20, 100, 0, 0, 0, 0]);
  } finally {
    await db.close();
  }
});
