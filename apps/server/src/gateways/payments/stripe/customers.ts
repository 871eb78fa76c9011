import { type Db, execute, queryOne, sql } from "@marketday/db";
import type Stripe from "stripe";
import { z } from "zod";

import { uuidOf } from "../../../lib/tokens.ts";
import type { Payer } from "../payments.ts";
import { asked } from "./client.ts";

const Row = z.object({ stripe_customer_id: z.string().nullable(), email: z.string().nullable() });

/** Who a customer is at Stripe; null: they never paid there. */
export const stripeCustomerOf = async (db: Db, customerId: number): Promise<string | null> =>
  (await queryOne(db, sql`select stripe_customer_id, email from customer where id = ${customerId}::int`, Row))
    ?.stripe_customer_id ?? null;

/**
 * The customer at Stripe, made when there is none. Two first payments at once may make two there; the one that is written
 * down first is used by both, so that a saved card is found again.
 */
export async function ensureStripeCustomer(stripe: Stripe, db: Db, { customerId }: Payer): Promise<string> {
  const row = await queryOne(
    db,
    sql`select stripe_customer_id, email from customer where id = ${customerId}::int`,
    Row,
  );
  if (row?.stripe_customer_id) return row.stripe_customer_id;
  const email = row?.email ?? null;
  const made = await asked(() =>
    stripe.customers.create(
      { ...(email !== null && { email }), metadata: { marketday_customer: String(customerId) } },
      { idempotencyKey: uuidOf(`stripe customer ${customerId} ${email ?? ""}`) },
    ),
  );
  await execute(
    db,
    sql`update customer set stripe_customer_id = ${made.id} where id = ${customerId}::int and stripe_customer_id is null`,
  );
  return (await stripeCustomerOf(db, customerId)) ?? made.id;
}

/** Writes down that a customer is at Stripe no more. */
export const dropStripeCustomer = (db: Db, customerId: number, ref: string) =>
  execute(
    db,
    sql`update customer set stripe_customer_id = null where id = ${customerId}::int and stripe_customer_id = ${ref}`,
  );
