import { execute, query, type Sql, sql, sqlState, sqlTransaction } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { bookPurchase } from "./booking-sql.ts";

const { db, clock } = await buildTestApp();
const entry = (account: string, amountCents: number) => ({ account, customerId: null, vendorId: null, amountCents });
const book = (...entries: ReturnType<typeof entry>[]) =>
  bookPurchase(db, { kind: "gift_card", paymentId: null, note: "test", now: clock.now() }, entries);
const counted = async () =>
  (
    await query<{ n: number; sum: number }>(
      db,
      sql`select count(*) as n, coalesce(sum(amount_cents), 0) as sum from ledger_entry`,
    )
  )[0];
const stateOf = async (statement: Promise<unknown>) =>
  statement.then(
    () => null,
    (error: unknown) => sqlState(error),
  );

test("ledger: a booking whose entries do not sum to zero is refused, and nothing of its statement is written", async () => {
  const before = await counted();
  expect(await stateOf(book(entry("payments", 500), entry("gift_cards", -499)))).toBe("23514");
  expect(await stateOf(book(entry("payments", 1)))).toBe("23514");
  // Two transactions that only sum to zero together.
  const two = sql`with t as (insert into ledger_transaction (kind, created_at) select 'credit', ${clock.now()} from generate_series(1, 2) returning id)
    insert into ledger_entry (transaction_id, account, amount_cents)
    select id, 'promotions', (row_number() over (order by id) * 2 - 3)::int from t`;
  expect(await stateOf(execute(db, two))).toBe("23514");
  expect(await counted()).toEqual(before);
  await book(entry("payments", 500), entry("gift_cards", -500));
  expect(await counted()).toEqual({ n: before!.n + 2, sum: 0 });
});

test("ledger: an entry that is added to an old transaction is refused, also in a transaction that would add the other side later", async () => {
  const id = await book(entry("payments", 700), entry("gift_cards", -700));
  const before = await counted();
  const add = (cents: number): Sql =>
    sql`insert into ledger_entry (transaction_id, account, amount_cents) values (${id}::int, 'promotions', ${cents}::int)`;
  expect(await stateOf(execute(db, add(5)))).toBe("23514");
  const later = sqlTransaction(db, async (tx) => {
    await execute(tx, add(5));
    await execute(tx, add(-5));
  });
  expect(await stateOf(later)).toBe("23514");
  expect(await counted()).toEqual(before);
});
