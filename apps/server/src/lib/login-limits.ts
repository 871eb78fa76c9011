import { Day, Hour, Minute, Second } from "@marketday/domain/time";
import type { FastifyBaseLogger } from "fastify";
import { type RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";

import { rateLimited } from "./app-error.ts";
import { sha256 } from "./tokens.ts";

/** Who tries to log in to which account. */
interface LoginTry {
  ip: string;
  /** The e-mail as typed, in lower case. */
  account: string;
  /** The id of a browser in which this account has logged in before; null for any other. */
  device: string | null;
}

export interface LoginLimits {
  /** Refuses with 429 before any hashing; else holds a place that `succeeded` gives back. */
  check(attempt: LoginTry): Promise<void>;
  failed(attempt: LoginTry): Promise<void>;
  succeeded(attempt: LoginTry): Promise<void>;
  /** The account's owner has proved to be that by mail: what others tried is forgotten. */
  forgive(account: string): Promise<void>;
}

export type Limiter = (name: string, points: number, seconds: number) => RateLimiterPostgres;

/** From this failure on, the next try has to wait: 1 s, 2 s, 4 s … an hour at most (failures.md F14). */
const WAIT_FROM = 5;
const MOST_TRIES = 100;
/** Unproven logins of unknown browsers at work or failed, over all servers, in 10 s (failures.md F13, F15). */
const MOST_AT_ONCE = 40;

/** Whole networks: what one subscriber of IPv6 has, and the neighbourhood of any address. */
export function networksOf(ip: string): { host: string; net: string } {
  // How a socket that speaks both writes IPv4.
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

/** The brakes of the login (failures.md F13 to F15): by address, by network, by account, and over all. */
export function loginLimits(limiter: Limiter, log: FastifyBaseLogger): LoginLimits {
  const hosts = limiter("login", 20, Minute.ms / Second.ms);
  const nets = limiter("login-net", 60, Minute.ms / Second.ms);
  const accounts = limiter("account", MOST_TRIES, (30 * Day.ms) / Second.ms);
  const waits = limiter("account-wait", 1, Hour.ms / Second.ms);
  const devices = limiter("device", 10, Hour.ms / Second.ms);
  const all = limiter("login-all", MOST_AT_ONCE, 10);
  let alarmed = false;

  const spent = async (by: RateLimiterPostgres, key: string) => {
    const state = await by.get(key);
    if (state && state.consumedPoints >= by.points) throw rateLimited(state.msBeforeNext / Second.ms);
  };
  /** Takes a point, also where there is none left: how many are taken, and how long until they come back. */
  const consume = (by: RateLimiterPostgres, key: string) =>
    by.consume(key).then(
      ({ consumedPoints, msBeforeNext }) => ({ isLeft: true, taken: consumedPoints, ms: msBeforeNext }),
      (cause: unknown) => {
        if (!(cause instanceof RateLimiterRes)) throw cause as Error;
        return { isLeft: false, taken: Math.max(cause.consumedPoints, by.points + 1), ms: cause.msBeforeNext };
      },
    );
  const keyOf = (account: string) => sha256(account).slice(0, 32);

  return {
    async check({ ip, account, device }) {
      const { host, net } = networksOf(ip);
      const key = keyOf(account);
      const owns = device === null ? [spent(accounts, key), spent(waits, key)] : [spent(devices, device)];
      await Promise.all([spent(hosts, host), spent(nets, net), ...owns]);
      if (device !== null) return;
      const place = await consume(all, "all");
      if (place.isLeft) return;
      if (!alarmed) log.warn({ logins: place.taken }, "unusually many logins fail");
      alarmed = true;
      setTimeout(() => (alarmed = false), place.ms).unref();
      throw rateLimited(place.ms / Second.ms);
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
