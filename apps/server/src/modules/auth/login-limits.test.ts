import { size } from "@marketday/db/testing";
import { Day, Hour, Second } from "@marketday/domain/time";
import argon2 from "argon2";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHub, PASSWORD } from "../../../test/factories.ts";
import type { Shopper } from "../../../test/shopper.ts";

const market = await buildTestApp({ env: { RATE_LIMITS: "on", TRUST_PROXY: "127.0.0.1" } });
const { db, deps } = market;
const hub = await createHub(db);
const newCustomer = () => createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });

const verify = vi.spyOn(argon2, "verify");
/** Rate limits use real time, which stands still here until a test moves it. */
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
let month = 0;
beforeEach(async () => {
  // Each test has a separate time, because the limiters also count in memory.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(Date.UTC(2026, (month += 1), 23, 17)) });
  verify.mockClear();
  await db.rate_limit.deleteMany();
});
afterEach(() => void vi.useRealTimers());

let turn = 0;
/** A different address each time, in a different network with `far`. */
const address = (far = true) => (
  (turn += 1),
  far ? `10.${turn % 200}.${Math.floor(turn / 200)}.7` : `10.0.0.${turn % 250}`
);
const logIn = (browser: Shopper, username: string, password: string, ip = address()) =>
  browser.post("/auth/login", { username, password }, { "x-forwarded-for": ip });

describe("login limits: wrong logins", () => {
  test(
    "of one account wait longer and longer, at most a hundred; the owner still logs in with a known browser or by mail",
    { tags: ["fail:F14"] },
    async () => {
      const customer = await newCustomer();
      const email = customer.email!;
      const owner = market.shopper();
      expect((await logIn(owner, email, PASSWORD)).status).toBe(200);
      verify.mockClear();
      const waits: number[] = [];
      const started = Date.now();
      while (Date.now() - started < 20 * 24 * Hour.ms) {
        const answer = await logIn(market.shopper(), email, `wrong ${turn}`);
        expect([401, 429]).toContain(answer.status);
        if (answer.status === 401) continue;
        const wait = Number(answer.headers["retry-after"]);
        waits.push(wait);
        if (wait > 2 * 3600) break;
        pass(wait * Second.ms);
      }
      expect(verify.mock.calls.length).toBeLessThanOrEqual(100);
      expect(verify.mock.calls.length).toBeGreaterThan(90);
      expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 16]);
      // An unknown browser is rejected even with the right password …
      expect((await logIn(market.shopper(), email, PASSWORD)).status).toBe(429);
      // … a browser that knows the account is accepted at the first try, …
      expect((await logIn(owner, email, PASSWORD)).status).toBe(200);
    },
  );

  test("no longer count after a password reset by mail", { tags: ["fail:F14"] }, async () => {
    const customer = await newCustomer();
    const email = customer.email!;
    for (let wrong = 0; wrong < 7; wrong += 1) await logIn(market.shopper(), email, "wrong");
    expect((await logIn(market.shopper(), email, PASSWORD)).status).toBe(429);
    await market.shopper().post("/auth/forgot", { email });
    await market.app.settled();
    const mail = await db.mail.findFirstOrThrow({ where: { to_email: email } });
    const { token } = mail.data as { token: string };
    expect((await market.shopper().post(`/auth/reset/${token}`, { password: "blue-wheelbarrow" })).body).toBe(true);
    expect((await logIn(market.shopper(), email, "blue-wheelbarrow")).status).toBe(200);
  });

  test("a browser that knows the account has ten tries an hour", { tags: ["fail:F14"] }, async () => {
    const customer = await newCustomer();
    const browser = market.shopper();
    await logIn(browser, customer.email!, PASSWORD);
    const statuses: number[] = [];
    for (let wrong = 0; wrong < 12; wrong += 1) statuses.push((await logIn(browser, customer.email!, "wrong")).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });

  test(
    "the cookie of a known browser opens no session, and does not work for another account",
    { tags: ["fail:F3"] },
    async () => {
      const [one, two] = [await newCustomer(), await newCustomer()];
      const browser = market.shopper();
      await logIn(browser, one.email!, PASSWORD);
      const device = browser.cookies.get("mkt_device")!;
      const thief = market.shopper();
      thief.cookies.set("mkt_session", device);
      expect((await thief.get("/auth")).status).toBe(401);
      for (let wrong = 0; wrong < 5; wrong += 1) await logIn(market.shopper(), two.email!, "wrong");
      expect((await logIn(browser, two.email!, PASSWORD)).status, "unknown to this account").toBe(429);
    },
  );

  test("of one address are twenty a minute, of one network sixty", { tags: ["fail:F15"] }, async () => {
    const stuff = async (count: number, ip: () => string) => {
      const statuses: number[] = [];
      for (let pair = 0; pair < count; pair += 1) {
        statuses.push((await logIn(market.shopper(), `stuffed${(turn += 1)}@example.com`, "leaked", ip())).status);
        // Slow enough for the limit over all addresses.
        pass(500);
      }
      return statuses.filter((status) => status === 401).length;
    };
    expect(await stuff(60, () => "192.0.2.1")).toBe(20);
    expect(await stuff(100, () => address(false))).toBe(60);
  });

  test("a flood is rejected before hashing, and logged once", { tags: ["fail:F13", "fail:F15"] }, async () => {
    const warn = vi.spyOn(deps.log, "warn");
    const count = size(100, 1000, 300);
    const answers = await Promise.all(
      Array.from({ length: count }, () => logIn(market.shopper(), `flood${(turn += 1)}@example.com`, "wrong")),
    );
    const by = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect(by(401) + by(429) + by(503)).toBe(count);
    expect(verify.mock.calls.length).toBeLessThanOrEqual(25);
    expect(by(401)).toBe(verify.mock.calls.length);
    expect(warn.mock.calls.filter(([, message]) => message === "unusually many logins fail")).toHaveLength(1);
    // Known browsers are accepted meanwhile; ten seconds later every browser is.
    pass(11 * Second.ms);
    const customer = await newCustomer();
    expect((await logIn(market.shopper(), customer.email!, PASSWORD)).status).toBe(200);
  });

  test("login limits: successful logins are not a flood", async () => {
    const customer = await newCustomer();
    for (let login = 0; login < 60; login += 1)
      expect((await logIn(market.shopper(), customer.email!, PASSWORD)).status).toBe(200);
  });
});

