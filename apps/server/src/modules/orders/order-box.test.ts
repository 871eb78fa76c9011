import { OrderBox } from "@marketday/contracts/admin/orders";
import { transaction } from "@marketday/db";
import { addMs, Minute, Second } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createHub, createOrder, createProduct, type TestProduct } from "../../../test/factories.ts";
import { counted, signIn } from "../../../test/sign-in.ts";
import { createStaff, staffOf } from "../../../test/staff.ts";
import { runWeek } from "../../jobs/week.ts";
import { forgetPerson } from "../account/delete-account.ts";
import { asCustomerId, asStaffId, type Context, type StaffActor } from "../identity/context.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { cancelOrder } from "./cancel-order.ts";
import { closeDay } from "./close-day.ts";
import { deliverOrders } from "./deliver-orders.ts";
import { refundOrder } from "./refund-order.ts";
import { shortOrder } from "./short-order.ts";

const market = await buildTestApp();
const { db, deps } = market;
const AFTER = "2026-11-25T09:00:00Z";
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
const runDay = async () => {
  market.clock.set(AFTER);
  await runWeek({ ...operator(), actor: { type: "system", job: "week" } });
  market.clock.advance(Minute.ms);
};
const owner = () => staffOf(market, "owner");
const read = async (id: number, who?: Awaited<ReturnType<typeof owner>>): Promise<OrderBox> => {
  const { status, body } = await (who ?? (await owner())).get(`/orders/${id}`);
  expect([id, status]).toEqual([id, 200]);
  return OrderBox.parse(body);
};
const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + Math.round(each * 100), 0);
/** Each column of the ledger, and what it comes to, in cents. */
const columnSums = ({ ledger }: OrderBox): number[] => [
  ...ledger!.columns.map((_, place) => sumOf(ledger!.rows.map(({ amounts }) => amounts[place]!))),
  sumOf(ledger!.rows.map(({ now }) => now)),
];
const steps = (box: OrderBox) => box.steps.map(({ step, amount }) => [step, amount]);
const columns = (box: OrderBox) => box.ledger!.columns.map(({ what }) => what);

/** A new customer in a new market of eggs and jam, who orders them at one minute after the other. */
async function newShopper({ creditCents = 0, choice = {}, isPickup = false } = {}) {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { title: "Eggs", priceCents: 700, inventory: 60 });
  const jam = await createProduct(db, hub.id, { title: "Jam", priceCents: 500, inventory: 60 });
  const who = await signIn(market, { hubId: hub.id, creditCents });
  const buy = async (lines: readonly (readonly [TestProduct, number])[]) => {
    await who.put(
      "/cart",
      lines.map(([product, quantity]) => product.line(quantity)),
    );
    const { card, tipPercentage } = CHOICE;
    const pickup = { type: "pickup", pickupPointId: hub.pickup_points[0]!.id, card, tipPercentage };
    const chosen = { ...(isPickup ? pickup : CHOICE), savePaymentMethod: true, ...choice };
    const { orderTotal } = (await who.post("/checkout/quote", chosen)).body;
    const placed = await who.post("/checkout", { ...chosen, expectedTotal: orderTotal });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    market.clock.advance(Minute.ms);
    return placed.body.orderId as number;
  };
  const edit = async (id: number, product: TestProduct, quantity: number) => {
    const items = quantity === 0 ? [] : [{ quantity, product: { variant: { id: product.variant.id } } }];
    expect((await who.post("/orders/edit-order", { order: { id, items } })).status).toBe(200);
    market.clock.advance(Minute.ms);
  };
  return { hub, eggs, jam, who, buy, edit };
}
const missing = (product: TestProduct, quantity = 1) => [{ variantId: product.variant.id, quantity }];
const back = { to: "card", reason: "frost" } as const;

