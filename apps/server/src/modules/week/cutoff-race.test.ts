import { size } from "@marketday/db/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  CHOICE,
  createCustomer,
  createHub,
  createProduct,
  PASSWORD,
  type TestHub,
  type TestProduct,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { waitForLock } from "../../../test/locks.ts";
import { runWeek } from "../../jobs/week.ts";
import { cancelOrder } from "../orders/cancel-order.ts";

// Two servers on one database: one handles the shoppers' requests, the other runs the jobs.
const [shop, jobs] = [failpoints(), failpoints()];
const market = await buildTestApp({ overrides: { failpoint: shop.at } });
const jobServer = await buildTestApp({ url: market.url, overrides: { failpoint: jobs.at } });
const { db, deps } = market;
const JUST_BEFORE = "2026-11-25T05:59:59.990Z";
const CUTOFF = "2026-11-25T06:00:00Z";
const GRACE_OVER = "2026-11-25T06:10:01Z";

beforeEach(() => {
  market.clock.set(MONDAY);
  for (const points of [shop, jobs]) {
    for (const point of Object.keys(points.plan)) delete points.plan[point];
    points.passed.length = 0;
  }
});

const tick = (at: string): Promise<void> => {
  jobServer.clock.set(at);
  return runWeek({ now: jobServer.clock.now(), actor: { type: "system", job: "week" }, deps: jobServer.deps });
};

// A test that fails leaves no request stopped: closing its server would wait for it.
const gates = new Set<() => void>();
afterEach(() => {
  for (const release of gates) release();
  gates.clear();
});

/** Pauses at a failpoint until `go` is called, or the test ends. */
async function stopAt(points: typeof shop, point: string) {
  points.passed.length = 0;
  const gate = Promise.withResolvers<void>();
  gates.add(gate.resolve);
  points.plan[point] = { until: gate.promise };
  return {
    reached: points.reached(point),
    go: () => {
      delete points.plan[point];
      gate.resolve();
    },
  };
}

async function shopper(hub: TestHub, ...lines: ReturnType<TestProduct["line"]>[]) {
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  await browser.put("/cart", lines);
  const quote = async () => (await browser.post("/checkout/quote", CHOICE)).body;
  return {
    row,
    browser,
    quote,
    buy: async (more: object = {}) =>
      browser.post("/checkout", { ...CHOICE, ...more, expectedTotal: (await quote()).orderTotal }),
    /** Checks out with the total that was quoted before the day closed. */
    send: (expectedTotal: number, more: object = {}) =>
      browser.post("/checkout", { ...CHOICE, ...more, expectedTotal }),
    lower: (id: number, product: TestProduct, quantity: number) =>
      browser.post("/orders/edit-order", {
        order: { id, items: [{ quantity, product: { variant: { id: product.variant.id } } }] },
      }),
  };
}
type Who = Awaited<ReturnType<typeof shopper>>;

/** The frozen lines of a hub's first day, as order id and units. */
const frozenOf = async (hub: TestHub) =>
  (
    await db.snapshot_line.findMany({
      where: { box: { snapshot: { delivery_id: hub.deliveries[0]!.id } } },
      orderBy: { id: "asc" },
    })
  ).map((line) => [line.order_id, line.quantity]);
const isFrozen = async (hub: TestHub) =>
  (await db.snapshot.count({ where: { delivery_id: hub.deliveries[0]!.id } })) > 0;
const stockOf = async (product: TestProduct) =>
  (await db.offer.findFirstOrThrow({ where: { variant_id: product.variant.id } })).inventory;
const statusOf = async (id: number) => (await db.order.findUniqueOrThrow({ where: { id } })).status;
async function chargesOf({ row }: Who): Promise<string[]> {
  const attempts = await db.checkout_attempt.findMany({ where: { customer_id: row.id } });
  const charges = await db.test_charge.findMany({
    where: { idempotency_key: { in: attempts.map(({ id }) => id) } },
    orderBy: { created_at: "asc" },
  });
  return charges.map(({ state }) => state);
}

async function open() {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 20, priceCents: 700 });
  return { hub, eggs };
}

