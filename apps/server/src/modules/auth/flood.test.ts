import { setTimeout as pause } from "node:timers/promises";

import { size } from "@marketday/db/testing";
import { Minute } from "@marketday/domain/time";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub } from "../../../test/factories.ts";

const PROXY = "10.0.0.1";
const market = await buildTestApp({ env: { RATE_LIMITS: "on" } });
const behind = await buildTestApp({ url: market.url, env: { RATE_LIMITS: "on", TRUST_PROXY: PROXY } });
const { db } = market;
await createHub(db, { zips: ["46032", "46033", "46060", "46077"] });
const COVERED = ["46032", "46033", "46060", "46077"];

/** Limits use real time, which stands still here. Each test has a separate time, because the limiters also count in memory. */
let hour = 0;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(Date.UTC(2026, 10, 23, 17 + (hour += 1))) });
  await db.rate_limit.deleteMany();
  await db.guest.deleteMany();
});
afterEach(() => void vi.useRealTimers());

/** Repeats a request that an overloaded server rejected without doing anything. */
async function retryOverload<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
  let answer = await send();
  while (answer.status === 503) {
    await pause(100);
    answer = await send();
  }
  return answer;
}
/** Creates a guest, without a cookie. */
const knock = (zipCode: string, from: string, headers: Record<string, string> = {}, app = market.app) =>
  retryOverload(async () => {
    const answer = await app.inject({
      method: "POST",
      url: `/api/auth/guest?zipCode=${zipCode}`,
      remoteAddress: from,
      headers: { "sec-fetch-site": "same-origin", ...headers },
    });
    return Object.assign(answer, { status: answer.statusCode });
  });

describe("a scan of all zip codes", { tags: ["fail:I4"] }, () => {
  test("gets thirty responses a minute, and guests only for served places", async () => {
    const count = size(300, 100_000);
    const seen: Record<number, number> = {};
    const unserved = new Set<string>();
    for (let from = 0; from < count; from += 100) {
      const codes = Array.from({ length: 100 }, (_, at) =>
        // Some are served: only those leave rows.
        at % 10 === 0 ? COVERED[(from + at) % COVERED.length]! : String(from + at).padStart(5, "0"),
      );
      for (const answer of await Promise.all(codes.map((code) => knock(code, "203.0.113.5")))) {
        seen[answer.statusCode] = (seen[answer.statusCode] ?? 0) + 1;
        if (answer.statusCode === 404) unserved.add(answer.body);
        if (answer.statusCode === 429) {
          expect(answer.json()).toEqual(["Too many tries. Please wait a minute.", { code: "rate_limited" }]);
          expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
        }
      }
    }
    expect(seen).toEqual({ 200: expect.any(Number), 404: expect.any(Number), 429: count - 30 });
    expect(seen[200]! + seen[404]!).toBe(30);
    expect([...unserved]).toEqual([
      JSON.stringify(["Sorry, we do not currently support your location.", { code: "not_served" }]),
    ]);
    expect(await db.guest.count()).toBe(seen[200]);
    expect(await db.session.count({ where: { guest_id: { not: null } } })).toBe(seen[200]);
    // Other addresses are not limited, and the minute passes.
    expect((await knock("46032", "203.0.113.6")).statusCode).toBe(200);
    vi.setSystemTime(Date.now() + Minute.ms + 1000);
    expect((await knock("46032", "203.0.113.5")).statusCode).toBe(200);
  });

  test("one browser stays one guest at any place, and a coverage check leaves no rows", async () => {
    const browser = market.shopper();
    for (let turn = 0; turn < 5; turn += 1)
      for (const zipCode of [...COVERED, "00000"])
        expect((await retryOverload(() => browser.post(`/auth/guest?zipCode=${zipCode}`))).status).toBe(
          zipCode === "00000" ? 404 : 200,
        );
    expect([await db.guest.count(), (await db.guest.findFirstOrThrow()).zip_code]).toEqual([1, "46077"]);
    for (const zipCode of COVERED)
      expect(
        (await retryOverload(() => market.shopper().post(`/auth/guest?zipCode=${zipCode}&check=true`))).status,
      ).toBe(200);
    expect(await db.guest.count()).toBe(1);
  });

  test("an IPv6 household counts as one address, and IPv4 in every notation as itself", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => knock("46032", `2001:db8:1:2::${(at + 1).toString(16)}`)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(30);
    expect((await knock("46032", "2001:db8:1:3::1")).statusCode).toBe(200);
    await Promise.all(Array.from({ length: 30 }, () => knock("46032", "::ffff:203.0.113.7")));
    expect((await knock("46032", "203.0.113.7")).statusCode).toBe(429);
    expect((await knock("46032", "::ffff:203.0.113.8")).statusCode).toBe(200);
  });
});

