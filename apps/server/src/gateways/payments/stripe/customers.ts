import { type Db, execute, queryOne, sql } from "@marketday/db";
import type Stripe from "stripe";
import { z } from "zod";

import { uuidOf } from "../../../lib/tokens.ts";
import type { ProviderCustomer } from "../payments.ts";
import { callStripe, isInvalid } from "./client.ts";

const Row = z.object({ stripe_customer_id: z.string().nullable(), email: z.string().nullable() });

/** Who a customer is at Stripe; null: they never paid there. */
export const stripeCustomerOf = async (db: Db, customerId: number): Promise<string | null> =>
  (await queryOne(db, sql`select stripe_customer_id, email from customer where id = ${customerId}::int`, Row))
    ?.stripe_customer_id ?? null;

/**
 * The customer at Stripe, made when there is none. Two first payments at once may make two there; the one that is written
 * down first is used by both, so that a saved card is found again.
 */
async function ensureStripeCustomer(
  stripe: Stripe,
  db: Db,
  { customerId }: ProviderCustomer,
  /** One that is gone at Stripe: the new one is made under another key, or Stripe would answer with the same. */
  gone: string | null = null,
): Promise<string> {
  const row = await queryOne(
    db,
    sql`select stripe_customer_id, email from customer where id = ${customerId}::int`,
    Row,
  );
  if (row?.stripe_customer_id) return row.stripe_customer_id;
  const email = row?.email ?? null;
  const made = await callStripe(() =>
    stripe.customers.create(
      { ...(email !== null && { email }), metadata: { marketday_customer: String(customerId) } },
      {
        idempotencyKey: uuidOf(`stripe customer ${customerId} ${email ?? ""}${gone === null ? "" : ` after ${gone}`}`),
      },
    ),
  );
  await execute(
    db,
    sql`update customer set stripe_customer_id = ${made.id} where id = ${customerId}::int and stripe_customer_id is null`,
  );
  return (await stripeCustomerOf(db, customerId)) ?? made.id;
}

/** Whether Stripe says that there is no such customer: deleted in the dashboard, say. */
const isCustomerGone = (error: unknown): boolean =>
  isInvalid(error) && error.code === "resource_missing" && error.param === "customer";

/**
 * Calls Stripe for a customer. One that was deleted there is dropped here with the cards that went with it, and the call is
 * made once more for a new one. The customer belongs into the idempotency key: Stripe keeps
 * the answer to the first call.
 */
export async function withStripeCustomer<T>(
  stripe: Stripe,
  db: Db,
  payer: ProviderCustomer,
  now: () => Date,
  call: (customer: string) => Promise<T>,
): Promise<T> {
  const customer = await ensureStripeCustomer(stripe, db, payer);
  try {
    return await call(customer);
  } catch (error) {
    if (!isCustomerGone(error)) throw error;
    await dropStripeCustomer(db, payer.customerId, customer);
    await dropMethods(db, payer.customerId, now());
    return call(await ensureStripeCustomer(stripe, db, payer, customer));
  }
}

/** The cards of a customer who is gone at Stripe: Stripe detached them. */
const dropMethods = (db: Db, customerId: number, now: Date) =>
  execute(
    db,
    sql`update payment_method set deleted_at = ${now}, is_default = false
        where customer_id = ${customerId}::int and provider = 'stripe' and deleted_at is null`,
  );

/** Writes down that a customer is at Stripe no more. */
export const dropStripeCustomer = (db: Db, customerId: number, ref: string) =>
  execute(
    db,
    sql`update customer set stripe_customer_id = null where id = ${customerId}::int and stripe_customer_id = ${ref}`,
  );
