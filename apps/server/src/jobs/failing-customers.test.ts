import { sqlTransaction } from "@marketday/db";
import { isLarge } from "@marketday/db/testing";
import { Minute } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp, type TestMarket } from "../../test/app.ts";
import { createAddress, createHub, createProduct, setCard } from "../../test/factories.ts";
import { sumOfLedger } from "../../test/ledger.ts";
import { refuseWrites } from "../../test/refuse-writes.ts";
import { signIn } from "../../test/sign-in.ts";
import type { Context } from "../modules/identity/context.ts";
import { findFailures } from "../modules/job-failures/failure-sql.ts";
import { findDueAutoCheckouts, startRun } from "../modules/subscriptions/auto-run-sql.ts";
import { runAutoCheckouts } from "./auto-checkout.ts";
import { runWeek, sendReminders } from "./week.ts";

/** Instants of the first delivery of `createHub`. */
const AUTO = "2026-11-23T18:00:00Z";
const CUTOFF = "2026-11-25T06:00:00Z";
const DAY_BEFORE_CUTOFF = "2026-11-24T06:00:00Z";

const contextOf = ({ clock, deps }: TestMarket): Context => ({
  now: clock.now(),
  actor: { type: "system", job: "test" },
  deps,
});

/** A hub with its first delivery, one product with weekly stock, and customers who are subscribed to it or have it in the cart. */
async function createScene(count: number) {
  const market = await buildTestApp();
  const hub = await createHub(market.db);
  const eggs = await createProduct(market.db, hub.id, { inventory: 200, priceCents: 700 });
  await market.db.offer.updateMany({ where: { hub_id: hub.id }, data: { weekly_inventory: 300 } });
  const people = [];
  for (let n = 0; n < count; n += 1) people.push(await signIn(market, { hubId: hub.id }));
  return { market, hub, delivery: hub.deliveries[0]!, eggs, people };
}
type Scene = Awaited<ReturnType<typeof createScene>>;
type Person = Scene["people"][number];

const fillCarts = async ({ eggs, people }: Scene) => {
  for (const who of people) expect((await who.put("/cart", [eggs.line(1)])).status).toBe(200);
};
/** Auto-checkout on, with a cart. */
async function orderAutomatically(scene: Scene): Promise<void> {
  const { market, people } = scene;
  for (const who of people) {
    await createAddress(market.db, who.customer.id);
    await setCard(market.db, who.customer.id);
    expect((await who.put("/subscriptions/status", { enabled: true, status: 1 })).status).toBe(200);
  }
  await fillCarts(scene);
}
const countMails = ({ market: { db } }: Scene, { customer }: Person, template: string) =>
  db.mail.count({ where: { template, to_email: customer.email! } });
const stateOf = async ({ market: { db }, delivery }: Scene, step: string) =>
  (await db.delivery_run.findUnique({ where: { delivery_id_step: { delivery_id: delivery.id, step } } }))?.state;
const isMissed = async (scene: Scene, who: Person) =>
  (await countMails(scene, who, "auto-checkout-missed")) === 1 &&
  (await scene.market.db.auto_checkout_result.findFirst({ where: { customer_id: who.customer.id } }))?.outcome ===
    "missed";

interface Step {
  /** The job and the subject as `market doctor` names them. Without a subject: of the hub. */
  job: string;
  subject?: string;
  /** Makes the step due. */
  setUp(scene: Scene): Promise<unknown>;
  /** The write that Postgres refuses for the bad customer: table, and condition on the row. */
  fault: readonly [table: string, condition: (who: Person) => string];
  run(ctx: Context): Promise<unknown>;
  isDone(scene: Scene, who: Person): Promise<boolean>;
  /** The bad item as `market doctor` names it; by default the customer. */
  itemOf?: (scene: Scene, who: Person) => Promise<string>;
  /** The step in `delivery_run`, and its state once all customers are done. */
  ends?: readonly [step: string, state: string];
}

const missedMail: Step["fault"] = [
  "mail",
  ({ customer }) => `new.template = 'auto-checkout-missed' and new.to_email = '${customer.email}'`,
];

