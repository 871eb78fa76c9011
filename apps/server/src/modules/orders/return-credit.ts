import type { Tx } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";

/** Adds to a customer's store credit. Cents. */
export const returnCredit = (tx: Tx, customerId: CustomerId, amountCents: number) =>
  tx.customer.updateMany({ where: { id: customerId }, data: { credit_cents: { increment: amountCents } } });
