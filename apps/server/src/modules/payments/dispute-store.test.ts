import { addMs, Day } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { newUuid } from "../../lib/tokens.ts";
import { type NewDispute, saveDispute } from "./dispute-sql.ts";
import { findDisputes, findOpenRefs, findStoredDispute } from "./dispute-store.ts";

const market = await buildTestApp();
const { db, deps } = market;
const now = market.clock.now();
const after = (days: number): Date => addMs(now, days * Day.ms);
const hub = await createHub(db);
const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });

async function capturedPayment(provider = "test") {
  const id = newUuid();
  const data = { id, charge_key: id, customer_id: customer.id, provider, provider_ref: `charge ${id}` };
  await db.payment.create({
    data: { ...data, state: "captured", amount_cents: 900, captured_cents: 900, created_at: now },
  });
  return id;
}
const paymentId = await capturedPayment();
const save = (ref: string, part: Partial<NewDispute> = {}) =>
  saveDispute(db, {
    provider: "test",
    ref,
    paymentId,
    amountCents: 900,
    status: "needs_response",
    reason: "fraudulent",
    dueBy: null,
    createdAt: now,
    seenAt: now,
    closedAt: null,
    ...part,
  });

test("disputes: the one to answer first is listed first, those without a day after the others, then the closed ones, the latest first", async () => {
  await save("closed early", { status: "won", closedAt: after(-3), dueBy: after(1) });
  await save("without a day");
  await save("in nine days", { dueBy: after(9) });
  await save("closed late", { status: "lost", closedAt: after(-1), dueBy: after(2) });
  await save("in two days", { dueBy: after(2) });
  const open = ["in two days", "in nine days", "without a day"];
  const all = [...open, "closed late", "closed early"];
  const refsOf = async (closed: boolean) =>
    (await findDisputes(db, { closed })).map(({ ref }) => ref).filter((ref) => all.includes(ref));
  expect(await refsOf(false)).toEqual(open);
  expect(await refsOf(true)).toEqual(all);
});

test("disputes: a later state without a day to answer by keeps the day, and one that is closed twice was closed at the first instant", async () => {
  await save("kept", { dueBy: after(5), seenAt: after(1) });
  await save("kept", { status: "under_review", amountCents: 700 });
  const stored = () => db.dispute.findFirstOrThrow({ where: { provider_ref: "kept" } });
  expect(await stored()).toMatchObject({
    due_by: after(5),
    amount_cents: 700,
    status: "under_review",
    closed_at: null,
  });
  // An event that came late does not make what is known older.
  expect((await findStoredDispute(db, "test", "kept"))!.seen_at).toEqual(after(1));
  for (const days of [2, 3]) await save("kept", { status: "lost", closedAt: after(days), seenAt: after(days) });
  expect((await stored()).closed_at).toEqual(after(2));
  await save("kept", { seenAt: after(4) });
  expect((await stored()).closed_at).toBeNull();
});

test("disputes: of another provider they are not among the open ones of this one", async () => {
  await save("elsewhere", { provider: "stripe", paymentId: await capturedPayment("stripe") });
  expect(await findOpenRefs(db, "stripe")).toEqual(["elsewhere"]);
  expect(await findOpenRefs(db, "test")).not.toContain("elsewhere");
  expect(await findStoredDispute(db, "test", "elsewhere")).toBeNull();
});

test("disputes: an order that is still to come is named as undelivered until it is closed or canceled", async () => {
  const product = await createProduct(db, hub.id);
  const order = await createOrder(db, { customerId: customer.id, hub, product });
  const own = await capturedPayment();
  await save("of an order", { paymentId: own });
  const states = [];
  for (const status of ["future", "open", "pending", "closed", "cancelled"]) {
    const cancelled_at = status === "cancelled" ? now : null;
    await db.order.update({ where: { id: order.id }, data: { status, payment_id: own, cancelled_at } });
    const [found] = await findDisputes(db, { closed: false, orderId: order.id });
    states.push([status, found!.is_undelivered, found!.order_ids]);
  }
  expect(states).toEqual([
    ["future", true, [order.id]],
    ["open", true, [order.id]],
    ["pending", true, [order.id]],
    ["closed", false, [order.id]],
    ["cancelled", false, [order.id]],
  ]);
});
