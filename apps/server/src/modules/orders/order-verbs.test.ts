import { isCustomerDeleted, sql } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { PASSWORD } from "../../../test/factories.ts";
import { heldOrders } from "../../../test/held-orders.ts";
import { sumOfLedger } from "../../../test/ledger.ts";
import { holdTransaction, waitForLock } from "../../../test/locks.ts";
import { createStaff, staffOf } from "../../../test/staff.ts";
import { deleteAccount } from "../account/delete-account.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { payVendors } from "../ledger/pay-vendors.ts";
import { findDues } from "../ledger/payout-store.ts";
import { renderMail } from "../mail/layout.ts";
import { readSheets } from "../week/read-sheets.ts";
import { cancelOrder } from "./cancel-order.ts";

const market = await buildTestApp();
const { db, deps } = market;
const { placedBox, closedBox, support, version, run, runWhenDue, stateOf, mailsTo } = heldOrders(market);
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
const vendorOf = ({ vendor_id: id }: { vendor_id: number }) => db.vendor.findUniqueOrThrow({ where: { id } });
const refundOf = async (id: number, change: object = {}) => ({
  amount: 5,
  to: "card",
  bearer: null,
  reason: "Bruised",
  expectedVersion: await version(id),
  ...change,
});
const refundsOf = (id: number) => db.refund.findMany({ where: { order_id: id }, orderBy: { created_at: "asc" } });
const sound = async () => [await sumOfLedger(db), await market.audit()];

test("refund: the plan has the ledger lines of what happens ten seconds later, and the vendor who bears it gets less", async () => {
  const { hub, id, who, eggs, day } = await closedBox({ firstName: "Mina" });
  const as = await support(hub);
  const vendor = await vendorOf(eggs);
  const dueOf = async () => (await findDues(db, day)).find(({ slug }) => slug === vendor.slug)?.due_cents;
  const before = await dueOf();
  const body = await refundOf(id, { bearer: vendor.slug });
  const { expectedVersion: _version, reason: _reason, ...part } = body;
  const plan = await as.post(`/orders/${id}/refund/plan`, part);
  expect([plan.status, plan.body]).toEqual([
    200,
    {
      amount: 5,
      to: "card",
      ledger: [
        { account: "provider", name: null, amount: 5 },
        { account: "vendor", name: vendor.name, amount: -5 },
      ],
      mails: 1,
    },
  ]);
  const held = await as.post(`/orders/${id}/refund`, body);
  expect([held.status, held.body]).toEqual([
    200,
    expect.objectContaining({
      state: "held",
      summary: { kind: "refund_order", orderId: id, name: "Mina Baker", amount: 5, to: "card", bearer: vendor.name },
    }),
  ]);
  expect([await run(), await refundsOf(id)]).toEqual([0, []]);
  expect(await runWhenDue("refund_order")).toBe(1);
  expect(await refundsOf(id)).toMatchObject([{ amount_cents: 500, destination: "card", state: "done" }]);
  expect((await mailsTo(who)).at(-1)).toBe("order-refunded");
  expect(await dueOf()).toBe(before! - 500);
  const entry = await db.audit_entry.findFirst({ where: { subject: `order:${id}`, action: "orders refund" } });
  expect(entry).toMatchObject({ actor: `staff:${as.person.email}`, data: { actionId: held.body.id } });
  const { paid } = await payVendors(operator(), { to: day, dryRun: false });
  expect(paid.find(({ slug }) => slug === vendor.slug)?.due_cents).toBe(before! - 500);
  expect(await sound()).toEqual([0, []]);
});

test("refund: typed in two tabs it is one, undone it is none, and after it was sent the other tab gets 409 with the box", async () => {
  const { hub, id } = await closedBox();
  const [as, other] = [await support(hub), await support(hub)];
  for (const to of ["credit", "card"]) {
    const body = await refundOf(id, { to, amount: 2 });
    const [first, second] = [
      await as.post(`/orders/${id}/refund`, body),
      await other.post(`/orders/${id}/refund`, body),
    ];
    expect([first.status, second.status, second.body.id]).toEqual([200, 200, first.body.id]);
    const different = await other.post(`/orders/${id}/refund`, { ...body, amount: 3 });
    expect([different.status, different.body[1]?.code]).toEqual([409, "refund_held"]);
    await runWhenDue("refund_order");
    const late = await other.post(`/orders/${id}/refund`, body);
    expect([to, late.status, late.body[1]?.code, late.body[1]?.current.id]).toEqual([to, 409, "conflict", id]);
  }
  expect(await refundsOf(id)).toHaveLength(2);
  const undone = await as.post(`/orders/${id}/refund`, await refundOf(id));
  await as.post(`/actions/${undone.body.id}/undo`);
  market.clock.advance(60_000);
  expect([await run(), (await refundsOf(id)).length, await stateOf(undone.body.id)]).toEqual([0, 2, "undone"]);
  expect(await sound()).toEqual([0, []]);
});