test("order box: one with an add-on that was edited, charged, short and refunded adds up in two statements", async () => {
  const { hub, eggs, jam, who, buy, edit } = await newShopper({ creditCents: 500, choice: { useCredit: true } });
  const box = await buy([[eggs, 3]]);
  const added = await buy([[jam, 2]]);
  await edit(box, eggs, 2);
  await runDay();
  await sendDueMail(deps);
  await shortOrder(operator(), box, missing(eggs), back);
  market.clock.advance(Minute.ms);
  await refundOrder(operator(), added, { amountCents: 100, to: "credit", reason: "broken", key: null });
  const ada = await owner();
  const { statements, answer } = await counted(market, () => ada.get(`/orders/${added}`));
  expect(statements.filter((text) => !text.includes("staff_session"))).toHaveLength(2);
  const found = OrderBox.parse(answer.body);
  expect(await read(box, ada)).toEqual(found);
  expect(found).toMatchObject({
    id: box,
    orderIds: [box, added],
    hub: { id: hub.id },
    day: "2026-11-26",
    tote: 1,
    status: "packing",
    place: "Carmel",
    isPickup: false,
    source: "checkout",
    credit: 5,
    money: { state: "back", amount: 9.4 },
    customer: { id: who.customer.id, orders: 1, since: new Date(MONDAY).toISOString(), credit: 1 },
    held: [],
    can: { markPaid: false, cancel: true, resend: true },
  });
  expect(found.lines.map(({ title, ordered, quantity, each }) => [title, ordered, quantity, each])).toEqual([
    ["Eggs, Each", 3, 1, 7],
    ["Jam, Each", 2, 2, 5],
  ]);
  expect(found.totals.map(({ row }) => row)).toEqual(["items", "delivery", "tip", "processing", "tax"]);
  expect(sumOf(found.totals.map(({ amount }) => amount))).toBe(sumOf([found.total]));
  expect(steps(found)).toEqual([
    ["credit", 5],
    ["held", 29.45],
    ["held", 12.3],
    ["charged", 21.05],
    ["charged", 12.3],
    ["refund", 8.4],
    ["refund", 1],
  ]);
  expect(found.steps.at(-2)).toMatchObject({ card: "Visa ending 4242", refund: { to: "card", state: "done" } });
  expect(found.steps.at(-1)).toMatchObject({ card: null, refund: { to: "credit", state: "done" } });
  expect(columns(found)).toEqual(["sale", "sale", "edit", "capture", "short", "refund"]);
  expect(new Set(columnSums(found))).toEqual(new Set([0]));
  expect(found.history.map(({ kind, what, who: by, amount }) => [kind, what, by, amount])).toEqual([
    ["mail", "order-refunded", null, null],
    ["audit", "orders refund", "operator:mara", 1],
    ["mail", "order-short", null, null],
    ["audit", "orders short", "operator:mara", 8.4],
    ["money", "charged", null, 12.3],
    ["money", "charged", null, 21.05],
    ["order", "frozen", "system:week", null],
    ["mail", "order-changed", null, null],
    ["order", "edited", `customer:${who.customer.id}`, null],
    ["mail", "order-confirmation", null, null],
    ["money", "held", null, 12.3],
    ["order", "added", `customer:${who.customer.id}`, null],
    ["mail", "order-confirmation", null, null],
    ["money", "held", null, 29.45],
    ["order", "placed", `customer:${who.customer.id}`, null],
  ]);
  expect(found.history.find(({ what }) => what === "orders short")!.items).toEqual(["1 × Eggs, Each"]);
  const mails = found.history.filter(({ kind }) => kind === "mail");
  expect(mails.map(({ mailId, sentAt }) => [mailId !== null, sentAt !== null])).toEqual([
    [false, false],
    [false, false],
    [true, true],
    [true, true],
    [true, true],
  ]);
});

test("order box: its version changes with an edit of its add-on, and with nothing else", async () => {
  const { eggs, jam, buy, edit } = await newShopper();
  const box = await buy([[eggs, 1]]);
  const added = await buy([[jam, 2]]);
  const { version } = await read(box);
  expect((await read(added)).version).toBe(version);
  await edit(added, jam, 1);
  expect((await read(box)).version).not.toBe(version);
});

