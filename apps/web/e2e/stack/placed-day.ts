import { addDays, dateFromUtc, dateToUtc } from "@marketday/domain/calendar-date";

import type { Db } from "../../../../prisma/src/client.ts";
import { runWeek } from "../../../server/src/jobs/week.ts";
import type { Context } from "../../../server/src/modules/identity/context.ts";
import { chargeDueOrders } from "../../../server/src/modules/payments/charge-order.ts";
import { hasUncharged } from "../../../server/src/modules/payments/order-charge-sql.ts";
import { createCustomer, createHubNow, createVendor, GOOD_CARD } from "../../../server/test/factories.ts";
import { addAddress, createNewProduct, newZip } from "./market.ts";

/** Password of `createCustomer`. */
const PASSWORD = "wheelbarrow";

interface PlacedDayInput {
  vendor: string;
  products: readonly { title: string; priceCents: number; inventory?: number }[];
  /** By shopper: what they order of each product, by its place; `creditCents` pays before the card. */
  boxes: readonly { name: string; quantities: readonly number[]; creditCents?: number }[];
  /** The cutoff has run, and cards were charged. */
  isClosed: boolean;
  /** So many days ago it was delivered, so that vendors are owed for it; without it the delivery is days ahead. */
  daysAgo?: number;
}

interface Reaches {
  db: Db;
  pepper: string;
  /** The server's. */
  address: string;
  hubIsOpen: (id: number) => Promise<void>;
  /** As a job of the server has it, now. */
  context: () => Context;
}

/**
 * A market with orders that shoppers have placed for its next delivery: paid, booked and taken off the stock, so that they can be lowered
 * and refunded.
 */
export async function createPlacedDay(stack: Reaches, { vendor, products, boxes, isClosed, daysAgo }: PlacedDayInput) {
  const { db, pepper, hubIsOpen } = stack;
  const zip = newZip();
  const hub = await createHubNow(db, { zips: [zip] });
  const { id: vendorId } = await createVendor(db, { name: vendor });
  await db.vendor.update({ where: { id: vendorId }, data: { email: `vendor.${vendorId}@example.com` } });
  const items: Awaited<ReturnType<typeof createNewProduct>>[] = [];
  for (const { title, priceCents, inventory = 100 } of products)
    items.push(await createNewProduct(db, hub.id, { title, priceCents, inventory, vendorId }));
  await hubIsOpen(hub.id);
  const orders: number[] = [];
  for (const { name, quantities, creditCents = 0 } of boxes) {
    const { id, email } = await createCustomer(db, {
      hubId: hub.id,
      pepper,
      firstName: name,
      zipCode: zip,
      creditCents,
    });
    await addAddress(db, id, zip);
    const lines = quantities
      .map((quantity, place) => ({ ...items[place]!, quantity }))
      .filter(({ quantity }) => quantity > 0);
    orders.push(await placeOrder(stack.address, email ?? "", lines));
  }
  const [delivery] = hub.deliveries;
  if (!delivery) throw new Error("the hub has no delivery");
  if (isClosed) await closeOrders(stack, delivery.id);
  const day = daysAgo === undefined ? delivery.day : dateToUtc(addDays(dateFromUtc(new Date()), -daysAgo));
  if (daysAgo !== undefined) await db.delivery.update({ where: { id: delivery.id }, data: { day } });
  return {
    hub: hub.slug,
    hubId: hub.id,
    name: hub.name,
    date: dateFromUtc(day),
    vendorId,
    deliveryId: delivery.id,
    variantIds: items.map(({ variant }) => variant.id),
    orders,
  };
}

/** Places an order as a shopper's app does. Answers its id. */
async function placeOrder(
  address: string,
  email: string,
  lines: readonly { id: number; variant: { id: number }; quantity: number }[],
): Promise<number> {
  let cookie = "";
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await fetch(`${address}/api${path}`, {
      method,
      headers: { "content-type": "application/json", origin: address, cookie },
      body: JSON.stringify(body),
    });
    const set = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
    if (set.length > 0) cookie = set.join("; ");
    const value = (await answer.json()) as { orderTotal: number; orderId: number };
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(value)}`);
    return value;
  };
  await send("POST", "/auth/login", { username: email, password: PASSWORD });
  await send(
    "PUT",
    "/cart",
    lines.map(({ id, variant, quantity }) => ({ productId: id, variantId: variant.id, quantity })),
  );
  const choice = { type: "delivery", tipPercentage: 0 };
  const { orderTotal } = await send("POST", "/checkout/quote", choice);
  const card = { card: GOOD_CARD, savePaymentMethod: true };
  return (await send("POST", "/checkout", { ...choice, ...card, expectedTotal: orderTotal })).orderId;
}

/** As long as charges of another worker take at most, ms. */
const CHARGES_MS = 15_000;

/** Closes the orders of a delivery as its cutoff does, and charges them. */
async function closeOrders({ db, context }: Reaches, deliveryId: number): Promise<void> {
  const before = new Date(Date.now() - 60_000);
  await db.delivery.update({
    where: { id: deliveryId },
    data: { auto_checkout_at: new Date(before.getTime() - 36 * 3_600_000), cutoff_at: before },
  });
  // A run of the server's own may have begun it.
  for (;;) {
    await runWeek(context());
    const run = await db.delivery_run.findFirst({ where: { delivery_id: deliveryId, step: "cutoff", state: "done" } });
    if (run) break;
  }
  // The server's own worker may be charging some of them. A charge that waits for its retry is not waited for.
  const until = Date.now() + CHARGES_MS;
  do await chargeDueOrders(context());
  while (Date.now() < until && (await hasUncharged(db, deliveryId)));
}
