import { Minute } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHub, PASSWORD } from "../../../test/factories.ts";
import { TestPasskey } from "../../../test/passkey.ts";
import { race } from "../../../test/race.ts";
import { acceptByPasskey, auditOf, linkOf, personWithPasskey, signInByPasskey } from "../../../test/staff-sign-in.ts";
import { createStaff } from "../../../test/staff.ts";

const market = await buildTestApp();
const { app, db, clock } = market;

const FAILED = ["We couldn't sign you in. Check your details and try again.", { code: "sign_in_failed" }] as const;
const start = async (browser = market.shopper()) => ({
  browser,
  options: (await browser.post("/admin/session/passkey/options")).body,
});
const finish = (browser: ReturnType<typeof market.shopper>, proof: unknown) =>
  browser.post("/admin/session/passkey", { proof });

/** Why the last sign-in of a person was refused; undefined when it was not. */
const lastRefusal = async (person: { email: string }) => {
  const last = (await auditOf(market, person)).at(-1);
  return last?.action === "staff sign-in refused" ? last.reason : undefined;
};

test("staff: an invited person sets up a passkey, signs out and signs in again with it", async () => {
  const { person, browser, passkey, me, recoveryCodes } = await personWithPasskey(market, "manager");
  expect(new Set(recoveryCodes).size).toBe(10);
  expect(me).toMatchObject({ name: "Ada Lovelace", email: person.email, passkeys: 1, recoveryCodesLeft: 10 });
  expect((await browser.get("/admin/session")).body.me).toMatchObject({ email: person.email });
  expect((await browser.delete("/admin/session")).status).toBe(200);
  expect((await browser.get("/admin/session")).body.me).toBeNull();
  expect(await signInByPasskey(browser, passkey)).toMatchObject({ status: 200, body: { email: person.email } });
  expect((await auditOf(market, person)).map(({ actor, action }) => [actor, action])).toEqual(
    ["staff sign-in", "staff set-up", "staff sign-out", "staff sign-in"].map((action) => [
      `staff:${person.email}`,
      action,
    ]),
  );
});

test("staff: the options require a passkey that the authenticator keeps and that verifies its user, without attestation", async () => {
  const { browser, passkey } = await personWithPasskey(market, "editor");
  expect((await browser.post("/admin/me/passkeys/options")).body).toMatchObject({
    rp: { id: "localhost" },
    attestation: "none",
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    excludeCredentials: [{ id: passkey.id }],
  });
  const { options } = await start();
  expect(options).toMatchObject({ rpId: "localhost", userVerification: "required", timeout: 5 * Minute.ms });
  expect(options.allowCredentials ?? []).toEqual([]);
});

