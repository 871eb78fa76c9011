import { cents, toDollars } from "@marketday/domain/money";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { DOOR_CUTOFF, DOOR_DAY, doorDays } from "../../../test/door-day.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { recordPayments } from "../orders/record-payment.ts";
import { shortOrder } from "../orders/short-order.ts";
import { writeOffOrder } from "../orders/write-off-order.ts";
import { readSheets } from "../week/read-sheets.ts";

const points = failpoints();
const market = await buildTestApp({ env: { PAYMENTS: "offline" }, overrides: { failpoint: points.at } });
const { db } = market;
const { operator, runCutoff, dayWith, leadOf, closedDay, decline, dueOf, sumOf, statesOf, actionsOf, paymentOf } =
  doorDays(market);
const WHY = { to: "credit", reason: "The hens were shy.", key: null } as const;

test("money at the door: drivers in the order of their stops, then pickup points, then what is on no sheet, with the amounts of whole boxes", async () => {
  const { hub, boxes, url, lead } = await closedDay(
    { pickup: true },
    { zipCode: "46032", addOns: 1 },
    { zipCode: "46033", creditCents: 200 },
    { zipCode: "46032" },
    { zipCode: "46032" },
  );
  const declined = boxes.at(-1)!;
  await decline(declined);
  await db.hub.update({ where: { id: hub.id }, data: { pack_unpaid: false } });
  const before = (await lead.get(url)).body;
  expect(before.groups.map(({ driver, pickup, boxes: all }: any) => [driver, pickup, all.length])).toEqual([
    [null, "Depot 1", 1],
    [null, null, 4],
  ]);
  const { day } = await readSheets(operator(), { hub: hub.slug, day: DOOR_DAY, drivers: 2 });
  const { status, body } = await lead.get(url);
  expect([status, body]).toMatchObject([200, { isClosed: true, day: DOOR_DAY, hub: { id: hub.id, slug: hub.slug } }]);
  const listed = body.groups.map(({ driver, pickup, boxes: all }: any) => [
    driver ?? pickup,
    all.map(({ orderId, stop, amount }: any) => [orderId, stop, amount]),
  ]);
  const routes = await Promise.all(
    day.plan!.routes.map(async (route, place) => [
      place + 1,
      await Promise.all(route.map(async (id, stop) => [id, stop + 1, await dueOf(id!)])),
    ]),
  );
  // The market packs no unpaid orders, so the declined one is not in the newest version.
  expect(listed).toEqual([
    ...routes,
    ["Depot 1", [[boxes[0], null, await dueOf(boxes[0]!)]]],
    [null, [[declined, null, await dueOf(declined)]]],
  ]);
  expect(body.groups.at(-1).boxes).toMatchObject([{ isDeclined: true, tote: null, place: "Carmel" }]);
  expect(body).toMatchObject({ due: await sumOf(boxes), paid: 0 });
});

test("record at the door: boxes are paid with their add-ons, by the person, as one action that is listed", async () => {
  const { hub, boxes, url, lead } = await closedDay({ addOns: 1 }, { pickup: true }, {});
  const orderIds = boxes.slice(0, 2);
  const amount = await sumOf(orderIds);
  const { status, body } = await lead.post(`${url}/payments`, { orderIds, amount });
  expect([status, body.action]).toMatchObject([
    200,
    {
      state: "done",
      by: "Ada Kowalski",
      isOwn: true,
      summary: { kind: "mark_paid", orderIds: orderIds.toSorted((a, b) => a - b), boxes: 2, amount },
    },
  ]);
  expect(body.door).toEqual((await lead.get(url)).body);
  expect(body.door).toMatchObject({ paid: amount, due: await dueOf(boxes[2]!) });
  const paid = body.door.groups.flatMap((group: any) => group.boxes).filter((box: any) => box.state === "paid");
  expect(paid.map(({ paidBy, paidAt }: any) => [paidBy, paidAt])).toEqual(
    [1, 2].map(() => ["Ada Kowalski", new Date(DOOR_CUTOFF).toISOString()]),
  );
  for (const id of orderIds) expect(await paymentOf(id)).toMatchObject({ state: "captured" });
  const audited = await db.audit_entry.findMany({ where: { subject: { in: orderIds.map((id) => `order:${id}`) } } });
  expect(audited.map(({ actor, action }) => [actor, action])).toEqual(
    orderIds.map(() => [`staff:${lead.person.email}`, "orders paid"]),
  );
  expect(((await lead.get("/actions")).body as { id: number }[]).map(({ id }) => id)).toContain(body.action.id);
  expect(await actionsOf({ hub })).toHaveLength(1);
  expect(await market.audit()).toEqual([]);
});

