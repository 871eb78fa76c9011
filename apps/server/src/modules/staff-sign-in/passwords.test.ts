import { Hour, Minute, Second } from "@marketday/domain/time";
import argon2 from "argon2";
import { describe, expect, test, vi } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import type { Shopper } from "../../../test/shopper.ts";
import { auditOf, linkOf, personWithPasskey, personWithPassword } from "../../../test/staff-sign-in.ts";
import { createStaff } from "../../../test/staff.ts";

const market = await buildTestApp();
const { app, db, clock } = market;

const FAILED = ["We couldn't sign you in. Check your details and try again.", { code: "sign_in_failed" }] as const;
const STEP = 30 * Second.ms;
const signIn = (input: { email: string; password: string; code: string }, browser: Shopper = market.shopper()) =>
  browser.post("/admin/session/password", input);

/** A person whose set-up has used the current code of their app, so that the next one is due. */
async function person() {
  const made = await personWithPassword(market, "manager");
  clock.advance(2 * STEP);
  return { ...made, email: made.person.email };
}

test("staff: a password and the app's code sign in, in any spelling of the code; neither does alone", async () => {
  const { email, password, code } = await person();
  const browser = market.shopper();
  const spaced = code().replace(/^(...)/, "$1 ");
  expect(await signIn({ email: email.toUpperCase(), password, code: spaced }, browser)).toMatchObject({
    status: 200,
    body: { email, passkeys: 0, recoveryCodesLeft: 10 },
  });
  expect((await browser.get("/admin/session")).body.me).toMatchObject({ email });
  clock.advance(STEP);
  const wrong = code(20);
  for (const input of [
    { email, password, code: wrong },
    { email, password: `${password}!`, code: code() },
  ]) {
    const response = await signIn(input);
    expect([response.status, response.body]).toEqual([401, FAILED]);
  }
  for (const incomplete of [
    { email, password },
    { email, code: code() },
  ])
    expect((await market.shopper().post("/admin/session/password", incomplete)).status).toBe(400);
});

test("staff: a code of the app counts once, also by two requests at once", { tags: ["fail:N5"] }, async () => {
  const { email, password, code, ...made } = await person();
  const input = { email, password, code: code() };
  const statuses = await Promise.all([signIn(input), signIn(input)]);
  expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  expect((await signIn(input)).status).toBe(401);
  expect((await auditOf(market, made.person)).at(-1)).toMatchObject({
    actor: "anonymous",
    action: "staff sign-in refused",
    reason: "code used before",
    data: { factor: "password" },
  });
});

test("staff: a code one step off is accepted, two steps off refused, and an older one after a newer one", async () => {
  const { email, password, code } = await person();
  expect((await signIn({ email, password, code: code(-2) })).status).toBe(401);
  expect((await signIn({ email, password, code: code(2) })).status).toBe(401);
  const older = code(-1);
  expect((await signIn({ email, password, code: code(1) })).status).toBe(200);
  expect((await signIn({ email, password, code: older })).status).toBe(401);
  expect((await signIn({ email, password, code: code() })).status).toBe(401);
});

test("staff: the app's secret is encrypted in the database, and in another person's row it opens nothing", async () => {
  const { email, options, ...made } = await person();
  const other = await person();
  const { totp_secret } = await db.staff.findUniqueOrThrow({ where: { id: made.person.id } });
  expect(totp_secret).not.toContain(options.secret);
  await db.staff.update({ where: { id: other.person.id }, data: { totp_secret } });
  expect((await signIn({ email: other.email, password: other.password, code: made.code() })).status).toBe(401);
  expect((await signIn({ email, password: made.password, code: made.code() })).status).toBe(200);
});

