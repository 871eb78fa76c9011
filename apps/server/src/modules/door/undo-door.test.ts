import { cents, toDollars } from "@marketday/domain/money";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { DOOR_DAY, doorDays } from "../../../test/door-day.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { payVendors } from "../ledger/pay-vendors.ts";
import { recordPayments } from "../orders/record-payment.ts";

const points = failpoints();
const market = await buildTestApp({ env: { PAYMENTS: "offline" }, overrides: { failpoint: points.at } });
const { db } = market;
const { operator, runCutoff, leadOf, closedDay, decline, dueOf, sumOf, statesOf, actionsOf, paymentOf } =
  doorDays(market);

test("undo one payment at the door: that box is due again, the others stay in the recording, and both are among the recent changes", async () => {
  const { hub, boxes, url, lead } = await closedDay({ addOns: 1 }, {}, {});
  const ids = boxes.toSorted((a, b) => a - b);
  const amount = await sumOf(boxes);
  await lead.post(`${url}/payments`, { orderIds: boxes, amount });
  const wrong = boxes[0]!;
  const due = await dueOf(wrong);
  const other = await leadOf({ hub });
  const undo = () => other.post(`${url}/payments/undo`, { orderId: wrong });
  const [first, second] = await Promise.all([undo(), undo()]);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect((await lead.get(url)).body).toMatchObject({ due, paid: toDollars(cents(Math.round((amount - due) * 100))) });
  const rest = ids.filter((id) => id !== wrong);
  const actions = (await lead.get("/actions")).body.filter((action: any) => action.hub.id === hub.id);
  expect(actions).toMatchObject([
    { state: "undone", by: "Ada Kowalski", summary: { orderIds: [wrong], boxes: 1, amount: due } },
    { state: "done", summary: { orderIds: rest, boxes: 2, amount: await sumOf(rest) } },
  ]);

  // Recorded again, it belongs to the new recording: undoing that leaves the first one.
  await lead.post(`${url}/payments`, { orderIds: [wrong], amount: due });
  await undo();
  expect((await actionsOf({ hub })).map(({ state, summary }) => [state, (summary as any).boxes])).toEqual([
    ["done", 2],
    ["undone", 1],
    ["undone", 1],
  ]);
  expect(await statesOf(lead, url)).toMatchObject({ [wrong]: "due", [rest[0]!]: "paid", [rest[1]!]: "paid" });
  expect(await market.audit()).toEqual([]);
});

test("undo a recording at the door: the boxes that are left in it are due again, and one that was taken out and recorded again stays paid", async () => {
  const { hub, boxes, url, lead } = await closedDay({ addOns: 1 }, {}, {});
  const { body } = await lead.post(`${url}/payments`, { orderIds: boxes, amount: await sumOf(boxes) });
  const [wrong, ...rest] = boxes as [number, number, number];
  await lead.post(`${url}/payments/undo`, { orderId: wrong });
  await lead.post(`${url}/payments`, { orderIds: [wrong], amount: await dueOf(wrong) });
  const undone = await lead.post(`/actions/${body.action.id}/undo`);
  expect([undone.status, undone.body]).toMatchObject([200, { state: "undone", summary: { boxes: 2 } }]);
  expect(await statesOf(lead, url)).toEqual({ [wrong]: "paid", [rest[0]]: "due", [rest[1]]: "due" });
  expect((await actionsOf({ hub })).map(({ state }) => state)).toEqual(["undone", "undone", "done"]);
  expect((await lead.post(`/actions/${body.action.id}/undo`)).status).toBe(200);
  expect(await market.audit()).toEqual([]);
});

test("undo one payment at the door: two boxes of one recording at once are both taken out of it", async () => {
  const { hub, boxes, url, lead } = await closedDay({}, {}, {});
  await lead.post(`${url}/payments`, { orderIds: boxes, amount: await sumOf(boxes) });
  const undone = boxes.slice(0, 2);
  await Promise.all(undone.map((orderId) => lead.post(`${url}/payments/undo`, { orderId })));
  const actions = await actionsOf({ hub });
  expect(actions.map(({ state, summary }) => [state, (summary as any).orderIds.length])).toEqual([
    ["done", 1],
    ["undone", 1],
    ["undone", 1],
  ]);
  expect((actions[0]!.summary as any).amount).toBe(await dueOf(boxes[2]!));
});

test("undo one payment at the door: one that a command recorded is due again, as an undone action of the person", async () => {
  const { hub, boxes, url, lead } = await closedDay({});
  await recordPayments(operator(), boxes);
  expect((await lead.get(url)).body.groups[0].boxes).toMatchObject([{ state: "paid", paidBy: "mara" }]);
  expect((await lead.post(`${url}/payments/undo`, { orderId: boxes[0] })).body).toMatchObject({ paid: 0 });
  expect(await actionsOf({ hub })).toMatchObject([{ state: "undone", staff_id: lead.person.id }]);
  expect((await lead.post(`${url}/payments/undo`, { orderId: boxes[0] })).status).toBe(200);
  expect(await actionsOf({ hub })).toHaveLength(1);
});

test(
  "undo one payment at the door: once a vendor was paid for it, it is refused and stays recorded",
  { tags: ["fail:N13"] },
  async () => {
    const { hub, boxes, url, lead } = await closedDay({}, {});
    await lead.post(`${url}/payments`, { orderIds: boxes, amount: await sumOf(boxes) });
    await payVendors(operator(), { to: DOOR_DAY, dryRun: false });
    const { status, body } = await lead.post(`${url}/payments/undo`, { orderId: boxes[0] });
    expect([status, body]).toEqual([
      409,
      [expect.stringMatching(/^Payout \d+ paid .+ This can no longer be undone\.$/), { code: "paid_out" }],
    ]);
    expect(Object.values(await statesOf(lead, url))).toEqual(["paid", "paid"]);
    expect(await actionsOf({ hub })).toMatchObject([{ state: "done", summary: { boxes: 2 } }]);
  },
);

