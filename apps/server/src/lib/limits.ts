import { poolOf, type Db } from "@marketday/db";
import { Day, Hour, Minute, Second } from "@marketday/domain/time";
import type { FastifyBaseLogger } from "fastify";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";

import type { Env } from "../env.ts";
import { AppError, rateLimited } from "./app-error.ts";
import { type Limiter, type LoginLimits, loginLimits, networksOf } from "./login-limits.ts";
import { sha256 } from "./tokens.ts";

/** Rate limits shared by all servers (failures.md I6): counted in Postgres, with blocked keys cached in memory. */
export interface Limits {
  /** New guests and coverage checks, by address: 30 a minute, more with a higher REGISTRATIONS_PER_HOUR (failures.md I4). */
  guest: { take(ip: string): Promise<void> };
  /** By address: REGISTRATIONS_PER_HOUR, a sixth of them (40) within a minute. */
  register: { take(ip: string): Promise<void> };
  /**
   * Wrong discount and gift card codes, 20 an hour: of a customer, or of a guest's address (failures.md K3,
   * docs/product.md §17). Runs `work` unless they are used up (429 `code_limit`); only its `bad_code` counts.
   */
  code: {
    guard<T>(subject: { customerId: number } | { ip: string }, field: string, work: () => Promise<T>): Promise<T>;
  };
  /** Payment attempts that were declined or abandoned, an hour: 10 of a customer, 30 of an address (docs/product.md §17). */
  payment: PaymentLimit;
  /** Public posts of a customer: 10 an hour of each kind (failures.md I16). */
  review: { take(customerId: number): Promise<void> };
  question: { take(customerId: number): Promise<void> };
  endorsement: { take(customerId: number): Promise<void> };
  /** Problems with orders, by customer: 20 an hour. */
  problem: { take(customerId: number): Promise<void> };
  /** Photo uploads, by address: 60 an hour, for all sessions together (failures.md M15). */
  upload: { take(ip: string): Promise<void> };
  /** Messages to vendors, by customer: 30 an hour. */
  message: { take(customerId: number): Promise<void> };
  /** Messages by the contact form, by address: 20 an hour. */
  contact: { take(ip: string): Promise<void> };
  /** Puzzles of the bot check, by address: 30 a minute. */
  challenge: { take(ip: string): Promise<void> };
  /** Leads and vendor applications, by address: 20 an hour. */
  lead: { take(ip: string): Promise<void> };
  login: LoginLimits;
  /** Sign-ins of the staff by password or recovery code: as `login`, counted separately. */
  staffLogin: LoginLimits;
  /** Challenges for passkeys and their answers, and set-ups by link, of the staff, by address: 60 a minute. */
  staffPasskey: { take(ip: string): Promise<void> };
  /** API keys that do not work, by address: 20 a minute. One that works is not counted, and is never refused for the others. */
  staffKey: { take(ip: string): Promise<void> };
  /** Forgotten passwords, by address: 20 an hour, for known and unknown accounts (failures.md F17). */
  forgot: { take(ip: string): Promise<void> };
  /** Reset mails to one address: 3 an hour, 10 a day; more are dropped without an error (failures.md E7). */
  reset: { isAllowed(email: string): Promise<boolean> };
  /** Registrations with an email that is taken: 5 an hour by address, against enumeration (failures.md F17). */
  taken: { check(ip: string): Promise<void>; found(ip: string): Promise<void> };
}

/** The customer and address of a payment attempt. */
interface PaymentSource {
  customerId: number;
  ip: string;
}

/** Milliseconds until the next attempt, and which of the two limits is reached. */
export interface PaymentBlock {
  ms: number;
  by: "customer" | "address";
}

interface PaymentLimit {
  /** Rows of `rate_limit` that count an attempt: stored with its payment, and decremented when it succeeds. */
  keysOf(source: PaymentSource): string[];
  /** Whether a limit is reached; counts nothing. */
  check(source: PaymentSource): Promise<PaymentBlock | null>;
  /** Counts an attempt, before the provider is called; counts nothing when a limit is reached. */
  count(source: PaymentSource): Promise<PaymentBlock | null>;
  /** Uncounts an attempt that succeeded or never reached the provider. */
  uncount(source: PaymentSource): Promise<void>;
}

