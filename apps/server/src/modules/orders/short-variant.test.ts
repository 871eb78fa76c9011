import { execute, sql } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { deliverOrders } from "./deliver-orders.ts";
import { shortVariant } from "./short-variant.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const DAY = "2026-11-26";
const AFTER = "2026-11-25T09:00:00Z";

const operator = (name = "mara"): Context => ({ now: market.clock.now(), actor: { type: "operator", name }, deps });
const INPUT = { to: "credit", reason: "frost" } as const;

/** A closed day with one box per number of eggs; a list is a box with add-ons. */
async function closedDay(boxes: readonly (readonly number[])[]) {
  market.clock.set("2026-11-23T17:00:00Z");
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { title: "Eggs", priceCents: 700, inventory: 100 });
  const vendor = await db.vendor.findUniqueOrThrow({ where: { id: eggs.vendor_id } });
  const orders: number[][] = [];
  const shoppers: Awaited<ReturnType<typeof signIn>>[] = [];
  for (const quantities of boxes) {
    const shopper = await signIn(market, { hubId: hub.id });
    shoppers.push(shopper);
    const ids: number[] = [];
    for (const quantity of quantities) {
      market.clock.advance(1_000);
      await shopper.put("/cart", [eggs.line(quantity)]);
      const { orderTotal } = (await shopper.post("/checkout/quote", CHOICE)).body;
      const { status, body } = await shopper.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
      expect(status, JSON.stringify(body)).toBe(201);
      ids.push(body.orderId as number);
    }
    orders.push(ids);
  }
  market.clock.set(AFTER);
  await runWeek({ ...operator(), actor: { type: "system", job: "week" } });
  const count = (came: number, of: number) => ({
    hub: hub.slug,
    day: DAY,
    vendor: vendor.slug,
    item: "Eggs",
    came,
    of,
  });
  /** Current number of eggs by order. */
  const left = () =>
    Promise.all(
      orders.flat().map(async (id) => {
        const lines = await db.order_item.findMany({ where: { order_id: id } });
        return lines.reduce((sum, { quantity }) => sum + quantity, 0);
      }),
    );
  const credits = () =>
    Promise.all(
      shoppers.map(
        async ({ customer }) => (await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).credit_cents,
      ),
    );
  const { id: deliveryId } = await db.delivery.findFirstOrThrow({ where: { hub_id: hub.id, day: new Date(DAY) } });
  const audited = () => db.audit_entry.findMany({ where: { action: "short", subject: `delivery:${deliveryId}` } });
  return { hub, eggs, orders, shoppers, count, left, credits, audited };
}

test(
  "short: every box gets one unit before any gets two, oldest first; a repeat or a dry run changes nothing",
  { tags: ["fail:M17"] },
  async () => {
    const { eggs, orders, count, left, credits, audited } = await closedDay([[3], [1], [3]]);
    const dry = await shortVariant(operator(), count(4, 7), { ...INPUT, dryRun: true });
    expect(await left()).toEqual([3, 1, 3]);
    expect(await audited()).toEqual([]);
    const done = await shortVariant(operator(), count(4, 7), INPUT);
    expect(done).toEqual(dry);
    expect(done).toMatchObject({
      variantId: eggs.variant.id,
      ordered: 7,
      came: 4,
      boxes: [
        { tote: 1, orderIds: orders[0], ordered: 3, gets: 2 },
        { tote: 3, orderIds: orders[2], ordered: 3, gets: 1 },
      ],
    });
    expect(await left()).toEqual([2, 1, 1]);
    expect(await credits()).toEqual([done.boxes[0]!.backCents, 0, done.boxes[1]!.backCents]);
    expect(done.boxes[1]!.backCents).toBeGreaterThan(1_400);
    // The printed sheets still say 7; the same count changes nothing.
    expect(await shortVariant(operator(), count(4, 7), INPUT)).toMatchObject({ ordered: 4, boxes: [], backCents: 0 });
    // One more is missing, counted from the current quantity.
    expect((await shortVariant(operator(), count(3, 4), INPUT)).boxes).toMatchObject([
      { tote: 1, ordered: 2, gets: 1 },
    ]);
    expect(await left()).toEqual([1, 1, 1]);
    expect(await audited()).toMatchObject([
      {
        actor: "operator:mara",
        reason: "frost",
        data: {
          came: 4,
          ordered: 7,
          boxes: [
            { tote: 1, loses: 1 },
            { tote: 3, loses: 2 },
          ],
        },
      },
      { data: { came: 3, ordered: 4, boxes: [{ tote: 1, loses: 1 }] } },
    ]);
    expect(await market.audit()).toEqual([]);
  },
);

