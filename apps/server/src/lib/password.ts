import { createHmac } from "node:crypto";

import { checkPassword } from "@marketday/domain/password";
import argon2 from "argon2";
import pLimit from "p-limit";

import { AppError, unavailable } from "./app-error.ts";

/** 19 MiB, two passes: about 23 hashes a second on two cores, so two at once and a short queue (docs/failures.md). */
const COST = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const AT_ONCE = 2;
const QUEUE = 40;

const limited = pLimit(AT_ONCE);

/** Runs at most two hashes at a time; 503 before hashing when the queue is full (failures.md F13). */
async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (limited.activeCount + limited.pendingCount >= AT_ONCE + QUEUE)
    throw unavailable("We are very busy. Please try again in a moment.", "busy");
  return limited(work);
}

/** The pepper (setting PASSWORD_PEPPER) is not in the database: a stolen database alone cannot be attacked. */
const prepare = (password: string, pepper: string) =>
  createHmac("sha256", pepper).update(password.normalize("NFKC")).digest("base64");

/** The result names its `cost`, so a password is verified at the cost of its hash. */
export const hashPassword = (
  password: string,
  pepper: string,
  cost: { memoryCost: number; timeCost: number } = COST,
): Promise<string> => bounded(() => argon2.hash(prepare(password, pepper), { ...COST, ...cost }));

/** A hash of no account, so that an unknown email takes as long as a wrong password (failures.md F16). */
let decoy: Promise<string> | undefined;

/** Whether the password matches. Without a hash it does the same work and returns false. */
export async function verifyPassword(hash: string | null, password: string, pepper: string): Promise<boolean> {
  decoy ??= argon2.hash("decoy", COST);
  const against = hash ?? (await decoy);
  const matches = await bounded(() => argon2.verify(against, prepare(password, pepper)));
  return hash !== null && matches;
}

/** Throws for a password that is too short, too long or too common (docs/product.md §3). `tooShort`: the screen's message. */
export function assertGoodPassword(password: string, rule: { min: number; names: string[]; tooShort?: string }): void {
  const verdict = checkPassword(password, rule);
  const reject = (message: string, code: string): never => {
    throw new AppError(400, message, { code, field: "password" });
  };
  if (verdict === "too_short") reject(rule.tooShort ?? "Password is too short", "password_too_short");
  if (verdict === "too_long") reject("Password is too long. Use 256 characters at most.", "password_too_long");
  if (verdict === "common") reject("This password is too common. Please choose another one.", "password_common");
}