/** Of the actions of a hub, oldest first: state, boxes and dollars. */
const recordingsOf = async (day: Parameters<typeof actionsOf>[0]) =>
  (await actionsOf(day)).map(({ state, summary }) => {
    const { orderIds, amount } = summary as { orderIds: number[]; amount: number };
    return [state, orderIds, amount] as const;
  });

/**
 * A day with a box that two recordings paid for, of two people: the first one with another box, the second one for the add-on, whose card
 * was declined after the first.
 */
async function paidTwice() {
  const day = await closedDay({ addOns: 1 }, {});
  const [box, neighbor] = day.boxes as [number, number];
  const { id: addOn } = await db.order.findFirstOrThrow({ where: { add_on_to_id: box } });
  const { payment_id: cardId } = await db.order.findUniqueOrThrow({ where: { id: addOn } });
  await db.order.update({ where: { id: addOn }, data: { payment_id: null } });
  const record = async (person: typeof day.lead, orderIds: number[], amount: number) => {
    const { status, body } = await person.post(`${day.url}/payments`, { orderIds, amount });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.action.id as number;
  };
  const amountOf = async (...ids: number[]) => {
    const orders = await db.order.findMany({ where: { id: { in: ids } } });
    return toDollars(cents(orders.reduce((sum, order) => sum + order.order_total_cents, 0)));
  };
  const first = await record(day.lead, [box, neighbor], await amountOf(box, neighbor));
  await db.order.update({ where: { id: addOn }, data: { payment_id: cardId } });
  await decline(addOn);
  const second = await record(await leadOf(day), [box], await amountOf(addOn));
  return { ...day, box, addOn, neighbor, first, second, amountOf };
}
type Paid = Awaited<ReturnType<typeof paidTwice>>;
const capturedOf = async ({ box, addOn, neighbor }: Paid) =>
  Promise.all([box, addOn, neighbor].map(async (id) => (await paymentOf(id))?.state === "captured"));

test("undo a recording at the door: of a box that a newer one paid for as well, it takes back what it recorded itself", async () => {
  const day = await paidTwice();
  expect(await capturedOf(day)).toEqual([true, true, true]);
  expect((await day.lead.post(`/actions/${day.first}/undo`)).body.state).toBe("undone");
  const due = await day.amountOf(day.box, day.neighbor);
  expect((await day.lead.get(day.url)).body).toMatchObject({ due, paid: await day.amountOf(day.addOn) });
  expect(await capturedOf(day)).toEqual([false, true, false]);
  expect((await actionsOf(day)).map(({ state }) => state)).toEqual(["undone", "done"]);
  expect(await market.audit()).toEqual([]);
});

test("undo a recording at the door: what an older one recorded for the same box stays", async () => {
  const day = await paidTwice();
  expect((await day.lead.post(`/actions/${day.second}/undo`)).body.state).toBe("undone");
  expect(await capturedOf(day)).toEqual([true, false, true]);
  expect((await actionsOf(day)).map(({ state }) => state)).toEqual(["done", "undone"]);
  expect(await market.audit()).toEqual([]);
});

test("undo one payment at the door: of a box that two recordings paid for, each loses what it recorded", async () => {
  const day = await paidTwice();
  const { box, addOn, neighbor, amountOf } = day;
  expect((await day.lead.post(`${day.url}/payments/undo`, { orderId: box })).status).toBe(200);
  expect(await capturedOf(day)).toEqual([false, false, true]);
  expect(await recordingsOf(day)).toEqual([
    ["done", [neighbor], await amountOf(neighbor)],
    ["undone", [box], await amountOf(addOn)],
    ["undone", [box], await amountOf(box)],
  ]);
  expect(await market.audit()).toEqual([]);
});

test("undo one payment at the door: on the list of the other day that it is for, it leaves the recording of the first day", async () => {
  const day = await closedDay({ turkey: true }, { turkey: true });
  await runCutoff("2026-12-02T06:00:00Z");
  const lead = await leadOf(day);
  const later = day.url.replace(DOOR_DAY, "2026-12-03");
  const { due } = (await lead.get(day.url)).body;
  const recorded = await lead.post(`${day.url}/payments`, { orderIds: day.boxes, amount: due });
  expect(recorded.status, JSON.stringify(recorded.body)).toBe(200);
  const turkeys: number[] = (await lead.get(later)).body.groups.flatMap((group: any) =>
    group.boxes.map(({ orderId }: any) => orderId),
  );
  for (const orderId of turkeys) expect((await lead.post(`${later}/payments/undo`, { orderId })).status).toBe(200);
  const half = toDollars(cents(Math.round(due * 50)));
  expect((await recordingsOf(day)).map(([state, orderIds, amount]) => [state, orderIds.length, amount])).toEqual([
    ["undone", 1, half],
    ["undone", 1, half],
  ]);
  const again = await lead.post(`${later}/payments`, { orderIds: turkeys, amount: due });
  expect(again.status, JSON.stringify(again.body)).toBe(200);
  expect((await lead.post(`/actions/${recorded.body.action.id}/undo`)).body.state).toBe("undone");
  for (const id of [...day.boxes, ...turkeys]) expect(await paymentOf(id)).toMatchObject({ state: "captured" });
  expect(await market.audit()).toEqual([]);
});
