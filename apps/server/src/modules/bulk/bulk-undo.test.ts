import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { heldOrders } from "../../../test/held-orders.ts";
import { sumOfLedger } from "../../../test/ledger.ts";
import { staffOf } from "../../../test/staff.ts";
import { payVendors } from "../ledger/pay-vendors.ts";

const market = await buildTestApp({ env: { PAYMENTS: "offline" } });
const { db, clock, deps } = market;
const { closedBox, statusOf, stateOf } = heldOrders(market);
type Staff = Awaited<ReturnType<typeof staffOf>>;

/** Does with boxes what the plan of now says. Returns the id of the only action. */
async function act(as: Staff, verb: "paid" | "deliver", orderIds: readonly number[]): Promise<number> {
  const planned = await as.post(`/bulk/${verb}`, { orderIds, dryRun: true });
  const { status, body } = await as.post(`/bulk/${verb}`, { orderIds, token: planned.body.plan.token });
  expect([status, body.actions?.length], JSON.stringify(body)).toEqual([200, 1]);
  return body.actions[0].id;
}
/** What the audit log says about the undo of an action. */
async function undoOf(as: Staff, actionId: number) {
  const { id } = await db.audit_entry.findFirstOrThrow({ where: { data: { path: ["actionId"], equals: actionId } } });
  const { status, body } = await as.get(`/audit/entries/${id}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.undo;
}
const entries = () => db.audit_entry.count();
const paymentsOf = async (ids: readonly number[]) =>
  (await db.order.findMany({ where: { id: { in: [...ids] } }, select: { payment: { select: { state: true } } } })).map(
    ({ payment }) => payment?.state,
  );

test(
  "bulk paid and deliver: once a vendor was paid, the undo is refused with the reason, as the audit log says before, and nothing changes",
  { tags: ["fail:N13"] },
  async () => {
    const box = await closedBox({ addOns: [1] });
    const as = await staffOf(market, "manager");
    const paid = await act(as, "paid", [box.id]);
    const delivered = await act(as, "deliver", [box.id]);
    const before = await entries();
    const [ledger, rows] = [await sumOfLedger(db), await db.ledger_entry.count()];
    for (const actionId of [paid, delivered]) expect(await undoOf(as, actionId)).toEqual({ canUndo: true, reason: "" });
    // To learn it changes nothing.
    expect([await entries(), await db.ledger_entry.count()]).toEqual([before, rows]);
    clock.set(`${box.day}T20:00:00Z`);
    const { payout } = await payVendors(
      { now: clock.now(), actor: { type: "operator", name: "mara" }, deps },
      { to: box.day, dryRun: false },
    );
    const { slug } = await db.vendor.findUniqueOrThrow({ where: { id: box.eggs.vendor_id } });
    const reason = `Payout ${payout} paid ${slug} for this order. This can no longer be undone.`;
    const manager = await staffOf(market, "manager");
    for (const actionId of [paid, delivered]) {
      expect(await undoOf(manager, actionId)).toEqual({ canUndo: false, reason });
      const { status, body } = await manager.post(`/actions/${actionId}/undo`);
      expect([status, body]).toEqual([409, [reason, { code: "paid_out" }]]);
      expect(await stateOf(actionId)).toBe("done");
    }
    expect(await Promise.all(box.ids.map(statusOf))).toEqual(["closed", "closed"]);
    expect(await paymentsOf(box.ids)).toEqual(["captured", "captured"]);
    expect(await sumOfLedger(db)).toBe(ledger);
  },
);
