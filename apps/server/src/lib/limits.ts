import { poolOf, type Db } from "@marketday/db";
import { Day, Hour, Minute, Second } from "@marketday/domain/time";
import type { FastifyBaseLogger } from "fastify";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";

import { rateLimited } from "./app-error.ts";
import { type Limiter, type LoginLimits, loginLimits, networksOf } from "./login-limits.ts";
import { sha256 } from "./tokens.ts";

/** Counters shared by all servers (failures.md I6): they stand in Postgres, with a memory guard in front. */
export interface Limits {
  /** New guests and coverage checks, by address: 30 a minute (failures.md I4). */
  guest: { take(ip: string): Promise<void> };
  register: { take(ip: string): Promise<void> };
  /** Gift codes tried, by customer: 10 an hour (failures.md K3). */
  giftCode: { take(customerId: number): Promise<void> };
  /** What a customer says in public: 10 an hour of each kind (failures.md I16). */
  review: { take(customerId: number): Promise<void> };
  question: { take(customerId: number): Promise<void> };
  endorsement: { take(customerId: number): Promise<void> };
  /** Problems with orders, by customer: 20 an hour. */
  problem: { take(customerId: number): Promise<void> };
  /** Photo uploads, by address: 60 an hour, whoever is signed in (failures.md M15). */
  upload: { take(ip: string): Promise<void> };
  /** Messages to vendors, by customer: 30 an hour. */
  message: { take(customerId: number): Promise<void> };
  /** Messages by the contact form, by address: 20 an hour. */
  contact: { take(ip: string): Promise<void> };
  /** Puzzles of the bot check, by address: 30 a minute. */
  challenge: { take(ip: string): Promise<void> };
  /** Addresses left and applications, by address: 20 an hour. */
  lead: { take(ip: string): Promise<void> };
  login: LoginLimits;
  /** Forgotten passwords, by address: 20 an hour, known or not (failures.md F17). */
  forgot: { take(ip: string): Promise<void> };
  /** Reset mails to one address: 3 an hour, 10 a day; more are not sent, and nobody is told (failures.md E7). */
  reset: { isAllowed(email: string): Promise<boolean> };
  /** Taken addresses somebody finds by trying: 5 an hour from one address (failures.md F17). */
  taken: { check(ip: string): Promise<void>; found(ip: string): Promise<void> };
}

const open: Limits = {
  guest: { take: async () => undefined },
  register: { take: async () => undefined },
  giftCode: { take: async () => undefined },
  review: { take: async () => undefined },
  question: { take: async () => undefined },
  endorsement: { take: async () => undefined },
  message: { take: async () => undefined },
  problem: { take: async () => undefined },
  upload: { take: async () => undefined },
  contact: { take: async () => undefined },
  challenge: { take: async () => undefined },
  lead: { take: async () => undefined },
  login: {
    check: async () => undefined,
    failed: async () => undefined,
    succeeded: async () => undefined,
    forgive: async () => undefined,
  },
  forgot: { take: async () => undefined },
  reset: { isAllowed: async () => true },
  taken: { check: async () => undefined, found: async () => undefined },
};

const refuse = (cause: unknown): never => {
  if (cause instanceof RateLimiterRes) throw rateLimited(cause.msBeforeNext / Second.ms);
  throw cause as Error;
};

/** `on` false: no limit at all, for load tests (decisions §16 RATE_LIMITS). */
export function createLimits(db: Db, on: boolean, log: FastifyBaseLogger): Limits {
  if (!on) return open;
  const limiter: Limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: poolOf(db),
      tableName: "rate_limit",
      tableCreated: true,
      keyPrefix,
      points,
      duration,
      inMemoryBlockOnConsumed: points + 1,
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
    });
  /** By address; of IPv6 by the network that one household gets. */
  const byAddress = (kind: string, points: number, duration: number) => {
    const counted = limiter(kind, points, duration / Second.ms);
    return { take: async (ip: string) => void (await counted.consume(networksOf(ip).host).catch(refuse)) };
  };
  const taken = limiter("taken", 5, Hour.ms / Second.ms);
  const resets = [limiter("reset", 3, Hour.ms / Second.ms), limiter("reset-day", 10, Day.ms / Second.ms)];
  const voice = (kind: string, points = 10) => {
    const hourly = limiter(kind, points, Hour.ms / Second.ms);
    return { take: async (customerId: number) => void (await hourly.consume(String(customerId)).catch(refuse)) };
  };
  const spent = async (by: RateLimiterPostgres, key: string) => {
    const state = await by.get(key);
    if (state && state.consumedPoints >= by.points) throw rateLimited(state.msBeforeNext / Second.ms);
  };
  return {
    guest: byAddress("guest", 30, Minute.ms),
    register: byAddress("register", 20, Minute.ms),
    giftCode: voice("gift-code"),
    review: voice("review"),
    question: voice("question"),
    endorsement: voice("endorsement"),
    message: voice("message", 30),
    problem: voice("problem", 20),
    upload: byAddress("upload", 60, Hour.ms),
    contact: byAddress("contact", 20, Hour.ms),
    challenge: byAddress("challenge", 30, Minute.ms),
    lead: byAddress("lead", 20, Hour.ms),
    login: loginLimits(limiter, log),
    forgot: byAddress("forgot", 20, Hour.ms),
    reset: {
      isAllowed: async (email) => {
        for (const limit of resets) {
          const allowed = await limit.consume(sha256(email).slice(0, 32)).then(
            () => true,
            (cause: unknown) => (cause instanceof RateLimiterRes ? false : Promise.reject(cause as Error)),
          );
          if (!allowed) return false;
        }
        return true;
      },
    },
    taken: {
      check: (ip) => spent(taken, networksOf(ip).host),
      found: async (ip) => void (await taken.consume(networksOf(ip).host).catch(() => undefined)),
    },
  };
}
