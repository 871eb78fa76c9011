import { expect, test } from "vitest";

import { createDatabaseBefore } from "./old-database.ts";

test("goodwill of the version before: vendors have back what they bear of cancelled orders, once an order, in the order of the orders", async () => {
  const { client, upgrade } = await createDatabaseBefore("goodwill_of_cancelled_orders");
  // Customers, hubs and deliveries are left out.
  await client.query("set session_replication_role = replica");
  await client.query(
    `insert into vendor (id, slug, hash, name, city, state, description)
     select id, 'vendor-' || id, lpad(id::text, 16, '0'), 'Vendor', 'Sheridan', 'IN', '' from unnest(array[7, 9]) as v (id)`,
  );
  await client.query(
    `insert into orders (id, hub_id, delivery_id, status, items_cents, tip_cents, tax_cents, tax_rate_ppm, card_fee_cents, delivery_fee_cents, discount_cents,
       order_total_cents, created_at)
     select id, 1, 1, status, 1000, 0, 0, 0, 0, 0, 0, 1000, now()
     from unnest(array[300000000, 200000000, 100000000], array['cancelled', 'cancelled', 'closed']) as o (id, status)`,
  );
  // Of each: its order, kind, bearer, state, failure, and whether it was resolved.
  const refunds = [
    [300_000_000, "goodwill", 7, "done", null, false],
    [300_000_000, "care", 7, "created", null, false],
    [300_000_000, "goodwill", 9, "failed", "refused", false],
    // Given otherwise, or not due.
    [300_000_000, "goodwill", 9, "failed", "refused", true],
    // Became store credit in an older version.
    [200_000_000, "goodwill", 9, "failed", null, true],
    // Borne by the market, no goodwill, or of an order that stands.
    [200_000_000, "goodwill", null, "done", null, false],
    [200_000_000, "cancel", 9, "done", null, false],
    [100_000_000, "goodwill", 9, "done", null, false],
  ] as const;
  for (const [place, refund] of refunds.entries())
    await client.query(
      `insert into refund (id, order_id, kind, bearer_id, state, failure, resolved_at, destination, amount_cents, reason, created_at)
       values (gen_random_uuid(), $1, $2, $3, $4, $5, case when $6::boolean then now() end, 'credit', $7, 'Broken', now())`,
      [...refund, 100 + place],
    );
  await client.query("set session_replication_role = origin");
  await upgrade();
  const released = await client.query(
    "select amount_cents as cents from refund where released_cents > 0 and released_cents = amount_cents order by 1",
  );
  expect(released.rows.map(({ cents }) => cents)).toEqual([100, 101, 102, 104]);
  const { rows } = await client.query(
    `select t.order_id, t.kind, e.account, e.vendor_id, e.amount_cents as cents
     from ledger_transaction t join ledger_entry e on e.transaction_id = t.id order by t.id, e.id`,
  );
  expect(
    rows.map(({ order_id: order, kind, account, vendor_id: vendor, cents }) => [order, kind, account, vendor, cents]),
  ).toEqual([
    [200_000_000, "compensation", "refunds", null, -104],
    [200_000_000, "compensation", "vendor", 9, 104],
    [300_000_000, "compensation", "refunds", null, -303],
    [300_000_000, "compensation", "vendor", 7, 201],
    [300_000_000, "compensation", "vendor", 9, 102],
  ]);
});
