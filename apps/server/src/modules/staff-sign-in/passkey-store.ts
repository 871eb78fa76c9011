import type { Client } from "@marketday/db";

import type { StaffId } from "../identity/context.ts";

/** A passkey with its person; null when there is none. */
export const findPasskey = (db: Client, id: string) =>
  db.staff_passkey.findUnique({
    where: { id },
    select: {
      id: true,
      name: true,
      public_key: true,
      counter: true,
      transports: true,
      staff: { select: { id: true, email: true, name: true, disabled_at: true } },
    },
  });
export type PasskeyRow = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

/** A person's passkeys, oldest first. */
export const findPasskeys = (db: Client, staffId: StaffId) =>
  db.staff_passkey.findMany({
    where: { staff_id: staffId },
    select: { id: true, name: true, transports: true, created_at: true, last_used_at: true, is_synced: true },
    orderBy: [{ created_at: "asc" }, { id: "asc" }],
  });

export const countPasskeys = (db: Client, staffId: StaffId): Promise<number> =>
  db.staff_passkey.count({ where: { staff_id: staffId } });

export interface NewPasskeyRow {
  id: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
  isSynced: boolean;
}

/** Stores a passkey; false when a passkey with this id exists, of this person or another. */
export async function insertPasskey(
  db: Client,
  passkey: NewPasskeyRow,
  { staffId, name, now }: { staffId: StaffId; name: string; now: Date },
): Promise<boolean> {
  const { count } = await db.staff_passkey.createMany({
    data: {
      id: passkey.id,
      staff_id: staffId,
      name,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      is_synced: passkey.isSynced,
      created_at: now,
    },
    skipDuplicates: true,
  });
  return count === 1;
}

/**
 * Stores a use of a passkey. An authenticator that counts must count up; one that does not count always sends 0.
 * @returns false when the counter did not go up, or the passkey was removed in the meantime
 */
export async function advanceCounter(
  db: Client,
  { id, counter, isSynced, now }: { id: string; counter: number; isSynced: boolean; now: Date },
): Promise<boolean> {
  const { count } = await db.staff_passkey.updateMany({
    where: { id, OR: [{ counter: { lt: counter } }, ...(counter === 0 ? [{ counter: 0 }] : [])] },
    data: { counter, is_synced: isSynced, last_used_at: now },
  });
  return count === 1;
}

/** Deletes a passkey of a person; null when it is not theirs, else its name. */
export async function deletePasskey(db: Client, staffId: StaffId, id: string): Promise<string | null> {
  const own = await db.staff_passkey.findFirst({ where: { id, staff_id: staffId }, select: { name: true } });
  if (!own) return null;
  await db.staff_passkey.delete({ where: { id } });
  return own.name;
}
