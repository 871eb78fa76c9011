import type { Client } from "@marketday/db";
import { addMs, Minute } from "@marketday/domain/time";

import { sha256 } from "../../lib/tokens.ts";
import type { StaffId } from "../identity/context.ts";

/** How long a challenge may be answered. */
export const CHALLENGE_MS = 5 * Minute.ms;

/** What a challenge is for; the answer of one kind never passes for another. */
export interface ChallengeUse {
  purpose: "sign_in" | "invite" | "add_passkey" | "step_up";
  /** The token of the browser's cookie (before a session), or the session's id. */
  browser: string;
  /** Null: any person, who signs in. */
  staffId: StaffId | null;
}

/** Stores a challenge (base64url) that is answered once, within five minutes, in the browser that requested it. */
export async function insertChallenge(
  db: Client,
  challenge: string,
  { purpose, browser, staffId }: ChallengeUse,
  now: Date,
): Promise<void> {
  await db.staff_challenge.create({
    data: {
      challenge_hash: sha256(challenge),
      purpose,
      browser: sha256(browser),
      staff_id: staffId,
      expires_at: addMs(now, CHALLENGE_MS),
    },
  });
}

/**
 * Uses up a challenge: of two answers at once, one succeeds.
 * @returns null, or why it was refused, for the audit log
 */
export async function takeChallenge(
  db: Client,
  challenge: string,
  { purpose, browser, staffId }: ChallengeUse,
  now: Date,
): Promise<string | null> {
  const challenge_hash = sha256(challenge);
  const { count } = await db.staff_challenge.updateMany({
    where: {
      challenge_hash,
      purpose,
      browser: sha256(browser),
      staff_id: staffId,
      used_at: null,
      expires_at: { gt: now },
    },
    data: { used_at: now },
  });
  if (count === 1) return null;
  const row = await db.staff_challenge.findUnique({ where: { challenge_hash } });
  if (!row) return "unknown challenge";
  if (row.purpose !== purpose) return "challenge of another purpose";
  if (row.staff_id !== staffId) return "challenge of another person";
  if (row.browser !== sha256(browser)) return "challenge of another browser";
  return row.used_at === null ? "expired challenge" : "challenge used before";
}

/** Binds the unanswered challenges of a session to its new id, so that two tabs can step up at the same time. */
export async function moveChallenges(
  db: Client,
  { staffId, from, to }: { staffId: StaffId; from: string; to: string },
): Promise<void> {
  await db.staff_challenge.updateMany({
    where: { staff_id: staffId, browser: sha256(from), used_at: null },
    data: { browser: sha256(to) },
  });
}

/** Deletes challenges that had expired at an instant: at most `rows` at once. */
export const deleteOldChallenges = async (db: Client, now: Date, rows: number): Promise<number> =>
  (await db.staff_challenge.deleteMany({ where: { expires_at: { lt: now } }, limit: rows })).count;