describe("cutoff: an order that begins just before it", () => {
  test.each(["alone", "beside an earlier box"])(
    "while its stock is being reserved, the freeze waits for it (%s)",
    { tags: ["fail:C17", "fail:V8"] },
    async (how) => {
      const { hub, eggs } = await open();
      const who = await shopper(hub, eggs.line(1));
      const lines: number[][] = [];
      if (how !== "alone") {
        lines.push([(await who.buy()).body.orderId, 1]);
        await who.browser.put("/cart", [eggs.line(1)]);
      }
      await who.browser.put("/cart", [eggs.line(3)]);
      const { orderTotal } = await who.quote();
      market.clock.set(JUST_BEFORE);
      const holding = await stopAt(shop, "checkout:holding");
      const answer = who.send(orderTotal);
      await holding.reached;
      const paying = await stopAt(shop, "checkout:held");
      const run = tick(CUTOFF);
      await waitForLock(db, run);
      expect(await isFrozen(hub)).toBe(false);
      holding.go();
      await run;
      // The checkout is in progress and has ten minutes.
      expect(await isFrozen(hub)).toBe(false);
      paying.go();
      const { status, body } = await answer;
      expect([status, body[1]?.code]).toEqual([201, undefined]);
      await tick("2026-11-25T06:01:00Z");
      expect(await frozenOf(hub)).toEqual([...lines, [body.orderId, 3]]);
      expect(await statusOf(body.orderId)).toBe("pending");
      expect(new Set(await chargesOf(who))).toEqual(new Set(["captured"]));
      expect(await market.audit()).toEqual([]);
    },
  );

  test.each(["alone", "beside an earlier box"])(
    "is rejected after the freeze began: nothing is reserved or charged, and the cart stays (%s)",
    { tags: ["fail:C17", "fail:V8"] },
    async (how) => {
      const { hub, eggs } = await open();
      const who = await shopper(hub, eggs.line(1));
      const earlier = how === "alone" ? [] : [(await who.buy()).body.orderId as number];
      await who.browser.put("/cart", [eggs.line(3)]);
      const { orderTotal } = await who.quote();
      const [stock, charges] = [await stockOf(eggs), await chargesOf(who)];
      market.clock.set(JUST_BEFORE);
      const frozen = await stopAt(jobs, "cutoff:begun");
      const run = tick(CUTOFF);
      await frozen.reached;
      const answer = who.send(orderTotal);
      await waitForLock(db, answer);
      frozen.go();
      const refused = await answer;
      await run;
      expect([refused.status, refused.body]).toEqual([
        409,
        ["This delivery day closed while you were paying. You have not been charged.", { code: "past_cutoff" }],
      ]);
      expect(await frozenOf(hub)).toEqual(earlier.map((id) => [id, 1]));
      expect(await db.order.count({ where: { customer_id: who.row.id } })).toBe(earlier.length);
      expect([await stockOf(eggs), (await chargesOf(who)).length]).toEqual([stock, charges.length]);
      market.clock.set(CUTOFF);
      expect((await who.quote()).deliveryDate).toBe("2026-12-03");
      const next = await who.buy({ savePaymentMethod: true });
      expect([next.status, (await who.browser.get(`/orders/${next.body.orderId}`)).body.deliveryDate]).toEqual([
        201,
        "2026-12-03",
      ]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "while it is being written after its ten minutes, the freeze waits for it and contains it",
    { tags: ["fail:C17"] },
    async () => {
      const { hub, eggs } = await open();
      const who = await shopper(hub, eggs.line(2));
      const { orderTotal } = await who.quote();
      market.clock.set(JUST_BEFORE);
      const writing = await stopAt(shop, "checkout:before-commit");
      const answer = who.send(orderTotal);
      await writing.reached;
      const run = tick(GRACE_OVER);
      await waitForLock(db, run);
      expect(await isFrozen(hub)).toBe(false);
      writing.go();
      const { status, body } = await answer;
      await run;
      expect(status).toBe(201);
      await tick("2026-11-25T06:13:00Z");
      expect(await frozenOf(hub)).toEqual([[body.orderId, 2]]);
      expect([await statusOf(body.orderId), await chargesOf(who)]).toEqual(["pending", ["captured"]]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "is not placed and its charge is voided if its day is frozen between payment and insert",
    { tags: ["fail:C17"] },
    async () => {
      const { hub, eggs } = await open();
      const who = await shopper(hub, eggs.line(2));
      const { orderTotal } = await who.quote();
      market.clock.set(JUST_BEFORE);
      const writing = await stopAt(shop, "checkout:placing");
      const answer = who.send(orderTotal);
      await writing.reached;
      expect(await chargesOf(who)).toEqual(["authorized"]);
      await tick(GRACE_OVER);
      expect(await isFrozen(hub)).toBe(true);
      writing.go();
      const { status, body } = await answer;
      expect([status, body[1]?.code]).toEqual([409, "past_cutoff"]);
      expect([await frozenOf(hub), await stockOf(eggs), await chargesOf(who)]).toEqual([[], 20, ["voided"]]);
      expect(await db.order.count({ where: { customer_id: who.row.id } })).toBe(0);
      expect((await who.browser.get("/cart")).body.items).toHaveLength(1);
      expect(await market.audit()).toEqual([]);
    },
  );
});

describe("cutoff: a change that begins just before it", () => {
  test(
    "while it is being written, the freeze waits for it and contains the changed order",
    { tags: ["fail:C17"] },
    async () => {
      const { hub, eggs } = await open();
      const who = await shopper(hub, eggs.line(3));
      const { orderId } = (await who.buy()).body;
      market.clock.set(JUST_BEFORE);
      const editing = await stopAt(shop, "edit:locked");
      const answer = who.lower(orderId, eggs, 1);
      await editing.reached;
      const run = tick(CUTOFF);
      await waitForLock(db, run);
      editing.go();
      const { status, body } = await answer;
      expect(status).toBe(200);
      await run;
      await tick("2026-11-25T06:03:00Z");
      expect(await frozenOf(hub)).toEqual([[orderId, 1]]);
      const payment = await db.payment.findFirstOrThrow({ where: { customer_id: who.row.id } });
      expect([payment.state, payment.captured_cents]).toEqual(["captured", Math.round(body.orderTotal * 100)]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test("is rejected after the freeze began, and nothing changes", { tags: ["fail:C17"] }, async () => {
    const { hub, eggs } = await open();
    const who = await shopper(hub, eggs.line(3));
    const { orderId } = (await who.buy()).body;
    market.clock.set(JUST_BEFORE);
    const frozen = await stopAt(jobs, "cutoff:frozen");
    const run = tick(CUTOFF);
    await frozen.reached;
    const answer = who.lower(orderId, eggs, 1);
    await waitForLock(db, answer);
    frozen.go();
    const late = await answer;
    await run;
    expect([late.status, late.body]).toEqual([409, ["This order can no longer be changed.", { code: "past_cutoff" }]]);
    expect(await frozenOf(hub)).toEqual([[orderId, 3]]);
    expect((await who.browser.get(`/orders/${orderId}`)).body.items[0].quantity).toBe(3);
    expect(await market.audit()).toEqual([]);
  });
});

test(
  "cutoff: a server that stops between two batches until its lease is over leaves the charges to the server that took over",
  { tags: ["fail:C1"] },
  async () => {
    const { hub, eggs } = await open();
    const who = await shopper(hub, eggs.line(1));
    const { orderId } = (await who.buy()).body;
    const stopped = await stopAt(jobs, "cutoff:batch");
    const first = tick(CUTOFF);
    await stopped.reached;
    const takenOver = await stopAt(shop, "cutoff:closed");
    market.clock.set("2026-11-25T06:03:00Z");
    const second = runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
    await takenOver.reached;
    stopped.go();
    await first;
    expect(await chargesOf(who)).toEqual(["authorized"]);
    takenOver.go();
    await second;
    expect([await chargesOf(who), await frozenOf(hub)]).toEqual([["captured"], [[orderId, 1]]]);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "cutoff: concurrent orders, changes and cancellations are each either frozen or rejected",
  { tags: ["fail:C17", "fail:V8"] },
  async () => {
    for (let round = 0; round < size(2, 40); round += 1) {
      market.clock.set(MONDAY);
      const { hub, eggs } = await open();
      const [editor, leaver, joiner, ...late] = (await Promise.all(
        Array.from({ length: 6 }, () => shopper(hub, eggs.line(2))),
      )) as [Who, Who, Who, ...Who[]];
      const ids = await Promise.all([editor, leaver, joiner].map(async (who) => (await who.buy()).body.orderId));
      await joiner.browser.put("/cart", [eggs.line(1)]);
      const totals = await Promise.all([joiner, ...late].map(async (who) => (await who.quote()).orderTotal));
      market.clock.set(JUST_BEFORE);
      const system = { type: "system", job: "test" } as const;
      const [edited, , ...placed] = await Promise.all([
        editor.lower(ids[0], eggs, 1),
        cancelOrder({ now: market.clock.now(), actor: system, deps }, ids[1], {
          to: "card",
          reason: "x",
          key: null,
        }).catch((error: unknown) => error),
        ...[joiner, ...late].map((who, place) => who.send(totals[place], { expectedDeliveryDate: "2026-11-26" })),
        tick(CUTOFF),
      ]);
      await tick("2026-11-25T06:03:00Z");
      await tick("2026-11-25T06:11:00Z");
      expect([200, 409]).toContain(edited.status);
      const units = new Map((await frozenOf(hub)) as [number, number][]);
      expect(units.get(ids[0])).toBe(edited.status === 200 ? 1 : 2);
      for (const answer of placed.slice(0, -1) as (typeof edited)[]) {
        if (answer.status === 201) expect(units.has(answer.body.orderId)).toBe(true);
        else {
          expect(answer.status).toBe(409);
          // If the box it would have joined is closed, the changed total is found first.
          expect(["past_cutoff", "total_changed"]).toContain(answer.body[1].code);
        }
      }
      expect(await db.order.count({ where: { hub_id: hub.id, status: { in: ["open", "future"] } } })).toBe(0);
      market.clock.set("2026-11-25T06:11:00Z");
      expect(await market.audit()).toEqual([]);
    }
  },
);
