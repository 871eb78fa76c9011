import { setTimeout as pause } from "node:timers/promises";

import { query, sql } from "@marketday/db";
import { addMs, Hour } from "@marketday/domain/time";
import { expect } from "vitest";
import { z } from "zod";

import { runWeek } from "../../src/jobs/week.ts";
import { AppError } from "../../src/lib/app-error.ts";
import { resumeAbandoned } from "../../src/modules/checkout/resume-attempt.ts";
import { cancelOrder } from "../../src/modules/orders/cancel-order.ts";
import { refundOrder } from "../../src/modules/orders/refund-order.ts";
import { shortOrder } from "../../src/modules/orders/short-order.ts";
import { chargeDueOrders } from "../../src/modules/payments/charge-order.ts";
import { resumeRefunds } from "../../src/modules/payments/finish-refund.ts";
import { newKey } from "../factories.ts";
import { disagreements, type Trouble } from "../fake-stripe.ts";
import { countDeadlocks } from "../locks.ts";
import {
  afterCutoff,
  expectResult,
  call,
  postEvent,
  type MarketDay,
  operator,
  retryUnavailable,
  type Run,
  anyServer,
  type Deployment,
  resultOf,
} from "./deployment.ts";

const TICK_MS = 500;
const TROUBLES: readonly Trouble[] = ["500 after", "500 before", "cut after", "cut before"];

/** Runs the day's cutoff on two workers at once with faults at Stripe: every order is charged once. */
export async function closeDay(deployment: Deployment, day: MarketDay, troubles: readonly Trouble[]): Promise<void> {
  const { market, fake } = deployment;
  market.clock.set(afterCutoff(day));
  for (const trouble of troubles) fake.trouble("POST payment_intents capture", trouble);
  for (let remaining = 1; remaining > 0;) {
    await Promise.all([runWeek(operator(deployment)), runWeek(operator(deployment))]);
    remaining = await market.db.order.count({ where: { hub_id: day.hub.id, status: "open" } });
    remaining += await market.db.delivery_run.count({
      where: { delivery: { hub_id: day.hub.id, cutoff_at: day.cutoff }, step: "cutoff", state: "running" },
    });
    // Like the next tick: after repeated failures Stripe is not called for half a minute.
    if (remaining > 0) await pause(TICK_MS);
  }
  await chargeFailedOrders(deployment, day);
}

/** Charges the orders whose charge failed at the cutoff again when they are due, on two workers at once, until none is left. */
async function chargeFailedOrders(deployment: Deployment, day: MarketDay): Promise<void> {
  const { market } = deployment;
  for (;;) {
    const next = await market.db.order.findFirst({
      where: { hub_id: day.hub.id, charge_next_at: { not: null } },
      orderBy: { charge_next_at: "asc" },
    });
    if (!next?.charge_next_at) break;
    market.clock.set(new Date(Math.max(market.clock.now().getTime(), next.charge_next_at.getTime())));
    await Promise.all([chargeDueOrders(operator(deployment)), chargeDueOrders(operator(deployment))]);
    // Real time: after repeated failures Stripe is not called for half a minute.
    await pause(TICK_MS);
  }
  market.clock.set(afterCutoff(day));
}

/** Result of an operator's use case: "ok", or its error code. */
async function attempt(work: () => Promise<unknown>): Promise<string> {
  try {
    await retryUnavailable(work);
    return "ok";
  } catch (error) {
    if (error instanceof AppError) return error.details.code;
    throw error;
  }
}

async function closedOrder({ deployment, shopper, random }: Run) {
  const orders = await deployment.market.db.order.findMany({
    where: { customer_id: shopper.id, status: { in: ["pending", "cancelled"] } },
    include: { items: { where: { quantity: { gt: 0 } } }, payment: true },
    orderBy: { id: "asc" },
  });
  return orders.length > 0 ? random.pick(orders) : null;
}

const input = ({ random }: Run) => ({ to: random.pick(["card", "credit"] as const), reason: "sorry", key: newKey() });

/** A goodwill refund, requested twice at once with one key. */
async function refund(run: Run, order: NonNullable<Awaited<ReturnType<typeof closedOrder>>>): Promise<void> {
  const { random, deployment } = run;
  const request = { ...input(run), amountCents: random.between(1, Math.max(1, order.order_total_cents)) };
  const before = await deployment.market.db.refund.count({ where: { order_id: order.id } });
  const results = await Promise.all(
    [1, 2].map(() => attempt(() => refundOrder(operator(deployment), order.id, request))),
  );
  for (const result of results) expectResult(run, "refund", result, ["ok", "not_charged", "too_much", "cancelled"]);
  const after = await deployment.market.db.refund.count({ where: { order_id: order.id } });
  expect(after - before).toBe(results.includes("ok") ? 1 : 0);
}

