import { execute, query, sql } from "@marketday/db";
import { z } from "zod";

import type { TestMarket } from "./app.ts";
import { CARD_YEAR } from "./card-year.ts";
import { ADDRESS, createHubNow, createProduct } from "./factories.ts";

/** A hub with an open cycle whose auto-checkout is due by the real clock, and `carts` customers with carts. */
export async function dueHub({ db }: TestMarket, carts: number) {
  const hub = await createHubNow(db);
  const eggs = await createProduct(db, hub.id, { priceCents: 700, inventory: carts * 5 });
  const [first] = hub.deliveries;
  await execute(
    db,
    sql`update delivery set cutoff_at = date_trunc('second', now()) + interval '36 hours', auto_checkout_at = date_trunc('second', now()) where id = ${first!.id}::int`,
  );
  await execute(
    db,
    sql`insert into delivery_run (delivery_id, step, state, lease_until, started_at, done_at) values (${first!.id}::int, 'open', 'done', now(), now(), now())`,
  );
  await execute(
    db,
    sql`with people as (
          insert into customer (email, first_name, last_name, hub_id, auto_checkout_status, default_tip)
          select 'auto' || ${hub.id}::int || '.' || n || '@example.com', 'Ada', 'Baker', ${hub.id}::int, 1, 10
          from generate_series(1, ${carts}::int) n returning id),
        homes as (
          insert into address (customer_id, address, city, state, zip_code, is_default)
          select id, ${ADDRESS.address}, 'Carmel', 'IN', '46032', true from people),
        cards as (
          insert into payment_method (customer_id, provider, provider_ref, brand, last4, exp_month, exp_year, is_default)
          select id, 'test', 'tpm_' || ${Buffer.from("4242424242424242").toString("base64url")} || '.' || id, 'visa', '4242', 12, ${CARD_YEAR}::int, true from people),
        carts as (insert into cart (customer_id) select id from people returning id)
        insert into cart_item (cart_id, variant_id, quantity, seen_price_cents) select id, ${eggs.variant.id}::int, 2, 700 from carts`,
  );
  return { hub, delivery: first!, eggs };
}

const Count = z.object({ customers: z.number(), orders: z.number(), late: z.number() });
/** Automatic orders of a delivery: number of customers, of orders, and of orders at or after the cutoff. */
export const countOf = async ({ db }: TestMarket, deliveryId: number) =>
  (
    await query(
      db,
      sql`select count(distinct customer_id)::int as customers, count(*)::int as orders,
            count(*) filter (where o.created_at >= d.cutoff_at)::int as late
          from orders o join delivery d on d.id = o.delivery_id where o.delivery_id = ${deliveryId}::int and o.source = 'auto' and o.status <> 'cancelled'`,
      Count,
    )
  )[0]!;