test("staff: the app's secret is offered as an address and as a picture of it", async () => {
  const { options, email } = await person();
  expect(options.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(options.uri).toContain(`secret=${options.secret}`);
  expect(decodeURIComponent(options.uri)).toContain(email);
  const [type, data] = options.qr.split(",");
  expect(type).toBe("data:image/svg+xml;base64");
  expect(Buffer.from(data, "base64").toString()).toMatch(/^<svg /);
});

describe("staff: a known and an unknown email take the same work and get the same response", () => {
  const work = async (send: () => Promise<{ status: number; body: unknown; headers: Record<string, string> }>) => {
    const verify = vi.spyOn(argon2, "verify");
    const found: { status: number; body: unknown; headers: string[] }[] = [];
    const statements = await market.statements(async () => {
      const { status, body, headers } = await send();
      found.push({ status, body, headers: Object.keys(headers).toSorted() });
    });
    const hashes = verify.mock.calls.length;
    verify.mockRestore();
    await app.settled();
    return { response: found[0], hashes, statements: statements.filter((text) => /^select/i.test(text.trim())) };
  };

  test("by password", { tags: ["fail:F16"] }, async () => {
    const { email } = await person();
    const input = { password: "not the password", code: "123456" };
    const unknown = await work(() => signIn({ ...input, email: "unknown@example.com" }));
    const known = await work(() => signIn({ ...input, email }));
    expect(known.response).toEqual(unknown.response);
    expect(known.hashes).toBe(1);
    expect(unknown.hashes).toBe(1);
    expect(known.statements[0]).toBe(unknown.statements[0]);
  });

  test("by recovery code", { tags: ["fail:F16"] }, async () => {
    const { email } = await person();
    const send = (address: string) => () =>
      market.shopper().post("/admin/session/recovery", { email: address, code: "AAAA-BBBB-CCCC" });
    const unknown = await work(send("unknown@example.com"));
    const known = await work(send(email));
    expect(known.response).toEqual(unknown.response);
    expect(known.statements.slice(0, 2)).toEqual(unknown.statements.slice(0, 2));
    expect(unknown.statements).toHaveLength(2);
  });
});

describe("staff: recovery codes", () => {
  test("one signs in once, in any spelling, and its person is mailed", { tags: ["fail:N5"] }, async () => {
    const { person: owner, browser, recoveryCodes } = await personWithPasskey(market, "owner");
    await browser.delete("/admin/session");
    const [first = "", second = ""] = recoveryCodes;
    const send = (code: string) => browser.post("/admin/session/recovery", { email: owner.email, code });
    expect(await send(first.toLowerCase().replaceAll("-", " "))).toMatchObject({
      status: 200,
      body: { recoveryCodesLeft: 9 },
    });
    const again = await send(first);
    expect([again.status, again.body]).toEqual([401, FAILED]);
    const both = await Promise.all([send(second), send(second)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const mails = await db.mail.findMany({ where: { template: "staff-recovery-code-used", to_email: owner.email } });
    expect(mails).toHaveLength(2);
    const stored = await db.staff_recovery_code.findMany({ where: { staff_id: owner.id } });
    expect(JSON.stringify(stored)).not.toContain(first);
    expect((await auditOf(market, owner)).map(({ reason }) => reason)).toContain("wrong or used code");
  });

  test("those of another person and of a disabled one sign no one in", async () => {
    const ada = await personWithPasskey(market, "manager");
    const bob = await personWithPasskey(market, "manager");
    const send = (email: string, code = "") => market.shopper().post("/admin/session/recovery", { email, code });
    expect((await send(ada.person.email, bob.recoveryCodes[0])).status).toBe(401);
    await db.staff.update({ where: { id: bob.person.id }, data: { disabled_at: clock.now() } });
    expect((await send(bob.person.email, bob.recoveryCodes[0])).status).toBe(401);
    expect((await send(ada.person.email, ada.recoveryCodes[0])).status).toBe(200);
  });
});

test("staff: ten refusals of a person in an hour are mailed to the owners, once an hour", async () => {
  const owner = await createStaff(market, "owner");
  const { email, password, code } = await person();
  const refuse = async (times: number) => {
    for (let time = 0; time < times; time += 1) await signIn({ email, password: "wrong", code: "000000" });
    await app.settled();
  };
  const mails = () => db.mail.count({ where: { template: "staff-sign-in-failures", to_email: owner.email } });
  // The hour begins, so that the clock passes into the next one only where the test moves it.
  clock.set(new Date(Math.ceil(clock.now().getTime() / Hour.ms) * Hour.ms));
  await refuse(9);
  expect(await mails()).toBe(0);
  await refuse(3);
  expect(await mails()).toBe(1);
  expect((await db.mail.findFirstOrThrow({ where: { template: "staff-sign-in-failures" } })).data).toEqual({ email });
  clock.advance(Hour.ms);
  await refuse(1);
  expect(await mails()).toBe(1);
  clock.advance(Minute.ms);
  expect((await signIn({ email, password, code: code() })).status).toBe(200);
});

describe("staff: a link of an invitation or a reset", () => {
  const setUp = (token: string, browser = market.shopper()) => browser.post(`/admin/invites/${token}/password/options`);

  test("names its person and roles, until it was used", async () => {
    const invited = await createStaff(market, "editor");
    const token = await linkOf(market, invited.id);
    expect(await market.shopper().get(`/admin/invites/${token}`)).toMatchObject({
      status: 200,
      body: { email: invited.email, roles: [{ role: "editor", hub: null }], isReset: false },
    });
    const reset = await linkOf(market, invited.id, "reset");
    expect((await market.shopper().get(`/admin/invites/${reset}`)).body.isReset).toBe(true);
  });

  test(
    "that was used, replaced, has expired or never existed is dead, also for a disabled person",
    { tags: ["fail:N5"] },
    async () => {
      const used = await personWithPassword(market, "editor");
      const usedToken = await linkOf(market, used.person.id);
      await db.staff_link.updateMany({ where: { staff_id: used.person.id }, data: { used_at: clock.now() } });
      const invited = await createStaff(market, "editor");
      const replaced = await linkOf(market, invited.id);
      const disabled = await createStaff(market, "editor");
      const ofDisabled = await linkOf(market, disabled.id);
      await db.staff.update({ where: { id: disabled.id }, data: { disabled_at: clock.now() } });
      const expired = await linkOf(market, invited.id);
      clock.advance(24 * Hour.ms);
      for (const token of [usedToken, replaced, ofDisabled, expired, "x".repeat(43)]) {
        for (const response of [await market.shopper().get(`/admin/invites/${token}`), await setUp(token)])
          expect(response).toMatchObject({ status: 404, body: [expect.any(String), { code: "link_dead" }] });
      }
    },
  );

  test("sets up one sign-in, also when it is used twice at once", async () => {
    const invited = await createStaff(market, "editor");
    const token = await linkOf(market, invited.id);
    const accept = async () => {
      const browser = market.shopper();
      const { secret } = (await setUp(token, browser)).body;
      const { generateSync } = await import("otplib");
      const code = generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });
      return browser.post(`/admin/invites/${token}/password`, {
        name: "Ada",
        password: "correct horse battery staple",
        secret,
        code,
      });
    };
    const responses = await Promise.all([accept(), accept()]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect(await db.staff_session.count({ where: { staff_id: invited.id } })).toBe(1);
  });

  test.each([
    ["a wrong code", { code: "000000" }, "wrong_code"],
    ["a secret that is not ours", { secret: "short" }, "invalid"],
    ["a common password", { password: "passwordpassword" }, "password_common"],
    ["a short password", { password: "short" }, "invalid"],
  ])("is not used up by %s", async (_condition, change, code) => {
    const invited = await createStaff(market, "editor");
    const token = await linkOf(market, invited.id);
    const { secret } = (await setUp(token)).body;
    const input = { name: "Ada", password: "correct horse battery staple", secret, code: "000000", ...change };
    const response = await market.shopper().post(`/admin/invites/${token}/password`, input);
    expect(response).toMatchObject({ status: 400, body: [expect.any(String), { code }] });
    expect((await market.shopper().get(`/admin/invites/${token}`)).status).toBe(200);
  });
});
