import { Hour, Minute } from "@marketday/domain/time";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  createAddress,
  createCustomer,
  createHub,
  createOrder,
  createProduct,
  setCard,
} from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { staffOf } from "../../../test/staff.ts";

const market = await buildTestApp();
const { db, deps, clock } = market;
const hub = await createHub(db, { name: "Carmel" });
const eggs = await createProduct(db, hub.id, { title: "Duck Eggs", inventory: 100 });
beforeEach(() => clock.set(MONDAY));

/** A shopper with weekly eggs who orders automatically, and support of their market. */
async function subscriber() {
  const who = await signIn(market, { hubId: hub.id, firstName: "Rosa" });
  await createAddress(db, who.customer.id);
  await setCard(db, who.customer.id);
  await who.post("/subscriptions", {
    productId: eggs.id,
    variantId: eggs.variant.id,
    qty: 1,
    subscription_interval: 1,
  });
  await who.put("/subscriptions/status", { enabled: true, status: 2 });
  const as = await staffOf(market, { role: "support", hubId: hub.id });
  const url = `/customers/${who.customer.id}`;
  const boxes = async () => (await as.get(`${url}/boxes`)).body;
  return { who, id: who.customer.id, as, url, boxes };
}
const [day, next] = hub.deliveries;
const dateOf = ({ day: date }: { day: Date }) => date.toISOString().slice(0, 10);
/** What the undo of a person's entry would answer, as the audit log shows it. */
async function whyNot(as: Awaited<ReturnType<typeof staffOf>>, id: number, actionId: number) {
  const { id: entry } = await db.audit_entry.findFirstOrThrow({
    where: { subject: `customer:${id}`, data: { path: ["actionId"], equals: actionId } },
  });
  return (await as.get(`/audit/entries/${entry}`)).body.undo;
}
const auditOf = async (id: number) =>
  (await db.audit_entry.findMany({ where: { subject: `customer:${id}` }, orderBy: { id: "asc" } })).map(
    ({ action }) => action,
  );

test("skip for a person: is what their own page shows, with its audit entry, and is undone at once", async () => {
  const { who, id, as, url, boxes } = await subscriber();
  const skipped = await as.put(`${url}/skips/${day!.id}`, { isSkipped: true });
  expect([skipped.status, skipped.body]).toMatchObject([
    200,
    {
      state: "done",
      day: dateOf(day!),
      canUndo: true,
      summary: { kind: "skip_delivery", customerId: id, name: "Rosa Baker", day: dateOf(day!), isSkipped: true },
    },
  ]);
  expect((await boxes())[0]).toMatchObject({ state: "skipped", isSkipped: true, isOpen: true, items: [] });
  const [own] = (await who.get("/subscriptions/next-boxes")).body;
  expect([own.state, (await who.get("/cart")).body.items ?? []]).toMatchObject(["skipped", []]);
  // Repeated by the same person: the same answer.
  expect((await as.put(`${url}/skips/${day!.id}`, { isSkipped: true })).body.id).toBe(skipped.body.id);
  expect((await as.post(`/actions/${skipped.body.id}/undo`)).body.state).toBe("undone");
  expect((await boxes())[0]).toMatchObject({ state: "planned", items: ["1 × Duck Eggs, Each"] });
  const again = await as.put(`${url}/skips/${next!.id}`, { isSkipped: true });
  const back = await as.put(`${url}/skips/${next!.id}`, { isSkipped: false });
  expect([again.status, back.status, (await boxes())[1].isSkipped]).toEqual([200, 200, false]);
  expect(await auditOf(id)).toEqual(["customers skip", "skip_delivery undo", "customers skip", "customers skip"]);
});

test("skip for a person: one that the shopper made meanwhile is a conflict with the boxes, and so is its undo", async () => {
  const { who, as, url } = await subscriber();
  await who.post("/subscriptions/skip", { deliveryDate: dateOf(day!), skip: true });
  const refused = await as.put(`${url}/skips/${day!.id}`, { isSkipped: true });
  expect([refused.status, refused.body]).toMatchObject([
    409,
    ["This day is skipped already. Nothing was done.", { code: "conflict", current: [{ isSkipped: true }, {}, {}] }],
  ]);
  const mine = await as.put(`${url}/skips/${next!.id}`, { isSkipped: true });
  await who.post("/subscriptions/skip", { deliveryDate: dateOf(next!), skip: false });
  const undone = await as.post(`/actions/${mine.body.id}/undo`);
  expect([undone.status, undone.body[0]]).toEqual([
    409,
    "It was changed in the meantime, so there is nothing to undo.",
  ]);
});