test("order box: an emptied first order leaves its add-on as the box, which its number still finds", async () => {
  const { eggs, jam, buy, edit } = await newShopper({ isPickup: true });
  const box = await buy([[eggs, 1]]);
  const added = await buy([[jam, 2]]);
  await edit(box, eggs, 0);
  const found = await read(box);
  expect(found).toMatchObject({ id: added, orderIds: [added, box], status: "open", isPickup: true, place: "Depot 1" });
  expect(found.address).toBe(null);
  expect(found.lines.map(({ title, quantity }) => [title, quantity])).toEqual([
    ["Jam, Each", 2],
    ["Eggs, Each", 0],
  ]);
  expect(found.history.map(({ what }) => what)).toContain("deleted");
  expect(found.totals.map(({ row }) => row)).toContain("pickup");
  expect(sumOf(found.totals.map(({ amount }) => amount))).toBe(sumOf([found.total]));
  expect(new Set(columnSums(found))).toEqual(new Set([0]));
});

test("order box: cancelled, it keeps its tote and amounts, and says who cancelled it and where the money went", async () => {
  const { hub, eggs, jam, buy } = await newShopper();
  const box = await buy([[eggs, 2]]);
  await buy([[jam, 1]]);
  await runDay();
  const before = await read(box);
  const ada = await staffOf(market, "owner");
  const ctx: Context = { now: market.clock.now(), actor: actorOf(ada.person), deps };
  await cancelOrder(ctx, box, { to: "card", reason: "<b>flood</b>", key: null });
  const found = await read(box);
  expect(found).toMatchObject({
    status: "cancelled",
    tote: before.tote,
    total: before.total,
    totals: before.totals,
    lines: before.lines,
    money: { state: "back", amount: before.total },
    can: { markPaid: false, cancel: false },
  });
  expect(columns(found).at(-1)).toBe("cancel");
  expect(found.ledger!.rows.map(({ now }) => now)).toEqual(found.ledger!.rows.map(() => 0));
  const cancelled = found.history.filter(({ what }) => what === "orders cancel" || what === "cancelled");
  expect(cancelled.map(({ kind, who, name, why }) => [kind, who, name, why])).toEqual([
    ["audit", `staff:${ada.person.email}`, "Ada Kowalski", "<b>flood</b>"],
    ["audit", `staff:${ada.person.email}`, "Ada Kowalski", "<b>flood</b>"],
  ]);
  const day = await ada.get(`/hubs/${hub.slug}/days/2026-11-26/boxes`);
  expect(day.body).toMatchObject({ total: 0, boxes: [{ orderId: box, status: "cancelled", tote: 1, units: 3 }] });
});

test("order box: cancelled before its charge, its card is held no longer, and the history has the release", async () => {
  const { eggs, buy } = await newShopper();
  const box = await buy([[eggs, 2]]);
  const { steps: held } = await read(box);
  expect(held).toMatchObject([{ step: "held", card: "Visa ending 4242" }]);
  await cancelOrder(operator(), box, { to: "card", reason: "flood", key: null });
  const found = await read(box);
  expect(found).toMatchObject({ money: { state: "none", amount: 0 }, steps: [], status: "cancelled" });
  const amount = held[0]!.amount;
  expect(found.history.filter(({ kind }) => kind === "money")).toMatchObject([
    { what: "released", amount },
    { what: "held", amount },
  ]);
});

/** A person of the staff as the use cases have them. */
const actorOf = ({ id, email, name }: { id: number; email: string; name: string }): StaffActor => ({
  type: "staff",
  staffId: asStaffId(id),
  email,
  name,
  grants: [{ role: "owner", hubId: null }],
  sessionId: "test",
  steppedUpAt: null,
});

