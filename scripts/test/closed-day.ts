import { buildTestApp } from "@marketday/server/testing/app";
import { ADDRESS, CHOICE, createHubNow, createProduct } from "@marketday/server/testing/factories";
import { signIn } from "@marketday/server/testing/sign-in";
import { expect } from "vitest";

import type { OperatedMarket } from "./market.ts";

/** The quantities of a box: of the item, then of each add-on. */
type BoxToOrder = readonly [number, ...number[]];

/**
 * Creates a hub with one delivery day after its cutoff by the real clock, with one box per shopper in the order of `boxes`:
 * the first is in tote 1. `payments`: "test" (cards) or "offline" (paid at the door).
 */
export async function closedDay(
  market: OperatedMarket,
  {
    slug,
    title,
    boxes,
    payments = "test",
  }: { slug: string; title: string; boxes: readonly BoxToOrder[]; payments?: "test" | "offline" },
) {
  const { db } = market;
  const now = new Date();
  const app = await buildTestApp({ url: market.url, now: now.toISOString(), env: { PAYMENTS: payments } });
  const hub = await createHubNow(db);
  await db.hub.update({ where: { id: hub.id }, data: { slug } });
  const product = await createProduct(db, hub.id, { title, priceCents: 700, inventory: 1_000 });
  const vendor = await db.vendor.findUniqueOrThrow({ where: { id: product.vendor_id } });
  const choice =
    payments === "test"
      ? { ...CHOICE, savePaymentMethod: true }
      : { type: "delivery", deliveryAddress: ADDRESS, tipPercentage: 0 };
  const orders: number[][] = [];
  const emails: string[] = [];
  for (const quantities of boxes) {
    const shopper = await signIn(app, { hubId: hub.id });
    emails.push(shopper.customer.email!);
    const ids: number[] = [];
    for (const quantity of quantities) {
      app.clock.advance(10);
      await shopper.put("/cart", [product.line(quantity)]);
      const { body: quote } = await shopper.post("/checkout/quote", choice);
      const { status, body } = await shopper.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
      expect(status, JSON.stringify(body)).toBe(201);
      ids.push(body.orderId as number);
    }
    orders.push(ids);
  }
  const { delivery } = await db.order.findUniqueOrThrow({ where: { id: orders[0]![0]! }, include: { delivery: true } });
  // The commands use the real clock: the cutoff was a second ago.
  const cutoff = now.getTime() - 1_000;
  await db.delivery.update({
    where: { id: delivery.id },
    data: { cutoff_at: new Date(cutoff), auto_checkout_at: new Date(cutoff - 36 * 3_600_000) },
  });
  expect(await market.run("jobs", "run")).toMatchObject({ code: 0 });
  const day = delivery.day.toISOString().slice(0, 10);
  const statusOf = async (id: number) => (await db.order.findUniqueOrThrow({ where: { id } })).status;
  return { hub, slug, day, product, vendor, orders, emails, deliveryId: delivery.id, statusOf };
}