test("skip for a person: one that the shopper took back and made again is not undone, nor is one before another of the staff", async () => {
  const { who, id, as, url } = await subscriber();
  const skipped = await as.put(`${url}/skips/${day!.id}`, { isSkipped: true });
  for (const skip of [false, true]) await who.post("/subscriptions/skip", { deliveryDate: dateOf(day!), skip });
  // The shopper's own change of another day concerns no action on this one.
  const other = await as.put(`${url}/skips/${next!.id}`, { isSkipped: true });
  const refused = [409, "It was changed in the meantime, so there is nothing to undo."];
  const undo = async (actionId: number) => {
    const { status, body } = await as.post(`/actions/${actionId}/undo`);
    return [status, status === 200 ? body.state : body[0]];
  };
  expect(await undo(skipped.body.id)).toEqual(refused);
  expect(await db.subscription_skip.count({ where: { customer_id: id, delivery_id: day!.id } })).toBe(1);
  await as.put(`${url}/skips/${next!.id}`, { isSkipped: false });
  const last = await as.put(`${url}/skips/${next!.id}`, { isSkipped: true });
  expect(await undo(other.body.id)).toEqual(refused);
  expect(await undo(last.body.id)).toEqual([200, "undone"]);
});

test("skip for a person: after the cutoff it is refused in the words of the shopper's own page", async () => {
  const { who, as, url } = await subscriber();
  const before = await as.put(`${url}/skips/${day!.id}`, { isSkipped: true });
  clock.set(day!.cutoff_at);
  clock.advance(1 * Minute.ms);
  const later = await staffOf(market, { role: "support", hubId: hub.id });
  const theirs = await who.post("/subscriptions/skip", { deliveryDate: dateOf(day!), skip: false });
  for (const refused of [
    await later.put(`${url}/skips/${day!.id}`, { isSkipped: false }),
    await later.post(`/actions/${before.body.id}/undo`),
  ])
    expect([refused.status, refused.body]).toMatchObject([422, [theirs.body[0], { code: "no_delivery" }]]);
  expect(theirs.status).toBe(422);
});

test("pause for a person: turns their own switch off, and its undo puts it back", async () => {
  const { who, id, as, url } = await subscriber();
  const { body: before } = await as.get(url);
  const status = async () => (await who.get("/subscriptions/status")).body.status;
  const paused = await as.put(`${url}/pause`, { autoCheckout: "off", expectedVersion: before.version });
  expect([paused.status, paused.body.summary]).toEqual([
    200,
    { kind: "set_auto_checkout", customerId: id, name: "Rosa Baker", from: "subscriptions", to: "off" },
  ]);
  expect([await status(), (await as.get(url)).body.autoCheckout]).toEqual([0, "off"]);
  // The answer was lost, and the request is repeated.
  const repeated = await as.put(`${url}/pause`, { autoCheckout: "off", expectedVersion: before.version });
  expect(repeated.body.id).toBe(paused.body.id);
  expect((await as.post(`/actions/${paused.body.id}/undo`)).body.state).toBe("undone");
  expect([await status(), await auditOf(id)]).toEqual([2, ["customers pause", "set_auto_checkout undo"]]);
});

test(
  "pause for a person: what the shopper changed meanwhile is a conflict, and is not undone",
  { tags: ["fail:N13"] },
  async () => {
    const { who, as, url } = await subscriber();
    const { body: before } = await as.get(url);
    await who.put("/subscriptions/status", { enabled: true, status: 1 });
    const refused = await as.put(`${url}/pause`, { autoCheckout: "off", expectedVersion: before.version });
    expect([refused.status, refused.body[1]]).toMatchObject([
      409,
      { code: "conflict", current: { autoCheckout: "cart" } },
    ]);
    const { body } = await as.get(url);
    const paused = await as.put(`${url}/pause`, { autoCheckout: "off", expectedVersion: body.version });
    const owner = await staffOf(market, "owner");
    expect(await whyNot(owner, who.customer.id, paused.body.id)).toEqual({ canUndo: true, reason: "" });
    await who.put("/subscriptions/status", { enabled: true, status: 2 });
    expect(await whyNot(owner, who.customer.id, paused.body.id)).toEqual({
      canUndo: false,
      reason: "It was changed in the meantime, so there is nothing to undo.",
    });
    const undone = await as.post(`/actions/${paused.body.id}/undo`);
    expect([undone.status, undone.body[1].code]).toEqual([409, "conflict"]);
    expect((await who.get("/subscriptions/status")).body.status).toBe(2);
  },
);

test(
  "pause for a person: one that the shopper ended and began again is not undone, also after the switch is as it left it",
  { tags: ["fail:N13"] },
  async () => {
    const { who, as, url } = await subscriber();
    const set = async (autoCheckout: string) =>
      as.put(`${url}/pause`, { autoCheckout, expectedVersion: (await as.get(url)).body.version });
    const status = async () => (await who.get("/subscriptions/status")).body.status;
    const paused = await set("off");
    await who.put("/subscriptions/status", { enabled: true, status: 2 });
    await who.put("/subscriptions/status", { enabled: false, status: 0 });
    const owner = await staffOf(market, "owner");
    const reason = "It was changed in the meantime, so there is nothing to undo.";
    expect(await whyNot(owner, who.customer.id, paused.body.id)).toEqual({ canUndo: false, reason });
    expect((await as.post(`/actions/${paused.body.id}/undo`)).status).toBe(409);
    expect(await status()).toBe(0);
    // The same for what another of the staff did since, until that is undone.
    const cart = await set("cart");
    const off = await set("off");
    const again = await set("cart");
    expect((await as.post(`/actions/${cart.body.id}/undo`)).status).toBe(409);
    for (const { body } of [again, off, cart])
      expect((await as.post(`/actions/${body.id}/undo`)).body.state).toBe("undone");
    expect(await status()).toBe(0);
  },
);