const unlimitedLogin: LoginLimits = {
  check: async () => undefined,
  failed: async () => undefined,
  succeeded: async () => undefined,
  forgive: async () => undefined,
};

const unlimited: Limits = {
  guest: { take: async () => undefined },
  register: { take: async () => undefined },
  code: { guard: (_subject, _field, work) => work() },
  payment: {
    keysOf: () => [],
    check: async () => null,
    count: async () => null,
    uncount: async () => undefined,
  },
  review: { take: async () => undefined },
  question: { take: async () => undefined },
  endorsement: { take: async () => undefined },
  message: { take: async () => undefined },
  problem: { take: async () => undefined },
  upload: { take: async () => undefined },
  contact: { take: async () => undefined },
  challenge: { take: async () => undefined },
  lead: { take: async () => undefined },
  login: unlimitedLogin,
  staffLogin: unlimitedLogin,
  staffPasskey: { take: async () => undefined },
  staffKey: { take: async () => undefined },
  forgot: { take: async () => undefined },
  reset: { isAllowed: async () => true },
  taken: { check: async () => undefined, found: async () => undefined },
};

const throwRateLimited = (cause: unknown): never => {
  if (cause instanceof RateLimiterRes) throw rateLimited(cause.msBeforeNext / Second.ms);
  throw cause as Error;
};

/** "about 40 minutes": how long to wait. */
export function waitText(ms: number): string {
  const minutes = Math.ceil(ms / Minute.ms);
  return minutes <= 1 ? "a minute" : `about ${minutes} minutes`;
}

/** Creates a limiter whose points can be returned: blocked keys are not cached in a server's memory. */
type Refundable = (keyPrefix: string, points: number) => RateLimiterPostgres;

/** Consumes a point. When none is left, consumes nothing and returns the milliseconds to wait. */
async function takeOr(limiter: RateLimiterPostgres, key: string): Promise<number | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (cause) {
    if (!(cause instanceof RateLimiterRes)) throw cause;
    await limiter.reward(key, 1);
    return cause.msBeforeNext;
  }
}

/** Milliseconds to wait when a key has no point left; else null. */
async function blockedFor(limiter: RateLimiterPostgres, key: string): Promise<number | null> {
  const state = await limiter.get(key);
  return state && state.consumedPoints >= limiter.points ? state.msBeforeNext : null;
}

function paymentLimit(limiter: Refundable): PaymentLimit {
  const customers = limiter("payment", 10);
  const addresses = limiter("payment-net", 30);
  // The key is stored with the open payment, so it is a hash and not the address.
  const partsOf = ({ customerId, ip }: PaymentSource) =>
    [
      { by: "customer", limiter: customers, key: String(customerId) },
      { by: "address", limiter: addresses, key: sha256(`payment ${networksOf(ip).host}`).slice(0, 32) },
    ] as const;
  return {
    keysOf: (source) => partsOf(source).map((part) => part.limiter.getKey(part.key)),
    async check(source) {
      for (const part of partsOf(source)) {
        const ms = await blockedFor(part.limiter, part.key);
        if (ms !== null) return { ms, by: part.by };
      }
      return null;
    },
    async count(source) {
      const [customer, address] = partsOf(source);
      const customerMs = await takeOr(customer.limiter, customer.key);
      if (customerMs !== null) return { ms: customerMs, by: "customer" };
      const addressMs = await takeOr(address.limiter, address.key);
      if (addressMs === null) return null;
      await customer.limiter.reward(customer.key, 1);
      return { ms: addressMs, by: "address" };
    },
    async uncount(source) {
      await Promise.all(partsOf(source).map((part) => part.limiter.reward(part.key, 1)));
    },
  };
}

