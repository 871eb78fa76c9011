import { Minute, Second } from "@marketday/domain/time";
import argon2 from "argon2";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHub, PASSWORD } from "../../../test/factories.ts";
import type { Shopper } from "../../../test/shopper.ts";
import { linkOf, personWithPasskey, personWithPassword, signInByPasskey } from "../../../test/staff-sign-in.ts";

const market = await buildTestApp({ env: { RATE_LIMITS: "on", TRUST_PROXY: "127.0.0.1" } });
const { db, clock, deps } = market;

const verify = vi.spyOn(argon2, "verify");
/** Rate limits use real time, which stands still here until a test moves it. */
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
let month = 0;
beforeEach(async () => {
  // Each test has a separate time, because the limiters also count in memory.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(Date.UTC(2026, (month += 1), 23, 17)) });
  await db.rate_limit.deleteMany();
});
afterEach(() => void vi.useRealTimers());

let turn = 0;
/** An address in a different network each time. */
const address = () => `10.${(turn += 1) % 200}.${Math.floor(turn / 200)}.7`;
const signIn = (browser: Shopper, input: { email: string; password: string; code: string }, ip = address()) =>
  browser.post("/admin/session/password", input, { "x-forwarded-for": ip });

test(
  "staff limits: wrong sign-ins of one person wait longer and longer, nothing is hashed meanwhile, and a known browser signs in",
  { tags: ["fail:F14"] },
  async () => {
    const { person, password, code } = await personWithPassword(market, "manager");
    const right = () => {
      clock.advance(30 * Second.ms);
      return { email: person.email, password, code: code() };
    };
    const known = market.shopper();
    expect((await signIn(known, right())).status).toBe(200);
    const wrong = { email: person.email, password: "wrong", code: "000000" };
    for (let time = 0; time < 5; time += 1) expect((await signIn(market.shopper(), wrong)).status).toBe(401);
    for (const seconds of [1, 2, 4]) {
      verify.mockClear();
      const refused = await signIn(market.shopper(), right());
      expect([refused.status, refused.headers["retry-after"]]).toEqual([429, String(seconds)]);
      // A recovery code counts for the same account.
      const body = { email: person.email, code: "AAAA-BBBB-CCCC" };
      const other = await market.shopper().post("/admin/session/recovery", body, { "x-forwarded-for": address() });
      expect(other.status).toBe(429);
      expect(verify).not.toHaveBeenCalled();
      pass(seconds * Second.ms);
      expect((await signIn(market.shopper(), wrong)).status).toBe(401);
    }
    expect((await signIn(market.shopper(), right())).status).toBe(429);
    expect((await signIn(known, right())).status).toBe(200);
    // That forgave the failures; more of them close it again.
    for (let time = 0; time < 5; time += 1) expect((await signIn(market.shopper(), wrong)).status).toBe(401);
    expect((await signIn(market.shopper(), right())).status).toBe(429);
    // A reset link sets up a new password and forgives the failures.
    const token = await linkOf(market, person.id, "reset");
    const browser = market.shopper();
    const { secret } = (await browser.post(`/admin/invites/${token}/password/options`)).body;
    const { generateSync } = await import("otplib");
    const codeOf = () => generateSync({ secret, epoch: Math.floor(clock.now().getTime() / Second.ms) });
    const accepted = await browser.post(`/admin/invites/${token}/password`, {
      name: "Ada",
      password,
      secret,
      code: codeOf(),
    });
    expect(accepted.status).toBe(200);
    clock.advance(30 * Second.ms);
    expect((await signIn(market.shopper(), { email: person.email, password, code: codeOf() })).status).toBe(200);
  },
);

/** Wrong sign-ins of a person in unknown browsers, until more must wait. */
async function closeToStrangers(email: string): Promise<void> {
  const wrong = { email, password: "wrong", code: "000000" };
  for (let time = 0; time < 5; time += 1) expect((await signIn(market.shopper(), wrong)).status).toBe(401);
  expect((await signIn(market.shopper(), wrong)).status).toBe(429);
}

test(
  "staff limits: a stranger's wrong sign-ins lock out no browser that a link or a passkey has signed in",
  { tags: ["fail:F14"] },
  async () => {
    const ada = await personWithPassword(market, "manager");
    await closeToStrangers(ada.person.email);
    clock.advance(30 * Second.ms);
    const right = { email: ada.person.email, password: ada.password, code: ada.code() };
    expect((await signIn(ada.browser, right)).status).toBe(200);

    const bob = await personWithPasskey(market, "manager");
    const phone = market.shopper();
    expect((await signInByPasskey(phone, bob.passkey)).status).toBe(200);
    await closeToStrangers(bob.person.email);
    const recover = { email: bob.person.email, code: bob.recoveryCodes[0] };
    const use = (browser: Shopper) =>
      browser.post("/admin/session/recovery", recover, { "x-forwarded-for": address() });
    expect((await use(market.shopper())).status).toBe(429);
    expect((await use(phone)).status).toBe(200);
  },
);

test("staff limits: a step-up by password has ten tries an hour per session, whatever happens elsewhere", async () => {
  const { browser, person, password, code } = await personWithPassword(market, "manager");
  // It has only its session.
  browser.cookies.delete("mkt_staff_device");
  const stepUp = (typed: string) => {
    clock.advance(30 * Second.ms);
    const input = { password: typed, code: code() };
    return browser.post("/admin/step-up", input, { "x-forwarded-for": address() });
  };
  await closeToStrangers(person.email);
  expect((await stepUp(password)).status).toBe(200);
  for (let time = 0; time < 10; time += 1) expect((await stepUp("wrong")).status).toBe(401);
  expect((await stepUp(password)).status).toBe(429);
  clock.advance(30 * Second.ms);
  expect((await signIn(market.shopper(), { email: person.email, password, code: code() })).status).toBe(200);
});

test(
  "staff limits: twenty wrong sign-ins a minute from one address; shoppers' logins are counted separately",
  { tags: ["fail:F15"] },
  async () => {
    const hub = await createHub(db);
    const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    const ip = address();
    const statuses: number[] = [];
    for (let time = 0; time < 21; time += 1) {
      const email = `unknown${time}@example.com`;
      statuses.push((await signIn(market.shopper(), { email, password: "wrong", code: "000000" }, ip)).status);
      // The total of all addresses, 25 in ten seconds, is not what refuses here.
      if (time === 10) pass(11 * Second.ms);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
    const login = { username: customer.email, password: PASSWORD };
    expect((await market.shopper().post("/auth/login", login, { "x-forwarded-for": ip })).status).toBe(200);
  },
);

test("staff limits: sixty challenges for passkeys a minute from one address", async () => {
  const ip = address();
  const request = () => market.shopper().post("/admin/session/passkey/options", undefined, { "x-forwarded-for": ip });
  const statuses = new Set<number>();
  for (let time = 0; time < 60; time += 1) statuses.add((await request()).status);
  expect([...statuses]).toEqual([200]);
  expect((await request()).status).toBe(429);
  pass(Minute.ms);
  expect((await request()).status).toBe(200);
});
