import { STAFF_ACTION_HOLD_MS, type StaffActionKind } from "@marketday/domain/staff-actions";
import { expect } from "vitest";

import { runWeek } from "../src/jobs/week.ts";
import type { Context } from "../src/modules/identity/context.ts";
import { sendDueMail } from "../src/modules/mail/send-mail.ts";
import { findBoxVersion } from "../src/modules/orders/box-version-sql.ts";
import { runDueActions } from "../src/modules/staff-actions/run-due-actions.ts";
import { MONDAY, type TestMarket } from "./app.ts";
import { CHOICE, createHub, createProduct } from "./factories.ts";
import { signIn } from "./sign-in.ts";
import { staffOf } from "./staff.ts";

const CUTOFF = "2026-11-25T06:00:00Z";

/** Orders of a market, and what tests do with the held actions on them. */
export function heldOrders(market: TestMarket) {
  const { db, clock, deps } = market;
  const as = (job: string): Context => ({ now: deps.clock.now(), actor: { type: "system", job }, deps });

  /** A hub with a box of two eggs and, for each of `addOns`, that many more; all mails are sent. */
  async function placedBox({ addOns = [], firstName }: { addOns?: number[]; firstName?: string } = {}) {
    clock.set(MONDAY);
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { title: "Duck Eggs", priceCents: 700, inventory: 20 });
    await db.vendor.update({ where: { id: eggs.vendor_id }, data: { email: `vendor.${eggs.vendor_id}@example.com` } });
    const who = await signIn(market, { hubId: hub.id, ...(firstName !== undefined && { firstName }) });
    const { card, ...atTheDoor } = CHOICE;
    const choice = deps.env.payments === "offline" ? atTheDoor : { ...atTheDoor, card };
    const ids: number[] = [];
    for (const units of [2, ...addOns]) {
      clock.advance(10);
      await who.put("/cart", [eggs.line(units)]);
      const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
      const { status, body } = await who.post("/checkout", { ...choice, expectedTotal: orderTotal });
      expect(status, JSON.stringify(body)).toBe(201);
      ids.push(body.orderId);
    }
    await sendDueMail(deps);
    return { hub, eggs, who, ids, id: ids[0]!, day: hub.deliveries[0]!.day.toISOString().slice(0, 10) };
  }

  return {
    placedBox,
    /** The same after its cutoff: its money was taken. A session of before has ended. */
    async closedBox(options: Parameters<typeof placedBox>[0] = {}) {
      const box = await placedBox(options);
      clock.set(CUTOFF);
      await runWeek(as("week"));
      await sendDueMail(deps);
      return box;
    },
    /** Support of a hub: may cancel, adjust and refund. */
    support: ({ id: hubId }: { id: number }) => staffOf(market, { role: "support", hubId }),
    runWeek: () => runWeek(as("week")),
    version: async (id: number) => (await findBoxVersion(db, id))!,
    /** The job, at this moment. */
    run: () => runDueActions(as("staff-actions")),
    /** The job, when an action of this kind that was stored now is due. */
    async runWhenDue(kind: StaffActionKind = "cancel_order") {
      clock.advance(STAFF_ACTION_HOLD_MS[kind]!);
      return runDueActions(as("staff-actions"));
    },
    stateOf: async (actionId: number) => (await db.staff_action.findUniqueOrThrow({ where: { id: actionId } })).state,
    statusOf: async (orderId: number) => (await db.order.findUniqueOrThrow({ where: { id: orderId } })).status,
    /** Templates of the mails to a customer, in their order. */
    mailsTo: async ({ customer }: { customer: { email: string | null } }) =>
      (await db.mail.findMany({ where: { to_email: customer.email! }, orderBy: { id: "asc" } })).map(
        ({ template }) => template,
      ),
  };
}
