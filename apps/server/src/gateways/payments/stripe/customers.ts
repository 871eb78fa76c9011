import type { Db } from "@marketday/db";
import type Stripe from "stripe";

import { uuidOf } from "../../../lib/tokens.ts";
import type { ProviderCustomer } from "../payments.ts";
import { callStripe, isInvalid } from "./client.ts";

/** Id of a customer at Stripe; null when there is none. */
export async function stripeCustomerOf(db: Db, customerId: number): Promise<string | null> {
  const row = await db.customer.findUnique({ where: { id: customerId }, select: { stripe_customer_id: true } });
  return row?.stripe_customer_id ?? null;
}

/** Those of these ids at Stripe that are customers of this market. */
export async function findStripeCustomers(db: Db, refs: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.customer.findMany({
    where: { stripe_customer_id: { in: [...refs] } },
    select: { stripe_customer_id: true },
  });
  return new Set(rows.flatMap(({ stripe_customer_id: ref }) => ref ?? []));
}

/**
 * Id of the customer at Stripe, created when there is none. Two concurrent first payments may create two; both use the one
 * that is stored first, so that saved cards are found.
 */
async function ensureStripeCustomer(
  stripe: Stripe,
  db: Db,
  { customerId }: ProviderCustomer,
  /** Id of a customer deleted at Stripe: part of the idempotency key, or Stripe would return that customer again. */
  deleted: string | null = null,
): Promise<string> {
  const row = await db.customer.findUnique({
    where: { id: customerId },
    select: { stripe_customer_id: true, email: true },
  });
  if (row?.stripe_customer_id) return row.stripe_customer_id;
  const email = row?.email ?? null;
  const created = await callStripe(() =>
    stripe.customers.create(
      { ...(email !== null && { email }), metadata: { marketday_customer: String(customerId) } },
      {
        idempotencyKey: uuidOf(
          `stripe customer ${customerId} ${email ?? ""}${deleted === null ? "" : ` after ${deleted}`}`,
        ),
      },
    ),
  );
  await db.customer.updateMany({
    where: { id: customerId, stripe_customer_id: null },
    data: { stripe_customer_id: created.id },
  });
  return (await stripeCustomerOf(db, customerId)) ?? created.id;
}

/** Whether the customer does not exist at Stripe, for example because it was deleted in the dashboard. */
const isCustomerMissing = (error: unknown): boolean =>
  isInvalid(error) && error.code === "resource_missing" && error.param === "customer";

/**
 * Calls Stripe for a customer. When the customer was deleted there, the stored id and cards are deleted, and the call is
 * repeated for a new customer. The idempotency key must contain the customer, because Stripe stores the first response.
 */
export async function withStripeCustomer<T>(
  stripe: Stripe,
  db: Db,
  providerCustomer: ProviderCustomer,
  now: () => Date,
  call: (customer: string) => Promise<T>,
): Promise<T> {
  const customer = await ensureStripeCustomer(stripe, db, providerCustomer);
  try {
    return await call(customer);
  } catch (error) {
    if (!isCustomerMissing(error)) throw error;
    await dropStripeCustomer(db, providerCustomer.customerId, customer);
    await dropMethods(db, providerCustomer.customerId, now());
    return call(await ensureStripeCustomer(stripe, db, providerCustomer, customer));
  }
}

/** Deletes the cards of a customer who was deleted at Stripe: Stripe detached them. */
const dropMethods = (db: Db, customerId: number, now: Date) =>
  db.payment_method.updateMany({
    where: { customer_id: customerId, provider: "stripe", deleted_at: null },
    data: { deleted_at: now, is_default: false },
  });

/** Deletes the stored id of a customer at Stripe. */
export const dropStripeCustomer = (db: Db, customerId: number, ref: string) =>
  db.customer.updateMany({
    where: { id: customerId, stripe_customer_id: ref },
    data: { stripe_customer_id: null },
  });
