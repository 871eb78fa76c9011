import { Minute, Second } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { killAt } from "../../../test/kill-at.ts";
import { sumOfLedger } from "../../../test/ledger.ts";
import { staffOf } from "../../../test/staff.ts";
import { stripeOrders } from "../../../test/stripe-orders.ts";
import { timetable } from "../../jobs/index.ts";
import { findBoxVersion } from "./box-version-sql.ts";
import { findOrderMails } from "./order-mail-sql.ts";

const { market, db, deps, chargedOrder, expectAgreement } = await stripeOrders();
/** A run of a job of this server; the number of items that it did, for jobs that count them. */
const runJob = async (name: string) =>
  timetable
    .find((job) => job.name === name)!
    .run({ now: market.clock.now(), actor: { type: "system", job: name }, deps });

test.each(["staff-action:claimed", "cancel:written", "staff-action:done"])(
  "cancel: a server is killed at %s, the next one finishes it: one refund, one mail, the ledger is zero",
  { tags: ["fail:M3"] },
  async (point) => {
    const order = await chargedOrder(2);
    const as = await staffOf(market, "manager");
    const body = { reason: "Flood", refundTo: "card", expectedVersion: await findBoxVersion(db, order.id) };
    const held = await as.post(`/orders/${order.id}/cancel`, body);
    expect(held.status, JSON.stringify(held.body)).toBe(200);
    market.clock.advance(10 * Second.ms);
    await killAt(market, point, { job: "staff-actions" });
    // Another server takes it when the lease has ended, and not before.
    await runJob("staff-actions");
    const stateOf = async () => (await db.staff_action.findUniqueOrThrow({ where: { id: held.body.id } })).state;
    expect(await stateOf()).toBe("running");
    market.clock.advance(5 * Minute.ms);
    for (const job of ["staff-actions", "refunds", "mail"]) await runJob(job);
    expect(await stateOf()).toBe("done");
    const refunds = await db.refund.findMany({ where: { order_id: order.id } });
    expect(refunds).toMatchObject([{ amount_cents: order.total, state: "done", destination: "card" }]);
    const mails = (await findOrderMails(db, [order.id])).filter(({ template }) => template === "order-called-off");
    expect(mails.map(({ sent_at }) => sent_at)).toEqual([expect.any(Date)]);
    expect(await db.audit_entry.count({ where: { subject: `order:${order.id}`, action: "orders cancel" } })).toBe(1);
    expect([await sumOfLedger(db), await market.audit()]).toEqual([0, []]);
    await expectAgreement();
  },
);

test.each(["staff-action:claimed", "refund:written", "staff-action:done"])(
  "refund: a server is killed at %s, the next one finishes it: one refund, one mail, the ledger is zero",
  { tags: ["fail:M3"] },
  async (point) => {
    const order = await chargedOrder(2);
    const as = await staffOf(market, "manager");
    const held = await as.post(`/orders/${order.id}/refund`, {
      amount: 1.5,
      to: "card",
      bearer: null,
      reason: "Bruised",
      expectedVersion: await findBoxVersion(db, order.id),
    });
    expect(held.status, JSON.stringify(held.body)).toBe(200);
    market.clock.advance(10 * Second.ms);
    await killAt(market, point, { job: "staff-actions" });
    market.clock.advance(5 * Minute.ms);
    for (const job of ["staff-actions", "refunds"]) await runJob(job);
    // The mail waits for the refund's result for ten minutes at most.
    market.clock.advance(10 * Minute.ms);
    await runJob("mail");
    expect((await db.staff_action.findUniqueOrThrow({ where: { id: held.body.id } })).state).toBe("done");
    const refunds = await db.refund.findMany({ where: { order_id: order.id } });
    expect(refunds).toMatchObject([{ amount_cents: 150, state: "done", destination: "card" }]);
    const mails = (await findOrderMails(db, [order.id])).filter(({ template }) => template === "order-refunded");
    expect(mails.map(({ sent_at }) => sent_at)).toEqual([expect.any(Date)]);
    expect(await db.audit_entry.count({ where: { subject: `order:${order.id}`, action: "orders refund" } })).toBe(1);
    expect([await sumOfLedger(db), await market.audit()]).toEqual([0, []]);
    await expectAgreement();
  },
);
