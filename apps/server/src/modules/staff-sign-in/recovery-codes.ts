import { createHmac, hkdfSync, randomInt } from "node:crypto";

import type { Client, Tx } from "@marketday/db";
import { RECOVERY_CODES } from "@marketday/domain/staff";

import type { StaffId } from "../identity/context.ts";

/** Letters and digits that are not mistaken for each other. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** 60 random bits as three groups of four. */
const newCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(""),
  ).join("-");

/**
 * The hash of a code without regard to case, spaces and dashes. Keyed by the pepper (setting PASSWORD_PEPPER): a stolen database alone
 * cannot be searched for codes, and with another pepper no code fits.
 */
function hashCode(pepper: string, staffId: number, code: string): string {
  const key = Buffer.from(hkdfSync("sha256", pepper, "", "marketday staff recovery code", 32));
  const plain = code.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
  return createHmac("sha256", key).update(`${staffId}:${plain}`).digest("hex");
}

/**
 * Replaces a person's recovery codes.
 * @returns the new ones, which are stored only as hashes: they are shown once
 */
export async function replaceCodes(tx: Tx, pepper: string, staffId: StaffId, now: Date): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await tx.staff_recovery_code.deleteMany({ where: { staff_id: staffId } });
  await tx.staff_recovery_code.createMany({
    data: codes.map((code) => ({ code_hash: hashCode(pepper, staffId, code), staff_id: staffId, created_at: now })),
  });
  return codes;
}

/** The hash of a person's unused code; null when it is none. `staffId` 0: the same work for an email of no person. */
export async function findCode(db: Client, pepper: string, staffId: number, code: string): Promise<string | null> {
  const row = await db.staff_recovery_code.findFirst({
    where: { code_hash: hashCode(pepper, staffId, code), staff_id: staffId, used_at: null },
    select: { code_hash: true },
  });
  return row && row.code_hash;
}

/** Uses a code; false when it was used or replaced in the meantime. */
export async function takeCode(db: Client, codeHash: string, now: Date): Promise<boolean> {
  const { count } = await db.staff_recovery_code.updateMany({
    where: { code_hash: codeHash, used_at: null },
    data: { used_at: now },
  });
  return count === 1;
}

export const countCodes = (db: Client, staffId: StaffId): Promise<number> =>
  db.staff_recovery_code.count({ where: { staff_id: staffId, used_at: null } });
