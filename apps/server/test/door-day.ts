import { addDollars, cents, toDollars } from "@marketday/domain/money";
import { expect } from "vitest";

import { runWeek } from "../src/jobs/week.ts";
import type { Context } from "../src/modules/identity/context.ts";
import { MONDAY, type TestMarket } from "./app.ts";
import { createCustomer, createHub, createProduct, PASSWORD } from "./factories.ts";
import { staffOf } from "./staff.ts";

/** The instant at which the day of `doorDays` closes. */
export const DOOR_CUTOFF = "2026-11-25T06:00:00Z";
export const DOOR_DAY = "2026-11-26";

interface Buyer {
  /** Default: to a door in Carmel. */
  pickup?: true;
  zipCode?: string;
  creditCents?: number;
  /** Orders that join the box. */
  addOns?: number;
  /** With a turkey of the week after. */
  turkey?: true;
}

let streets = 0;

/** Delivery days of a market whose orders are paid at the door. */
export function doorDays(market: TestMarket) {
  const { db, deps } = market;
  const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
  const runCutoff = (at = DOOR_CUTOFF) => {
    market.clock.set(at);
    return runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
  };

  /** A hub on Monday, and what these shoppers have ordered, which is paid at the door: the first order of each box. */
  async function dayWith(...buyers: Buyer[]) {
    market.clock.set(MONDAY);
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 500, priceCents: 700 });
    const turkey = await createProduct(db, hub.id, { inventory: 5, priceCents: 9000, preOrderDate: "2026-12-01" });
    const boxes: number[] = [];
    for (const { pickup, zipCode = "46032", creditCents = 0, addOns = 0, turkey: hasTurkey } of buyers) {
      streets += 1;
      const { email } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper, creditCents });
      const browser = market.shopper();
      await browser.post("/auth/login", { username: email, password: PASSWORD });
      const street = { address: `${streets} Oak Street`, city: "Carmel", state: "IN", zipCode };
      const choice = pickup
        ? { type: "pickup", pickupPointId: hub.pickup_points[0]!.id, tipPercentage: 0 }
        : { type: "delivery", deliveryAddress: street, tipPercentage: 0, useCredit: creditCents > 0 };
      for (let order = 0; order <= addOns; order += 1) {
        market.clock.advance(1000);
        await browser.put("/cart", [eggs.line(1), ...(hasTurkey ? [turkey.line(1)] : [])]);
        const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
        const { status, body } = await browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
        expect(status, JSON.stringify(body)).toBe(201);
        if (order === 0) boxes.push(body.orderId);
      }
    }
    return { hub, eggs, boxes, url: `/hubs/${hub.slug}/days/${DOOR_DAY}/door` };
  }
  type Test = Awaited<ReturnType<typeof dayWith>>;
  const leadOf = ({ hub }: Pick<Test, "hub">) => staffOf(market, { role: "depot_lead", hubId: hub.id });
  /** The same after its cutoff, with a person who may record. */
  async function closedDay(...buyers: Buyer[]) {
    const day = await dayWith(...buyers);
    await runCutoff();
    return { ...day, lead: await leadOf(day) };
  }

  /** What a declined card leaves of an order: no payment, and the failure. */
  async function decline(id: number): Promise<void> {
    const { payment_id: paymentId } = await db.order.findUniqueOrThrow({ where: { id } });
    await db.order.update({ where: { id }, data: { payment_id: null, charge_failed_at: new Date(DOOR_CUTOFF) } });
    await db.payment.update({ where: { id: paymentId! }, data: { state: "voided" } });
  }

  /** What is left to pay for the live orders of a box, in dollars. */
  async function dueOf(boxId: number): Promise<number> {
    const orders = await db.order.findMany({
      where: { OR: [{ id: boxId }, { add_on_to_id: boxId }], status: { not: "cancelled" } },
    });
    return toDollars(cents(orders.reduce((sum, each) => sum + each.order_total_cents - each.credit_cents, 0)));
  }
  const sumOf = async (boxIds: readonly number[]) => addDollars(...(await Promise.all(boxIds.map(dueOf))));
  const statesOf = async (lead: Awaited<ReturnType<typeof staffOf>>, url: string) =>
    Object.fromEntries(
      (await lead.get(url)).body.groups.flatMap(({ boxes }: { boxes: { orderId: number; state: string }[] }) =>
        boxes.map(({ orderId, state }) => [orderId, state]),
      ),
    );
  const actionsOf = ({ hub }: Pick<Test, "hub">) =>
    db.staff_action.findMany({ where: { hub_id: hub.id }, orderBy: { id: "asc" } });
  const paymentOf = async (id: number) =>
    (await db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } })).payment;

  return { operator, runCutoff, dayWith, leadOf, closedDay, decline, dueOf, sumOf, statesOf, actionsOf, paymentOf };
}
