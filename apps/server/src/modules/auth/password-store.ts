import type { Client, Prisma, Tx } from "@marketday/db";

import { asCustomerId, type CustomerId } from "../identity/context.ts";

const shownOwner = {
  id: true,
  email: true,
  first_name: true,
  last_name: true,
  password_hash: true,
  hub: { select: { name: true } },
} satisfies Prisma.customerSelect;
type OwnerRow = Prisma.customerGetPayload<{ select: typeof shownOwner }>;

export type PasswordOwner = Omit<OwnerRow, "id" | "email" | "hub"> & {
  id: CustomerId;
  email: string;
  /** The name of the customer's market; null without one. */
  hub_name: string | null;
};

/** Null: the account is deleted, which empties the email. */
const ownerOf = ({ hub, ...row }: OwnerRow): PasswordOwner | null =>
  row.email === null ? null : { ...row, id: asCustomerId(row.id), email: row.email, hub_name: hub?.name ?? null };

/** A reset link that is not used and not expired. */
const openReset = (tokenHash: string, now: Date) =>
  ({ token_hash: tokenHash, used_at: null, expires_at: { gt: now } }) satisfies Prisma.password_resetWhereInput;

/** The customer of a valid reset link. */
export async function findResetOwner(db: Client, tokenHash: string, now: Date): Promise<PasswordOwner | null> {
  const reset = await db.password_reset.findFirst({
    where: { ...openReset(tokenHash, now), customer: { deleted_at: null } },
    select: { customer: { select: shownOwner } },
  });
  return reset && ownerOf(reset.customer);
}

export async function findPasswordOwner(db: Client, customerId: CustomerId): Promise<PasswordOwner | null> {
  const row = await db.customer.findUnique({ where: { id: customerId, deleted_at: null }, select: shownOwner });
  return row && ownerOf(row);
}

/** Marks a reset link as used; false when it was used already. */
export const claimReset = async (tx: Tx, tokenHash: string, now: Date): Promise<boolean> =>
  (await tx.password_reset.updateMany({ where: openReset(tokenHash, now), data: { used_at: now } })).count === 1;

async function writePassword(tx: Tx, customerId: CustomerId, passwordHash: string | null, now: Date): Promise<void> {
  await tx.customer.updateMany({
    where: { id: customerId },
    data: { password_hash: passwordHash, password_changed_at: now },
  });
  await endResets(tx, customerId, now);
}

/** Sets a password and invalidates older reset links. */
export const setPassword = (tx: Tx, customerId: CustomerId, passwordHash: string, now: Date): Promise<void> =>
  writePassword(tx, customerId, passwordHash, now);

/** Removes the password and invalidates reset links: nothing but a new reset link opens the account. */
export const clearPassword = (tx: Tx, customerId: CustomerId, now: Date): Promise<void> =>
  writePassword(tx, customerId, null, now);

export async function endResets(tx: Tx, customerId: CustomerId, now: Date): Promise<void> {
  await tx.password_reset.updateMany({ where: { customer_id: customerId, used_at: null }, data: { used_at: now } });
}