test("refund: refused over the role's limit, without a fresh proof from $200 on, over what was paid, and by a stranger's vendor", async () => {
  const { hub, id } = await closedBox();
  const as = await support(hub);
  const over = await as.post(`/orders/${id}/refund`, await refundOf(id, { amount: 50.01 }));
  expect([over.status, over.body[1]?.code, over.body[0]]).toEqual([
    403,
    "over_limit",
    "You may give back up to $50.00 at once. Ask someone with a higher limit.",
  ]);
  const manager = await staffOf(market, "manager");
  const refusal = async (change: object) => {
    const { status, body } = await manager.post(`/orders/${id}/refund`, await refundOf(id, change));
    return [status, body[1]?.code];
  };
  expect(await refusal({ amount: 300 })).toEqual([422, "too_much"]);
  market.clock.advance(6 * 60_000);
  expect(await refusal({ amount: 300 })).toEqual([403, "step_up_required"]);
  expect(await refusal({ bearer: "no-such-farm" })).toEqual([404, "no_such_vendor"]);
  expect(await refusal({ amount: 0 })).toEqual([400, "invalid"]);
  expect(await refusal({ amount: 1.005 })).toEqual([400, "invalid"]);
});

test("refund: an order that was cancelled meanwhile refuses the held one, which says so", async () => {
  const { hub, id } = await closedBox();
  const as = await support(hub);
  const { body } = await as.post(`/orders/${id}/refund`, await refundOf(id));
  await cancelOrder(operator(), id, { to: "card", reason: "", key: null });
  await runWhenDue("refund_order");
  expect([await stateOf(body.id), (await refundsOf(id)).length]).toEqual(["refused", 1]);
  expect(await sound()).toEqual([0, []]);
});

test("refund: after the vendor was paid, the next payout is less by what the vendor bears", async () => {
  const { hub, id, eggs, day } = await closedBox();
  const as = await support(hub);
  const vendor = await vendorOf(eggs);
  await payVendors(operator(), { to: day, dryRun: false });
  await as.post(`/orders/${id}/refund`, await refundOf(id, { bearer: vendor.slug, to: "credit" }));
  await runWhenDue("refund_order");
  expect((await findDues(db, day)).find(({ slug }) => slug === vendor.slug)).toMatchObject({ due_cents: -500 });
  expect(await sound()).toEqual([0, []]);
});

test("short: the plan is what happens, the market bears it, twice is once, and undone is not at all", async () => {
  const { hub, id, eggs, who } = await closedBox({ addOns: [1] });
  const as = await support(hub);
  const line = { variantId: eggs.variant.id, came: 1, of: 2, to: "card", bearer: "market" };
  const plan = await as.post(`/orders/${id}/short/plan`, line);
  expect([plan.status, plan.body]).toMatchObject([200, { title: expect.stringContaining("Duck Eggs"), units: 1 }]);
  const sum = plan.body.ledger.reduce(
    (all: number, { amount }: { amount: number }) => all + Math.round(amount * 100),
    0,
  );
  expect(sum).toBe(0);
  // The vendor keeps the share.
  expect(plan.body.ledger.filter(({ account }: { account: string }) => account === "vendor")).toEqual([]);
  const body = { ...line, reason: "frost", expectedVersion: await version(id) };
  const first = await as.post(`/orders/${id}/short`, body);
  expect([first.status, (await as.post(`/orders/${id}/short`, body)).body.id]).toEqual([200, first.body.id]);
  expect(first.body.summary).toMatchObject({ kind: "short_order", units: 1, back: plan.body.back });
  await as.post(`/actions/${first.body.id}/undo`);
  const again = await as.post(`/orders/${id}/short`, body);
  expect(await runWhenDue("short_order")).toBe(1);
  expect(await stateOf(again.body.id)).toBe("done");
  expect((await db.order_item.findFirstOrThrow({ where: { order_id: id } })).quantity).toBe(1);
  const back = (await refundsOf(id)).reduce((all, { amount_cents: amount }) => all + amount, 0);
  expect(back).toBe(Math.round(plan.body.back * 100));
  expect((await mailsTo(who)).filter((template) => template === "order-short")).toHaveLength(1);
  const none = await as.post(`/orders/${id}/short/plan`, { ...line, came: 2 });
  expect([none.status, none.body[1]?.code]).toEqual([422, "not_short"]);
  expect(await sound()).toEqual([0, []]);
});