test("record at the door: the same request again, after its answer was lost, gets the action of the first", async () => {
  const { boxes, url, lead, hub } = await closedDay({}, {});
  const request = { orderIds: boxes, amount: await sumOf(boxes) };
  const first = await lead.post(`${url}/payments`, request);
  const again = await lead.post(`${url}/payments`, { ...request, orderIds: boxes.toReversed() });
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(await actionsOf({ hub })).toHaveLength(1);
});

test("record at the door: of two people at once one records, and the other learns which box was recorded, by whom", async () => {
  const { boxes, url, lead, hub } = await closedDay({}, {}, {});
  const other = await leadOf({ hub });
  const send = async (person: typeof lead, orderIds: number[]) =>
    person.post(`${url}/payments`, { orderIds, amount: await sumOf(orderIds) });
  const both = await Promise.all([send(lead, boxes.slice(0, 2)), send(other, boxes.slice(1))]);
  const [done, refused] = both.toSorted((one, two) => one.status - two.status);
  expect([done!.status, refused!.status]).toEqual([200, 409]);
  expect(refused!.body).toEqual([
    expect.stringMatching(/^Tote 2 \(.+\) was recorded by Ada Kowalski in the meantime\. Nothing else was recorded\./),
    { code: "conflict", current: done!.body.door },
  ]);
  const states = Object.values(await statesOf(lead, url));
  expect(states.filter((state) => state === "paid")).toHaveLength(2);
  expect(await actionsOf({ hub })).toHaveLength(1);
  expect(await market.audit()).toEqual([]);
});

test("record at the door: a sum that has changed since is refused with the day as it is, and nothing is recorded", async () => {
  const { boxes, eggs, url, lead, hub } = await closedDay({ addOns: 1 }, {});
  const amount = await sumOf(boxes);
  await shortOrder(operator(), boxes[0]!, [{ variantId: eggs.variant.id, quantity: 1 }], WHY);
  const now = await sumOf(boxes);
  expect(now).toBeLessThan(amount);
  const { status, body } = await lead.post(`${url}/payments`, { orderIds: boxes, amount });
  expect([status, body]).toEqual([
    409,
    [
      expect.stringMatching(/^These boxes are \$[\d.]+ now, not \$[\d.]+\. Nothing was recorded\./),
      { code: "conflict", current: (await lead.get(url)).body },
    ],
  ]);
  expect(Object.values(await statesOf(lead, url))).toEqual(["due", "due"]);
  expect(await actionsOf({ hub })).toEqual([]);
  expect((await lead.post(`${url}/payments`, { orderIds: boxes, amount: now })).status).toBe(200);
});

test(
  "record at the door: one box that is refused is named in the words of the command, and none is recorded",
  { tags: ["fail:N2"] },
  async () => {
    const { boxes, url, lead, hub } = await closedDay({}, {}, {});
    const amount = await sumOf(boxes);
    await cancelOrder(operator(), boxes[1]!, WHY);
    const command = await recordPayments(operator(), boxes).catch((error: unknown) => error as Error);
    const { status, body } = await lead.post(`${url}/payments`, { orderIds: boxes, amount });
    expect([status, body[0], body[1].code]).toEqual([409, (command as Error).message, "refused"]);
    expect(await statesOf(lead, url)).toEqual({ [boxes[0]!]: "due", [boxes[2]!]: "due" });
    expect(await actionsOf({ hub })).toEqual([]);
  },
);

test.each(["door:recorded", "door:stored"])(
  "record at the door: what fails at %s leaves neither payments nor an action, and the same request then records both",
  async (point) => {
    const { boxes, url, lead, hub } = await closedDay({}, {});
    const request = { orderIds: boxes, amount: await sumOf(boxes) };
    points.plan[point] = "throw";
    expect((await lead.post(`${url}/payments`, request)).status).toBe(500);
    delete points.plan[point];
    expect(Object.values(await statesOf(lead, url))).toEqual(["due", "due"]);
    expect(await actionsOf({ hub })).toEqual([]);
    expect((await lead.post(`${url}/payments`, request)).status).toBe(200);
    expect(await actionsOf({ hub })).toMatchObject([{ kind: "mark_paid", state: "done" }]);
  },
);

