import { execute, query, sql } from "@marketday/db";
import { expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY } from "../../test/app.ts";
import { createHub, createProduct } from "../../test/factories.ts";
import { failpoints } from "../../test/failpoint.ts";
import type { Context } from "../modules/identity/context.ts";
import { findFailures } from "../modules/job-failures/failure-sql.ts";
import { closeOverdueRuns } from "../modules/subscriptions/miss-auto-checkout.ts";
import { runWeek, sendReminders } from "./week.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const job = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });
const CUTOFF = "2026-11-25T06:00:00Z";
const DAY_BEFORE_CUTOFF = "2026-11-24T06:00:00Z";
/** More than two batches. */
const MANY = 1100;

/** A hub with an open cycle whose customers have a cart. `status`: of auto-checkout. */
async function openHub(customers: number, status: 0 | 1) {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 9 });
  await execute(
    db,
    sql`with people as (
          insert into customer (email, first_name, last_name, hub_id, auto_checkout_status, subscribed_all_messages)
          select 'batch' || ${hub.id}::int || '.' || n || '@example.com', 'Ada', 'Baker', ${hub.id}::int, ${status}::int, true
          from generate_series(1, ${customers}::int) n returning id),
        carts as (insert into cart (customer_id) select id from people returning id)
        insert into cart_item (cart_id, variant_id, quantity, seen_price_cents) select id, ${eggs.variant.id}::int, 1, 700 from carts`,
  );
  await runWeek(job());
  return { hub, delivery: hub.deliveries[0]! };
}
/** Mails of a template to the hub's customers: how many, and to how many addresses. */
const mailsOf = async (hubId: number, template: string) =>
  (
    await query(
      db,
      sql`select count(*)::int as mails, count(distinct to_email)::int as people from mail
          where template = ${template} and to_email like ${`batch${hubId}.%`}`,
      z.object({ mails: z.number(), people: z.number() }),
    )
  )[0]!;
const stateOf = async (deliveryId: number, step: string) =>
  (await db.delivery_run.findUnique({ where: { delivery_id_step: { delivery_id: deliveryId, step } } }))?.state;

test.each([
  ["remind_auto_checkout", "auto-checkout-soon", 1, MONDAY],
  ["remind_order_by", "order-by-soon", 0, DAY_BEFORE_CUTOFF],
] as const)(
  "reminders, step %s: interrupted after every batch it continues where it stopped, and each customer gets one email",
  { tags: ["fail:M13"] },
  async (step, template, status, at) => {
    const { hub, delivery } = await openHub(MANY, status);
    market.clock.set(at);
    points.plan[`${step}:batch`] = "throw";
    const seen: number[] = [];
    for (let tick = 0; tick < 20 && (await stateOf(delivery.id, step)) !== "done"; tick += 1) {
      await sendReminders(job());
      seen.push((await mailsOf(hub.id, template)).mails);
      // A mail of the first batch is gone: a batch that runs again would write it again.
      if (tick === 0) await db.mail.deleteMany({ where: { template, to_email: `batch${hub.id}.1@example.com` } });
    }
    delete points.plan[`${step}:batch`];
    expect(new Set(seen)).toEqual(new Set([500, 999, MANY - 1]));
    expect(await stateOf(delivery.id, step)).toBe("done");
    await sendReminders(job());
    expect(await mailsOf(hub.id, template)).toEqual({ mails: MANY - 1, people: MANY - 1 });
    expect(await findFailures(db, market.clock.now())).toEqual([]);
  },
);

test(
  "missed auto-checkouts: interrupted after every batch they continue, and each customer gets one email",
  { tags: ["fail:M13", "fail:C5"] },
  async () => {
    const { hub, delivery } = await openHub(MANY, 1);
    market.clock.set(CUTOFF);
    points.plan["missed:batch"] = "throw";
    const seen: number[] = [];
    const left = () => db.auto_checkout_result.count({ where: { delivery_id: delivery.id, done_at: null } });
    for (let tick = 0; tick < 20 && (tick === 0 || (await left()) > 0); tick += 1) {
      await closeOverdueRuns(job());
      seen.push((await mailsOf(hub.id, "auto-checkout-missed")).mails);
    }
    delete points.plan["missed:batch"];
    expect(seen).toEqual([500, 1000, MANY]);
    await Promise.all([closeOverdueRuns(job()), closeOverdueRuns(job())]);
    expect(await mailsOf(hub.id, "auto-checkout-missed")).toEqual({ mails: MANY, people: MANY });
    const results = { delivery_id: delivery.id, outcome: "missed", done_at: { not: null } };
    expect(await db.auto_checkout_result.count({ where: results })).toBe(MANY);
    expect(await stateOf(delivery.id, "auto_checkout")).toBe("missed");
    expect(await findFailures(db, market.clock.now())).toEqual([]);
  },
);

test("missed auto-checkouts: two servers at once end a run once", { tags: ["fail:C1"] }, async () => {
  const { hub } = await openHub(MANY, 1);
  market.clock.set(CUTOFF);
  await Promise.all([closeOverdueRuns(job()), closeOverdueRuns(job()), closeOverdueRuns(job())]);
  expect(await mailsOf(hub.id, "auto-checkout-missed")).toEqual({ mails: MANY, people: MANY });
});

test("reminders and missed auto-checkouts: 400 customers take as many statements as 4", async () => {
  // What other tests left due is not counted.
  market.clock.set(MONDAY);
  await sendReminders(job());
  const counts: number[][] = [];
  for (const customers of [4, 400]) {
    await openHub(customers, 1);
    const reminders = await market.statements(() => sendReminders(job()));
    market.clock.set(CUTOFF);
    const ends = await market.statements(() => closeOverdueRuns(job()));
    counts.push([reminders.length, ends.length]);
    expect(await findFailures(db, market.clock.now())).toEqual([]);
  }
  expect(counts[1]).toEqual(counts[0]);
});
