import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, PASSWORD } from "../../../test/factories.ts";
import { heldOrders } from "../../../test/held-orders.ts";
import { mailsIn } from "../../../test/mails.ts";
import { staffOf } from "../../../test/staff.ts";
import type { Context } from "../identity/context.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { cancelOrder } from "./cancel-order.ts";
import { findOrderMails } from "./order-mail-sql.ts";
import { refundOrder } from "./refund-order.ts";

const market = await buildTestApp();
const { db, deps } = market;
const { placedBox, closedBox, support, runWhenDue, stateOf } = heldOrders(market);
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
/** The confirmation of an order. */
const confirmationOf = async (id: number) => (await findOrderMails(db, [id]))[0]!;
const resendUrl = (id: number, mail: { id: number }) => `/orders/${id}/mails/${mail.id}/resend`;
/** Deletes the account of a customer whose one order is canceled before. */
async function deleteAccount(who: Awaited<ReturnType<typeof placedBox>>["who"], id: number) {
  await cancelOrder(operator(), id, { to: "card", reason: "", key: null });
  expect((await who.delete("/account", { password: PASSWORD })).status).toBe(200);
}

test("resend: a confirmation goes to the customer's present address ten seconds later, once, with the order as it is now", async () => {
  const { hub, who, id } = await placedBox({ firstName: "Mina" });
  const as = await support(hub);
  const address = `mina.${id}@example.com`;
  await db.customer.update({ where: { id: who.customer.id }, data: { email: address } });
  const held = await as.post(resendUrl(id, await confirmationOf(id)));
  expect([held.status, held.body]).toEqual([
    200,
    expect.objectContaining({
      state: "held",
      summary: { kind: "resend_mail", orderId: id, name: "Mina Baker", template: "order-confirmation" },
      canUndo: true,
    }),
  ]);
  await sendDueMail(deps);
  expect(await db.mail.count({ where: { to_email: address } })).toBe(0);
  expect(await runWhenDue("resend_mail")).toBe(1);
  await sendDueMail(deps);
  const sent = (await mailsIn(market.dataDir)).filter(({ to }) => to?.some((each) => each.address === address));
  expect(sent.map(({ subject }) => subject)).toEqual([expect.stringContaining(`Your order ${id}`)]);
  expect(await runWhenDue("resend_mail")).toBe(0);
  expect(await db.mail.count({ where: { to_email: address } })).toBe(1);
  expect(await db.audit_entry.findFirst({ where: { subject: `order:${id}` }, orderBy: { id: "desc" } })).toMatchObject({
    action: "orders resend",
    actor: `staff:${as.person.email}`,
  });
  // The copy is a mail of the order too, and the first one stays.
  expect((await findOrderMails(db, [id])).map(({ template }) => template)).toEqual([
    "order-confirmation",
    "order-confirmation",
  ]);
});

test("resend: undone it is not sent; two people at once send it once; later it can be sent again", async () => {
  const { hub, id } = await placedBox();
  const [ada, ben] = [await support(hub), await support(hub)];
  const url = resendUrl(id, await confirmationOf(id));
  const { id: actionId } = (await ada.post(url)).body;
  expect((await ben.post(`/actions/${actionId}/undo`)).body.state).toBe("undone");
  expect(await runWhenDue("resend_mail")).toBe(0);
  const both = await Promise.all([ada, ben, ada].map((as) => as.post(url)));
  expect(new Set(both.map(({ body }) => body.id)).size).toBe(1);
  await runWhenDue("resend_mail");
  await ada.post(url);
  await runWhenDue("resend_mail");
  expect(await findOrderMails(db, [id])).toHaveLength(3);
});

test("resend: the mail of an add-on is found by its box, one of another order is not", async () => {
  const { hub, ids } = await placedBox({ addOns: [1] });
  const { id: otherId } = await placedBox();
  const as = await support(hub);
  const [box, addOn] = ids as [number, number];
  const held = await as.post(resendUrl(box, await confirmationOf(addOn)));
  expect([held.status, held.body.summary.orderId]).toEqual([200, addOn]);
  expect((await as.post(resendUrl(box, await confirmationOf(otherId)))).status).toBe(404);
  expect((await as.post(`/orders/${box}/mails/2000000/resend`)).status).toBe(404);
});

test("resend: a mail that is still to be sent, one with a code, and one of a deleted account are refused with the reason", async () => {
  const { hub, who, id } = await closedBox();
  const as = await support(hub);
  const money = { amountCents: 100, to: "card", reason: "bruised", key: null } as const;
  await refundOrder(operator(), id, money);
  const waiting = (await findOrderMails(db, [id])).find(({ sent_at }) => sent_at === null)!;
  expect(waiting.template).toBe("order-refunded");
  const refusalOf = async (mail: { id: number }) => {
    const { status, body } = await as.post(resendUrl(id, mail));
    return [status, body[0], body[1].code];
  };
  expect(await refusalOf(waiting)).toEqual([409, "This email has not been sent yet. It is on its way.", "not_sent"]);
  const confirmation = await confirmationOf(id);
  await db.mail.update({ where: { id: confirmation.id }, data: { is_secret: true, sent_at: null } });
  expect(await refusalOf(confirmation)).toEqual([
    409,
    "This email has a code that only works once, so it can't be sent again.",
    "secret",
  ]);
  await db.mail.update({ where: { id: confirmation.id }, data: { is_secret: false, sent_at: market.clock.now() } });
  await deleteAccount(who, id);
  expect(await refusalOf(confirmation)).toEqual([
    409,
    "The account of this order was deleted, so there is no address to send to.",
    "no_customer",
  ]);
});

test("resend: an account that is deleted while it is held gets nothing, and the action says why", async () => {
  const { hub, who, id } = await placedBox();
  const as = await support(hub);
  const { id: actionId } = (await as.post(resendUrl(id, await confirmationOf(id)))).body;
  await deleteAccount(who, id);
  await runWhenDue("resend_mail");
  expect([await stateOf(actionId), (await as.get("/actions")).body[0].problem]).toEqual([
    "refused",
    "The account of this order was deleted, so there is no address to send to.",
  ]);
});

test("resend: in a market whose orders a person may not read it is not found, and without the permission it is refused", async () => {
  const { hub, id } = await placedBox();
  const elsewhere = await createHub(db);
  const url = resendUrl(id, await confirmationOf(id));
  const outsider = await support(elsewhere);
  expect((await outsider.post(url)).status).toBe(404);
  const reader = await staffOf(market, { role: "support", hubId: elsewhere.id }, { role: "auditor", hubId: hub.id });
  expect((await reader.post(url)).status).toBe(403);
});