test("short: a box that is already marked as delivered is counted and loses its units like the others", async () => {
  const { orders, count, left } = await closedDay([[2], [2]]);
  await deliverOrders(operator(), orders[0]!);
  expect(await shortVariant(operator(), count(1, 4), INPUT)).toMatchObject({
    ordered: 4,
    boxes: [
      { orderIds: orders[0], ordered: 2, gets: 1 },
      { orderIds: orders[1], ordered: 2, gets: 0 },
    ],
  });
  expect(await left()).toEqual([1, 0]);
  expect(await market.audit()).toEqual([]);
});

test("short: a box with add-ons counts as one box, and units are taken off its newest order first", async () => {
  const { orders, count, left } = await closedDay([[1, 2], [2]]);
  const { boxes } = await shortVariant(operator(), count(2, 5), INPUT);
  expect(boxes).toMatchObject([
    { tote: 1, orderIds: orders[0], ordered: 3, gets: 1 },
    { tote: 2, ordered: 2, gets: 1 },
  ]);
  expect(await left()).toEqual([1, 0, 1]);
  expect(await market.audit()).toEqual([]);
});

test("short: an unpaid order that its hub does not pack gets no units and loses none", async () => {
  const { hub, orders, count, left } = await closedDay([[2], [2]]);
  const where = { id: orders[0]![0]! };
  await db.hub.update({ where: { id: hub.id }, data: { pack_unpaid: false } });
  await db.order.update({ where, data: { charge_failed_at: new Date(AFTER) } });
  const { boxes, ordered } = await shortVariant(operator(), count(1, 4), INPUT);
  expect([ordered, boxes.map(({ orderIds, gets }) => [orderIds, gets])]).toEqual([2, [[orders[1], 1]]]);
  expect(await left()).toEqual([2, 1]);
  await db.order.update({ where, data: { charge_failed_at: null } });
  expect(await market.audit()).toEqual([]);
});

test(
  "short: two people record the same shortage at once and a third a larger one: every unit is taken off once",
  { tags: ["fail:N8", "fail:M17"] },
  async () => {
    const { count, left, credits } = await closedDay([[3], [3], [2], [1]]);
    const both = await Promise.all([
      shortVariant(operator("farm"), count(6, 9), INPUT),
      shortVariant(operator("depot"), count(6, 9), INPUT),
    ]);
    expect(await left()).toEqual([2, 2, 1, 1]);
    const given = both.flatMap(({ boxes }) => boxes.map(({ backCents }) => backCents));
    expect(given).toHaveLength(3);
    const total = async () => (await credits()).reduce((sum, cents) => sum + cents, 0);
    expect(await total()).toBe(given.reduce((sum, cents) => sum + cents, 0));
    await Promise.all([
      shortVariant(operator("farm"), count(5, 6), INPUT),
      shortVariant(operator("depot"), count(4, 6), INPUT),
    ]);
    expect(await left()).toEqual([1, 1, 1, 1]);
    expect(await market.audit()).toEqual([]);
  },
);

test("short: shares that were set by hand are taken instead of the rule; a repeat changes nothing", async () => {
  const { orders, count, left, audited } = await closedDay([[3], [1], [3]]);
  const gets = new Map([
    [orders[0]![0]!, 0],
    [orders[1]![0]!, 1],
    [orders[2]![0]!, 3],
  ]);
  const dry = await shortVariant(operator(), { ...count(4, 7), gets }, { ...INPUT, dryRun: true });
  expect(await left()).toEqual([3, 1, 3]);
  const done = await shortVariant(operator(), { ...count(4, 7), gets }, INPUT);
  expect(done).toEqual(dry);
  expect(done.boxes).toMatchObject([{ boxId: orders[0]![0], ordered: 3, gets: 0 }]);
  expect(await left()).toEqual([0, 1, 3]);
  expect((await shortVariant(operator(), { ...count(4, 7), gets }, INPUT)).boxes).toEqual([]);
  expect(await audited()).toHaveLength(1);
  expect(await market.audit()).toEqual([]);
});

test("short: shares set by hand are finished after a crash behind the first box", async () => {
  const { orders, count, left } = await closedDay([[3], [3], [3]]);
  const gets = new Map(orders.map(([id], place) => [id!, [0, 1, 3][place]!]));
  points.plan["short:written"] = "throw";
  await expect(shortVariant(operator(), { ...count(4, 9), gets }, INPUT)).rejects.toThrow("failpoint");
  delete points.plan["short:written"];
  expect(await left()).toEqual([0, 3, 3]);
  await shortVariant(operator(), { ...count(4, 9), gets }, INPUT);
  expect(await left()).toEqual([0, 1, 3]);
  expect(await market.audit()).toEqual([]);
});