test("login limits: taken addresses can be found five times an hour", { tags: ["fail:F17"] }, async () => {
  const customer = await newCustomer();
  const registration = { password: "wheelbarrow", zipCode: "46032", firstName: "Ada", lastName: "Brown" };
  const statuses: number[] = [];
  for (let guess = 0; guess < 7; guess += 1)
    statuses.push(
      (
        await market
          .shopper()
          .post("/auth/register", { ...registration, email: customer.email }, { "x-forwarded-for": "192.0.2.9" })
      ).status,
    );
  expect(statuses).toEqual([409, 409, 409, 409, 409, 429, 429]);
});

test(
  "login limits: only a taken address counts as found, not another refused change of a profile",
  { tags: ["fail:F17"] },
  async () => {
    const [one, two] = [await newCustomer(), await newCustomer()];
    const browser = market.shopper();
    const from = { "x-forwarded-for": "192.0.2.17" };
    await browser.post("/auth/login", { username: one.email, password: PASSWORD }, from);
    const change = async (input: object) => (await browser.put("/account/profile", input, from)).status;
    // Without the password.
    for (let tries = 0; tries < 6; tries += 1) expect(await change({ email: two.email })).toBe(400);
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess += 1)
      statuses.push(await change({ email: two.email, currentPassword: PASSWORD }));
    expect(statuses).toEqual([409, 409, 409, 409, 409, 429]);
  },
);

// The last test of the file, because it ends a year later.
test("login limits: a browser is known for a year", { tags: ["fail:F14"] }, async () => {
  const customer = await newCustomer();
  const browser = market.shopper();
  const guess = async () => {
    for (let wrong = 0; wrong < 7; wrong += 1) await logIn(market.shopper(), customer.email!, "wrong");
    expect((await logIn(market.shopper(), customer.email!, PASSWORD)).status).toBe(429);
  };
  expect((await logIn(browser, customer.email!, PASSWORD)).status).toBe(200);
  pass(365 * Day.ms - Hour.ms);
  await guess();
  expect((await logIn(browser, customer.email!, PASSWORD)).status).toBe(200);
  pass(2 * Hour.ms);
  await guess();
  expect((await logIn(browser, customer.email!, PASSWORD)).status).toBe(429);
});
