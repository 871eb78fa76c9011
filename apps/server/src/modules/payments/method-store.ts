import type { Client, Prisma, Tx } from "@marketday/db";

import { asCustomerId, type CustomerId } from "../identity/context.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { lockMethod, lockMethods } from "./method-sql.ts";

const shownMethod = {
  id: true,
  provider_ref: true,
  brand: true,
  last4: true,
  exp_month: true,
  exp_year: true,
  is_default: true,
} satisfies Prisma.payment_methodSelect;
export type MethodRow = Prisma.payment_methodGetPayload<{ select: typeof shownMethod }>;

/** The customer's cards with this provider, the default first. */
export const findMethods = (db: Client, customerId: CustomerId, provider: string): Promise<MethodRow[]> =>
  db.payment_method.findMany({
    where: { customer_id: customerId, provider, deleted_at: null },
    select: shownMethod,
    orderBy: [{ is_default: "desc" }, { id: "desc" }],
  });

/** The provider's reference of the customer's saved card; null: it was removed, or is another customer's. */
export async function findMethodRef(db: Client, customerId: CustomerId, id: number): Promise<string | null> {
  const method = await db.payment_method.findFirst({
    where: { id, customer_id: customerId, deleted_at: null },
    select: { provider_ref: true },
  });
  return method?.provider_ref ?? null;
}

/** A customer's orders that have no charge and will be charged on the default card. */
const needsCard = (db: Client) =>
  ({
    status: { in: ["future", "open", "pending", "closed"] },
    order_total_cents: { gt: db.order.fields.credit_cents },
    written_off_at: null,
    OR: [
      { payment_id: null },
      {
        payment: {
          provider: { not: "offline" },
          OR: [
            { state: { in: ["created", "failed", "voided"] } },
            { state: "authorized", hold_lost_at: { not: null } },
          ],
        },
      },
    ],
  }) satisfies Prisma.orderWhereInput;

/**
 * Whether this card is needed: by an order that it holds money for, a checkout that is under way, an order that will be charged
 * on the default card, or a pass that renews. The card's row is locked first, so that what is written at this moment
 * counts. Null: not the customer's.
 */
export async function findUse(
  tx: Tx,
  customerId: CustomerId,
  id: number,
): Promise<{ in_use: boolean; provider_ref: string } | null> {
  await lockMethods(tx, customerId);
  if (!(await lockMethod(tx, customerId, id))) return null;
  const one = { select: { id: true }, take: 1 } as const;
  const method = await tx.payment_method.findUniqueOrThrow({
    where: { id },
    // One statement, so one moment: a checkout that commits meanwhile is seen as held or as an order.
    relationLoadStrategy: "join",
    select: {
      provider_ref: true,
      is_default: true,
      payments: {
        where: { state: "authorized", orders: { some: { status: { in: ["open", "future", "pending"] } } } },
        ...one,
      },
      customer: {
        select: {
          attempts: {
            where: { state: { in: ["held", "challenge"] }, choice: { path: ["paymentMethodId"], equals: id } },
            ...one,
          },
          wagon_passes: { where: { status: "active" }, ...one },
          orders: { where: needsCard(tx), ...one },
        },
      },
    },
  });
  const { attempts, wagon_passes: passes, orders } = method.customer;
  const isCharged = method.is_default && (passes.length > 0 || orders.length > 0);
  return {
    in_use: method.payments.length > 0 || attempts.length > 0 || isCharged,
    provider_ref: method.provider_ref,
  };
}

/** Takes a card off; the newest of the others becomes the default. @returns whether it was the default */
export async function removeMethod(tx: Tx, customerId: CustomerId, id: number, now: Date): Promise<boolean> {
  const own = { id, customer_id: customerId };
  const removed = { deleted_at: now, is_default: false };
  const wasDefault =
    (await tx.payment_method.updateMany({ where: { ...own, is_default: true }, data: removed })).count === 1;
  if (!wasDefault) await tx.payment_method.updateMany({ where: own, data: removed });
  const next = await tx.payment_method.findFirst({
    where: { customer_id: customerId, deleted_at: null },
    select: { id: true, is_default: true },
    orderBy: [{ is_default: "desc" }, { id: "desc" }],
  });
  if (next && !next.is_default)
    await tx.payment_method.updateMany({ where: { id: next.id }, data: { is_default: true } });
  return wasDefault;
}

/**
 * A card that the provider no longer has: another one becomes the default, and where an order needs a card the shopper gets a
 * mail that says which card is charged now, or that there is none. Null: it was gone already.
 */
export async function deleteLostMethod(
  tx: Tx,
  provider: string,
  ref: string,
  now: Date,
): Promise<{ customerId: CustomerId; wasDefault: boolean } | null> {
  const method = await tx.payment_method.findUnique({
    where: { provider_provider_ref: { provider, provider_ref: ref }, deleted_at: null },
    select: { id: true, customer_id: true },
  });
  if (!method) return null;
  const customerId = asCustomerId(method.customer_id);
  await lockMethods(tx, customerId);
  const lost = await lockMethod(tx, customerId, method.id);
  if (!lost) return null;
  await removeMethod(tx, customerId, method.id, now);
  if (!lost.is_default) return { customerId, wasDefault: false };
  const owner = await tx.customer.findUniqueOrThrow({
    where: { id: customerId },
    select: {
      payment_methods: { where: { is_default: true, deleted_at: null }, select: { last4: true }, take: 1 },
      orders: { where: needsCard(tx), select: { id: true }, orderBy: { id: "asc" }, take: 1 },
    },
  });
  const [order] = owner.orders;
  if (order)
    await enqueueMail(tx, {
      key: `card-removed:${method.id}`,
      template: "card-removed",
      customerId,
      data: { last4: lost.last4, nextLast4: owner.payment_methods[0]?.last4 ?? null, orderId: order.id },
      now,
    });
  return { customerId, wasDefault: true };
}