test(
  "notes: one on the order of an account that is being deleted has neither its name nor its customer",
  { tags: ["fail:L2"] },
  async () => {
    const { hub, id, who } = await closedBox({ firstName: "Xanthippe" });
    const as = await support(hub);
    const { id: customerId } = who.customer;
    await db.order.updateMany({ where: { id }, data: { status: "closed" } });
    // A deletion ends the sessions after it has locked the orders and the customer.
    const release = await holdTransaction(
      db,
      sql`select id from session where customer_id = ${customerId}::int for update`,
    );
    const deletion = deleteAccount(operator(), asCustomerId(customerId));
    await waitForLock(db, deletion);
    const add = (kind: string) => as.post(`/orders/${id}/notes`, { kind, text: "Called twice", isMailed: false });
    const notes = Promise.all([add("inside"), add("shopper")]);
    await waitForLock(db, notes, 3);
    await release();
    await deletion;
    expect((await notes).map(({ status, body }) => [status, body[1]?.code])).toEqual([
      [200, undefined],
      [409, "no_customer"],
    ]);
    expect(await db.order_note.findMany({ where: { order_id: id } })).toMatchObject([{ customer_id: null }]);
    const actions = await db.staff_action.findMany({ where: { subject: `order:${id}` } });
    expect(actions).toHaveLength(1);
    expect(JSON.stringify(actions)).not.toContain("Xanthippe");
    // The database refuses what a path without the lock would write.
    const note = { customer_id: customerId, text: "Called twice", created_at: market.clock.now() };
    const { id: staffId } = await createStaff(market, "owner");
    for (const write of [
      db.order_note.create({ data: { ...note, order_id: id, kind: "inside", by: "staff:ada@example.com" } }),
      db.customer_note.create({ data: { ...note, staff_id: staffId } }),
    ])
      await expect(write).rejects.toSatisfy(isCustomerDeleted);
  },
);

test("notes: the driver's is on the next sheets, the shopper's on the order and by email after ten seconds, the inside one in neither", async () => {
  const { hub, id, who, day } = await closedBox();
  const as = await support(hub);
  const manager = await staffOf(market, "manager");
  const sheets = () => manager.post(`/hubs/${hub.slug}/days/${day}/sheets`, {});
  expect((await sheets()).body.isStale).toBe(false);
  const add = (kind: string, text: string, isMailed = false) =>
    as.post(`/orders/${id}/notes`, { kind, text, isMailed });
  const xss = '<script>alert("x")</script>';
  const inside = await add("inside", `Called twice ${xss}`);
  expect(inside.body.box.staffNotes).toMatchObject([
    { kind: "inside", text: `Called twice ${xss}`, by: "Ada Kowalski" },
  ]);
  const isStale = async () => (await manager.get(`/hubs/${hub.slug}/days/${day}`)).body.isStale;
  expect(await isStale()).toBe(false);
  await add("driver", "Leave it on the porch");
  expect(await isStale()).toBe(true);
  expect((await sheets()).body.versions[0].changes).toMatchObject([{ kind: "noted", orderId: id }]);
  const boxes = async () => (await readSheets(operator(), { hub: hub.slug, day })).day.boxes;
  expect(await boxes()).toMatchObject([{ notes: "Leave it on the porch" }]);
  const sent = await add("shopper", `Two cartons ${xss}`, true);
  expect(sent.body.actions.map((each: { state: string }) => each.state)).toEqual(["done", "held"]);
  const signed = await who.get(`/orders/${id}`);
  expect([signed.status, signed.body.marketNotes]).toEqual([200, `Two cartons ${xss}`]);
  await runWhenDue("send_note");
  const mail = await db.mail.findFirstOrThrow({ where: { template: "order-note", to_email: who.customer.email! } });
  const content = await deps.mailTemplates["order-note"]!.content(deps, mail.data as never, market.clock.now());
  const { html, text } = renderMail(content!, deps.env);
  expect(text).toContain("Two cartons");
  expect([html.includes("<script>"), html.includes("&lt;script&gt;"), html.includes("Called twice")]).toEqual([
    false,
    true,
    false,
  ]);
  expect(await sound()).toEqual([0, []]);
});