function codeLimit(limiter: Refundable): Limits["code"] {
  const wrong = limiter("code", 20);
  const refusal = (ms: number, field: string) =>
    new AppError(
      429,
      `Too many wrong codes. Please try again in ${waitText(ms)}.`,
      { code: "code_limit", field },
      { "retry-after": String(Math.max(1, Math.ceil(ms / Second.ms))) },
    );
  return {
    async guard(subject, field, work) {
      const key = "customerId" in subject ? `c${subject.customerId}` : `a${networksOf(subject.ip).host}`;
      const ms = (await blockedFor(wrong, key)) ?? (await takeOr(wrong, key));
      if (ms !== null) throw refusal(ms, field);
      let isWrong = false;
      try {
        return await work();
      } catch (error) {
        isWrong = error instanceof AppError && error.details.code === "bad_code";
        throw error;
      } finally {
        if (!isWrong) await wrong.reward(key, 1);
      }
    },
  };
}

/** Seconds. A timer of Node.js holds no more; with a longer one it runs at once. */
const LONGEST_TIMER = Math.floor((2 ** 31 - 1) / Second.ms);

/** Creates the limits; none at all without `rateLimits`, for load tests (docs/product.md §16 RATE_LIMITS). */
export function createLimits(
  db: Db,
  { rateLimits, registrationsPerHour }: Pick<Env, "rateLimits" | "registrationsPerHour">,
  log: FastifyBaseLogger,
): Limits {
  if (!rateLimits) return unlimited;
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
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration: Math.min(duration, LONGEST_TIMER) }),
    });
  const refundable: Refundable = (keyPrefix, points) =>
    new RateLimiterPostgres({
      storeClient: poolOf(db),
      tableName: "rate_limit",
      tableCreated: true,
      keyPrefix,
      points,
      duration: Hour.ms / Second.ms,
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration: Hour.ms / Second.ms }),
    });
  /** A limit by address; for IPv6 by the /64 network of one household. */
  const byAddress = (kind: string, points: number, duration: number) => {
    const counted = limiter(kind, points, duration / Second.ms);
    return { take: async (ip: string) => void (await counted.consume(networksOf(ip).host).catch(throwRateLimited)) };
  };
  // The hour bounds the total; the minute allows a room full of people on one Wi-Fi.
  const registrationLimits = [
    byAddress("register", Math.floor(registrationsPerHour / 6), Minute.ms),
    byAddress("register-hour", registrationsPerHour, Hour.ms),
  ];
  const taken = limiter("taken", 5, Hour.ms / Second.ms);
  const resets = [limiter("reset", 3, Hour.ms / Second.ms), limiter("reset-day", 10, Day.ms / Second.ms)];
  const byCustomer = (kind: string, points = 10) => {
    const hourly = limiter(kind, points, Hour.ms / Second.ms);
    return {
      take: async (customerId: number) => void (await hourly.consume(String(customerId)).catch(throwRateLimited)),
    };
  };
  const assertNotSpent = async (by: RateLimiterPostgres, key: string) => {
    const state = await by.get(key);
    if (state && state.consumedPoints >= by.points) throw rateLimited(state.msBeforeNext / Second.ms);
  };
  return {
    guest: byAddress("guest", Math.max(30, Math.floor(registrationsPerHour / 8)), Minute.ms),
    register: {
      take: async (ip) => {
        for (const limit of registrationLimits) await limit.take(ip);
      },
    },
    code: codeLimit(refundable),
    payment: paymentLimit(refundable),
    review: byCustomer("review"),
    question: byCustomer("question"),
    endorsement: byCustomer("endorsement"),
    message: byCustomer("message", 30),
    problem: byCustomer("problem", 20),
    upload: byAddress("upload", 60, Hour.ms),
    contact: byAddress("contact", 20, Hour.ms),
    challenge: byAddress("challenge", 30, Minute.ms),
    lead: byAddress("lead", 20, Hour.ms),
    login: loginLimits(limiter, log),
    staffLogin: loginLimits(limiter, log, "staff-"),
    staffPasskey: byAddress("staff-passkey", 60, Minute.ms),
    staffKey: byAddress("staff-key", 20, Minute.ms),
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
      check: (ip) => assertNotSpent(taken, networksOf(ip).host),
      found: async (ip) => void (await taken.consume(networksOf(ip).host).catch(() => undefined)),
    },
  };
}
