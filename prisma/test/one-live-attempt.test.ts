import type pg from "pg";
import { expect, test } from "vitest";

import { createOldDatabase } from "./old-database.ts";

let client: pg.Client;

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const insertAttempt = (n: number, cartId: number, state: string, minute: number) =>
  client.query(
    `insert into checkout_attempt (id, customer_id, cart_id, hub_id, delivery_id, state, choice, plan, order_total_cents, amount_due_cents,
       lease_until, expires_at, created_at)
     values ($1, 1, $2, 1, 1, $3, '{}', '{}', 100, 100, now(), now(), $4)`,
    [uuid(n), cartId, state, new Date(Date.UTC(2026, 10, 23, 12, minute))],
  );
const hold = async (n: number, offerId: number, quantity: number) => {
  await client.query("insert into stock_hold (attempt_id, offer_id, quantity, expires_at) values ($1, $2, $3, now())", [
    uuid(n),
    offerId,
    quantity,
  ]);
  await client.query("update offer set inventory = inventory - $2, sold_out_at = now() where id = $1", [
    offerId,
    quantity,
  ]);
};

test(
  "one live attempt: of a cart's live attempts the newest stays, the others fail and their stock goes back on sale",
  { tags: ["fail:D12", "fail:M1"] },
  async () => {
    const old = await createOldDatabase("one_live_attempt");
    client = old.client;
    // Customers, carts, hubs and variants are left out.
    const { rows } = await client.query<{ relation: string; name: string }>(
      `select conrelid::regclass::text as relation, conname as name from pg_constraint
       where conrelid in ('checkout_attempt'::regclass, 'offer'::regclass) and contype = 'f'`,
    );
    for (const { relation, name } of rows) await client.query(`alter table ${relation} drop constraint ${name}`);
    for (const id of [1, 2])
      await client.query(
        "insert into offer (id, hub_id, variant_id, price_cents, inventory) values ($1, 1, $1, 100, 10)",
        [id],
      );

    await insertAttempt(1, 1, "challenge", 1);
    await insertAttempt(2, 1, "held", 2);
    await insertAttempt(3, 1, "challenge", 3);
    await insertAttempt(4, 1, "placed", 4);
    await insertAttempt(5, 2, "challenge", 1);
    await hold(1, 1, 3);
    await hold(2, 1, 2);
    await hold(2, 2, 10);
    await hold(3, 1, 1);
    await hold(5, 1, 4);
    await old.upgrade();

    const attempts = await client.query("select id, state, failure->>'code' as code from checkout_attempt order by id");
    expect(attempts.rows.map(({ state, code }) => [state, code])).toEqual([
      ["failed", "superseded"],
      ["failed", "superseded"],
      ["challenge", null],
      ["placed", null],
      ["challenge", null],
    ]);
    const holds = await client.query("select attempt_id, offer_id, quantity from stock_hold order by attempt_id");
    expect(holds.rows).toEqual([
      { attempt_id: uuid(3), offer_id: 1, quantity: 1 },
      { attempt_id: uuid(5), offer_id: 1, quantity: 4 },
    ]);
    const offers = await client.query("select inventory, sold_out_at is null as on_sale from offer order by id");
    expect(offers.rows).toEqual([
      { inventory: 5, on_sale: true },
      { inventory: 10, on_sale: true },
    ]);
    await expect(insertAttempt(6, 2, "held", 9)).rejects.toMatchObject({ constraint: "checkout_attempt_live_key" });
    await insertAttempt(6, 1, "failed", 9);
  },
);
