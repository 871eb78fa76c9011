import { transaction } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { heldOrders } from "../../../test/held-orders.ts";
import { sumOfLedger } from "../../../test/ledger.ts";
import { asStaffId, type Context, type StaffActor } from "../identity/context.ts";
import { payVendors } from "../ledger/pay-vendors.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { deliverOrders } from "./deliver-orders.ts";
import { recordPayments } from "./record-payment.ts";
import { undoPayments } from "./undo-payment.ts";

const market = await buildTestApp({ env: { PAYMENTS: "offline" } });
const { db, deps } = market;
const { closedBox, support, stateOf } = heldOrders(market);
type Box = Awaited<ReturnType<typeof closedBox>>;
type Staff = Awaited<ReturnType<typeof support>>;
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });

/** Records a box as paid, as a person of the staff. Returns the id of the action. */
async function record({ person, ...as }: Staff, { id, hub }: Box): Promise<number> {
  const recorded = await recordPayments(operator(), [id]);
  expect(recorded[0]!.cents).toBeGreaterThan(0);
  const actor: StaffActor = {
    type: "staff",
    staffId: asStaffId(person.id),
    email: person.email,
    name: person.name,
    grants: [],
    sessionId: "",
    steppedUpAt: null,
  };
  const { delivery_id: deliveryId } = await db.order.findUniqueOrThrow({ where: { id } });
  const actionId = await transaction(db, (tx) =>
    storeAction(
      tx,
      { now: market.clock.now(), actor },
      {
        hubId: hub.id,
        deliveryId,
        subject: `delivery:${deliveryId}`,
        input: { orderIds: [id], payments: recorded[0]!.payments.map((payment) => ({ ...payment, boxId: id })) },
        summary: { kind: "mark_paid", orderIds: [id], boxes: 1, amount: recorded[0]!.cents / 100 },
      },
    ),
  );
  expect((await as.get("/actions")).body[0]).toMatchObject({ id: actionId, state: "done", canUndo: true, dueAt: null });
  return actionId;
}
const paymentOf = async ({ id }: Box) =>
  (await db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } })).payment!.state;

test("undo: money at the door is due again, once, when two requests undo it at once", async () => {
  const box = await closedBox();
  const as = await support(box.hub);
  const actionId = await record(as, box);
  expect(await paymentOf(box)).toBe("captured");
  const answers = await Promise.all([as, as].map((each) => each.post(`/actions/${actionId}/undo`)));
  expect(answers.map(({ status, body }) => [status, body.state, body.canUndo])).toEqual([
    [200, "undone", false],
    [200, "undone", false],
  ]);
  expect(await paymentOf(box)).toBe("authorized");
  expect(
    await db.audit_entry.findMany({ where: { subject: `order:${box.id}`, action: "orders undo-paid" } }),
  ).toMatchObject([{ actor: `staff:${as.person.email}`, reason: "Recorded by mistake at the door." }]);
  expect([await sumOfLedger(db), await market.audit()]).toEqual([0, []]);
});

test(
  "undo: once a vendor was paid for the order, it is refused with the reason, and the money stays recorded",
  { tags: ["fail:N13"] },
  async () => {
    const box = await closedBox();
    const actionId = await record(await support(box.hub), box);
    await deliverOrders(operator(), [box.id]);
    market.clock.set(`${box.day}T20:00:00Z`);
    const { payout } = await payVendors(operator(), { to: box.day, dryRun: false });
    const { slug } = await db.vendor.findUniqueOrThrow({ where: { id: box.eggs.vendor_id } });
    const as = await support(box.hub);
    const { status, body } = await as.post(`/actions/${actionId}/undo`);
    expect([status, body]).toEqual([
      409,
      [`Payout ${payout} paid ${slug} for this order. This can no longer be undone.`, { code: "paid_out" }],
    ]);
    expect([await stateOf(actionId), await paymentOf(box)]).toEqual(["done", "captured"]);
  },
);

test("undo: a box that was due again meanwhile and is recorded by a newer action stays paid", async () => {
  const box = await closedBox();
  const as = await support(box.hub);
  const first = await record(as, box);
  await undoPayments(operator(), [box.id], "wrong tote");
  const newer = await record(as, box);
  expect((await as.post(`/actions/${first}/undo`)).body.state).toBe("undone");
  expect([await paymentOf(box), await stateOf(newer)]).toEqual(["captured", "done"]);
  expect((await as.post(`/actions/${newer}/undo`)).body.state).toBe("undone");
  expect(await paymentOf(box)).toBe("authorized");
});
