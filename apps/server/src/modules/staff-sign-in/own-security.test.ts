import { execute, sql, transaction } from "@marketday/db";
import { STAFF_SESSION } from "@marketday/domain/staff";
import { Hour, Minute, Second } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub } from "../../../test/factories.ts";
import { waitForLock } from "../../../test/locks.ts";
import { TestPasskey } from "../../../test/passkey.ts";
import type { Shopper } from "../../../test/shopper.ts";
import { auditOf, personWithPasskey, personWithPassword, signInByPasskey } from "../../../test/staff-sign-in.ts";
import { asStaffId } from "../identity/context.ts";
import { lockPerson } from "../staff/staff-sql.ts";
import { clearSignIn, endSessions } from "../staff/store.ts";

const env = { SESSION_SECRET: "a secret of both servers with 32 characters" };
const market = await buildTestApp({ env });
const { db, clock } = market;

const STEP_UP_REQUIRED = { status: 403, body: ["Confirm that it is you first.", { code: "step_up_required" }] };
const FAILED = { status: 401, body: [expect.any(String), { code: "sign_in_failed" }] };

async function stepUp(browser: Shopper, passkey: TestPasskey, changes?: Parameters<TestPasskey["get"]>[1]) {
  const { body } = await browser.post("/admin/step-up/options");
  return browser.post("/admin/step-up", { proof: passkey.get(body.passkey, changes) });
}

describe("staff: step-up", () => {
  test("by a passkey lets marked actions run for five minutes, under a new session id", async () => {
    const { browser, passkey, person } = await personWithPasskey(market, "owner");
    clock.advance(STAFF_SESSION.stepUpMs + 1);
    expect(await browser.post("/admin/me/recovery-codes")).toMatchObject(STEP_UP_REQUIRED);
    expect((await browser.get("/admin/session")).body.me.steppedUpUntil).toBeNull();
    const before = browser.cookieHeader();
    const response = await stepUp(browser, passkey);
    expect(response).toMatchObject({
      status: 200,
      body: { steppedUpUntil: new Date(clock.now().getTime() + STAFF_SESSION.stepUpMs).toISOString() },
    });
    expect((await market.shopper().get("/admin/me/security", { cookie: before })).status).toBe(401);
    clock.advance(STAFF_SESSION.stepUpMs);
    expect((await browser.post("/admin/me/recovery-codes")).status).toBe(200);
    clock.advance(1);
    expect(await browser.post("/admin/me/recovery-codes")).toMatchObject(STEP_UP_REQUIRED);
    expect((await auditOf(market, person)).map(({ action }) => action).slice(2)).toEqual([
      "staff step-up",
      "staff recovery-codes renew",
    ]);
  });

  test("in two tabs at the same time works in both, and is no refusal", async () => {
    const { browser, passkey, person } = await personWithPasskey(market, "owner");
    const options = async () => (await browser.post("/admin/step-up/options")).body.passkey;
    const [first, second] = [await options(), await options()];
    for (const challenge of [first, second])
      expect((await browser.post("/admin/step-up", { proof: passkey.get(challenge) })).status).toBe(200);
    expect((await auditOf(market, person)).slice(2).map(({ action }) => action)).toEqual([
      "staff step-up",
      "staff step-up",
    ]);
  });

  test("by a password and a code does the same; a code that signed in does not step up", async () => {
    const { browser, password, code } = await personWithPassword(market, "owner");
    clock.advance(STAFF_SESSION.stepUpMs + Minute.ms);
    expect((await browser.post("/admin/step-up/options")).body).toEqual({ passkey: null, hasPassword: true });
    const input = { password, code: code() };
    expect((await browser.post("/admin/step-up", input)).status).toBe(200);
    expect((await browser.post("/admin/me/recovery-codes")).status).toBe(200);
    expect(await browser.post("/admin/step-up", input)).toMatchObject(FAILED);
    clock.advance(30 * Second.ms);
    expect(await browser.post("/admin/step-up", { password: "wrong", code: code() })).toMatchObject(FAILED);
    // A refusal ends nothing.
    expect((await browser.get("/admin/me/security")).status).toBe(200);
  });

  test("does not lengthen the session: it ends sixteen hours after the sign-in", async () => {
    const { browser, passkey } = await personWithPasskey(market, "owner");
    const begun = clock.now().getTime();
    for (let hour = 0; hour < 15; hour += 5) {
      clock.advance(5 * Hour.ms);
      expect((await stepUp(browser, passkey)).status).toBe(200);
    }
    const { body } = await browser.get("/admin/session");
    expect(body.me.sessionEndsAt).toBe(new Date(begun + STAFF_SESSION.absoluteMs).toISOString());
    clock.advance(Hour.ms);
    expect((await browser.get("/admin/me/security")).status).toBe(401);
  });

  test(
    "by another person's passkey, in another session or by a challenge of signing in is refused and audited",
    { tags: ["fail:N5"] },
    async () => {
      const ada = await personWithPasskey(market, "owner");
      const bob = await personWithPasskey(market, "owner");
      const reasonOf = async ({ person }: typeof ada) => (await auditOf(market, person)).at(-1)?.reason;

      expect(await stepUp(ada.browser, bob.passkey)).toMatchObject(FAILED);
      expect(await reasonOf(bob)).toBe("passkey of another person");

      const second = market.shopper();
      expect((await signInByPasskey(second, ada.passkey)).status).toBe(200);
      const { body: options } = await second.post("/admin/step-up/options");
      const proof = ada.passkey.get(options.passkey);
      expect(await ada.browser.post("/admin/step-up", { proof })).toMatchObject(FAILED);
      expect(await reasonOf(ada)).toBe("challenge of another browser");

      const { body: signIn } = await ada.browser.post("/admin/session/passkey/options");
      expect(await ada.browser.post("/admin/step-up", { proof: ada.passkey.get(signIn) })).toMatchObject(FAILED);
      expect(await reasonOf(ada)).toBe("challenge of another purpose");

      const { body: own } = await ada.browser.post("/admin/step-up/options");
      clock.advance(5 * Minute.ms);
      expect(await ada.browser.post("/admin/step-up", { proof: ada.passkey.get(own.passkey) })).toMatchObject(FAILED);
      expect(await reasonOf(ada)).toBe("expired challenge");
    },
  );
});