test("order box: who may not read people sees no address, no notes and masked contacts; the ledger is for who sees money", async () => {
  const { hub, eggs, who, buy } = await newShopper({ choice: { deliveryNotes: "Gate code 4471" } });
  const box = await buy([[eggs, 1]]);
  await db.customer.update({
    where: { id: who.customer.id },
    data: { phone: "(317) 555-0142", email: `a.b${who.customer.id}@example.com` },
  });
  await db.order.update({
    where: { id: box },
    data: {
      delivery_notes: "Gate code 4471",
      address: { address: "12 Main Street", city: "Carmel", state: "IN", zipCode: "46032" },
    },
  });
  const seen = async (...grants: Parameters<typeof staffOf>[1][]) => {
    const { address, notes, customer, ledger, can } = await read(box, await staffOf(market, ...grants));
    return [address?.address ?? null, notes, customer!.phone, customer!.email, ledger !== null, can.cancel, can.resend];
  };
  const open = ["12 Main Street", "Gate code 4471", "(317) 555-0142", `a.b${who.customer.id}@example.com`] as const;
  const masked = [null, "", "••••0142", "a•••@example.com"] as const;
  const here = (role: "manager" | "hub_lead" | "depot_lead" | "support" | "auditor") => ({ role, hubId: hub.id });
  const elsewhere = await createHub(db);
  expect(await seen("owner")).toEqual([...open, true, true, false]);
  expect(await seen(here("hub_lead"))).toEqual([...open, true, true, false]);
  expect(await seen(here("support"))).toEqual([...open, true, true, false]);
  expect(await seen(here("depot_lead"))).toEqual([...open, false, false, false]);
  expect(await seen("bookkeeper")).toEqual([...masked, true, false, false]);
  expect(await seen(here("auditor"))).toEqual([...masked, true, false, false]);
  // What a person may do elsewhere opens nothing here.
  expect(await seen(here("auditor"), { role: "manager", hubId: elsewhere.id })).toEqual([
    ...masked,
    true,
    false,
    false,
  ]);
  const stranger = await staffOf(market, { role: "manager", hubId: elsewhere.id });
  expect((await stranger.get(`/orders/${box}`)).status).toBe(404);
  expect((await stranger.get("/orders/1")).status).toBe(404);
  expect((await stranger.get("/orders/none")).status).toBe(400);
});

test("order box: what the customer ordered in another market is not counted, and the store credit is that of all", async () => {
  const { hub, eggs, who, buy } = await newShopper({ creditCents: 300 });
  const box = await buy([[eggs, 1]]);
  const elsewhere = await createHub(db);
  const product = await createProduct(db, elsewhere.id, { inventory: 1 });
  await createOrder(db, { customerId: who.customer.id, hub: elsewhere, product });
  const lead = await staffOf(market, { role: "support", hubId: hub.id });
  expect((await read(box, lead)).customer).toMatchObject({
    orders: 1,
    since: new Date(MONDAY).toISOString(),
    credit: 3,
  });
});

test("order box: of a deleted account it has no customer, address or notes", async () => {
  const { eggs, who, buy } = await newShopper();
  const box = await buy([[eggs, 1]]);
  await runDay();
  await deliverOrders(operator(), [box]);
  const { id, email } = who.customer;
  await transaction(db, (tx) => forgetPerson(tx, { deps, now: market.clock.now() }, asCustomerId(id), email!));
  const found = await read(box);
  expect(found).toMatchObject({ status: "delivered", customer: null, address: null, notes: "", place: "Carmel" });
  expect(found.history.some(({ mailId }) => mailId !== null)).toBe(false);
  expect(found.can.resend).toBe(false);
  expect(new Set(columnSums(found))).toEqual(new Set([0]));
});

test("order box: text with markup stays text, and a picture that was removed is null", async () => {
  const { eggs, who, buy } = await newShopper();
  const hostile = '<img src=x onerror="alert(1)">';
  await db.product.update({ where: { id: eggs.id }, data: { title: hostile } });
  await db.customer.update({ where: { id: who.customer.id }, data: { first_name: hostile, last_name: "" } });
  const picture = who.customer.id.toString(16).padStart(16, "0");
  await db.picture.create({ data: { id: picture, recipe: {} } });
  await db.product_picture.create({ data: { product_id: eggs.id, picture_id: picture, position: 0 } });
  const box = await buy([[eggs, 1]]);
  await db.order.update({ where: { id: box }, data: { delivery_notes: `${hostile}\n"` } });
  const found = await read(box);
  expect([found.customer!.name, found.notes, found.lines[0]!.title]).toEqual([
    hostile,
    `${hostile}\n"`,
    `${hostile}, Each`,
  ]);
  expect(found.lines[0]!.image).toBe(`/img/${picture}`);
  await db.product_picture.deleteMany({ where: { product_id: eggs.id } });
  expect((await read(box)).lines[0]!.image).toBe(null);
});

