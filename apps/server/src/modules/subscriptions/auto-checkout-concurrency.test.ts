import { sqlTransaction } from "@marketday/db";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createAddress, createHub, createOrder, createProduct, setCard } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { startJobs } from "../../jobs/index.ts";
import { runWeek } from "../../jobs/week.ts";
import { findDueAutoCheckouts, startRun } from "./auto-run-sql.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const RUN = "2026-11-23T18:00:00Z";
const CUTOFF = "2026-11-25T06:00:00Z";
beforeEach(() => {
  market.clock.set(MONDAY);
  points.passed.length = 0;
});
const context = (at: string) => {
  market.clock.set(at);
  return { now: market.clock.now(), actor: { type: "system" as const, job: "test" }, deps };
};

/** A customer of one of two hubs, with auto-checkout on and eggs in the cart. Each hub has its products. */
async function customerOfTwoHubs() {
  const [near, far] = [await createHub(db), await createHub(db)];
  const [eggs, farEggs] = [await createProduct(db, near.id), await createProduct(db, far.id)];
  await runWeek(context(MONDAY));
  const who = await signIn(market, { hubId: near.id });
  await createAddress(db, who.customer.id);
  await setCard(db, who.customer.id);
  await who.put("/subscriptions/status", { enabled: true, status: 1 });
  await who.put("/cart", [eggs.line(1)]);
  const switchToFar = async () => {
    expect((await who.put(`/hubs/${far.id}/switch`)).status).toBe(200);
    expect((await who.put("/cart", [farEggs.line(2)])).status).toBe(200);
  };
  const ordered = async () =>
    (await db.order.findMany({ where: { customer_id: who.customer.id }, include: { items: true } })).map((order) => [
      order.hub_id,
      order.items.map(({ variant_id }) => variant_id),
    ]);
  const outcomeAt = async (hub: typeof near) =>
    (
      await db.auto_checkout_result.findUnique({
        where: { delivery_id_customer_id: { delivery_id: hub.deliveries[0]!.id, customer_id: who.customer.id } },
      })
    )?.outcome;
  return { near, far, eggs, farEggs, who, switchToFar, ordered, outcomeAt };
}

