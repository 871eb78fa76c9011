import type pg from "pg";
import { expect, test } from "vitest";

import { createDatabaseBefore } from "./old-database.ts";

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

const insertRefund = (client: pg.Client, n: number, kind: string) =>
  client.query(
    `insert into refund (id, payment_id, kind, destination, amount_cents, reason, state, created_at)
     values ($1, $3, $2, 'card', 100, '', 'done', now())`,
    [uuid(n), kind, uuid(99)],
  );
const insertAttempt = (client: pg.Client, n: number, state: string) =>
  client.query(
    `insert into checkout_attempt (id, customer_id, cart_id, hub_id, delivery_id, state, choice, plan, order_total_cents, amount_due_cents,
       lease_until, expires_at, created_at)
     values ($1, 1, 1, 1, 1, $2, '{}', '{}', 0, 0, now(), now(), now())`,
    [uuid(n), state],
  );

test(
  "plain names: rows with old stored names are converted, and the version before may write them until it is replaced",
  { tags: ["fail:D12"] },
  async () => {
    const { client, upgrade } = await createDatabaseBefore("plain_names");
    await client.query("set session_replication_role = replica");
    for (const [n, kind] of ["care", "short", "cancel", "stray"].entries()) await insertRefund(client, n, kind);
    await client.query(
      "insert into job_failure (job, subject, reason, since, next_at) values ('forget-payers', 'cus_1', 'away', now(), now())",
    );
    await client.query(
      "insert into customer (id, email, email_normal) values (1, 'ada@example.com', 'ada@example.com')",
    );
    await insertAttempt(client, 1, "paid");
    await upgrade();

    const kinds = await client.query<{ kind: string }>("select kind from refund order by id");
    expect(kinds.rows.map(({ kind }) => kind)).toEqual(["care", "short", "cancel", "orphaned_charge"]);
    expect((await client.query("select job, subject, reason from job_failure")).rows).toEqual([
      { job: "delete-provider-customers", subject: "cus_1", reason: "away" },
    ]);
    expect((await client.query("select email, email_normal from customer")).rows).toEqual([
      { email: "ada@example.com", email_normal: null },
    ]);
    expect((await client.query("select state from checkout_attempt")).rows).toEqual([{ state: "held" }]);
    // The version before goes on writing.
    await insertRefund(client, 5, "stray");
    await insertRefund(client, 6, "care");
    await client.query("update customer set email_normal = 'ada@example.com'");
    // This version, and the next one.
    await insertRefund(client, 7, "orphaned_charge");
    await insertRefund(client, 8, "goodwill");
    await expect(insertRefund(client, 9, "kindness")).rejects.toMatchObject({ constraint: "refund_kind_check" });
    await expect(insertAttempt(client, 2, "paid")).rejects.toMatchObject({
      constraint: "checkout_attempt_state_check",
    });
    await expect(insertAttempt(client, 3, "challenge")).rejects.toMatchObject({
      constraint: "checkout_attempt_live_key",
    });
  },
);