test("order box: moved to another day, it has the new day, no tote, and the move in its history", async () => {
  const { hub, eggs, buy } = await newShopper();
  const box = await buy([[eggs, 1]]);
  const next = "2026-12-03";
  await closeDay(operator(), hub.slug, "2026-11-26", {
    orders: { kind: "move", to: next },
    reason: "snow",
    dryRun: false,
  });
  const found = await read(box);
  expect(found).toMatchObject({ id: box, day: next, tote: null, driver: null, stop: null, status: "open" });
  expect(found.history.find(({ what }) => what === "orders move")).toMatchObject({ who: "operator:mara", why: "snow" });
  const boxes = async (day: string) =>
    (await (await owner()).get(`/hubs/${hub.slug}/days/${day}/boxes`)).body.boxes.map(
      (each: { orderId: number }) => each.orderId,
    );
  expect([await boxes("2026-11-26"), await boxes(next)]).toEqual([[], [box]]);
});

test("order box: forty lines and twelve add-ons are read in two statements, in the order they were bought", async () => {
  const { hub, eggs, jam, who } = await newShopper();
  const row = { customerId: who.customer.id, hub, status: "open" } as const;
  const { id: box } = await createOrder(db, { ...row, product: eggs });
  const lines = Array.from({ length: 39 }, (_, place) => ({
    order_id: box,
    variant_id: jam.variant.id,
    vendor_id: jam.vendor_id,
    product_title: `Jam ${place}`,
    variant_title: "Jar",
    quantity: 1,
    quantity_ordered: 1,
    list_price_cents: 0,
    unit_price_cents: 0,
    commission_ppm: 0,
  }));
  await db.order_item.createMany({ data: lines });
  const added: number[] = [];
  for (let place = 0; place < 12; place += 1) {
    const createdAt = addMs(market.clock.now(), place * Second.ms);
    const { id } = await createOrder(db, { ...row, product: jam, createdAt });
    await db.order.update({ where: { id }, data: { add_on_to_id: box } });
    added.push(id);
  }
  const ada = await owner();
  const { statements, answer } = await counted(market, () => ada.get(`/orders/${added[7]}`));
  expect(statements.filter((text) => !text.includes("staff_session"))).toHaveLength(2);
  expect(answer.body).toMatchObject({ id: box, orderIds: [box, ...added], customer: { orders: 1 } });
  expect(answer.body.lines.map(({ orderId }: { orderId: number }) => orderId)).toEqual([
    ...Array.from({ length: 40 }, () => box),
    ...added,
  ]);
});

test(
  "order box: an action that is held on any of its orders is there with its undo, until it is over",
  { tags: ["fail:N8"] },
  async () => {
    const { hub, eggs, jam, buy } = await newShopper();
    const box = await buy([[eggs, 1]]);
    const added = await buy([[jam, 1]]);
    const person = await createStaff(market, "owner");
    const ctx = { now: market.clock.now(), actor: actorOf(person) };
    const { delivery_id: deliveryId } = await db.order.findUniqueOrThrow({ where: { id: box } });
    const id = await transaction(db, (tx) =>
      storeAction(tx, ctx, {
        hubId: hub.id,
        deliveryId,
        subject: `order:${added}`,
        input: {},
        summary: { kind: "cancel_order", orderId: added, name: "Robin Baker", back: 0, mails: 1 },
      }),
    );
    const lead = await staffOf(market, { role: "depot_lead", hubId: hub.id });
    const dueAt = addMs(ctx.now, 10 * Second.ms).toISOString();
    expect((await read(box, lead)).held).toMatchObject([
      { id, state: "held", canUndo: false, by: "Ada Kowalski", dueAt },
    ]);
    const ada = await owner();
    expect((await read(box, ada)).held).toMatchObject([{ id, canUndo: true, isOwn: false }]);
    await db.staff_action.update({ where: { id }, data: { state: "undone", ended_at: ctx.now } });
    expect((await read(box, ada)).held).toEqual([]);
  },
);
