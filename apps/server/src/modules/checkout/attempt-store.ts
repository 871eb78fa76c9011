import type { Client, Prisma } from "@marketday/db";
import { attemptTransitions } from "@marketday/domain/checkout";
import { statesBefore } from "@marketday/domain/order";

import type { CustomerId } from "../identity/context.ts";
import type { AttemptRow, OwnedAttempt } from "./attempt-sql.ts";

const shownAttempt = {
  id: true,
  customer_id: true,
  cart_id: true,
  hub_id: true,
  source: true,
  state: true,
  choice: true,
  plan: true,
  amount_due_cents: true,
  payment_id: true,
  failure: true,
  idempotency_key: true,
  lease_until: true,
  fencing_token: true,
  expires_at: true,
  created_at: true,
  payment: { select: { charge_key: true, provider_ref: true } },
  orders: { select: { id: true }, orderBy: { attempt_part: "asc" } },
} satisfies Prisma.checkout_attemptSelect;

function toAttempt(row: Prisma.checkout_attemptGetPayload<{ select: typeof shownAttempt }>): AttemptRow {
  const { payment, orders, ...attempt } = row;
  return {
    ...(attempt as unknown as Omit<AttemptRow, "charge_key" | "provider_ref" | "order_ids">),
    charge_key: payment?.charge_key ?? attempt.id,
    provider_ref: payment?.provider_ref ?? null,
    order_ids: orders.map(({ id }) => id),
  };
}

export async function findAttempt(db: Client, id: string): Promise<AttemptRow | null> {
  const row = await db.checkout_attempt.findUnique({ where: { id }, select: shownAttempt });
  return row && toAttempt(row);
}

/** A customer's latest attempt with this idempotency key, in any state. */
export async function findAttemptByKey(db: Client, customerId: CustomerId, key: string): Promise<AttemptRow | null> {
  const row = await db.checkout_attempt.findFirst({
    where: { idempotency_key: key, customer_id: customerId },
    select: shownAttempt,
    orderBy: { created_at: "desc" },
  });
  return row && toAttempt(row);
}

/** Releases an attempt's lease early, so that the next retry can take it over immediately. */
export const releaseAttemptLease = (db: Client, id: string, now: Date) =>
  db.checkout_attempt.updateMany({ where: { id, state: "held" }, data: { lease_until: now } });

/** Extends the lease. False when the attempt is finished or another worker has taken it over (failures.md C7). */
export async function extendLease(db: Client, attempt: OwnedAttempt, until: Date): Promise<boolean> {
  const { count } = await db.checkout_attempt.updateMany({
    where: {
      id: attempt.id,
      fencing_token: attempt.fencing_token,
      state: { in: statesBefore(attemptTransitions, "placed") },
    },
    data: { lease_until: until },
  });
  return count === 1;
}
