import { type Db, query, sql } from "@marketday/db";
import type { Request } from "autocannon";

import type { Browser } from "./shoppers.ts";

/** The market, or the floor server beside it. */
export type Side = keyof Browser;

/** A product's first variant. */
export interface Sold {
  product: number;
  variant: number;
  title: string;
}

/** At most 2,000 products of which there are plenty, the same each time. */
export const findSold = (db: Db): Promise<Sold[]> =>
  query<Sold>(
    db,
    sql`select p.id as product, v.id as variant, p.title
        from product p join variant v on v.product_id = p.id and v.position = 0 join offer o on o.variant_id = v.id and o.inventory > 3
        order by p.id limit 2000`,
  );

/** Products of which there are one to three, each as often as there are: the order of the last one sells it out. */
export const findScarce = (db: Db): Promise<Sold[]> =>
  query<Sold>(
    db,
    sql`select p.id as product, v.id as variant, p.title
        from product p join variant v on v.product_id = p.id join offer o on o.variant_id = v.id and o.inventory between 1 and 3
          cross join generate_series(1, o.inventory)
        order by p.id limit 2000`,
  );

const json = { "content-type": "application/json" };

/** Puts one unit into the cart. */
export const putRequest = (side: Side, browser: Browser, { product, variant }: Sold): Request => ({
  method: "PUT",
  path: side === "market" ? "/api/cart" : "/cart",
  headers: { ...browser[side], ...json },
  body: JSON.stringify(
    side === "market" ? [{ productId: product, variantId: variant, quantity: 1 }] : { productId: product, quantity: 1 },
  ),
});

const CHOICE = { type: "delivery", tipPercentage: 10 };
const WITH_ADDRESS = {
  ...CHOICE,
  deliveryAddress: { address: "12 Main Street", city: "Chicago", state: "IL", zipCode: "60614" },
  card: { number: "4242424242424242", expMonth: 12, expYear: 2040, cvc: "123" },
};

/** Orders these products as a shopper does: a request for each, a quote without and one with the address, and the order. */
export async function placeOrder(
  { address, side, browser }: { address: string; side: Side; browser: Browser },
  products: readonly Sold[],
): Promise<void> {
  const send = async (method: string, path: string, body?: string, more = {}) => {
    const headers = { ...browser[side], ...(body !== undefined && json), ...more };
    const response = await fetch(address + path, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as { orderTotal: number };
  };
  for (const product of products) {
    const { method, path, body } = putRequest(side, browser, product);
    await send(method, path, body);
  }
  if (side === "market") {
    await send("POST", "/api/checkout/quote", JSON.stringify(CHOICE));
    const { orderTotal } = await send("POST", "/api/checkout/quote", JSON.stringify(WITH_ADDRESS));
    const order = JSON.stringify({ ...WITH_ADDRESS, expectedTotal: orderTotal });
    await send("POST", "/api/checkout", order, { "idempotency-key": crypto.randomUUID() });
  } else {
    await send("GET", "/cart");
    await send("GET", "/cart");
    await send("POST", "/orders");
  }
}
