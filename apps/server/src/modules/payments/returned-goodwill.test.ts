import { randomUUID } from "node:crypto";

import { createDatabaseBefore } from "@marketday/db/testing/old-database";
import { expect, test } from "vitest";

test("goodwill of the version before: vendors have back what they bear of cancelled orders, and nothing else", async () => {
  const { client, upgrade } = await createDatabaseBefore("goodwill_that_was_paid_back");
  const [cancelled, delivered] = [100_000_001, 100_000_002];
  const [farm, bakery] = [1, 2];
  // Hubs and customers are left out.
  await client.query("set session_replication_role = replica");
  for (const id of [farm, bakery])
    await client.query(
      "insert into vendor (id, slug, hash, name, city, state) values ($1::int, 'farm-' || $1::text, lpad($1::text, 16, '0'), 'Farm', 'Carmel', 'IN')",
      [id],
    );
  for (const [id, status] of [
    [cancelled, "cancelled"],
    [delivered, "closed"],
  ])
    await client.query(
      `insert into orders (id, hub_id, delivery_id, status, items_cents, tip_cents, tax_cents, tax_rate_ppm, card_fee_cents,
         delivery_fee_cents, discount_cents, order_total_cents, created_at)
       values ($1, 1, 1, $2, 700, 0, 0, 0, 0, 0, 0, 700, now())`,
      [id, status],
    );
  const refund = (
    orderId: number,
    amountCents: number,
    {
      bearer = farm,
      state = "done",
      isResolved = false,
      kind = "care",
    }: { bearer?: number | null; state?: string; isResolved?: boolean; kind?: string } = {},
  ) =>
    client.query(
      `insert into refund (id, order_id, kind, destination, amount_cents, reason, state, failure, bearer_id, resolved_at, created_at)
       values ($1, $2, $3, 'credit', $4, '', $5, case when $5 = 'failed' then 'expired_card' end, $6, case when $7 then now() end, now())`,
      [randomUUID(), orderId, kind, amountCents, state, bearer, isResolved],
    );
  await refund(cancelled, 100);
  await refund(cancelled, 20, { state: "failed" });
  await refund(cancelled, 3, { bearer: bakery });
  await refund(cancelled, 1000, { state: "failed", isResolved: true });
  await refund(cancelled, 2000, { bearer: null });
  await refund(cancelled, 4000, { bearer: null, kind: "cancel" });
  await refund(delivered, 8000);
  await client.query("set session_replication_role = origin");
  await upgrade();
  const { rows } = await client.query(
    `select t.kind, t.order_id, e.account, e.vendor_id, e.amount_cents from ledger_entry e
     join ledger_transaction t on t.id = e.transaction_id order by e.amount_cents desc`,
  );
  const booked = { kind: "compensation", order_id: cancelled };
  expect(rows).toEqual([
    { ...booked, account: "vendor", vendor_id: farm, amount_cents: 120 },
    { ...booked, account: "vendor", vendor_id: bakery, amount_cents: 3 },
    { ...booked, account: "refunds", vendor_id: null, amount_cents: -123 },
  ]);
  const released = await client.query<{ released_cents: number }>(
    "select released_cents from refund order by amount_cents",
  );
  expect(released.rows.map(({ released_cents: cents }) => cents)).toEqual([3, 20, 100, 0, 0, 0, 0]);
});