test.each([
  ["more than came", [2, 1, 2], "The boxes get 5, but 4 can be shared out. Nothing was done."],
  ["fewer than came", [2, 1, 0], "The boxes get 3, but 4 can be shared out. Nothing was done."],
  ["more than a box ordered", [1, 2, 1], /^Tote 2 \(order \d+\) ordered 1, and cannot get more\. Nothing was done\.$/],
  [
    "nothing for a box that is not named",
    [3, 1],
    /^Tote 3 \(order \d+\) has come to this day since\. Check the shares again\.$/,
  ],
])("short: shares set by hand with %s are refused", async (_, shares, message) => {
  const { orders, count, left } = await closedDay([[3], [1], [3]]);
  const gets = new Map(shares.map((units, place) => [orders[place]![0]!, units]));
  await expect(shortVariant(operator(), { ...count(4, 7), gets }, INPUT)).rejects.toThrow(message);
  expect(await left()).toEqual([3, 1, 3]);
});

test("short: after a crash behind the first box, the same command finishes the other boxes with the same result", async () => {
  const { count, left, credits } = await closedDay([[3], [3], [3]]);
  points.plan["short:written"] = "throw";
  await expect(shortVariant(operator(), count(4, 9), INPUT)).rejects.toThrow("failpoint");
  delete points.plan["short:written"];
  expect(await left()).toEqual([2, 3, 3]);
  const rest = await shortVariant(operator(), count(4, 9), INPUT);
  expect(rest.boxes).toMatchObject([
    { tote: 2, gets: 1 },
    { tote: 3, gets: 1 },
  ]);
  expect(await left()).toEqual([2, 1, 1]);
  expect(await credits()).toEqual([expect.any(Number), rest.boxes[0]!.backCents, rest.boxes[1]!.backCents]);
  expect(await market.audit()).toEqual([]);
});

test("short: an order that cannot be lowered is named in the error, and the other orders do not change", async () => {
  const { orders, count, left, credits } = await closedDay([[1], [2], [2]]);
  const [refused] = orders[1]!;
  // It is being charged.
  await execute(
    db,
    sql`insert into pgboss.job (name, singleton_key, policy, state, started_on)
        values ('charge', ${String(refused!)}, 'exclusive', 'active', ${new Date(AFTER)})`,
  );
  await expect(shortVariant(operator(), count(3, 5), INPUT)).rejects.toMatchObject({
    details: { code: "still_charging", refused: [expect.stringContaining(`Tote 2 (order ${refused}): `)] },
    message: expect.stringMatching(/Nothing was done\.$/),
  });
  expect([await left(), await credits()]).toEqual([
    [1, 2, 2],
    [0, 0, 0],
  ]);
  await execute(db, sql`delete from pgboss.job where name = 'charge' and state = 'active'`);
});

test("short: a count on no version of the sheets, an open day and unknown names are refused with the available values", async () => {
  const { hub, eggs, count, left } = await closedDay([[2], [1]]);
  const refusal = (words: object) => shortVariant(operator(), { ...count(1, 3), ...words }, INPUT);
  await expect(refusal({ of: 30 })).rejects.toThrow("3 of Eggs, Each are ordered, not 30. Nothing was done.");
  await expect(refusal({ item: "Milk" })).rejects.toThrow(`There is no "Milk" of`);
  await expect(refusal({ item: "Milk" })).rejects.toThrow(`Eggs, Each (${eggs.variant.id}).`);
  await expect(refusal({ vendor: "unknown" })).rejects.toThrow(
    /Nothing of "unknown" is ordered for this day\. Vendors/,
  );
  await expect(refusal({ day: "2026-11-27" })).rejects.toThrow(/does not deliver on 2026-11-27\. Days near it/);
  await expect(refusal({ hub: "nowhere" })).rejects.toThrow('There is no hub "nowhere"');
  market.clock.set("2026-11-23T17:00:00Z");
  const open = await createHub(db);
  const shopper = await signIn(market, { hubId: open.id });
  const milk = await createProduct(db, open.id, { title: "Milk" });
  await shopper.put("/cart", [milk.line(1)]);
  const { orderTotal } = (await shopper.post("/checkout/quote", CHOICE)).body;
  await shopper.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
  const vendor = await db.vendor.findUniqueOrThrow({ where: { id: milk.vendor_id } });
  await expect(refusal({ hub: open.slug, vendor: vendor.name, item: "Milk" })).rejects.toMatchObject({
    details: { code: "still_open" },
  });
  expect(await left()).toEqual([2, 1]);
  expect(hub.id).not.toBe(open.id);
});
