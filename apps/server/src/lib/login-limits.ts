import { Day, Hour, Minute, Second } from "@marketday/domain/time";
import type { FastifyBaseLogger } from "fastify";
import { type RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";

import { rateLimited } from "./app-error.ts";
import { sha256 } from "./tokens.ts";

/** One login attempt. */
export interface LoginAttempt {
  ip: string;
  /** The email as typed, in lower case. */
  account: string;
  /** Id of the browser, when this account has logged in from it before, or of its session; else null. */
  device: string | null;
}

export interface LoginLimits {
  /** Throws 429 before any hashing; else takes a point that `succeeded` returns. */
  check(attempt: LoginAttempt): Promise<void>;
  failed(attempt: LoginAttempt): Promise<void>;
  succeeded(attempt: LoginAttempt): Promise<void>;
  /** Clears failed attempts after the account's owner proved their identity by mail. */
  forgive(account: string): Promise<void>;
}

export type Limiter = (name: string, points: number, seconds: number) => RateLimiterPostgres;

/** After this many failures, the next attempt has to wait: 1 s, 2 s, 4 s … an hour at most (failures.md F14). */
const WAIT_FROM = 5;
const MAX_ATTEMPTS = 100;
/**
 * Running or failed logins of unknown browsers on all servers in one window of 10 s (failures.md F13, F15). Any ten
 * seconds may touch two windows, so a flood of 1,000 gets 50 hashes at most.
 */
const MAX_CONCURRENT = 25;

/** The networks that an address is counted under: one subscriber (IPv6 /64), and its neighborhood (IPv4 /24, IPv6 /48). */
export function networksOf(ip: string): { host: string; net: string } {
  // IPv4 as a dual-stack socket writes it.
  if (/^::ffff:[\d.]+$/i.test(ip)) return networksOf(ip.slice("::ffff:".length));
  if (!ip.includes(":")) return { host: ip, net: ip.split(".").slice(0, 3).join(".") };
  const groups = ip.split("%", 1)[0]!.split("::");
  const [head = "", tail = ""] = groups;
  const first = head.split(":").filter(Boolean);
  const last = tail.split(":").filter(Boolean);
  const whole =
    groups.length > 1 ? [...first, ...Array<string>(8 - first.length - last.length).fill("0"), ...last] : first;
  return { host: whole.slice(0, 4).join(":"), net: whole.slice(0, 3).join(":") };
}

/**
 * Limits of the login (failures.md F13 to F15): by address, by network, by account, and in total. `prefix` of their names: logins of
 * another kind are counted separately, so that a flood of one does not close the other.
 */
export function loginLimits(limiter: Limiter, log: FastifyBaseLogger, prefix = ""): LoginLimits {
  const named: Limiter = (name, points, seconds) => limiter(`${prefix}${name}`, points, seconds);
  const hosts = named("login", 20, Minute.ms / Second.ms);
  const nets = named("login-net", 60, Minute.ms / Second.ms);
  const accounts = named("account", MAX_ATTEMPTS, (30 * Day.ms) / Second.ms);
  const waits = named("account-wait", 1, Hour.ms / Second.ms);
  const devices = named("device", 10, Hour.ms / Second.ms);
  const all = named("login-all", MAX_CONCURRENT, 10);
  let isReported = false;

  const assertNotSpent = async (by: RateLimiterPostgres, key: string) => {
    const state = await by.get(key);
    if (state && state.consumedPoints >= by.points) throw rateLimited(state.msBeforeNext / Second.ms);
  };
  /** Consumes a point even when none is left; returns the consumed points and the milliseconds until they reset. */
  const consume = (by: RateLimiterPostgres, key: string) =>
    by.consume(key).then(
      ({ consumedPoints, msBeforeNext }) => ({ isAllowed: true, taken: consumedPoints, ms: msBeforeNext }),
      (cause: unknown) => {
        if (!(cause instanceof RateLimiterRes)) throw cause as Error;
        return { isAllowed: false, taken: Math.max(cause.consumedPoints, by.points + 1), ms: cause.msBeforeNext };
      },
    );
  const keyOf = (account: string) => sha256(account).slice(0, 32);

  return {
    async check({ ip, account, device }) {
      const { host, net } = networksOf(ip);
      const key = keyOf(account);
      const accountChecks =
        device === null
          ? [assertNotSpent(accounts, key), assertNotSpent(waits, key)]
          : [assertNotSpent(devices, device)];
      await Promise.all([assertNotSpent(hosts, host), assertNotSpent(nets, net), ...accountChecks]);
      if (device !== null) return;
      const total = await consume(all, "all");
      if (total.isAllowed) return;
      if (!isReported) log.warn({ logins: total.taken }, "unusually many logins fail");
      isReported = true;
      setTimeout(() => (isReported = false), total.ms).unref();
      throw rateLimited(total.ms / Second.ms);
    },
    async failed({ ip, account, device }) {
      const { host, net } = networksOf(ip);
      const key = keyOf(account);
      await Promise.all([consume(hosts, host), consume(nets, net), device !== null && consume(devices, device)]);
      if (device !== null) return;
      const wait = 2 ** ((await consume(accounts, key)).taken - WAIT_FROM);
      if (wait >= 1) await waits.block(key, Math.min(wait, Hour.ms / Second.ms));
    },
    async succeeded({ account, device }) {
      const key = keyOf(account);
      await Promise.all([
        accounts.delete(key),
        waits.delete(key),
        device === null ? all.reward("all", 1) : devices.delete(device),
      ]);
    },
    async forgive(account) {
      const key = keyOf(account);
      await Promise.all([accounts.delete(key), waits.delete(key)]);
    },
  };
}
