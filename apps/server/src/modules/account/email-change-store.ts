import type { Tx } from "@marketday/db";
import { cleanCode } from "@marketday/domain/text";

import { asCustomerId, type CustomerId } from "../identity/context.ts";

interface NewEmailChange {
  customerId: CustomerId;
  oldEmail: string;
  newEmail: string;
  tokenHash: string;
  expiresAt: Date;
  now: Date;
}

/** Records a replaced address, with the link that restores it. */
export async function insertEmailChange(tx: Tx, change: NewEmailChange): Promise<void> {
  await tx.email_change.create({
    data: {
      customer_id: change.customerId,
      old_email: change.oldEmail,
      new_email: change.newEmail,
      token_hash: change.tokenHash,
      created_at: change.now,
      expires_at: change.expiresAt,
    },
  });
}

/** The change that a valid link undoes; null for any other link. */
export async function findOpenEmailChange(tx: Tx, tokenHash: string, now: Date) {
  const row = await tx.email_change.findFirst({
    where: { token_hash: tokenHash, undone_at: null, expires_at: { gt: now } },
    select: { id: true, customer_id: true, old_email: true },
  });
  // Older versions stored what was pasted.
  return (
    row && {
      id: row.id,
      customerId: asCustomerId(row.customer_id),
      oldEmail: cleanCode(row.old_email).toLowerCase(),
    }
  );
}

/** Restores an address and invalidates the links of this and all later changes. Throws a unique violation. */
export async function restoreEmail(
  tx: Tx,
  change: { id: number; customerId: CustomerId; oldEmail: string },
  now: Date,
): Promise<void> {
  await tx.customer.updateMany({ where: { id: change.customerId }, data: { email: change.oldEmail } });
  await tx.email_change.updateMany({
    where: { customer_id: change.customerId, id: { gte: change.id }, undone_at: null },
    data: { undone_at: now },
  });
}