test(
  "notes: edited, removed and undone at once; another version is 409 with the box; undo after a change is refused",
  { tags: ["fail:N13"] },
  async () => {
    const { hub, id } = await placedBox();
    const as = await support(hub);
    const added = (await as.post(`/orders/${id}/notes`, { kind: "inside", text: "One" })).body;
    const [note] = added.box.staffNotes;
    const url = `/orders/${id}/notes/${note.id}`;
    const edited = await as.put(url, { text: "Two", expectedVersion: 1 });
    expect(edited.body.box.staffNotes).toMatchObject([{ text: "Two", version: 2 }]);
    const late = await as.put(url, { text: "Three", expectedVersion: 1 });
    expect([late.status, late.body[1]?.code, late.body[1]?.current.staffNotes[0].text]).toEqual([
      409,
      "conflict",
      "Two",
    ]);
    const tooLate = await as.post(`/actions/${added.actions[0].id}/undo`);
    expect([tooLate.status, tooLate.body[1]?.code]).toEqual([409, "changed_since"]);
    await as.post(`/actions/${edited.body.actions[0].id}/undo`);
    const shown = async () => (await as.get(`/orders/${id}`)).body.staffNotes;
    expect(await shown()).toMatchObject([{ text: "One", version: 3 }]);
    const removed = await as.post(`${url}/remove`, { expectedVersion: 3 });
    expect(removed.body.box.staffNotes).toEqual([]);
    await as.post(`/actions/${removed.body.actions[0].id}/undo`);
    expect(await shown()).toMatchObject([{ text: "One" }]);
  },
);

test("notes: an auditor reads none, and deleting the account deletes them with what undo would need", async () => {
  const { hub, id, who } = await placedBox();
  const as = await support(hub);
  const auditor = await staffOf(market, "auditor");
  const { body } = await as.post(`/orders/${id}/notes`, { kind: "inside", text: "Gate code 4471" });
  await as.put(`/orders/${id}/notes/${body.box.staffNotes[0].id}`, { text: "Gate code 4472", expectedVersion: 1 });
  expect((await auditor.get(`/orders/${id}`)).body.staffNotes).toEqual([]);
  await cancelOrder(operator(), id, { to: "card", reason: "", key: null });
  expect((await who.delete("/account", { password: PASSWORD })).status).toBe(200);
  expect(await db.order_note.count({ where: { order_id: id } })).toBe(0);
  const actions = await db.staff_action.findMany({ where: { subject: `order:${id}` } });
  expect(JSON.stringify(actions)).not.toContain("4471");
});

test("move: a box comes a week later after ten seconds with its mail; after the cutoff and to a day without orders it is refused", async () => {
  const { hub, id, who } = await placedBox({ addOns: [1] });
  const as = await support(hub);
  const { days } = (await as.get(`/orders/${id}/moves`)).body;
  const plan = await as.post(`/orders/${id}/day/plan`, { to: days[0] });
  expect([plan.status, plan.body]).toMatchObject([200, { joins: null, feeOff: 0, mails: 1 }]);
  const body = { to: days[0], reason: "", expectedVersion: await version(id) };
  const held = await as.post(`/orders/${id}/day`, body);
  expect([held.status, (await as.post(`/orders/${id}/day`, body)).body.id]).toEqual([200, held.body.id]);
  await runWhenDue("move_order");
  expect([await stateOf(held.body.id), (await as.get(`/orders/${id}`)).body.day]).toEqual(["done", days[0]]);
  expect((await mailsTo(who)).at(-1)).toBe("order-moved");
  const none = await as.post(`/orders/${id}/day/plan`, { to: "2026-11-27" });
  expect([none.status, none.body[1]?.code]).toEqual([404, "no_such_day"]);
  const late = await closedBox();
  const other = await support(late.hub);
  const closed = await other.post(`/orders/${late.id}/day/plan`, { to: "2026-12-10" });
  expect([closed.status, closed.body[1]?.code]).toEqual([409, "orders_closed"]);
  expect(await sound()).toEqual([0, []]);
});
