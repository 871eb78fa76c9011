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
import {
  afterCutoff,
  allow,
  call,
  hook,
  type MarketDay,
  operator,
  patiently,
  type Run,
  some,
  type Stall,
  wordOf,
} from "./stall.ts";

const TICK_MS = 500;
const TROUBLES: readonly Trouble[] = ["500 after", "500 before", "cut after", "cut before"];

/** The cutoff of the day comes, on two at once, with trouble at Stripe: every order is charged once, for what it then is. */
export async function closeDay(stall: Stall, day: MarketDay, troubles: readonly Trouble[]): Promise<void> {
  const { market, fake } = stall;
  market.clock.set(afterCutoff(day));
  for (const trouble of troubles) fake.trouble("POST payment_intents capture", trouble);
  for (let left = 1; left > 0;) {
    await Promise.all([runWeek(operator(stall)), runWeek(operator(stall))]);
    left = await market.db.order.count({ where: { hub_id: day.hub.id, status: "open" } });
    left += await market.db.delivery_run.count({
      where: { delivery: { hub_id: day.hub.id, cutoff_at: day.cutoff }, step: "cutoff", state: "running" },
    });
    // As the next tick would: after too much trouble in a row nobody is sent to Stripe for half a minute.
    if (left > 0) await pause(TICK_MS);
  }
  await chargeSetAside(stall, day);
}

/** Orders that trouble at Stripe set aside at the cutoff are charged again when they are due, on two at once, until none is. */
async function chargeSetAside(stall: Stall, day: MarketDay): Promise<void> {
  const { market } = stall;
  for (;;) {
    const next = await market.db.order.findFirst({
      where: { hub_id: day.hub.id, charge_next_at: { not: null } },
      orderBy: { charge_next_at: "asc" },
    });
    if (!next?.charge_next_at) break;
    market.clock.set(new Date(Math.max(market.clock.now().getTime(), next.charge_next_at.getTime())));
    await Promise.all([chargeDueOrders(operator(stall)), chargeDueOrders(operator(stall))]);
    // Real time: after repeated failures Stripe is not called for half a minute.
    await pause(TICK_MS);
  }
  market.clock.set(afterCutoff(day));
}

/** What a verb of the operators' answered: "ok", or the code of its refusal. */
async function word(work: () => Promise<unknown>): Promise<string> {
  try {
    await patiently(work);
    return "ok";
  } catch (error) {
    if (error instanceof AppError) return error.details.code;
    throw error;
  }
}

async function closedOrder({ stall, who, random }: Run) {
  const orders = await stall.market.db.order.findMany({
    where: { customer_id: who.id, status: { in: ["pending", "cancelled"] } },
    include: { items: { where: { quantity: { gt: 0 } } }, payment: true },
    orderBy: { id: "asc" },
  });
  return orders.length > 0 ? random.pick(orders) : null;
}

const input = ({ random }: Run) => ({ to: random.pick(["card", "credit"] as const), reason: "sorry", key: newKey() });

/** Money back as a kindness, asked for twice at once under one key. */
async function refund(run: Run, order: NonNullable<Awaited<ReturnType<typeof closedOrder>>>): Promise<void> {
  const { random, stall } = run;
  const asked = { ...input(run), amountCents: random.between(1, Math.max(1, order.order_total_cents)) };
  const before = await stall.market.db.refund.count({ where: { order_id: order.id } });
  const words = await Promise.all([1, 2].map(() => word(() => refundOrder(operator(stall), order.id, asked))));
  for (const said of words) allow(run, "refund", said, ["ok", "not_charged", "too_much", "cancelled"]);
  const after = await stall.market.db.refund.count({ where: { order_id: order.id } });
  expect(after - before).toBe(words.includes("ok") ? 1 : 0);
}

/** Something did not come. */
async function short(run: Run, order: NonNullable<Awaited<ReturnType<typeof closedOrder>>>): Promise<void> {
  const { random, stall } = run;
  const [item] = random.shuffle(order.items);
  if (!item) return void run.steps.push("short: nothing left");
  const missing = [{ variantId: item.variant_id, quantity: random.between(1, item.quantity) }];
  const asked = input(run);
  const said = await word(() => shortOrder(operator(stall), order.id, missing, asked));
  allow(run, "short", said, order.status === "cancelled" ? ["still_open"] : ["ok"]);
}