test("notes on a person: are added and removed with undo, and their text is neither in the audit log nor the shopper's", async () => {
  const { who, id, as, url } = await subscriber();
  const notes = async () => (await as.get(url)).body.notes.map(({ text }: { text: string }) => text);
  const added = await as.post(`${url}/notes`, { text: "Rings the back door" });
  expect([added.status, added.body.summary]).toEqual([
    200,
    { kind: "add_customer_note", customerId: id, name: "Rosa Baker" },
  ]);
  const note = (await as.get(url)).body.notes[0];
  const removed = await as.delete(`${url}/notes/${note.id}`);
  expect([removed.status, await notes()]).toEqual([200, []]);
  expect((await as.delete(`${url}/notes/${note.id}`)).status).toBe(404);
  // It is removed, so adding it cannot be undone.
  expect(await whyNot(await staffOf(market, "owner"), id, added.body.id)).toEqual({
    canUndo: false,
    reason: "This note is removed already.",
  });
  expect((await as.post(`/actions/${added.body.id}/undo`)).status).toBe(409);
  expect((await as.post(`/actions/${removed.body.id}/undo`)).body.state).toBe("undone");
  expect(await notes()).toEqual(["Rings the back door"]);
  expect((await as.post(`/actions/${added.body.id}/undo`)).body.state).toBe("undone");
  expect(await notes()).toEqual([]);
  const other = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  expect((await as.delete(`/customers/${other.id}/notes/${note.id}`)).status).toBe(404);
  expect((await as.post(`${url}/notes`, { text: "   " })).body[0]).toBe("Write a note");
  const entries = await db.audit_entry.findMany({ where: { subject: `customer:${id}` } });
  expect(JSON.stringify(entries)).not.toContain("back door");
  expect(JSON.stringify((await who.get("/account/profile")).body)).not.toContain("back door");
});

test(
  "export and deletion of a person: need a proof of identity and the typed email, and are audited",
  { tags: ["fail:N11"] },
  async () => {
    const { who, id, url } = await subscriber();
    const owner = await staffOf(market, "owner");
    const panel = await staffOf(market, { role: "support", hubId: hub.id });
    expect((await panel.get(url)).body.deletedAt).toBeNull();
    for (const action of ["export", "delete"]) {
      const refused = await panel.post(`${url}/${action}`, { email: who.customer.email, reason: "Request" });
      expect([action, refused.status, refused.body[1].code]).toEqual([action, 403, "forbidden"]);
    }
    expect(
      await db.audit_entry.count({ where: { action: "staff refused", actor: `staff:${panel.person.email}` } }),
    ).toBe(2);
    await db.staff_session.updateMany({
      where: { staff_id: owner.person.id },
      data: { stepped_up_at: new Date(clock.now().getTime() - 1 * Hour.ms) },
    });
    for (const action of ["export", "delete"]) {
      const refused = await owner.post(`${url}/${action}`, { email: who.customer.email, reason: "Request" });
      expect([action, refused.status, refused.body[1].code]).toEqual([action, 403, "step_up_required"]);
    }
    const proven = await staffOf(market, "owner");
    const exported = await proven.post(`${url}/export`);
    expect([exported.status, exported.body]).toMatchObject([
      200,
      { customer: { email: who.customer.email }, subscription: [{ variant_id: eggs.variant.id }] },
    ]);
    expect(JSON.stringify(exported.body)).not.toContain("password_hash");
    const wrong = await proven.post(`${url}/delete`, { email: "rosa@example.com", reason: "Request" });
    expect([wrong.status, wrong.body[1]]).toEqual([422, { code: "wrong_email", field: "email" }]);
    const order = await createOrder(db, { customerId: id, hub, product: eggs, status: "open" });
    const typed = { email: ` ${who.customer.email!.toUpperCase()} `, reason: "Request" };
    const open = await proven.post(`${url}/delete`, typed);
    expect([open.status, open.body]).toMatchObject([
      409,
      [
        `Customer ${id} has 1 order not delivered and 0 payments under way. Deliver or cancel the orders first. Nothing was done.`,
        { code: "order_open" },
      ],
    ]);
    await db.order.update({ where: { id: order.id }, data: { status: "cancelled" } });
    expect((await proven.post(`${url}/delete`, typed)).status).toBe(204);
    expect((await who.get("/account/profile")).status).toBe(401);
    expect(await auditOf(id)).toEqual(["customers export", "customers delete"]);
    // In a panel that was open.
    expect((await panel.get(url)).body).toMatchObject({ name: "", deletedAt: clock.now().toISOString() });
    const late = await panel.post(`${url}/credit`, { amount: 5, reason: "Late" });
    expect([late.status, late.body[0]]).toEqual([409, "This account is deleted."]);
    expect((await proven.post(`${url}/delete`, typed)).body[1].code).toBe("deleted");
  },
);