test("record at the door: before the cutoff it is refused, and the day says that it is not closed", async () => {
  const day = await dayWith({});
  const lead = await leadOf(day);
  expect((await lead.get(day.url)).body).toMatchObject({
    isClosed: false,
    cutoffAt: new Date(DOOR_CUTOFF).toISOString(),
    due: await sumOf(day.boxes),
  });
  const { status, body } = await lead.post(`${day.url}/payments`, {
    orderIds: day.boxes,
    amount: await sumOf(day.boxes),
  });
  expect([status, body]).toEqual([409, ["Payment is recorded once the order has closed.", { code: "still_open" }]]);
});

test("record at the door: an order of another market or day is not found, and a fraction of a cent is no amount", async () => {
  const [own, other] = [await closedDay({}), await closedDay({})];
  const orderIds = [...own.boxes, ...other.boxes];
  const record = (body: object) => own.lead.post(`${own.url}/payments`, body);
  expect((await record({ orderIds, amount: await sumOf(orderIds) })).status).toBe(404);
  expect((await own.lead.post(`${own.url}/payments/undo`, { orderId: other.boxes[0] })).status).toBe(404);
  expect((await record({ orderIds: own.boxes, amount: 1.005 })).status).toBe(400);
  expect((await record({ orderIds: [], amount: 0 })).status).toBe(400);
  expect(await statesOf(own.lead, own.url)).toEqual({ [own.boxes[0]!]: "due" });
  expect((await own.lead.get(`/hubs/${own.hub.slug}/days/2026-11-27/door`)).body[0]).toContain(
    `Days near it: ${DOOR_DAY}`,
  );
  expect((await own.lead.get(other.url)).status).toBe(403);
});

test("record at the door: a declined card is paid there, and a box that was written off is not to collect", async () => {
  const { boxes, url, lead } = await closedDay({}, {}, {});
  const id = boxes[2]!;
  await decline(id);
  await writeOffOrder(operator(), boxes[1]!, "moved away");
  expect(await statesOf(lead, url)).toEqual({ [boxes[0]!]: "due", [id]: "due" });
  const orderIds = [boxes[0]!, id];
  const { status, body } = await lead.post(`${url}/payments`, { orderIds, amount: await sumOf(orderIds) });
  expect([status, body.door.due]).toEqual([200, 0]);
  expect(await paymentOf(id)).toMatchObject({ provider: "offline", state: "captured" });
});

test("record at the door: the amount names what it is for another day of the same checkout, and both are recorded", async () => {
  const { hub, boxes, url, lead } = await closedDay({ turkey: true });
  const own = await dueOf(boxes[0]!);
  expect((await lead.get(url)).body).toMatchObject({ due: own, groups: [{ boxes: [{ amount: own, elsewhere: 0 }] }] });
  await runCutoff("2026-12-02T06:00:00Z");
  const later = await leadOf({ hub });
  const { payment_id: paymentId } = await db.order.findUniqueOrThrow({ where: { id: boxes[0]! } });
  const whole = toDollars(cents((await db.payment.findUniqueOrThrow({ where: { id: paymentId! } })).amount_cents));
  const box = { amount: whole, elsewhere: toDollars(cents(Math.round((whole - own) * 100))) };
  expect((await later.get(url)).body).toMatchObject({ due: whole, groups: [{ boxes: [box] }] });
  const { status, body } = await later.post(`${url}/payments`, { orderIds: boxes, amount: whole });
  expect([status, body.door]).toMatchObject([200, { due: 0, paid: whole }]);
  const day = await later.get(url.replace(DOOR_DAY, "2026-12-03"));
  expect(day.body).toMatchObject({
    due: 0,
    paid: 0,
    groups: [{ paid: 0, boxes: [{ amount: whole, state: "paid", paidBy: "Ada Kowalski" }] }],
  });
});

test("money at the door: one statement besides session and market", async () => {
  const { hub, url, lead, boxes } = await closedDay({ addOns: 1 }, { pickup: true }, {});
  await readSheets(operator(), { hub: hub.slug, day: DOOR_DAY, drivers: 2 });
  await lead.post(`${url}/payments`, { orderIds: boxes.slice(0, 1), amount: await dueOf(boxes[0]!) });
  const all = await market.statements(() => lead.get(url));
  // The session of the staff is cached for a second.
  const read = all.filter((text) => !text.includes("staff_session"));
  expect([read.filter((text) => /route_plan/.test(text)).length, read.length]).toEqual([1, 2]);
});