describe("staff: a passkey's answer that does not fit is refused with one sentence and audited", () => {
  type Signer = Awaited<ReturnType<typeof personWithPasskey>>;
  const signedOut = async (): Promise<Signer> => {
    const made = await personWithPasskey(market, "manager");
    await made.browser.delete("/admin/session");
    return made;
  };
  const expectRefused = async (
    { person, browser }: Pick<Signer, "person" | "browser">,
    response: { status: number; body: unknown },
    reason: string | RegExp,
  ) => {
    expect([response.status, response.body]).toEqual([401, FAILED]);
    expect(browser.cookies.has("mkt_staff")).toBe(false);
    expect(await lastRefusal(person)).toMatch(reason);
  };

  test("replayed in the same browser", { tags: ["fail:N5"] }, async () => {
    const made = await signedOut();
    const { options } = await start(made.browser);
    const proof = made.passkey.get(options);
    const token = made.browser.cookies.get("mkt_staff_browser")!;
    expect((await finish(made.browser, proof)).status).toBe(200);
    await made.browser.delete("/admin/session");
    made.browser.cookies.set("mkt_staff_browser", token);
    await expectRefused(made, await finish(made.browser, proof), "challenge used before");
  });

  test.each<[condition: string, changes: Parameters<TestPasskey["get"]>[1], reason: RegExp]>([
    ["from another origin", { origin: "http://localhost:8080" }, /Unexpected authentication response origin/],
    ["of another host", { rpId: "evil.example" }, /RP ID/i],
    ["without its user verified", { unverified: true }, /User verification required/],
    ["with the handle of another person", { userHandle: "AAAA" }, /user handle/],
    ["without the handle of a person", { userHandle: null }, /user handle/],
    ["to a challenge that was never given", { challenge: "bm90IG91cnM" }, /unknown challenge/],
  ])("%s", { tags: ["fail:N5"] }, async (_condition, changes, reason) => {
    const made = await signedOut();
    await expectRefused(made, await signInByPasskey(made.browser, made.passkey, changes), reason);
  });

  test("with a signature of another key", { tags: ["fail:N5"] }, async () => {
    const made = await signedOut();
    const { options } = await start(made.browser);
    const proof = made.passkey.get(options);
    const forged = new TestPasskey().get(options);
    const response = { ...proof.response, signature: forged.response.signature };
    await expectRefused(made, await finish(made.browser, { ...proof, response }), "signature");
  });

  test("after five minutes, and accepted a millisecond before", { tags: ["fail:N5"] }, async () => {
    const late = await signedOut();
    const { options } = await start(late.browser);
    const prompt = await signedOut();
    const { options: inTime } = await start(prompt.browser);
    clock.advance(5 * Minute.ms - 1);
    expect((await finish(prompt.browser, prompt.passkey.get(inTime))).status).toBe(200);
    clock.advance(1);
    await expectRefused(late, await finish(late.browser, late.passkey.get(options)), "expired challenge");
  });

  test("from another browser than the one that requested it", { tags: ["fail:N5"] }, async () => {
    const made = await signedOut();
    const { options } = await start(market.shopper());
    const { browser } = await start(made.browser);
    await expectRefused(made, await finish(browser, made.passkey.get(options)), "challenge of another browser");
    const bare = market.shopper();
    const response = await finish(bare, made.passkey.get(options));
    await expectRefused({ ...made, browser: bare }, response, "challenge of another browser");
  });

  test("to a challenge that was given for something else", { tags: ["fail:N5"] }, async () => {
    const made = await personWithPasskey(market, "manager");
    const { body: stepUp } = await made.browser.post("/admin/step-up/options");
    await made.browser.delete("/admin/session");
    const { options: signIn } = await start(made.browser);
    const proof = made.passkey.get({ ...signIn, challenge: stepUp.passkey.challenge });
    await expectRefused(made, await finish(made.browser, proof), "challenge of another purpose");
  });

  test("of a person who was disabled", async () => {
    const made = await signedOut();
    await db.staff.update({ where: { id: made.person.id }, data: { disabled_at: clock.now() } });
    await expectRefused(made, await signInByPasskey(made.browser, made.passkey), "disabled person");
  });

  test("of a passkey whose counter went back, which is mailed to the owners", { tags: ["fail:N5"] }, async () => {
    const owner = await createStaff(market, "owner");
    const made = await signedOut();
    expect((await signInByPasskey(made.browser, made.passkey, { counter: 7 })).status).toBe(200);
    await made.browser.delete("/admin/session");
    for (const counter of [7, 6, 0])
      await expectRefused(
        made,
        await signInByPasskey(made.browser, made.passkey, { counter }),
        `counter went back: ${counter}, stored 7`,
      );
    const mails = await db.mail.findMany({ where: { template: "staff-passkey-copied", to_email: owner.email } });
    expect(mails.map(({ data }) => data)).toEqual([{ email: made.person.email }]);
  });
});

test("staff: an unknown passkey is refused with the same sentence, and nothing is audited", async () => {
  const before = await db.audit_entry.count();
  const stranger = new TestPasskey();
  const response = await signInByPasskey(market.shopper(), stranger);
  expect([response.status, response.body]).toEqual([401, FAILED]);
  await app.settled();
  expect(await db.audit_entry.count()).toBe(before);
});