describe("forged addresses", { tags: ["fail:I5"] }, () => {
  const madeUp: [string, (turn: number) => Record<string, string>][] = [
    ["X-Forwarded-For", (turn) => ({ "x-forwarded-for": `198.51.100.${turn}` })],
    ["a chain of them", (turn) => ({ "x-forwarded-for": `198.51.100.${turn}, 10.0.0.1, 127.0.0.1` })],
    ["one that is not an address", (turn) => ({ "x-forwarded-for": `"; drop table guest; -- ${turn}` })],
    ["Forwarded", (turn) => ({ forwarded: `for=198.51.100.${turn};proto=https` })],
    ["X-Real-IP", (turn) => ({ "x-real-ip": `198.51.100.${turn}` })],
    [
      "X-Client-IP, True-Client-IP and CF-Connecting-IP",
      (turn) => ({
        "x-client-ip": `198.51.100.${turn}`,
        "true-client-ip": `198.51.100.${turn}`,
        "cf-connecting-ip": `198.51.100.${turn}`,
      }),
    ],
  ];
  const through = async (from: string, headers: (turn: number) => Record<string, string>, app = market.app) => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, turn) => knock("46032", from, headers(turn), app)),
    );
    return answers.filter(({ statusCode }) => statusCode === 200).length;
  };

  test.each(madeUp)("%s: do not reset the limit", async (_name, headers) => {
    expect(await through("203.0.113.5", headers)).toBe(30);
  });

  test.each(madeUp)("%s: do not reset the limit of a client that bypasses the proxy", async (_name, headers) => {
    expect(await through("203.0.113.5", headers, behind.app)).toBe(30);
  });

  test("behind the configured proxy the address is the one the proxy saw, not one written before it", async () => {
    const seen = (turn: number, last: string) => ({ "x-forwarded-for": `198.51.100.${turn}, ${last}` });
    expect(await through(PROXY, (turn) => seen(turn, "203.0.113.5"), behind.app)).toBe(30);
    expect(await through(PROXY, (turn) => seen(turn, `203.0.114.${turn}`), behind.app)).toBe(40);
  });
});

describe("registrations from one address", () => {
  const registration = { password: "wheelbarrow", zipCode: "46032", firstName: "Ada", lastName: "Brown" };
  let turn = 0;
  const joins = async (app: typeof market.app, address: string): Promise<number> => {
    const email = `joins${(turn += 1)}@example.com`;
    const answer = await retryOverload(async () => {
      const given = await app.inject({
        method: "POST",
        url: "/api/auth/register",
        remoteAddress: address,
        headers: { "sec-fetch-site": "same-origin" },
        payload: { ...registration, email },
      });
      return Object.assign(given, { status: given.statusCode });
    });
    return answer.status;
  };
  const joining = async (app: typeof market.app, address: string, count: number): Promise<Record<number, number>> => {
    const seen: Record<number, number> = {};
    for (let person = 0; person < count; person += 1) {
      const status = await joins(app, address);
      seen[status] = (seen[status] ?? 0) + 1;
    }
    return seen;
  };

  test("forty within a minute are accepted; the next are rejected until the minute has passed", async () => {
    expect(await joining(market.app, "203.0.113.20", 42)).toEqual({ 200: 40, 429: 2 });
    expect(await joins(market.app, "203.0.113.21")).toBe(200);
    vi.setSystemTime(Date.now() + Minute.ms + 1000);
    expect(await joins(market.app, "203.0.113.20")).toBe(200);
  });

  test("are limited to REGISTRATIONS_PER_HOUR an hour, independent of the minute", async () => {
    const strict = await buildTestApp({ url: market.url, env: { RATE_LIMITS: "on", REGISTRATIONS_PER_HOUR: "20" } });
    const seen: Record<number, number> = {};
    for (let minute = 0; minute < 8; minute += 1) {
      for (const [status, count] of Object.entries(await joining(strict.app, "203.0.113.22", 4)))
        seen[Number(status)] = (seen[Number(status)] ?? 0) + count;
      vi.setSystemTime(Date.now() + Minute.ms + 1000);
    }
    // Three a minute for six minutes, and two more.
    expect(seen).toEqual({ 200: 20, 429: 12 });
  });

  test("REGISTRATIONS_PER_HOUR also raises the limit of zip codes a minute", async () => {
    const party = await buildTestApp({ url: market.url, env: { RATE_LIMITS: "on", REGISTRATIONS_PER_HOUR: "480" } });
    const seen: Record<number, number> = {};
    for (let person = 0; person < 62; person += 1) {
      const { status } = await knock("46032", "203.0.113.23", {}, party.app);
      seen[status] = (seen[status] ?? 0) + 1;
    }
    expect(seen).toEqual({ 200: 60, 429: 2 });
  });
});