/** Records missing items. */
async function short(run: Run, order: NonNullable<Awaited<ReturnType<typeof closedOrder>>>): Promise<void> {
  const { random, deployment } = run;
  const [item] = random.shuffle(order.items);
  if (!item) return void run.steps.push("short: no item");
  const missing = [{ variantId: item.variant_id, quantity: random.between(1, item.quantity) }];
  const request = input(run);
  const result = await attempt(() => shortOrder(operator(deployment), order.id, missing, request));
  expectResult(run, "short", result, order.status === "cancelled" ? ["still_open"] : ["ok"]);
}

/** One operation on a charged order: refund, missing items, cancellation, or an edit after the cutoff. */
export async function adjustOrder(run: Run): Promise<void> {
  const { random, deployment } = run;
  const order = await closedOrder(run);
  if (!order) return void run.steps.push("adjust: no order");
  if (random.chance(0.3) && order.payment?.provider_ref)
    deployment.fake.troubleOf(order.payment.provider_ref, "POST refunds", random.pick(TROUBLES));
  const operation = random.between(0, 4);
  if (operation <= 1) return refund(run, order);
  if (operation === 2) return short(run, order);
  if (operation === 3) {
    const request = { ...input(run), key: null };
    const results = await Promise.all(
      [1, 2].map(() => attempt(() => cancelOrder(operator(deployment), order.id, request))),
    );
    for (const result of results) expectResult(run, "cancel", result, ["ok"]);
    return;
  }
  const late = await call(run, anyServer(run), "POST", "/orders/edit-order", { order: { id: order.id, items: [] } });
  expectResult(run, "too late", resultOf(late), ["409 past_cutoff", "404 not_found"]);
}

/** Fails a refund days later; both servers receive the event. */
export async function failRefund(run: Run): Promise<void> {
  const { random, deployment, shopper } = run;
  const refunds = await deployment.market.db.refund.findMany({
    where: { payment: { customer_id: shopper.id }, state: "done", destination: "card" },
    orderBy: { id: "asc" },
  });
  if (refunds.length === 0) return void run.steps.push("fail refund: none");
  deployment.fake.failRefund(random.pick(refunds).provider_ref!);
  const event = deployment.fake.events.findLast(({ type }) => type === "refund.failed")!;
  await Promise.all(deployment.servers.map((server) => postEvent(run, server, event)));
}

const Sums = z.object({ entries: z.number(), unbalanced: z.number(), provider: z.number(), stock: z.number() });

/**
 * Asserts the invariants at the end of a day: the orders in the responses exist, and no others; every ledger transaction sums to
 * zero; received stock is in inventory or sold; the fake's ledger equals ours, row by row and in total; and the audit.
 */
export async function expectConsistency(deployment: Deployment, day: MarketDay): Promise<void> {
  const { market, fake } = deployment;
  market.clock.set(addMs(afterCutoff(day), 2 * Hour.ms));
  fake.clearTroubles();
  for (let more = 1; more > 0;)
    more = (await resumeAbandoned(operator(deployment))) + (await resumeRefunds(operator(deployment)));
  const [sums] = await query(
    market.db,
    sql`select (select coalesce(sum(amount_cents), 0)::int from ledger_entry) as entries,
          (select count(*)::int from (select 1 from ledger_entry group by transaction_id having sum(amount_cents) <> 0) c) as unbalanced,
          (select coalesce(-sum(amount_cents), 0)::int from ledger_entry where account = 'provider') as provider,
          (select count(*)::int from offer o
            left join lateral (select sum(amount) as units from stock_adjustment where offer_id = o.id) received on true
            left join lateral (select sum(i.quantity) as units from order_item i join orders r on r.id = i.order_id
              where i.variant_id = o.variant_id and r.hub_id = o.hub_id and r.status <> 'cancelled') sold on true
            where o.inventory <> coalesce(received.units, 0) - coalesce(sold.units, 0)) as stock`,
    Sums,
  );
  const atStripe = fake.ledger().reduce((sum, { takenCents, backCents }) => sum + takenCents - backCents, 0);
  expect(sums).toEqual({ entries: 0, unbalanced: 0, provider: atStripe, stock: 0 });
  expect(fake.ledger().filter(({ heldCents }) => heldCents > 0)).toEqual([]);
  expect(disagreements(fake, await market.db.payment.findMany({ where: { provider: "stripe" } }))).toEqual([]);
  const existing = await market.db.order.findMany({
    where: { hub_id: day.hub.id },
    select: { id: true, customer_id: true },
  });
  expect(day.history.faults(existing), day.history.file).toEqual([]);
  expect(await countDeadlocks(market.db)).toBe(0);
  expect(await market.audit()).toEqual([]);
  market.clock.set(new Date());
  expect(await market.audit()).toEqual([]);
}
