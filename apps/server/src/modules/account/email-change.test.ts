import { execute, sql, sqlTransaction } from "@marketday/db";
import { Day, Hour } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, PASSWORD } from "../../../test/factories.ts";
import { waitForLock } from "../../../test/locks.ts";
import { signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp({ pages: true });
const { db } = market;
const hub = await createHub(db);
const customer = () => signIn(market, { hubId: hub.id });
const mailsTo = (email: string) => db.mail.findMany({ where: { to_email: email }, orderBy: { id: "asc" } });

describe("email change", { tags: ["fail:F18", "fail:F21"] }, () => {
  const change = (browser: Awaited<ReturnType<typeof customer>>, email: string, currentPassword: string = PASSWORD) =>
    browser.put("/account/profile", { email, currentPassword });
  /** The link in the last mail about a change. */
  const linkTo = async (email: string) => {
    const mail = (await mailsTo(email)).findLast(({ template }) => template === "email-changed");
    return `/account/email/${(mail!.data as { token: string }).token}`;
  };
  /** As browsers post a form without fields. */
  const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": "0" };
  const undo = async (url: string) => (await market.app.inject({ method: "POST", url, headers })).statusCode;
  const emailOf = async (id: number) => (await db.customer.findUniqueOrThrow({ where: { id } })).email;

  test("needs the password; the same email and other fields do not", async () => {
    const one = await customer();
    const email = `moved.${one.customer.email}`;
    for (const body of [{ email }, { email, currentPassword: "" }]) {
      const answer = await one.put("/account/profile", body);
      expect([answer.status, answer.body]).toEqual([
        400,
        ["Enter your current password to change your email.", { code: "password_required", field: "currentPassword" }],
      ]);
    }
    const wrong = await change(one, email, "wrong");
    expect([wrong.status, wrong.body[1]]).toEqual([400, { code: "wrong_password", field: "currentPassword" }]);
    expect(await emailOf(one.customer.id)).toBe(one.customer.email);
    expect((await one.put("/account/profile", { email: one.customer.email, firstName: "Ada" })).status).toBe(200);
    expect(await mailsTo(one.customer.email!)).toEqual([]);
    expect((await change(one, email)).body.email).toBe(email);
  });

  test("is undone by the old address within 7 days, once: every session ends, and a link for a new password is sent", async () => {
    const one = await customer();
    const old = one.customer.email!;
    expect((await change(one, `moved.${old}`)).status).toBe(200);
    const link = await linkTo(old);
    // Opening the link changes nothing, because programs open links too.
    expect((await market.app.inject({ url: link })).statusCode).toBe(200);
    expect(await emailOf(one.customer.id)).toBe(`moved.${old}`);
    const both = await Promise.all([undo(link), undo(link)]);
    expect(both.toSorted((a, b) => a - b)).toEqual([200, 410]);
    expect(await emailOf(one.customer.id)).toBe(old);
    expect((await one.get("/account/profile")).status).toBe(401);
    const mails = await mailsTo(old);
    expect(mails.map(({ template }) => template)).toEqual(["email-changed", "password-reset"]);
    expect(await undo(link)).toBe(410);
    const { token } = mails[1]!.data as { token: string };
    const { expires_at } = await db.password_reset.findFirstOrThrow({ where: { customer_id: one.customer.id } });
    expect(expires_at.getTime() - market.clock.now().getTime()).toBe(Hour.ms);
    expect((await market.shopper().post(`/auth/reset/${token}`, { password: "blue-wheelbarrow" })).body).toBe(true);
  });

  test("undone: a former address that was stored as it was pasted is restored as it is typed", async () => {
    const one = await customer();
    const old = one.customer.email!;
    await db.customer.update({ where: { id: one.customer.id }, data: { email: `${old}\u200B` } });
    expect((await change(one, `moved.${old}`)).status).toBe(200);
    expect(await undo(await linkTo(`${old}\u200B`))).toBe(200);
    expect(await emailOf(one.customer.id)).toBe(old);
  });

  test(
    "undone: the old password opens nothing any more, and the data link of the other address is dead",
    { tags: ["fail:F6"] },
    async () => {
      const one = await customer();
      const old = one.customer.email!;
      await change(one, `moved.${old}`);
      expect((await one.post("/account/export", { password: PASSWORD })).status).toBe(200);
      const exported = (await mailsTo(`moved.${old}`)).find(({ template }) => template === "data-export");
      expect(await undo(await linkTo(old))).toBe(200);
      for (const username of [old, `moved.${old}`]) {
        const login = await market.shopper().post("/auth/login", { username, password: PASSWORD });
        expect([login.status, login.body]).toEqual([
          401,
          ["Invalid email or password. Please check those values.", { code: "invalid_credentials" }],
        ]);
      }
      const refused = [
        await one.post("/auth/update", { oldPassword: PASSWORD, newPassword: "blue-wheelbarrow" }),
        await one.delete("/account", { password: PASSWORD }),
        await one.post("/account/export", { password: PASSWORD }),
        await change(one, `third.${old}`),
      ];
      expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
      const { token } = exported!.data as { token: string };
      expect((await market.app.inject({ method: "POST", url: `/account/data/${token}`, headers })).statusCode).toBe(
        303,
      );
      expect((await db.customer.findUniqueOrThrow({ where: { id: one.customer.id } })).password_hash).toBeNull();
      // "Forgot Password" works without a password too.
      await market.shopper().post("/auth/forgot", { email: old });
      await market.app.settled();
      const mail = (await mailsTo(old)).findLast(({ template }) => template === "password-reset");
      const reset = `/auth/reset/${(mail!.data as { token: string }).token}`;
      expect((await market.shopper().post(reset, { password: "blue-wheelbarrow" })).body).toBe(true);
      const again = await market.shopper().post("/auth/login", { username: old, password: "blue-wheelbarrow" });
      expect(again.status).toBe(200);
    },
  );

  test("without a password, what needs one is refused with the sentence for a wrong one", async () => {
    const one = await customer();
    await db.customer.update({ where: { id: one.customer.id }, data: { password_hash: null } });
    const refused = [
      await one.post("/auth/update", { oldPassword: PASSWORD, newPassword: "blue-wheelbarrow" }),
      await one.delete("/account", { password: PASSWORD }),
      await one.post("/account/export", { password: PASSWORD }),
      await change(one, `third.${one.customer.email}`),
    ];
    for (const { status, body } of refused)
      expect([status, body[0], body[1].code]).toEqual([400, "That is not your current password.", "wrong_password"]);
  });

  test("after two changes, the first owner's link works and invalidates the second", async () => {
    const one = await customer();
    const old = one.customer.email!;
    await change(one, `second.${old}`);
    const first = await linkTo(old);
    await change(one, `third.${old}`);
    const second = await linkTo(`second.${old}`);
    expect(await undo(first)).toBe(200);
    expect(await emailOf(one.customer.id)).toBe(old);
    expect(await undo(second)).toBe(410);
    expect(await emailOf(one.customer.id)).toBe(old);
  });

  test("a later owner's link leaves the first owner's, and the links of other accounts, as they are", async () => {
    const [one, other] = [await customer(), await customer()];
    const old = one.customer.email!;
    await change(one, `second.${old}`);
    const first = await linkTo(old);
    await change(one, `third.${old}`);
    const second = await linkTo(`second.${old}`);
    await change(other, `moved.${other.customer.email}`);
    const others = await linkTo(other.customer.email!);
    expect([await undo(second), await emailOf(one.customer.id)]).toEqual([200, `second.${old}`]);
    expect([await undo(first), await emailOf(one.customer.id)]).toEqual([200, old]);
    expect([await undo(others), await emailOf(other.customer.id)]).toEqual([200, other.customer.email]);
  });

  test("cannot be undone after 7 days, for a deleted account, or to an address of another account", async () => {
    const [inTime, late] = [await customer(), await customer()];
    for (const browser of [inTime, late]) await change(browser, `moved.${browser.customer.email}`);
    const [inTimeLink, lateLink] = [await linkTo(inTime.customer.email!), await linkTo(late.customer.email!)];
    market.clock.advance(7 * Day.ms - 1);
    expect(await undo(inTimeLink)).toBe(200);
    market.clock.advance(1);
    expect(await undo(lateLink)).toBe(410);
    market.clock.set("2026-11-23T17:00:00Z");

    const gone = await customer();
    await change(gone, `moved.${gone.customer.email}`);
    const goneLink = await linkTo(gone.customer.email!);
    expect((await gone.delete("/account", { password: PASSWORD })).status).toBe(200);
    expect(await undo(goneLink)).toBe(410);

    const one = await customer();
    await change(one, `moved.${one.customer.email}`);
    const link = await linkTo(one.customer.email!);
    const other = await customer();
    await change(other, one.customer.email!);
    expect(await undo(link)).toBe(409);
    expect(await emailOf(one.customer.id)).toBe(`moved.${one.customer.email}`);
  });

  test(
    "deleting the account removes every address it had, except one that another account has now",
    { tags: ["fail:L1", "fail:L2"] },
    async () => {
      const one = await customer();
      const addresses = [one.customer.email!, `second.${one.customer.email}`, `third.${one.customer.email}`];
      const lead = (email: string) => market.shopper().post("/leads", { kind: "email", email });
      for (const email of addresses) expect((await lead(email)).status).toBe(200);
      for (const email of addresses.slice(1)) expect((await change(one, email)).status).toBe(200);
      const other = await customer();
      expect((await change(other, addresses[1]!)).status).toBe(200);
      const left = () => Promise.all(addresses.map((email) => db.lead.count({ where: { email } })));
      expect(await left()).toEqual([1, 1, 1]);
      expect((await one.delete("/account", { password: PASSWORD })).status).toBe(200);
      expect(await left()).toEqual([0, 1, 0]);
      expect(await mailsTo(addresses[0]!)).toEqual([]);
      // Only the last mail is sent to the last address.
      expect((await mailsTo(addresses[2]!)).map(({ template }) => template)).toEqual(["account-deleted"]);
      expect(await db.email_change.count({ where: { customer_id: one.customer.id } })).toBe(0);
    },
  );

  test.each([
    ["a login with the old password", "login"],
    ["a change of the password", "password"],
    ["a change of the email", "email"],
  ] as const)(
    "undone while %s is under way: the thief's password and sessions are worth nothing afterwards",
    async (_, step) => {
      const one = await customer();
      const old = one.customer.email!;
      await change(one, `moved.${old}`);
      const link = await linkTo(old);
      const thief = market.shopper();
      const steps = {
        login: () => thief.post("/auth/login", { username: `moved.${old}`, password: PASSWORD }),
        password: () => one.post("/auth/update", { oldPassword: PASSWORD, newPassword: "blue-wheelbarrow" }),
        email: () => change(one, `third.${old}`),
      };
      // Both wait for the customer's row: the undo first, then the thief, whose password was right when it was checked.
      const locked = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const holding = sqlTransaction(db, async (tx) => {
        await execute(tx, sql`select id from customer where id = ${one.customer.id}::int for update`);
        locked.resolve();
        await release.promise;
      });
      await locked.promise;
      const undoing = undo(link);
      await waitForLock(db, undoing);
      const stealing = steps[step]();
      await waitForLock(db, stealing, 2);
      release.resolve();
      const [, undone, stolen] = await Promise.all([holding, undoing, stealing]);
      expect([undone, stolen.status >= 400]).toEqual([200, true]);
      const row = await db.customer.findUniqueOrThrow({ where: { id: one.customer.id } });
      expect([row.email, row.password_hash]).toEqual([old, null]);
      expect(await db.session.count({ where: { customer_id: one.customer.id, ended_at: null } })).toBe(0);
    },
  );
});
