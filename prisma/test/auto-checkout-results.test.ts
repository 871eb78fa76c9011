import type pg from "pg";
import { expect, test } from "vitest";

import { createOldDatabase } from "./old-database.ts";

let client: pg.Client;

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const insertAttempt = (n: number, state: string, key: string | null) =>
  client.query(
    `insert into checkout_attempt (id, customer_id, hub_id, delivery_id, state, choice, plan, order_total_cents, amount_due_cents,
       lease_until, expires_at, created_at, idempotency_key)
     values ($1, 1, 1, 1, $2, '{}', '{}', 100, 100, now(), now(), $3, $4)`,
    [uuid(n), state, new Date(Date.UTC(2026, 10, 23, 12, n)), key],
  );
const insertClaim = (job: string, subject: string, attempts: number, outcome: string | null, isDone: boolean) =>
  client.query(
    `insert into job_claim (job, subject, lease_until, attempts, outcome, done_at)
     values ($1, $2, now(), $3, $4, case when $5::boolean then timestamptz '2026-11-23 18:00Z' end)`,
    [job, subject, attempts, outcome, isDone],
  );

test(
  "auto-checkout results: claims become results, and of attempts that share a key only the latest keeps it",
  { tags: ["fail:D12"] },
  async () => {
    const old = await createOldDatabase("auto_checkout_results");
    client = old.client;
    // Hubs are left out.
    const { rows } = await client.query<{ relation: string; name: string }>(
      `select conrelid::regclass::text as relation, conname as name from pg_constraint
       where conrelid in ('checkout_attempt'::regclass, 'delivery'::regclass) and contype = 'f'`,
    );
    for (const { relation, name } of rows) await client.query(`alter table ${relation} drop constraint ${name}`);
    await client.query(
      `insert into delivery (id, hub_id, day, cutoff_at, auto_checkout_at) values (7, 1, '2026-11-26', '2026-11-25 06:00Z', '2026-11-23 18:00Z')`,
    );
    for (const id of [1, 2, 3])
      await client.query("insert into customer (id, email, email_normal) values ($1, $2, $2)", [
        id,
        `c${id}@example.com`,
      ]);
    await insertClaim("auto-checkout", "7:1", 1, "placed", true);
    await insertClaim("auto-checkout", "7:2", 2, "error 2", false);
    await insertClaim("auto-checkout", "7:3", 0, null, false);
    // A deleted delivery, and another job.
    await insertClaim("auto-checkout", "8:1", 1, "placed", true);
    await insertClaim("other", "7:1", 1, "placed", true);
    await insertAttempt(1, "placed", "same");
    await insertAttempt(2, "placed", "same");
    await insertAttempt(3, "failed", "same");
    await insertAttempt(4, "held", "another");
    await insertAttempt(5, "placed", null);
    await insertAttempt(6, "placed", null);
    await old.upgrade();

    const results = await client.query(
      "select delivery_id, customer_id, tries, outcome, done_at is not null as is_done from auto_checkout_result order by customer_id",
    );
    expect(results.rows).toEqual([
      { delivery_id: 7, customer_id: 1, tries: 1, outcome: "placed", is_done: true },
      { delivery_id: 7, customer_id: 2, tries: 2, outcome: "error", is_done: false },
      { delivery_id: 7, customer_id: 3, tries: 0, outcome: null, is_done: false },
    ]);
    const keys = await client.query("select idempotency_key as key from checkout_attempt order by created_at");
    expect(keys.rows.map(({ key }) => key as string | null)).toEqual([null, "same", "same", "another", null, null]);
    const constraint = "checkout_attempt_key_once_key";
    await expect(insertAttempt(7, "held", "same")).rejects.toMatchObject({ constraint });
    await insertAttempt(7, "failed", "same");
  },
);