test(
  "auto-checkout: a customer who switches hubs after the job was fetched gets the order of that hub, and the other hub's run orders nothing",
  { tags: ["fail:C13"] },
  async () => {
    const { near, far, eggs, switchToFar, ordered, outcomeAt } = await customerOfTwoHubs();
    const claimed = Promise.withResolvers<void>();
    points.plan["auto:claimed"] = { until: claimed.promise };
    const reached = points.reached("auto:claimed");
    const run = runAutoCheckouts(context(RUN));
    await reached;
    await switchToFar();
    delete points.plan["auto:claimed"];
    claimed.resolve();
    await run;
    // The other hub's run starts after the switch, in this tick or the next one.
    await runAutoCheckouts(context("2026-11-23T18:05:00Z"));
    expect(await ordered()).toEqual([[near.id, [eggs.variant.id]]]);
    expect([await outcomeAt(near), await outcomeAt(far)]).toEqual(["placed", "elsewhere"]);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "auto-checkout: a customer who switches hubs before the job was fetched gets one order, of the new hub",
  { tags: ["fail:C13"] },
  async () => {
    const { near, far, farEggs, switchToFar, ordered, outcomeAt } = await customerOfTwoHubs();
    const due = await findDueAutoCheckouts(db, new Date(RUN));
    const delivery = due.find(({ hub_id }) => hub_id === near.id)!;
    await sqlTransaction(db, (tx) => startRun(tx, delivery, new Date(RUN)));
    await switchToFar();
    await runAutoCheckouts(context(RUN));
    expect(await ordered()).toEqual([[far.id, [farEggs.variant.id]]]);
    expect([await outcomeAt(near), await outcomeAt(far)]).toEqual(["moved", "placed"]);
    expect(await market.audit()).toEqual([]);
  },
);

test.for([
  ["checkout", "open", "placed"],
  ["auto", "open", "elsewhere"],
  ["auto", "pending", "placed"],
] as const)(
  "auto-checkout: after a switch of hubs, with an order of the other hub by %s that is %s: %s",
  { tags: ["fail:C13"] },
  async ([source, status, outcome]) => {
    const { near, far, eggs, who, switchToFar, outcomeAt } = await customerOfTwoHubs();
    const order = await createOrder(db, { customerId: who.customer.id, hub: near, product: eggs });
    await db.order.update({ where: { id: order.id }, data: { source, status } });
    await switchToFar();
    await runAutoCheckouts(context(RUN));
    expect(await outcomeAt(far)).toBe(outcome);
    // It has no stock and ledger entries.
    await db.order.delete({ where: { id: order.id } });
  },
);

test(
  "jobs: ticks during a long run cause one more run, another server does not repeat it, and missed ticks are caught up",
  { tags: ["fail:C9", "fail:C10"] },
  async () => {
    // A separate market: no other hub has this cutoff.
    const own = failpoints();
    const alone = await buildTestApp({ overrides: { failpoint: own.at } });
    const tick = (at: string) => {
      alone.clock.set(at);
      return runWeek({ now: alone.clock.now(), actor: { type: "system", job: "test" }, deps: alone.deps });
    };
    const hub = await createHub(alone.db);
    await tick(MONDAY);
    const done = Promise.withResolvers<void>();
    own.plan["cutoff:closed"] = { until: done.promise };
    // 90 seconds and more passed without a tick.
    alone.clock.set("2026-11-25T06:01:37Z");
    const reached = own.reached("cutoff:closed");
    const jobs = startJobs(alone.deps);
    await reached;
    for (let n = 0; n < 5; n += 1) jobs.notify("week");
    await tick("2026-11-25T06:01:40Z");
    const runs = () => own.passed.filter((point) => point === "cutoff:closed").length;
    expect(runs()).toBe(1);
    delete own.plan["cutoff:closed"];
    done.resolve();
    await jobs.stop();
    expect(runs()).toBe(1);
    const step = { delivery_id: hub.deliveries[0]!.id, step: "cutoff" };
    expect(await alone.db.delivery_run.findUniqueOrThrow({ where: { delivery_id_step: step } })).toMatchObject({
      state: "done",
      fencing_token: 1,
    });
  },
);

test(
  "auto-checkout: after an outage of 35 hours everything is ordered before the cutoff; after the cutoff nothing is, and all customers get an email",
  { tags: ["fail:C5", "fail:V8"] },
  async () => {
    for (const [back, isInTime] of [
      ["2026-11-25T05:00:00Z", true],
      ["2026-11-25T06:30:00Z", false],
    ] as const) {
      market.clock.set(MONDAY);
      const hub = await createHub(db);
      const eggs = await createProduct(db, hub.id, { inventory: 50 });
      await runWeek(context(MONDAY));
      const manyShoppers = [];
      for (let n = 0; n < 3; n += 1) {
        const who = await signIn(market, { hubId: hub.id });
        await createAddress(db, who.customer.id);
        await setCard(db, who.customer.id);
        await who.put("/subscriptions/status", { enabled: true, status: 1 });
        await who.put("/cart", [eggs.line(1)]);
        manyShoppers.push(who);
      }
      await runAutoCheckouts(context(back));
      await runWeek(context(back));
      for (const who of manyShoppers) {
        const orders = await db.order.count({ where: { customer_id: who.customer.id } });
        const mails = await db.mail.findMany({ where: { to_email: who.customer.email! } });
        expect([orders, mails.map(({ template }) => template)]).toEqual(
          isInTime ? [1, ["order-confirmation"]] : [0, ["auto-checkout-missed"]],
        );
      }
      market.clock.set(CUTOFF);
      expect(await market.audit()).toEqual([]);
    }
  },
);
