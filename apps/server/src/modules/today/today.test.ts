import { addMs, Hour } from "@marketday/domain/time";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, type TestHub, type TestProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { staffOf } from "../../../test/staff.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { payVendors } from "../ledger/pay-vendors.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { deliverOrders } from "../orders/deliver-orders.ts";
import { recordPayments } from "../orders/record-payment.ts";
import { undoDeliveries } from "../orders/undo-delivery.ts";
import { readSheets } from "../week/read-sheets.ts";
import { setArrivals } from "../week/set-arrivals.ts";

const market = await buildTestApp();
const { db, deps } = market;
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });

beforeEach(() => market.clock.set(MONDAY));

const moveTo = (at: string) => market.clock.set(at);
/** Runs the clockwork, as a server does each minute. */
async function tick(at: string): Promise<void> {
  moveTo(at);
  await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
}

interface Row {
  hub: { id: number; slug: string };
  day: string;
  boxes: number;
  openOrders: number;
  shorts: number;
  steps: {
    step: string;
    state: string;
    at: string | null;
    count: number | null;
    total: number | null;
    version: number | null;
  }[];
  next: {
    kind: string;
    count: number | null;
    amount: number | null;
    lateSince: string | null;
    dueAt: string | null;
    command: string | null;
  };
  pace: { thisWeek: number; lastWeek: number } | null;
}
type Person = Awaited<ReturnType<typeof staffOf>>;
/** The board at an instant; a session of that instant, because those of days before have ended. */
async function boardOf(person: Person, query = "") {
  const { status, body } = await person.get(`/today${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { rows: Row[]; mostUrgent: number | null; counts: Record<string, { key: string }[]>; health: object };
}
const owner = () => staffOf(market, "owner");
/** The row of a hub's day as a new owner sees it now. */
async function rowOf(hub: TestHub, day: string): Promise<Row | undefined> {
  const { rows } = await boardOf(await owner(), `?hub=${hub.slug}`);
  return rows.find((row) => row.day === day);
}
const stateOf = (row: Row | undefined, name: string) => row?.steps.find(({ step }) => step === name);
const statesOf = (row: Row | undefined) => row?.steps.map(({ state }) => state).join(" ");

/** Places an order of one product, as a new shopper of the hub. */
async function order(hub: TestHub, product: TestProduct, quantity = 1): Promise<number> {
  const shopper = await signIn(market, { hubId: hub.id });
  await shopper.put("/cart", [product.line(quantity)]);
  const { orderTotal } = (await shopper.post("/checkout/quote", CHOICE)).body;
  const { status, body } = await shopper.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.orderId;
}
/** As when the cutoff could not charge the card. */
const decline = (id: number) =>
  db.order.update({
    where: { id },
    data: { charge_failed_at: market.clock.now(), charge_error: "Your card was declined.", payment_id: null },
  });
const totalOf = async (id: number) => (await db.order.findUniqueOrThrow({ where: { id } })).order_total_cents / 100;

test("today: a week of a hub from its first order to the payout, with the steps, the next thing to do, and since when it is late", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { priceCents: 700 });
  // Totes are numbered in the order of time.
  const ids: number[] = [];
  for (const minute of ["00", "01", "02"]) {
    moveTo(`2026-11-23T17:${minute}:00Z`);
    ids.push(await order(hub, eggs));
  }
  const [first, second, third] = ids as [number, number, number];
  const day = "2026-11-26";
  const [cutoff, end] = ["2026-11-25T06:00:00.000Z", "2026-11-27T05:00:00.000Z"];
  const row = () => rowOf(hub, day);

  await tick("2026-11-23T17:03:00Z");
  expect(await row()).toMatchObject({ boxes: 3, openOrders: 3, pace: null, next: { kind: "nothing", command: null } });
  expect(statesOf(await row())).toBe("done ahead ahead ahead ahead off off ahead ahead ahead");

  moveTo("2026-11-25T06:14:59Z");
  expect(stateOf(await row(), "cutoff")).toMatchObject({ state: "now", at: cutoff });
  moveTo("2026-11-25T06:15:00Z");
  expect(await row()).toMatchObject({ next: { kind: "run_late_step", lateSince: cutoff, command: "jobs run" } });
  expect(stateOf(await row(), "cutoff")).toMatchObject({ state: "late" });

  await tick("2026-11-25T06:15:00Z");
  expect(statesOf(await row())).toBe("done off done due ahead off off ahead ahead ahead");
  const sheets = {
    kind: "create_sheets",
    count: 3,
    dueAt: "2026-11-25T11:00:00.000Z",
    command: `sheets ${hub.slug} ${day}`,
  };
  expect((await row())?.next).toMatchObject({ ...sheets, lateSince: null });
  expect(stateOf(await row(), "vendors_in")).toMatchObject({ state: "ahead", count: null, total: 1 });
  moveTo("2026-11-25T11:00:00Z");
  expect((await row())?.next).toMatchObject({ ...sheets, lateSince: "2026-11-25T11:00:00.000Z" });
  expect(stateOf(await row(), "sheets")).toMatchObject({ state: "late", version: null });

  await readSheets(operator(), { hub: hub.slug, day });
  expect(stateOf(await row(), "sheets")).toMatchObject({ state: "done", at: "2026-11-25T11:00:00.000Z", version: 1 });
  expect((await row())?.next.kind).toBe("nothing");

  await cancelOrder(operator(), third, { to: "card", reason: "The truck broke down.", key: null });
  expect(await row()).toMatchObject({
    boxes: 2,
    next: {
      kind: "renew_sheets",
      count: 2,
      lateSince: null,
      dueAt: "2026-11-26T11:00:00.000Z",
      command: `sheets ${hub.slug} ${day}`,
    },
  });
  expect(stateOf(await row(), "sheets")).toMatchObject({ state: "due", version: 1 });
  await readSheets(operator(), { hub: hub.slug, day });
  expect(stateOf(await row(), "sheets")).toMatchObject({ state: "done", version: 2 });

  // What is to be collected is on the sheets.
  await decline(second);
  expect((await row())?.next.kind).toBe("renew_sheets");
  await readSheets(operator(), { hub: hub.slug, day });
  const due = await totalOf(second);
  expect((await row())?.next).toMatchObject({
    kind: "retry_charges",
    count: 1,
    amount: due,
    dueAt: end,
    command: `orders charge ${second}`,
  });
  moveTo("2026-11-26T05:00:00Z");
  expect((await row())?.next).toMatchObject({
    kind: "collect_at_door",
    count: 1,
    amount: due,
    lateSince: null,
    command: `orders paid ${hub.slug} ${day} --tote 2`,
  });
  await recordPayments(operator(), [second]);
  expect((await row())?.next).toMatchObject({
    kind: "deliver",
    count: 2,
    amount: null,
    lateSince: null,
    command: `orders deliver ${hub.slug} ${day} --tote 1-2`,
  });
  await deliverOrders(operator(), [first]);
  expect(stateOf(await row(), "delivered")).toMatchObject({ state: "now", count: 1, total: 2 });
  expect((await row())?.next).toMatchObject({ count: 1, command: `orders deliver ${hub.slug} ${day} --tote 2` });

  moveTo("2026-11-27T05:20:00Z");
  expect((await row())?.next).toMatchObject({ kind: "run_late_step", lateSince: end });
  await tick("2026-11-27T05:20:00Z");
  const shares = await db.ledger_entry.aggregate({
    where: { account: "vendor", transaction: { order_id: { in: ids } } },
    _sum: { amount_cents: true },
  });
  const pay = {
    kind: "pay_vendors",
    count: 1,
    amount: shares._sum.amount_cents! / 100,
    command: `ledger payouts --to ${day}`,
  };
  expect((await row())?.next).toMatchObject({ ...pay, lateSince: null, dueAt: "2026-12-04T05:00:00.000Z" });
  expect(statesOf(await row())).toBe("done off done done off off off done done due");

  await undoDeliveries(operator(), [first], "wrong tote");
  expect((await row())?.next).toMatchObject({ kind: "deliver", count: 1, lateSince: end });
  expect(stateOf(await row(), "delivered")).toMatchObject({ state: "late", count: 1, total: 2 });
  await deliverOrders(operator(), [first]);

  moveTo("2026-12-04T05:00:00Z");
  expect((await row())?.next).toMatchObject({ ...pay, lateSince: "2026-12-04T05:00:00.000Z" });
  expect(stateOf(await row(), "paid_out")).toMatchObject({ state: "late", count: 0, total: 1 });
  moveTo("2026-11-28T12:00:00Z");
  await payVendors(operator(), { to: day, dryRun: false });
  expect(await row()).toBeUndefined();
});

test("today: hubs of two time zones are sorted by day and name, and the most urgent row is the one that is late", async () => {
  const own = await buildTestApp();
  const hubs = [
    await createHub(own.db, { name: "Lawrence", deliveryDay: "Friday", timeZone: "America/Chicago" }),
    await createHub(own.db, { name: "Fort Collins", timeZone: "America/Denver" }),
    await createHub(own.db, { name: "Carmel" }),
  ] as const;
  const job = { actor: { type: "system", job: "week" } as const, deps: own.deps };
  const board = async () => boardOf(await staffOf(own, "owner"));
  await runWeek({ now: own.clock.now(), ...job });
  const { rows, mostUrgent } = await board();
  expect(rows.map(({ hub, day }) => [hub.id, day])).toEqual([
    [hubs[2].id, "2026-11-26"],
    [hubs[1].id, "2026-11-26"],
    [hubs[0].id, "2026-11-27"],
  ]);
  expect(mostUrgent).toBeNull();
  // 1 AM in Denver is two hours after Indianapolis.
  own.clock.set("2026-11-25T08:14:59Z");
  expect((await board()).rows.slice(0, 3).map((row) => stateOf(row, "cutoff")?.state)).toEqual([
    "late",
    "now",
    "ahead",
  ]);
  await runWeek({ now: own.clock.now(), ...job });
  own.clock.set("2026-11-26T07:15:00Z");
  const late = await board();
  const row = late.rows[late.mostUrgent!];
  expect([row?.hub.id, row?.day, row?.next.lateSince]).toEqual([hubs[0].id, "2026-11-27", "2026-11-26T07:00:00.000Z"]);
});

test.each([
  ["2026-03-08", "2026-03-04T17:00:00Z", "America/Chicago", "2026-03-07T12:00:00.000Z", "2026-03-09T05:00:00.000Z"],
  ["2026-11-01", "2026-10-28T17:00:00Z", "America/Denver", "2026-10-31T12:00:00.000Z", "2026-11-02T07:00:00.000Z"],
])(
  "today: %s, where the clocks change, has its sheets and its end by the hub's clock",
  async (day, now, timeZone, sheetsAt, closesAt) => {
    market.clock.set(now);
    const hub = await createHub(db, { deliveryDay: "Sunday", timeZone, now: new Date(now) });
    const row = await rowOf(hub, day);
    expect(stateOf(row, "sheets")).toMatchObject({ state: "ahead", at: sheetsAt });
    expect(stateOf(row, "closed")).toMatchObject({ state: "ahead", at: closesAt });
  },
);

test("today: a day without orders has nothing to print or deliver, and is gone when it is closed", async () => {
  const hub = await createHub(db);
  await tick("2026-11-25T06:00:00Z");
  const row = await rowOf(hub, "2026-11-26");
  expect(row).toMatchObject({ boxes: 0, next: { kind: "nothing" } });
  expect(statesOf(row)).toBe("off off done off off off off off ahead ahead");
  await tick("2026-11-27T05:00:00Z");
  const { rows } = await boardOf(await owner(), `?hub=${hub.slug}`);
  expect(rows.map(({ day }) => day)).toEqual(["2026-12-03"]);
});

test("today: vendors that arrive and items that come short are on their day, and what is to be settled is counted", async () => {
  const hub = await createHub(db);
  const [eggs, kale] = [await createProduct(db, hub.id), await createProduct(db, hub.id)];
  await order(hub, eggs, 3);
  await order(hub, kale);
  const [day, { id: deliveryId }] = ["2026-11-26", hub.deliveries[0]!];
  const short = (variantId: number, came: number) =>
    db.shortage.create({
      data: {
        delivery_id: deliveryId,
        variant_id: variantId,
        came,
        of: 3,
        refund_to: "credit",
        bearer: "market",
        counted_by: "operator:mara",
        counted_at: market.clock.now(),
      },
    });
  const { id } = await short(eggs.variant.id, 1);
  const shortsOf = async (person: Person) =>
    (await boardOf(person, `?hub=${hub.slug}`)).counts["attention"]!.find(({ key }) => key === "shorts_to_settle");
  // Before the cutoff nothing can be settled.
  expect(await shortsOf(await owner())).toMatchObject({ count: 0, level: "quiet" });
  expect(await rowOf(hub, day)).toMatchObject({ shorts: 1, next: { kind: "nothing" } });

  await tick("2026-11-25T06:00:00Z");
  await readSheets(operator(), { hub: hub.slug, day });
  await short(kale.variant.id, 0);
  const { vendor_id: vendorId } = eggs;
  const arrive = (vendor: number) =>
    setArrivals(operator(), { hub: hub.slug, day, vendors: [vendor], hasArrived: true });
  await arrive(vendorId);
  const row = await rowOf(hub, day);
  expect(row).toMatchObject({
    shorts: 2,
    next: {
      kind: "settle_shorts",
      count: 2,
      lateSince: null,
      dueAt: "2026-11-27T05:00:00.000Z",
      command: expect.stringMatching(
        `^short ${hub.slug} ${day} vendor-\\d+ ${eggs.variant.id} 1/3 --to credit --bearer market --reason counted$`,
      ),
    },
  });
  expect(stateOf(row, "vendors_in")).toMatchObject({ state: "now", count: 1, total: 2 });
  expect(await shortsOf(await owner())).toMatchObject({ count: 2, level: "due", command: null });
  const otherLead = await staffOf(market, { role: "hub_lead", hubId: (await createHub(db)).id });
  const { counts } = await boardOf(otherLead);
  expect(counts["attention"]![0]).toMatchObject({ key: "shorts_to_settle", count: 0 });

  await arrive(kale.vendor_id);
  const at = "2026-11-25T06:00:00.000Z";
  expect(stateOf(await rowOf(hub, day), "vendors_in")).toMatchObject({ state: "done", at, count: 2, total: 2 });
  await db.shortage.update({ where: { id }, data: { state: "settled", settled_at: market.clock.now() } });
  expect(await rowOf(hub, day)).toMatchObject({ shorts: 1, next: { kind: "settle_shorts", count: 1 } });
});

test("today: a closed date is shown as long as it has orders", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id);
  const id = await order(hub, eggs);
  await db.hub_closure.create({ data: { hub_id: hub.id, day: new Date("2026-11-26T00:00:00Z") } });
  const days = async () =>
    (await boardOf(await owner(), `?hub=${hub.slug}`)).rows.map(({ day, boxes }) => [day, boxes]);
  expect(await days()).toEqual([
    ["2026-11-26", 1],
    ["2026-12-03", 0],
  ]);
  await cancelOrder(operator(), id, { to: "card", reason: "We are closed.", key: null });
  expect(await days()).toEqual([["2026-12-03", 0]]);
});

test("today: the pace compares the boxes so far with the week before at the same distance from the cutoff", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 20 });
  await order(hub, eggs);
  moveTo("2026-11-24T17:00:00Z");
  await order(hub, eggs);
  await tick("2026-11-25T06:00:00Z");
  const pace = async () => (await rowOf(hub, "2026-12-03"))?.pace;
  // Seven days after the first order, less a second.
  moveTo("2026-11-30T16:59:59Z");
  expect(await pace()).toEqual({ thisWeek: 0, lastWeek: 0 });
  moveTo("2026-11-30T17:00:00Z");
  await order(hub, eggs);
  expect(await pace()).toEqual({ thisWeek: 1, lastWeek: 1 });
  moveTo("2026-12-01T17:00:00Z");
  expect(await pace()).toEqual({ thisWeek: 1, lastWeek: 2 });
});

test("today: the pace compares with the same weekday, and with nothing when that was a closed date", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 20 });
  await order(hub, eggs);
  // The hub's second day of the week.
  const cutoff_at = new Date("2026-11-30T06:00:00Z");
  await db.delivery.create({
    data: {
      hub_id: hub.id,
      day: new Date("2026-12-01T00:00:00Z"),
      cutoff_at,
      auto_checkout_at: addMs(cutoff_at, -36 * Hour.ms),
    },
  });
  await tick("2026-11-25T06:00:00Z");
  await tick("2026-11-30T17:00:00Z");
  const pace = async () => (await rowOf(hub, "2026-12-03"))?.pace;
  expect(await pace()).toEqual({ thisWeek: 0, lastWeek: 1 });
  await db.hub_closure.create({ data: { hub_id: hub.id, day: new Date("2026-11-26T00:00:00Z") } });
  expect(await pace()).toBeNull();
});

test("today: boxes that are not packed, or have no item left, are not counted and not to be delivered, as on the sheets", async () => {
  const hub = await createHub(db);
  await db.hub.update({ where: { id: hub.id }, data: { pack_unpaid: false } });
  const eggs = await createProduct(db, hub.id);
  const [, unpaid, emptied] = [await order(hub, eggs), await order(hub, eggs), await order(hub, eggs)];
  await tick("2026-11-25T06:00:00Z");
  const row = () => rowOf(hub, "2026-11-26");
  expect((await row())?.boxes).toBe(3);
  await decline(unpaid);
  await db.order_item.updateMany({ where: { order_id: emptied }, data: { quantity: 0 } });
  await readSheets(operator(), { hub: hub.slug, day: "2026-11-26" });
  moveTo("2026-11-26T12:00:00Z");
  const found = await row();
  expect(found?.boxes).toBe(1);
  expect(stateOf(found, "delivered")).toMatchObject({ count: 0, total: 1 });
  // Only who delivers: of the owner, the declined card comes first.
  const lead = await boardOf(await staffOf(market, { role: "depot_lead", hubId: hub.id }), `?hub=${hub.slug}`);
  expect(lead.rows[0]?.next).toMatchObject({ kind: "deliver", count: 1 });
});

test("today: two statements, whatever the number of hubs and days", async () => {
  const own = await buildTestApp();
  const person = await staffOf(own, "owner");
  const count = async () => {
    await person.get("/today");
    const statements = await own.statements(() => person.get("/today"));
    // The session is cached for a second.
    return statements.filter((text) => !text.includes("staff_session")).length;
  };
  expect(await count()).toBe(2);
  for (let n = 0; n < 3; n += 1) await createHub(own.db);
  own.clock.set("2026-11-23T17:00:30Z");
  expect((await person.get("/today")).body.rows).toHaveLength(3);
  expect(await count()).toBe(2);
});

test("today: a market without hubs has no rows, and nothing that is urgent", async () => {
  const own = await buildTestApp();
  const board = await boardOf(await staffOf(own, "owner"));
  expect(board).toMatchObject({
    rows: [],
    mostUrgent: null,
    health: { failed: null, checkedAt: null, lastBackupAt: null },
  });
  expect(Object.values(board.counts).flat()).toHaveLength(15);
});