/** One act on an order that was charged: money back, missing units, called off, or a shopper who is too late. */
export async function care(run: Run): Promise<void> {
  const { random, stall } = run;
  const order = await closedOrder(run);
  if (!order) return void run.steps.push("care: no order");
  if (random.chance(0.3) && order.payment?.provider_ref)
    stall.fake.troubleOf(order.payment.provider_ref, "POST refunds", random.pick(TROUBLES));
  const how = random.between(0, 4);
  if (how <= 1) return refund(run, order);
  if (how === 2) return short(run, order);
  if (how === 3) {
    const asked = { ...input(run), key: null };
    const words = await Promise.all([1, 2].map(() => word(() => cancelOrder(operator(stall), order.id, asked))));
    for (const said of words) allow(run, "cancel", said, ["ok"]);
    return;
  }
  const late = await call(run, some(run), "POST", "/orders/edit-order", { order: { id: order.id, items: [] } });
  allow(run, "too late", wordOf(late), ["409 past_cutoff", "404 not_found"]);
}

/** Some refunds come back from the bank days later, and both servers are told. */
export async function bounce(run: Run): Promise<void> {
  const { random, stall, who } = run;
  const given = await stall.market.db.refund.findMany({
    where: { payment: { customer_id: who.id }, state: "done", destination: "card" },
    orderBy: { id: "asc" },
  });
  if (given.length === 0) return void run.steps.push("bounce: nothing given");
  stall.fake.failRefund(random.pick(given).provider_ref!);
  const event = stall.fake.events.findLast(({ type }) => type === "refund.failed")!;
  await Promise.all(stall.servers.map((server) => hook(run, server, event)));
}

/** How often two transactions waited for each other in a circle, ever. */
async function deadlocks({ market }: Stall): Promise<number> {
  const [found] = await query(
    market.db,
    sql`select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`,
    z.object({ deadlocks: z.number() }),
  );
  return found!.deadlocks;
}

const Sums = z.object({ entries: z.number(), crooked: z.number(), provider: z.number(), stock: z.number() });

/**
 * What must hold when a day is over: every order somebody was told of is there, and no other; the ledger sums to zero, booking by booking; stock that came is there or was sold; the
 * fake's own ledger says what ours says, row by row and in all; and every invariant of the audit.
 */
export async function expectAllIsWell(stall: Stall, day: MarketDay): Promise<void> {
  const { market, fake } = stall;
  market.clock.set(addMs(afterCutoff(day), 2 * Hour.ms));
  fake.calm();
  for (let more = 1; more > 0;)
    more = (await resumeAbandoned(operator(stall))) + (await resumeRefunds(operator(stall)));
  const [sums] = await query(
    market.db,
    sql`select (select coalesce(sum(amount_cents), 0)::int from ledger_entry) as entries,
          (select count(*)::int from (select 1 from ledger_entry group by transaction_id having sum(amount_cents) <> 0) c) as crooked,
          (select coalesce(-sum(amount_cents), 0)::int from ledger_entry where account = 'provider') as provider,
          (select count(*)::int from offer o
            left join lateral (select sum(amount) as units from stock_adjustment where offer_id = o.id) came on true
            left join lateral (select sum(i.quantity) as units from order_item i join orders r on r.id = i.order_id
              where i.variant_id = o.variant_id and r.hub_id = o.hub_id and r.status <> 'cancelled') sold on true
            where o.inventory <> coalesce(came.units, 0) - coalesce(sold.units, 0)) as stock`,
    Sums,
  );
  const atStripe = fake.ledger().reduce((sum, { takenCents, backCents }) => sum + takenCents - backCents, 0);
  expect(sums).toEqual({ entries: 0, crooked: 0, provider: atStripe, stock: 0 });
  expect(fake.ledger().filter(({ heldCents }) => heldCents > 0)).toEqual([]);
  expect(disagreements(fake, await market.db.payment.findMany({ where: { provider: "stripe" } }))).toEqual([]);
  const there = await market.db.order.findMany({
    where: { hub_id: day.hub.id },
    select: { id: true, customer_id: true },
  });
  expect(day.history.faults(there), day.history.file).toEqual([]);
  expect(await deadlocks(stall)).toBe(0);
  expect(await market.audit()).toEqual([]);
  market.clock.set(new Date());
  expect(await market.audit()).toEqual([]);
}
