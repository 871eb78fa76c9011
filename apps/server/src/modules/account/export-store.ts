import type { Client, Prisma, Tx } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";

/** Stores the hash of a data link. */
export async function insertExport(
  tx: Tx,
  { tokenHash, customerId, now, expiresAt }: { tokenHash: string; customerId: CustomerId; now: Date; expiresAt: Date },
): Promise<void> {
  await tx.data_export.create({
    data: { token_hash: tokenHash, customer_id: customerId, created_at: now, expires_at: expiresAt },
  });
}

/** Deletes the data of a mail when it is sent. */
export async function markSecret(tx: Tx, key: string): Promise<void> {
  await tx.mail.updateMany({ where: { key }, data: { is_secret: true } });
}

/** A data link that is not used and not expired. A deleted account has none (`forgetBelongings`). */
const openLink = (tokenHash: string, now: Date) =>
  ({ token_hash: tokenHash, used_at: null, expires_at: { gt: now } }) satisfies Prisma.data_exportWhereInput;

/** Whether a data link still works. */
export const hasOpenExport = async (db: Client, tokenHash: string, now: Date): Promise<boolean> =>
  (await db.data_export.count({ where: openLink(tokenHash, now) })) > 0;

/** Uses a data link up. Null: it is used, expired or unknown, or its account was deleted. */
export async function redeemExport(db: Client, tokenHash: string, now: Date): Promise<{ customer_id: number } | null> {
  const [used] = await db.data_export.updateManyAndReturn({
    where: openLink(tokenHash, now),
    data: { used_at: now },
    select: { customer_id: true },
  });
  return used ?? null;
}

/** Uses every data link of a customer up. */
export async function endExports(tx: Tx, customerId: CustomerId, now: Date): Promise<void> {
  await tx.data_export.updateMany({ where: { customer_id: customerId, used_at: null }, data: { used_at: now } });
}

/** The files of the pictures of a customer's problem reports. */
export const findPhotosOf = (db: Client, customerId: CustomerId) =>
  db.problem_photo.findMany({
    where: { report: { customer_id: customerId } },
    select: { report_id: true, file: true },
    orderBy: [{ report_id: "asc" }, { file: "asc" }],
  });
