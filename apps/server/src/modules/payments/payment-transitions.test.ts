import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { execute, queryOne, sql, transaction } from "@marketday/db";
import { offlineTransitions, PAYMENT_STATES, type PaymentState, paymentTransitions } from "@marketday/domain/checkout";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHub } from "../../../test/factories.ts";
import { newUuid } from "../../lib/tokens.ts";
import { markPaymentAuthorized, markVoided, paymentChallenged, recordOrphanedCharge } from "./charge-sql.ts";
import { endOffline, voidRecorded } from "./offline-store.ts";
import { recordCapture } from "./order-charge-sql.ts";
import { dropHold, failCharge } from "./order-charge-store.ts";
import { markAuthorized } from "./payment-store.ts";
import { settlePurchase } from "./purchase-sql.ts";
import { endPurchase, movePurchase } from "./purchase-store.ts";

const { db, deps } = await buildTestApp();
const now = new Date("2026-11-24T12:00:00Z");
const hub = await createHub(db);
const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });

const src = join(import.meta.dirname, "../..");
/** Statements of a source text that write the state of a payment, each from `update` to the end of its condition. */
const writesOf = (text: string): string[] =>
  [...text.matchAll(/update payment(?: p)? set [^`]*?(?=returning|`)/g)]
    .map(([statement]) => statement)
    .filter((statement) => /\bstate = /.test(statement.split(/\bwhere\b/)[0]!));

/** The calls of Prisma's client in a source text that write the state of a payment. */
const callsOf = (text: string): string[] =>
  text
    .split(/\bpayment\.(?=update|upsert)/)
    .slice(1)
    .map((call) => call.split(";")[0]!)
    .filter((call) => call.startsWith("upsert") || /\bdata: \{[^;]*\bstate\b/.test(call));

test("payment states: every statement that writes one is guarded by the table of transitions", () => {
  const unguarded: string[] = [];
  let guarded = 0;
  for (const file of globSync("**/*.ts", { cwd: src })) {
    if (file.endsWith(".test.ts")) continue;
    const text = readFileSync(join(src, file), "utf8");
    for (const statement of writesOf(text)) {
      if (statement.includes("${mayBecome(")) guarded += 1;
      else unguarded.push(`${file}: ${statement}`);
    }
    for (const call of callsOf(text)) {
      if (call.includes("state: { in: statesTo(")) guarded += 1;
      else unguarded.push(`${file}: ${call}`);
    }
  }
  expect(unguarded).toEqual([]);
  expect(guarded).toBe(14);
});

test.each([
  ["update payment set state = 'voided' where id = ${id}::uuid`\n", 1],
  ["update payment p set state = ${to} where p.id = 1 and p.state <> 'captured' returning p.id", 1],
  ["update payment set counted_as = '{}' where state = any(${x})`\n", 0],
])("writesOf: %s", (text, count) => {
  expect(writesOf(text)).toHaveLength(count);
});

test.each([
  ["await tx.payment.updateMany({ where: { id }, data: { state: to } });", 1],
  ["db.payment.update({\n  where: { id },\n  data: {\n    state,\n  },\n});", 1],
  ["db.payment.updateMany({ where: { state: from }, data: { counted_as: [] } }); const state = 1;", 0],
  ["db.payment.upsert({ where, create, update });", 1],
])("callsOf: %s", (text, count) => {
  expect(callsOf(text)).toHaveLength(count);
});

/** Every function of the stores that writes the state of a payment. */
const WRITES: Record<string, (id: string) => Promise<unknown>> = {
  paymentChallenged: (id) =>
    execute(db, sql`with a as (select ${id}::uuid as payment_id), ${paymentChallenged(sql`a`, id)} select 1`),
  markPaymentAuthorized: (id) => markPaymentAuthorized(db, { id, ref: id, methodId: null, cardFingerprint: null }, now),
  markVoided: (id) => markVoided(db, id, true, now),
  recordOrphanedCharge: (id) => recordOrphanedCharge(db, id, newUuid(), 100, "test", now),
  endOffline: (id) => transaction(db, (tx) => endOffline(tx, id, { state: "captured", cents: 100 }, now)),
  "endOffline, voided": (id) => transaction(db, (tx) => endOffline(tx, id, { state: "voided", cents: 0 }, now)),
  markAuthorized: (id) => markAuthorized(db, id, id, now),
  failCharge: (id) => transaction(db, (tx) => failCharge(tx, id, now)),
  dropHold: (id) => transaction(db, (tx) => dropHold(tx, id, id, now)),
  recordCapture: (id) => transaction(db, (tx) => recordCapture(tx, { order_ids: [], due_cents: 100 }, id, now)),
  "recordCapture, nothing due": (id) =>
    transaction(db, (tx) => recordCapture(tx, { order_ids: [], due_cents: 0 }, id, now)),
  movePurchase: (id) => movePurchase(db, id, ["created", "challenge", "authorized"], "authorized", id),
  "movePurchase, challenge": (id) => movePurchase(db, id, ["created", "challenge", "authorized"], "challenge", id),
  settlePurchase: (id) => settlePurchase(db, id, id, now),
  endPurchase: (id) => endPurchase(db, id, ["created", "challenge", "authorized"], "failed", now),
};
/** The transitions that a write makes, one for each state that it changes: "created → failed". */
async function changesOf(write: (id: string) => Promise<unknown>, provider: string): Promise<string[]> {
  const changes: string[] = [];
  for (const before of PAYMENT_STATES) {
    const id = newUuid();
    await db.payment.create({
      data: {
        id,
        charge_key: id,
        customer_id: customer.id,
        provider,
        amount_cents: 100,
        state: before,
        purpose: { kind: "wagon-pass", plan: "monthly", passId: null },
        created_at: now,
      },
    });
    await write(id);
    const after = (await queryOne(
      db,
      sql`select state from payment where id = ${id}::uuid`,
      z.object({ state: z.enum(PAYMENT_STATES) }),
    ))!.state;
    if (after !== before) changes.push(`${before} → ${after}`);
  }
  return changes;
}

test("payment states: a captured payment is voided when it is offline, and never when a card paid it", async () => {
  const write = (id: string) => transaction(db, (tx) => voidRecorded(tx, id));
  expect(offlineTransitions.captured).toEqual(["voided"]);
  expect(await changesOf(write, "offline")).toEqual(["captured → voided"]);
  expect(await changesOf(write, "test")).toEqual([]);
  expect(await changesOf(write, "stripe")).toEqual([]);
});

describe("payment states: no function of the stores makes a transition that is not in the table", () => {
  test.each(Object.entries(WRITES))("%s", async (_name, write) => {
    const changes = await changesOf(write, "test");
    const allowed = PAYMENT_STATES.flatMap((from: PaymentState) =>
      paymentTransitions[from].map((to) => `${from} → ${to}`),
    );
    expect(allowed).toEqual(expect.arrayContaining(changes));
    expect(changes).not.toEqual([]);
  });
});
