import { execute, query, sql, sqlTransaction } from "@marketday/db";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  ADDRESS,
  createAddress,
  createHub,
  createProduct,
  setCard,
  type TestProduct,
} from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { type RefusedCode, refusedAs } from "../../gateways/payments/refusals.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek } from "../../jobs/week.ts";
import { enqueueCustomers } from "./auto-run-sql.ts";

const market = await buildTestApp();
const { db, deps, clock } = market;
const RUN = "2026-11-23T18:00:00Z";
beforeEach(() => clock.set(MONDAY));

const context = () => ({ now: clock.now(), actor: { type: "system" as const, job: "auto-checkout" }, deps });
const auto = (at: string) => {
  clock.set(at);
  return runAutoCheckouts(context());
};
const openHub = async () => {
  const hub = await createHub(db);
  await runWeek(context());
  return hub;
};
/** A customer with automatic checkout on, an address, a card and something in the cart. */
async function regular(hubId: number, product: TestProduct) {
  const who = await signIn(market, { hubId });
  await createAddress(db, who.customer.id);
  await setCard(db, who.customer.id);
  await who.put("/subscriptions/status", { enabled: true, status: 1 });
  await who.put("/cart", [product.line(1)]);
  return who;
}
const ordersOf = (customer_id: number) => db.order.findMany({ where: { customer_id } });
const outcomeOf = async (customer_id: number) =>
  (await db.auto_checkout_result.findFirstOrThrow({ where: { customer_id } })).outcome;
const mailsTo = async (to_email: string | null) =>
  (await db.mail.findMany({ where: { to_email: to_email! }, orderBy: { id: "asc" } })).map(({ template }) => template);

test("jobs run --at: automatic orders are placed as of that instant", async () => {
  const hub = await openHub();
  const who = await regular(hub.id, await createProduct(db, hub.id));
  await runAutoCheckouts({ ...context(), now: new Date(RUN) });
  const [order] = await ordersOf(who.customer.id);
  expect([order?.created_at.toISOString(), order?.source]).toEqual([new Date(RUN).toISOString(), "auto"]);
});

test("auto-checkout: each of more customers than one batch has one job, also when they are enqueued again", async () => {
  const hub = await openHub();
  const delivery = hub.deliveries[0]!;
  await execute(
    db,
    sql`with people as (
          insert into customer (email, first_name, last_name, hub_id, auto_checkout_status)
          select 'run' || ${hub.id}::int || '.' || n || '@example.com', 'Ada', 'Baker', ${hub.id}::int, 0
          from generate_series(1, 1001) n returning id)
        insert into auto_checkout_result (delivery_id, customer_id) select ${delivery.id}::int, id from people`,
  );
  const jobs = async () =>
    (
      await query(
        db,
        sql`select count(*)::int as jobs, count(distinct data->>'customerId')::int as people from pgboss.job
            where name = 'auto-checkout' and (data->>'deliveryId')::int = ${delivery.id}::int`,
        z.object({ jobs: z.number(), people: z.number() }),
      )
    )[0];
  for (let turn = 0; turn < 2; turn += 1) {
    await sqlTransaction(db, (tx) => enqueueCustomers(tx, delivery.id, 0, clock.now()));
    expect(await jobs()).toEqual({ jobs: 1001, people: 1001 });
  }
  await db.auto_checkout_result.deleteMany({ where: { delivery_id: delivery.id } });
  await execute(db, sql`delete from pgboss.job where (data->>'deliveryId')::int = ${delivery.id}::int`);
});

test("auto-checkout: a refused card is a declined order with an email; a provider that is away is tried again in five minutes without one", async () => {
  const hub = await openHub();
  const eggs = await createProduct(db, hub.id, { inventory: 50 });
  const expected = {
    card_declined: "declined",
    insufficient_funds: "declined",
    card_limit: "declined",
    card_unusable: "declined",
    card_expired: "declined",
    card_incorrect: "declined",
    card_unsupported: "declined",
    payments_down: "payments_down",
    bank_unavailable: "payments_down",
  } satisfies Partial<Record<RefusedCode, string>>;
  const codes = Object.keys(expected) as (keyof typeof expected)[];
  const byId = new Map<number, RefusedCode>();
  const people: { code: keyof typeof expected; id: number; email: string | null }[] = [];
  for (const code of codes) {
    const who = await regular(hub.id, eggs);
    byId.set(who.customer.id, code);
    people.push({ code, id: who.customer.id, email: who.customer.email });
  }
  const real = deps.payments.authorize;
  deps.payments.authorize = async (request) => {
    const { customer_id } = await db.checkout_attempt.findUniqueOrThrow({ where: { id: request.key } });
    return { state: "declined", ref: null, ...refusedAs(byId.get(customer_id)!) };
  };
  try {
    await auto(RUN);
  } finally {
    deps.payments.authorize = real;
  }
  const seen = async () =>
    Promise.all(people.map(async ({ code, id, email }) => [code, await outcomeOf(id), await mailsTo(email)]));
  expect(await seen()).toEqual(
    codes.map((code) => [code, expected[code], expected[code] === "declined" ? ["auto-checkout-failed"] : []]),
  );
  await auto("2026-11-23T18:04:59Z");
  expect(await db.order.count({ where: { hub_id: hub.id } })).toBe(0);
  await auto("2026-11-23T18:05:00Z");
  const ordered = await db.order.findMany({ where: { hub_id: hub.id }, orderBy: { customer_id: "asc" } });
  const away = people.filter(({ code }) => expected[code] === "payments_down").map(({ id }) => id);
  expect(ordered.map(({ customer_id }) => customer_id)).toEqual(away);
  expect(await market.audit()).toEqual([]);
});

test("auto-checkout: another address before the cutoff is tried again, at the cutoff it is not", async () => {
  const hub = await openHub();
  const eggs = await createProduct(db, hub.id);
  const outcomes = [];
  for (const at of ["2026-11-25T05:59:59.999Z", "2026-11-25T06:00:00Z"]) {
    clock.set(MONDAY);
    const who = await regular(hub.id, eggs);
    clock.set(at);
    const result = { outcome: "not_served", done_at: clock.now(), tries: 1 };
    await db.auto_checkout_result.create({
      data: { delivery_id: hub.deliveries[0]!.id, customer_id: who.customer.id, ...result },
    });
    const deliveryAddress = { ...ADDRESS, address: "14 Main Street" };
    expect((await who.put("/account/profile", { deliveryAddress })).status).toBe(200);
    outcomes.push(await outcomeOf(who.customer.id));
  }
  expect(outcomes).toEqual(["place_changed", "not_served"]);
});