const STEPS: Record<string, Step> = {
  "filling carts": {
    job: "openings",
    subject: "opening",
    setUp: ({ market: { db }, eggs, people }) =>
      db.subscription.createMany({
        data: people.map(({ customer }) => ({
          customer_id: customer.id,
          variant_id: eggs.variant.id,
          quantity: 2,
          interval_weeks: 1,
        })),
      }),
    fault: ["cart_item", ({ customer }) => `(select customer_id from cart where id = new.cart_id) = ${customer.id}`],
    run: runWeek,
    isDone: async ({ market: { db } }, { customer }) =>
      (await db.cart_item.count({ where: { quantity: 2, cart: { customer_id: customer.id } } })) === 1,
    ends: ["open", "done"],
  },
  "reminders of the auto-checkout": {
    job: "reminders",
    subject: "reminder of the auto-checkout",
    async setUp(scene) {
      await runWeek(contextOf(scene.market));
      await orderAutomatically(scene);
    },
    fault: ["mail", ({ customer }) => `new.data->>'customerId' = '${customer.id}'`],
    run: sendReminders,
    isDone: async (scene, who) => (await countMails(scene, who, "auto-checkout-soon")) === 1,
    ends: ["remind_auto_checkout", "done"],
  },
  "reminders of the cutoff": {
    job: "reminders",
    subject: "reminder of the cutoff",
    async setUp(scene) {
      await runWeek(contextOf(scene.market));
      await fillCarts(scene);
      scene.market.clock.set(DAY_BEFORE_CUTOFF);
    },
    fault: ["mail", ({ customer }) => `new.data->>'customerId' = '${customer.id}'`],
    run: sendReminders,
    isDone: async (scene, who) => (await countMails(scene, who, "order-by-soon")) === 1,
    ends: ["remind_order_by", "done"],
  },
  "items back in stock": {
    job: "watched-items",
    async setUp(scene) {
      await fillCarts(scene);
      await scene.market.db.cart_item.updateMany({ data: { watching: true } });
    },
    fault: [
      "cart_item",
      ({ customer }) => `not new.watching and (select customer_id from cart where id = new.cart_id) = ${customer.id}`,
    ],
    run: sendReminders,
    isDone: async (scene, who) =>
      (await countMails(scene, who, "back-in-stock")) === 1 &&
      (await scene.market.db.cart_item.count({
        where: { watching: false, cart: { customer_id: who.customer.id } },
      })) === 1,
    itemOf: async ({ market: { db } }, { customer }) =>
      `Cart line ${(await db.cart_item.findFirstOrThrow({ where: { cart: { customer_id: customer.id } } })).id}`,
  },
  "end of an auto-checkout that never started": {
    job: "missed-auto-checkouts",
    subject: "end of the auto-checkout",
    async setUp(scene) {
      await runWeek(contextOf(scene.market));
      await orderAutomatically(scene);
      scene.market.clock.set(CUTOFF);
    },
    fault: missedMail,
    run: runAutoCheckouts,
    isDone: isMissed,
    ends: ["auto_checkout", "missed"],
  },
  "end of an auto-checkout that was interrupted": {
    job: "missed-auto-checkouts",
    subject: "end of the auto-checkout",
    async setUp(scene) {
      const { market } = scene;
      await runWeek(contextOf(market));
      await orderAutomatically(scene);
      market.clock.set(AUTO);
      const now = market.clock.now();
      for (const delivery of await findDueAutoCheckouts(market.db, now))
        await sqlTransaction(market.db, (tx) => startRun(tx, delivery, now));
      market.clock.set(CUTOFF);
    },
    fault: missedMail,
    run: runAutoCheckouts,
    isDone: isMissed,
    ends: ["auto_checkout", "missed"],
  },
};

/** The small size has one position in each of the steps. */
const cases = Object.entries(STEPS).map(([name, step], index) => ({
  name,
  step,
  positions: isLarge ? [0, 1, 2, 3, 4, 5] : [index],
}));