describe("staff: own passkeys", () => {
  const add = async (browser: Shopper, passkey: TestPasskey, changes?: Parameters<TestPasskey["create"]>[1]) => {
    const { body: options } = await browser.post("/admin/me/passkeys/options");
    return browser.post("/admin/me/passkeys", { name: "Phone", passkey: passkey.create(options, changes) });
  };

  test("a second one is added, signs in, and its person is mailed; the first can then be removed, the last cannot", async () => {
    const { browser, passkey: first, person } = await personWithPasskey(market, "manager");
    expect(await browser.delete(`/admin/me/passkeys/${first.id}`)).toMatchObject({
      status: 409,
      body: [expect.any(String), { code: "last_factor" }],
    });
    const second = new TestPasskey();
    clock.advance(Second.ms);
    expect((await add(browser, second)).status).toBe(200);
    expect((await browser.get("/admin/me/security")).body.passkeys).toMatchObject([
      { id: first.id, name: "MacBook", isSynced: false },
      { id: second.id, name: "Phone", lastUsedAt: null },
    ]);
    expect((await browser.delete(`/admin/me/passkeys/${first.id}`)).status).toBe(200);
    expect((await browser.delete(`/admin/me/passkeys/${first.id}`)).status).toBe(404);
    expect((await browser.delete(`/admin/me/passkeys/${second.id}`)).status).toBe(409);
    expect((await signInByPasskey(market.shopper(), first)).status).toBe(401);
    expect((await signInByPasskey(market.shopper(), second)).status).toBe(200);
    expect(await db.mail.count({ where: { template: "staff-passkey-added", to_email: person.email } })).toBe(1);
    expect((await auditOf(market, person)).map(({ action, data }) => [action, data])).toEqual(
      expect.arrayContaining([
        ["staff passkey add", { name: "Phone", isSynced: false }],
        ["staff passkey remove", { name: "MacBook", endedSessions: 0 }],
      ]),
    );
  });

  test("two that are removed at once leave one", async () => {
    const { browser, passkey: first, person } = await personWithPasskey(market, "manager");
    const second = new TestPasskey();
    expect((await add(browser, second)).status).toBe(200);
    const work = { responses: Promise.resolve([{ status: 0 }]) };
    await transaction(db, async (tx) => {
      await execute(tx, sql`select id from staff_passkey where staff_id = ${person.id}::int for update`);
      work.responses = Promise.all([first, second].map(({ id }) => browser.delete(`/admin/me/passkeys/${id}`)));
      // Both have begun, and go on together.
      await waitForLock(db, work.responses, 2);
    });
    expect((await work.responses).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test("with a password the only one can be removed, and another person's cannot", async () => {
    const { browser } = await personWithPassword(market, "manager");
    const stranger = await personWithPasskey(market, "manager");
    const passkey = new TestPasskey();
    expect((await add(browser, passkey)).status).toBe(200);
    expect((await browser.delete(`/admin/me/passkeys/${stranger.passkey.id}`)).status).toBe(404);
    expect((await browser.delete(`/admin/me/passkeys/${passkey.id}`)).status).toBe(200);
  });

  test.each([
    ["from another origin", { origin: "http://evil.example" }],
    ["of another host", { rpId: "evil.example" }],
    ["without its user verified", { unverified: true }],
    ["to a challenge that was never given", { challenge: "bm90IG91cnM" }],
  ])("one %s is refused and audited", { tags: ["fail:N5"] }, async (_condition, changes) => {
    const { browser, person } = await personWithPasskey(market, "manager");
    expect(await add(browser, new TestPasskey(), changes)).toMatchObject({
      status: 400,
      body: ["That passkey couldn't be saved. Please try again.", { code: "passkey_failed" }],
    });
    expect((await auditOf(market, person)).at(-1)).toMatchObject({
      actor: `staff:${person.email}`,
      action: "staff set-up refused",
    });
    expect((await browser.get("/admin/me/security")).body.passkeys).toHaveLength(1);
  });

  test("one that is stored already, of another person, is refused", async () => {
    const ada = await personWithPasskey(market, "manager");
    const bob = await personWithPasskey(market, "manager");
    expect((await add(bob.browser, ada.passkey)).status).toBe(400);
    expect((await signInByPasskey(market.shopper(), ada.passkey)).status).toBe(401);
  });

  test("one that is removed while it signs in starts no session", async () => {
    const { person, passkey } = await personWithPasskey(market, "manager");
    const browser = market.shopper();
    const { body: options } = await browser.post("/admin/session/passkey/options");
    const work = { response: Promise.resolve({ status: 0 }) };
    await transaction(db, async (tx) => {
      await lockPerson(tx, asStaffId(person.id));
      await tx.staff_passkey.delete({ where: { id: passkey.id } });
      work.response = browser.post("/admin/session/passkey", { proof: passkey.get(options) });
      // It has verified the passkey and waits for the person.
      await waitForLock(db, work.response);
    });
    expect((await work.response).status).toBe(401);
    expect((await auditOf(market, person)).at(-1)?.reason).toBe("removed passkey");
  });
});

test("staff: renewed recovery codes replace the earlier ones", async () => {
  const { browser, person, recoveryCodes: old } = await personWithPasskey(market, "manager");
  const { body } = await browser.post("/admin/me/recovery-codes");
  expect(new Set([...body.recoveryCodes, ...old]).size).toBe(20);
  const signIn = (code?: string) => market.shopper().post("/admin/session/recovery", { email: person.email, code });
  expect((await signIn(old[0])).status).toBe(401);
  expect((await signIn(body.recoveryCodes[0])).status).toBe(200);
  expect((await browser.get("/admin/session")).body.me.recoveryCodesLeft).toBe(9);
});

test("staff: removing a passkey ends the other sessions, and that and new recovery codes are mailed", async () => {
  const { browser, passkey, person } = await personWithPasskey(market, "manager");
  const second = new TestPasskey();
  const { body: options } = await browser.post("/admin/me/passkeys/options");
  await browser.post("/admin/me/passkeys", { name: "Phone", passkey: second.create(options) });
  const phone = market.shopper();
  expect((await signInByPasskey(phone, second)).status).toBe(200);
  expect((await browser.delete(`/admin/me/passkeys/${second.id}`)).status).toBe(200);
  expect((await phone.get("/admin/me/security")).status).toBe(401);
  expect((await browser.post("/admin/me/recovery-codes")).status).toBe(200);
  expect((await signInByPasskey(market.shopper(), passkey)).status).toBe(200);
  const mails = await db.mail.findMany({ where: { to_email: person.email }, orderBy: { id: "asc" } });
  expect(mails.map(({ template, data }) => [template, data])).toEqual([
    ["staff-passkey-added", { email: person.email, name: "Phone" }],
    ["staff-passkey-removed", { email: person.email, name: "Phone" }],
    ["staff-recovery-codes-renewed", { email: person.email }],
  ]);
});

test(
  "staff: a person is reset while a request of their session is on its way: it is refused, and stores nothing",
  { tags: ["fail:N3"] },
  async () => {
    const { browser, passkey, person } = await personWithPasskey(market, "manager");
    const second = new TestPasskey();
    const { body: options } = await browser.post("/admin/me/passkeys/options");
    const staffId = asStaffId(person.id);
    const requests = () => [
      browser.post("/admin/me/recovery-codes"),
      browser.post("/admin/me/passkeys", { name: "Phone", passkey: second.create(options) }),
      browser.delete(`/admin/me/passkeys/${passkey.id}`),
      browser.delete("/admin/me/sessions/others"),
    ];
    const work = { responses: Promise.resolve([{ status: 0 }]) };
    await transaction(db, async (tx) => {
      await lockPerson(tx, staffId);
      work.responses = Promise.all(requests());
      // All were allowed, and wait.
      await waitForLock(db, work.responses, 4);
      await clearSignIn(tx, staffId);
      await endSessions(tx, staffId, clock.now());
    });
    for (const response of await work.responses)
      expect(response).toMatchObject({ status: 401, body: [expect.any(String), { code: "sign_in_required" }] });
    const left = await Promise.all([
      db.staff_recovery_code.count({ where: { staff_id: person.id } }),
      db.staff_passkey.count({ where: { staff_id: person.id } }),
    ]);
    expect(left).toEqual([0, 0]);
  },
);

describe("staff: own sessions", () => {
  const sessionsOf = async (browser: Shopper) =>
    (await browser.get("/admin/me/security")).body.sessions as { id: string; isThis: boolean }[];

  test("one and all others are ended from another browser; another person's cannot be", async () => {
    const { browser, passkey, person } = await personWithPasskey(market, "manager");
    const stranger = await personWithPasskey(market, "manager");
    const [phone, tablet, desk] = [market.shopper(), market.shopper(), market.shopper()];
    for (const each of [phone, tablet, desk]) expect((await signInByPasskey(each, passkey)).status).toBe(200);
    const ofPhone = (await sessionsOf(phone)).find(({ isThis }) => isThis)!;
    const [ofStranger] = await sessionsOf(stranger.browser);
    expect((await browser.delete(`/admin/me/sessions/${ofStranger!.id}`)).status).toBe(404);
    expect((await browser.delete(`/admin/me/sessions/${ofPhone.id}`)).status).toBe(200);
    expect((await phone.get("/admin/me/security")).status).toBe(401);
    expect(await sessionsOf(browser)).toHaveLength(3);
    expect((await browser.delete("/admin/me/sessions/others")).status).toBe(200);
    expect(await sessionsOf(browser)).toMatchObject([{ isThis: true }]);
    expect((await tablet.get("/admin/me/security")).status).toBe(401);
    expect((await auditOf(market, person)).slice(-2).map(({ action, data }) => [action, data])).toEqual([
      ["staff session end", { sessions: 1 }],
      ["staff session end", { sessions: 2 }],
    ]);
  });

  test("one that is ended in one server is refused by another that had it cached", { tags: ["fail:F2"] }, async () => {
    const { browser, passkey } = await personWithPasskey(market, "manager");
    const other = await buildTestApp({ env, url: market.url, now: clock.now().toISOString() });
    const elsewhere = other.shopper();
    const phone = market.shopper();
    expect((await signInByPasskey(phone, passkey)).status).toBe(200);
    for (const [name, value] of phone.cookies) elsewhere.cookies.set(name, value);
    expect((await elsewhere.get("/admin/me/security")).status).toBe(200);
    expect((await browser.delete("/admin/me/sessions/others")).status).toBe(200);
    await other.waitForNotifications();
    expect((await elsewhere.get("/admin/me/security")).status).toBe(401);
  });
});

test("staff: the person who is signed in sees the markets and permissions of their roles", async () => {
  const [carmel, fishers] = [await createHub(db), await createHub(db)];
  const { browser } = await personWithPasskey(market, "editor", { role: "hub_lead", hubId: carmel.id });
  const lead = await personWithPasskey(market, { role: "hub_lead", hubId: carmel.id });
  const { me } = (await lead.browser.get("/admin/session")).body;
  expect(me.hubs.map(({ id }: { id: number }) => id)).toEqual([carmel.id]);
  expect(me.roles).toEqual([{ role: "hub_lead", hub: { id: carmel.id, name: carmel.name } }]);
  expect(me.permissions["orders.read"]).toEqual([carmel.id]);
  expect(me.permissions).not.toHaveProperty("staff.write");
  const both = (await browser.get("/admin/session")).body.me;
  expect(both.hubs.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([carmel.id, fishers.id]));
  expect(both.permissions).toMatchObject({ "content.write": "all", "day.run": [carmel.id] });
});
