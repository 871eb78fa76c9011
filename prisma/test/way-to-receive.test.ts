import { expect, test } from "vitest";

import { createOldDatabase } from "./old-database.ts";

test(
  "customers of the version before: who picked up last picks up, at an open point of their market; the others keep their address",
  { tags: ["fail:D12"] },
  async () => {
    const { client, upgrade } = await createOldDatabase();
    for (const id of [1, 2])
      await client.query(
        `insert into hub (id, slug, name, delivery_day, time_zone, zip_code, city, state, lat, lng)
         values ($1::int, 'market-' || $1::int, 'Market', 'Thursday', 'UTC', '46032', 'Carmel', 'IN', 0, 0)`,
        [id],
      );
    await client.query(
      `insert into delivery (id, hub_id, day, cutoff_at, auto_checkout_at) values (7, 1, '2026-11-26', '2026-11-25 06:00Z', '2026-11-23 18:00Z')`,
    );
    for (const [id, isActive] of [
      [1, true],
      [2, true],
      [3, false],
    ])
      await client.query(
        `insert into pickup_point (id, hub_id, name, address, city, state, zip_code, hours, is_active)
         values ($1, 1, 'Depot', 'Road', 'Carmel', 'IN', '46032', '', $2)`,
        [id, isActive],
      );
    let orderId = 100_000_000;
    /** The orders of a customer, oldest first: a pickup point, or "home". */
    const insertCustomer = async (id: number, orders: (number | "home" | "cancelled")[], hubId = 1) => {
      const email = `c${id}@example.com`;
      await client.query("insert into customer (id, email, hub_id) values ($1, $2, $3)", [id, email, hubId]);
      await client.query(
        `insert into address (customer_id, address, city, state, zip_code, is_default) values ($1, '1 Old Road', 'Carmel', 'IN', '46032', true)`,
        [id],
      );
      for (const place of orders) {
        orderId += 1;
        const point = typeof place === "number" ? place : place === "cancelled" ? 1 : null;
        await client.query(
          `insert into orders (id, customer_id, hub_id, delivery_id, status, type, pickup_point_id, items_cents, tip_cents, tax_cents, tax_rate_ppm,
             card_fee_cents, delivery_fee_cents, discount_cents, order_total_cents, created_at)
           values ($1::int, $2, 1, 7, $3, $4, $5, 0, 0, 0, 0, 0, 0, 0, 0, timestamptz '2026-11-01 00:00Z' + ($1::int - 100000000) * interval '1 hour')`,
          [orderId, id, place === "cancelled" ? "cancelled" : "closed", point === null ? "delivery" : "pickup", point],
        );
      }
    };
    await insertCustomer(1, ["home", 1, 2]);
    await insertCustomer(2, [1, "home"]);
    await insertCustomer(3, ["home", "cancelled"]);
    await insertCustomer(4, [3]);
    await insertCustomer(5, [1], 2);
    await insertCustomer(6, []);
    await upgrade();
    const { rows } = await client.query("select id, pickup_point_id from customer where pickup_point_id is not null");
    expect(rows).toEqual([{ id: 1, pickup_point_id: 2 }]);
    const addresses = await client.query("select count(*)::int as count from address where address = '1 Old Road'");
    expect(addresses.rows).toEqual([{ count: 6 }]);
  },
);
