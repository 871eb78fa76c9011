import { expect, test } from "vitest";

import { createOldDatabase } from "./old-database.ts";

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);

test(
  "boxes of add-ons: the oldest add-on takes over a box whose first order was canceled, except on a frozen day",
  { tags: ["fail:D12"] },
  async () => {
    const { client, upgrade } = await createOldDatabase();
    await client.query("set session_replication_role = replica");
    const insert = (id: number, addOnTo: number | null, status: string, delivery: number, at: string) =>
      client.query(
        `insert into orders (id, hub_id, delivery_id, add_on_to_id, status, address, delivery_notes, items_cents, tip_cents, tax_cents,
           tax_rate_ppm, card_fee_cents, delivery_fee_cents, discount_cents, order_total_cents, created_at)
         values (100000000 + $1::int, 1, $4, 100000000 + $2::int, $3, jsonb_build_object('address', $1::text), case when $2::int is null then 'door' else '' end,
           0, 0, 0, 0, 0, 0, 0, 0, $5)`,
        [id, addOnTo, status, delivery, at],
      );
    await insert(1, null, "cancelled", 1, "2026-11-01");
    await insert(2, 1, "open", 1, "2026-11-03");
    await insert(3, 1, "open", 1, "2026-11-02");
    // A box that is delivered, and one of a day whose sheets are printed.
    await insert(4, null, "open", 1, "2026-11-01");
    await insert(5, 4, "open", 1, "2026-11-02");
    await insert(6, null, "cancelled", 2, "2026-11-01");
    await insert(7, 6, "open", 2, "2026-11-02");
    await client.query(
      "insert into snapshot (delivery_id, hub_id, day, hub_name, time_zone, cutoff_at, frozen_at) values (2, 1, '2026-11-26', '', 'UTC', now(), now())",
    );
    await upgrade();
    const { rows } = await client.query(
      `select id - 100000000 as id, add_on_to_id - 100000000 as box, address->>'address' as address, delivery_notes as notes
       from orders order by id`,
    );
    expect(rows).toEqual([
      { id: 1, box: 3, address: "1", notes: "door" },
      { id: 2, box: 3, address: "2", notes: "" },
      { id: 3, box: null, address: "1", notes: "door" },
      { id: 4, box: null, address: "4", notes: "door" },
      { id: 5, box: 4, address: "5", notes: "" },
      { id: 6, box: null, address: "6", notes: "door" },
      { id: 7, box: 6, address: "7", notes: "" },
    ]);
  },
);

test(
  "rows of deleted customers: those that late requests left are deleted, those of other customers stay",
  { tags: ["fail:D12", "fail:L2"] },
  async () => {
    const { client, upgrade } = await createOldDatabase();
    await client.query(
      "insert into customer (id, email, deleted_at) values (1, null, now()), (2, 'ada@example.com', null)",
    );
    await client.query("insert into cart (id, customer_id, updated_at) values (1, 1, now()), (2, 2, now())");
    await upgrade();
    expect(ids((await client.query("select id from cart order by id")).rows)).toEqual([2]);
    await expect(client.query("insert into cart (customer_id, updated_at) values (1, now())")).rejects.toMatchObject({
      code: "MD001",
    });
  },
);
