import { cents, formatUsd } from "@marketday/domain/money";
import { STAFF_ACTION_HOLD_MS } from "@marketday/domain/staff-actions";
import { expect, test } from "vitest";

import { staffOf } from "../../../test/staff.ts";
import { stripeOrders } from "../../../test/stripe-orders.ts";
import { runDueActions } from "../staff-actions/run-due-actions.ts";

const { market, fake, db, deps, chargedOrder, happens, expectAgreement } = await stripeOrders();

test(
  "refund: what the shopper's bank has taken back is refused with its sentence, in the plan, at once, and when it was held before",
  { tags: ["fail:B17"] },
  async () => {
    const order = await chargedOrder();
    const as = await staffOf(market, "manager");
    const part = { amount: 5, to: "credit", bearer: null };
    const { version: expectedVersion } = (await as.get(`/orders/${order.id}`)).body;
    const held = await as.post(`/orders/${order.id}/refund`, { ...part, reason: "Bruised", expectedVersion });
    expect([held.status, held.body.state]).toEqual([200, "held"]);
    await happens(() => fake.dispute(order.ref));
    const taken = `The shopper's bank has taken back ${formatUsd(cents(order.total))} of this order in a dispute`;

    market.clock.advance(STAFF_ACTION_HOLD_MS.refund_order!);
    await runDueActions({ now: market.clock.now(), actor: { type: "system", job: "staff-actions" }, deps });
    const action = await db.staff_action.findUniqueOrThrow({ where: { id: held.body.id } });
    expect(action).toMatchObject({ state: "refused", problem: expect.stringContaining(taken) });

    const { version } = (await as.get(`/orders/${order.id}`)).body;
    for (const to of ["card", "credit"]) {
      const body = { ...part, to };
      const plan = await as.post(`/orders/${order.id}/refund/plan`, body);
      const sent = await as.post(`/orders/${order.id}/refund`, {
        ...body,
        reason: "Bruised",
        expectedVersion: version,
      });
      for (const { status, body: answer } of [plan, sent])
        expect([to, status, answer[1]?.code, answer[0]]).toEqual([
          to,
          409,
          "charge_disputed",
          expect.stringContaining(taken),
        ]);
    }
    // What the bank took back alone.
    const refunds = await db.refund.findMany({ where: { order_id: order.id }, select: { key: true } });
    expect(refunds.map(({ key }) => key)).toEqual([expect.stringMatching(/^dispute:/)]);
    await expectAgreement();
  },
);
