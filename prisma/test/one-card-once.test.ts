import type pg from "pg";
import { expect, test } from "vitest";

import { createOldDatabase } from "./old-database.ts";

let client: pg.Client;

const insertCard = (id: number, customerId: number, fingerprint: string, isDefault = false, isDeleted = false) =>
  client.query(
    `insert into payment_method (id, customer_id, provider, provider_ref, brand, last4, exp_month, exp_year, fingerprint, is_default, deleted_at)
     values ($1::int, $2, 'stripe', 'pm_' || $1::int, 'visa', '4242', 12, 2030, $3, $4, case when $5::boolean then now() end)`,
    [id, customerId, fingerprint, isDefault, isDeleted],
  );
const paymentId = "00000000-0000-4000-8000-000000000001";

test(
  "one card once: of copies of a card the default stays, payments move to it, and no new copy is saved",
  { tags: ["fail:D12"] },
  async () => {
    const old = await createOldDatabase("one_card_once");
    client = old.client;
    // Customers are left out.
    const { rows } = await client.query<{ relation: string; name: string }>(
      `select conrelid::regclass::text as relation, conname as name from pg_constraint
     where conrelid in ('payment_method'::regclass, 'payment'::regclass) and confrelid = 'customer'::regclass and contype = 'f'`,
    );
    for (const { relation, name } of rows) await client.query(`alter table ${relation} drop constraint ${name}`);
    await insertCard(1, 1, "same");
    await insertCard(2, 1, "same", true);
    await insertCard(3, 1, "same", false, true);
    await insertCard(4, 1, "other");
    await insertCard(5, 1, "");
    await insertCard(6, 1, "");
    await insertCard(7, 2, "same", true);
    await client.query(
      `insert into payment (id, charge_key, customer_id, provider, state, amount_cents, payment_method_id, created_at)
     values ($1::uuid, $1::uuid, 1, 'stripe', 'authorized', 100, 1, now())`,
      [paymentId],
    );
    await old.upgrade();

    const live = await client.query("select id, is_default from payment_method where deleted_at is null order by id");
    expect(live.rows).toEqual([
      { id: 2, is_default: true },
      { id: 4, is_default: false },
      { id: 5, is_default: false },
      { id: 6, is_default: false },
      { id: 7, is_default: true },
    ]);
    const payment = await client.query("select payment_method_id from payment where id = $1", [paymentId]);
    expect(payment.rows).toEqual([{ payment_method_id: 2 }]);
    await expect(insertCard(8, 1, "same")).rejects.toMatchObject({ constraint: "payment_method_card_key" });
    await insertCard(8, 2, "other");
  },
);