describe.each(cases)("failing customer: $name", ({ step, positions }) => {
  test.each(positions)(
    "customer %i of six fails: the others are done at once, it is tried each minute, its reason is shown, and it is done when it works again",
    { tags: ["fail:M3"] },
    async (position) => {
      const scene = await createScene(6);
      const { market, hub, delivery, people } = scene;
      await step.setUp(scene);
      const bad = people[position]!;
      const item = (await step.itemOf?.(scene, bad)) ?? `Customer ${bad.customer.id}`;
      const [table, condition] = step.fault;
      const repair = await refuseWrites(market.db, table, condition(bad));
      const done = () => Promise.all(people.map((who) => step.isDone(scene, who)));
      expect(await done()).toEqual(people.map(() => false));

      for (let tries = 1; tries <= 3; tries += 1) {
        await step.run(contextOf(market));
        expect(await done()).toEqual(people.map((who) => who !== bad));
        expect(await findFailures(market.db, market.clock.now())).toEqual([
          expect.objectContaining({
            job: step.job,
            subject: step.subject
              ? `${step.subject} of delivery ${delivery.id} (2026-11-26 of ${hub.slug})`
              : `items back in stock of ${hub.slug}`,
            reason: `${item}: This row is broken.`,
            tries,
          }),
        ]);
        market.clock.advance(Minute.ms);
      }

      await repair();
      await step.run(contextOf(market));
      expect(await done()).toEqual(people.map(() => true));
      if (step.ends) expect(await stateOf(scene, step.ends[0])).toBe(step.ends[1]);
      await step.run(contextOf(market));
      expect(await done()).toEqual(people.map(() => true));
      expect(await findFailures(market.db, market.clock.now())).toEqual([]);
      expect(await market.audit()).toEqual([]);
      expect(await sumOfLedger(market.db)).toBe(0);
      await market.close();
    },
  );
});

test(
  "failing customer: a cart that cannot be filled delays no weekly stock, no reminder and no automatic order of the others",
  { tags: ["fail:M3"] },
  async () => {
    const scene = await createScene(3);
    const { market, people, eggs, delivery } = scene;
    await orderAutomatically(scene);
    const [bad, ...others] = people as [Person, ...Person[]];
    await STEPS["filling carts"]!.setUp({ ...scene, people: [bad] });
    const [table, condition] = STEPS["filling carts"]!.fault;
    const repair = await refuseWrites(market.db, table, condition(bad));
    await runWeek(contextOf(market));
    expect((await market.db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory).toBe(300);
    await sendReminders(contextOf(market));
    for (const who of others) expect(await countMails(scene, who, "auto-checkout-soon")).toBe(1);
    market.clock.set(AUTO);
    await runAutoCheckouts(contextOf(market));
    for (const { customer } of others)
      expect(await market.db.order.count({ where: { customer_id: customer.id, delivery_id: delivery.id } })).toBe(1);
    expect(await stateOf(scene, "open")).toBe("running");
    await repair();
    await runWeek(contextOf(market));
    expect(await stateOf(scene, "open")).toBe("done");
    expect(await market.audit()).toEqual([]);
    await market.close();
  },
);

test(
  "failing customers: when more than ten of a batch fail it is not done in parts, and all are done when it works again",
  { tags: ["fail:M3"] },
  async () => {
    const scene = await createScene(14);
    const { market, people } = scene;
    const step = STEPS["reminders of the cutoff"]!;
    await step.setUp(scene);
    const good = people.slice(0, 3);
    const emails = good.map(({ customer }) => `'${customer.email}'`).join(", ");
    const repair = await refuseWrites(market.db, "mail", `new.to_email not in (${emails})`);
    await sendReminders(contextOf(market));
    const done = () => Promise.all(people.map((who) => step.isDone(scene, who)));
    expect(await done()).toEqual(people.map(() => false));
    expect(await findFailures(market.db, market.clock.now())).toMatchObject([{ reason: "This row is broken." }]);
    await repair();
    market.clock.advance(Minute.ms);
    await sendReminders(contextOf(market));
    expect(await done()).toEqual(people.map(() => true));
    expect(await findFailures(market.db, market.clock.now())).toEqual([]);
    await market.close();
  },
);
