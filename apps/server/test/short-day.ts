import { expect } from "vitest";

import { runWeek } from "../src/jobs/week.ts";
import type { TestMarket } from "./app.ts";
import { CHOICE, createHub, createProduct } from "./factories.ts";
import { signIn } from "./sign-in.ts";
import { staffOf } from "./staff.ts";

/** The delivery day of these tests, and an hour of it before its cutoff and after it. */
export const SHORT_DAY = "2026-11-26";
const BEFORE = "2026-11-23T17:00:00Z";
const AFTER = "2026-11-25T09:00:00Z";

/** Runs the cutoff of the day. */
export async function closeDay({ clock, deps }: TestMarket): Promise<void> {
  clock.set(AFTER);
  await runWeek({ now: clock.now(), actor: { type: "system", job: "week" }, deps });
}

/** What a person sends of a count. */
export const countOf = (variantId: number, came: number, of: number, change: object = {}) => ({
  variantId,
  came,
  of,
  gets: null,
  refundTo: "credit",
  bearer: "vendor",
  reason: "frost",
  ...change,
});

/**
 * A market that sells eggs, with one box per number of them; a list is a box with add-ons. Closed unless `isOpen`, with a person who may
 * record shortages in it.
 */
export async function shortDay(
  market: TestMarket,
  boxes: readonly (readonly number[])[],
  {
    isOpen = false,
    inventory = 100,
    priceCents = 700,
    vendorId,
  }: { isOpen?: boolean; inventory?: number; priceCents?: number; vendorId?: number } = {},
) {
  const { db, clock } = market;
  clock.set(BEFORE);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { title: "Eggs", priceCents, inventory, vendorId });
  const variantId = eggs.variant.id;
  await db.vendor.update({ where: { id: eggs.vendor_id }, data: { email: "farm@example.com" } });
  const orders: number[][] = [];
  const shoppers: Awaited<ReturnType<typeof signIn>>[] = [];
  for (const quantities of boxes) {
    const shopper = await signIn(market, { hubId: hub.id });
    shoppers.push(shopper);
    const ids: number[] = [];
    for (const quantity of quantities) {
      clock.advance(1_000);
      await shopper.put("/cart", [eggs.line(quantity)]);
      const { orderTotal } = (await shopper.post("/checkout/quote", CHOICE)).body;
      const { status, body } = await shopper.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
      expect(status, JSON.stringify(body)).toBe(201);
      ids.push(body.orderId as number);
    }
    orders.push(ids);
  }
  if (!isOpen) await closeDay(market);
  const { id: deliveryId } = await db.delivery.findFirstOrThrow({
    where: { hub_id: hub.id, day: new Date(SHORT_DAY) },
  });
  const person = () => staffOf(market, { role: "manager", hubId: hub.id });
  return {
    hub,
    eggs,
    variantId,
    vendor: await db.vendor.findUniqueOrThrow({ where: { id: eggs.vendor_id } }),
    orders,
    shoppers,
    deliveryId,
    url: `/hubs/${hub.slug}/days/${SHORT_DAY}/shorts`,
    person,
    as: await person(),
    count: (came: number, of: number, change: object = {}) => countOf(variantId, came, of, change),
    /** Current number of eggs by order. */
    left: () =>
      Promise.all(
        orders.flat().map(async (id) => {
          const lines = await db.order_item.findMany({ where: { order_id: id } });
          return lines.reduce((sum, { quantity }) => sum + quantity, 0);
        }),
      ),
    credits: () =>
      Promise.all(
        shoppers.map(
          async ({ customer }) => (await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).credit_cents,
        ),
      ),
    inventory: async () => (await db.offer.findFirstOrThrow({ where: { variant_id: variantId } })).inventory,
  };
}