test("staff: a passkey that never counts, as those of password managers, signs in again and again", async () => {
  const person = await createStaff(market, "manager");
  const passkey = new TestPasskey("http://localhost", { counts: false });
  const browser = market.shopper();
  expect((await acceptByPasskey(browser, await linkOf(market, person.id), passkey)).status).toBe(200);
  for (let time = 0; time < 2; time += 1) expect((await signInByPasskey(browser, passkey)).status).toBe(200);
  expect((await browser.get("/admin/me/security")).body.passkeys).toMatchObject([{ id: passkey.id, isSynced: true }]);
});

test("staff: two sign-ins at once with one challenge start one session", { tags: ["fail:N5"] }, async () => {
  const { person, browser, passkey } = await personWithPasskey(market, "manager");
  await browser.delete("/admin/session");
  const { options } = await start(browser);
  const cookie = browser.cookieHeader();
  const answers = [1, 2, 3].map(() => passkey.get(options));
  const responses = await race(
    answers.map((proof) => ({
      port: market.port,
      method: "POST",
      path: "/api/admin/session/passkey",
      cookie,
      body: { proof },
    })),
  );
  const statuses = responses.map((each) => (each.status === "fulfilled" ? each.value.status : 0));
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
  expect(await db.staff_session.count({ where: { staff_id: person.id, ended_at: null } })).toBe(1);
});

test(
  "staff: signing in again gives the browser a new session, and the old one ends at once",
  { tags: ["fail:F1"] },
  async () => {
    const { browser, passkey } = await personWithPasskey(market, "manager");
    const before = browser.cookieHeader();
    expect((await signInByPasskey(browser, passkey)).status).toBe(200);
    expect((await market.shopper().get("/admin/me/security", { cookie: before })).status).toBe(401);
    expect((await browser.get("/admin/me/security")).body.sessions).toMatchObject([{ isThis: true }]);
  },
);

test("staff: another site signs no browser in", { tags: ["fail:F8"] }, async () => {
  const { browser, passkey } = await personWithPasskey(market, "manager");
  await browser.delete("/admin/session");
  const { options } = await start(browser);
  const foreign = { "sec-fetch-site": "cross-site" };
  const response = await browser.post("/admin/session/passkey", { proof: passkey.get(options) }, foreign);
  expect(response).toMatchObject({ status: 403, body: [expect.any(String), { code: "bad_origin" }] });
  expect(browser.cookies.has("mkt_staff")).toBe(false);
});

test("staff: cookies are out of reach of scripts and of other sites", { tags: ["fail:F4"] }, async () => {
  const { browser, passkey } = await personWithPasskey(market, "manager");
  const { headers, body } = await browser.post("/admin/session/passkey/options");
  const signedIn = await finish(browser, passkey.get(body));
  for (const [name, response] of [
    ["mkt_staff_browser", { headers }],
    ["mkt_staff", signedIn],
  ] as const) {
    const cookie = [response.headers["set-cookie"]].flat().find((each) => each?.startsWith(`${name}=`));
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
  }
});

test("staff: a shopper's cookie opens no admin route, nor the other way round", { tags: ["fail:F3"] }, async () => {
  const hub = await createHub(db);
  const customer = await createCustomer(db, { hubId: hub.id, pepper: market.deps.env.pepper });
  const shopper = market.shopper();
  expect((await shopper.post("/auth/login", { username: customer.email, password: PASSWORD })).status).toBe(200);
  const { browser } = await personWithPasskey(market, "owner");
  const crossed = market.shopper();
  crossed.cookies.set("mkt_staff", shopper.cookies.get("mkt_session")!);
  crossed.cookies.set("mkt_session", browser.cookies.get("mkt_staff")!);
  expect((await crossed.get("/admin/me/security")).status).toBe(401);
  expect((await crossed.get("/auth")).status).toBe(401);
});
