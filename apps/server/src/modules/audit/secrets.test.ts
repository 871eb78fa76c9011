import { query, sql } from "@marketday/db";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, GOOD_CARD } from "../../../test/factories.ts";
import type { Shopper } from "../../../test/shopper.ts";
import { signIn } from "../../../test/sign-in.ts";
import { acceptByPasskey, linkOf, personWithPassword } from "../../../test/staff-sign-in.ts";
import { createStaff } from "../../../test/staff.ts";
import { sendDueMail } from "../mail/send-mail.ts";

/** Log lines of every level, without redaction. */
const lines: string[] = [];
const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
const market = await buildTestApp({ overrides: { log }, pages: true });
const { db, deps } = market;
const hub = await createHub(db);
const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 1000 });

/** The columns that contain these texts, as `table.column`. */
async function placesOf(secrets: readonly string[]): Promise<string[]> {
  const columns = await query(
    db,
    sql`select table_name as name, column_name as column from information_schema.columns
        where table_schema = current_schema() and data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY') order by 1, 2`,
    z.object({ name: z.string(), column: z.string() }),
  );
  const found: string[] = [];
  for (const { name, column } of columns) {
    const rows = await db.$queryRawUnsafe<{ text: string }[]>(
      `select "${column}"::text as text from "${name}" where "${column}" is not null`,
    );
    if (rows.some(({ text }) => secrets.some((secret) => text.includes(secret)))) found.push(`${name}.${column}`);
  }
  return found;
}

test(
  "secrets: passwords, cards, sessions and links are in no table and in no log",
  { tags: ["fail:V11", "fail:F20"] },
  async () => {
    const email = "ada.secret@example.com";
    const passwords = [
      "canary-wheelbarrow-1",
      "canary-wheelbarrow-2",
      "canary-wheelbarrow-3",
      "canary-wrong-4",
      "canary-broken-5",
    ] as const;
    const [first, second, third, wrong, broken] = passwords;
    const cards = ["4242424242424242", "4000000000000002", "4000002500003155"] as const;
    const secrets = new Set<string>([...passwords, ...cards, "4242 4242 4242 4242"]);
    const browser = market.shopper();
    const keep = () => browser.cookies.forEach((value, name) => name === "mkt_as" || secrets.add(value));
    const tokenOf = async (template: string) => {
      const mail = await db.mail.findFirstOrThrow({ where: { to_email: email, template }, orderBy: { id: "desc" } });
      const { token } = mail.data as { token: string };
      secrets.add(token);
      return token;
    };

    await browser.post("/auth/guest?zipCode=46032");
    keep();
    const person = { email, zipCode: "46032", firstName: "Ada", lastName: "Brown" };
    expect((await browser.post("/auth/register", { ...person, password: first })).status).toBe(200);
    keep();
    expect((await market.shopper().post("/auth/login", { username: email, password: wrong })).status).toBe(401);
    expect((await market.shopper().post("/auth/login", `{"username":"${email}","password":"${broken}",}`)).status).toBe(
      400,
    );
    expect((await market.shopper().post("/auth/login", { username: [email], password: { is: broken } })).status).toBe(
      400,
    );
    expect((await browser.post("/auth/update", { oldPassword: first, newPassword: second })).status).toBe(200);
    await market.shopper().post("/auth/forgot", { email });
    await market.app.settled();
    const reset = await tokenOf("password-reset");
    expect((await market.shopper().post(`/auth/reset/${reset}`, { password: third })).body).toBe(true);
    expect((await market.shopper().post(`/auth/reset/${reset}`, { password: third })).body).toBe("EXPIRED");
    await market.app.inject({ url: `/password-reset/${reset}`, headers: { accept: "text/html" } });
    expect((await browser.post("/auth/login", { username: email, password: third })).status).toBe(200);
    keep();
    secrets.add((await browser.get("/auth/bridge")).body.token as string);
    expect((await browser.post("/account/export", { password: third })).status).toBe(200);
    const data = await tokenOf("data-export");

    await browser.put("/cart", [eggs.line(1)]);
    for (const number of cards) {
      const choice = { ...CHOICE, card: { ...GOOD_CARD, number }, savePaymentMethod: true };
      const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
      const headers = { "idempotency-key": crypto.randomUUID() };
      const answer = await browser.post("/checkout", { ...choice, expectedTotal: orderTotal }, headers);
      expect([201, 202, 402]).toContain(answer.status);
      if (answer.status === 201) await browser.put("/cart", [eggs.line(1)]);
    }
    await browser.post("/payment-methods", { card: GOOD_CARD });
    await browser.post("/payment-methods", { card: { ...GOOD_CARD, number: "4242 4242 4242 4242" } });
    await browser.post("/payment-methods", { card: "4242424242424242" });
    const gift = { amount: 25, recipientEmail: email, deliverOn: "2026-11-23", card: GOOD_CARD };
    expect((await browser.post("/gift-cards", gift)).status).toBe(201);
    const { data: gifted } = await db.mail.findFirstOrThrow({ where: { template: "gift-card" } });
    const { code } = gifted as { code: string };
    secrets.add(code);
    await browser.post("/gift-cards/redeem", { code });
    await market.app.inject({
      method: "POST",
      url: `/account/data/${data}`,
      headers: { cookie: browser.cookieHeader() },
    });

    // A waiting mail contains its link; a sent one does not.
    await sendDueMail(deps);
    expect(await db.mail.count({ where: { sent_at: null } })).toBe(0);
    expect(await placesOf([...secrets])).toEqual([]);
    const log = lines.join("\n");
    expect(log).toContain("/api/auth/login");
    expect([...secrets].filter((secret) => log.includes(secret))).toEqual([]);
    expect((await market.audit()).filter(({ invariant }) => ["V10", "V11"].includes(invariant))).toEqual([]);
  },
);

test(
  "secrets: passwords, app secrets, recovery codes, links, challenges and sessions of the staff are in no table and in no log",
  { tags: ["fail:V11", "fail:F20"] },
  async () => {
    const secrets = new Set<string>();
    const keep = ({ cookies }: Shopper) => cookies.forEach((value) => secrets.add(value));
    const byPassword = await personWithPassword(market, "owner");
    const { password, options, recoveryCodes } = byPassword;
    for (const secret of [password, options.secret, ...recoveryCodes]) secrets.add(secret);
    keep(byPassword.browser);
    const email = byPassword.person.email;
    const [code = ""] = recoveryCodes;
    expect((await byPassword.browser.post("/admin/session/recovery", { email, code })).status).toBe(200);
    keep(byPassword.browser);
    const wrong = { email, password: "canary-wrong-6", code: "123456" };
    secrets.add(wrong.password);
    expect((await market.shopper().post("/admin/session/password", wrong)).status).toBe(401);

    const token = await linkOf(market, (await createStaff(market, "editor")).id);
    secrets.add(token);
    const browser = market.shopper();
    expect((await acceptByPasskey(browser, token)).status).toBe(200);
    keep(browser);
    const { body } = await browser.post("/admin/session/passkey/options");
    secrets.add(body.challenge);
    keep(browser);
    const renewed = await browser.post("/admin/me/recovery-codes");
    for (const each of renewed.body.recoveryCodes) secrets.add(each);
    await market.app.settled();

    expect(await placesOf([...secrets])).toEqual([]);
    const log = lines.join("\n");
    expect(log).toContain("/api/admin/invites/…/passkey");
    expect([...secrets].filter((secret) => log.includes(secret))).toEqual([]);
  },
);

describe("doctor: secrets", { tags: ["fail:V10", "fail:V11"] }, () => {
  const violations = async (invariant: string) =>
    (await market.audit()).filter((violation) => violation.invariant === invariant).map(({ problem }) => problem);

  test("sessions of a deleted account, and from before a password change, are reported", async () => {
    const browser = await signIn(market, { hubId: hub.id });
    const { id } = browser.customer;
    for (const device of [1, 2]) {
      const other = market.shopper();
      expect([
        device,
        (await other.post("/auth/login", { username: browser.customer.email, password: "wheelbarrow" })).status,
      ]).toEqual([device, 200]);
    }
    expect(await violations("V10")).toEqual([]);
    const { ended_at: live, ...where } = { ended_at: null, customer_id: id };
    await db.customer.update({ where: { id }, data: { password_changed_at: new Date("2026-11-23T18:00:00Z") } });
    expect(await violations("V10")).toEqual([expect.stringContaining(`customer ${id} has 3 sessions`)]);
    const [own] = await db.session.findMany({ where: { ...where, ended_at: live } });
    await db.session.updateMany({ where: { ...where, id: { not: own!.id } }, data: { ended_at: new Date() } });
    expect(await violations("V10")).toEqual([]);
    await db.customer.update({
      where: { id },
      data: { deleted_at: new Date(), email: null, password_hash: null },
    });
    expect(await violations("V10")).toEqual([`session ${own!.id} of deleted customer ${id} lives`]);
    await db.session.update({ where: { id: own!.id }, data: { ended_at: new Date() } });
    expect(await violations("V10")).toEqual([]);
  });

  test("values in a table that look like a card, a session or a password are reported", async () => {
    const now = market.clock.now();
    const row = {
      actor: "c1",
      key: "k",
      request_hash: "x",
      state: "done",
      status: 200,
      lease_until: now,
      created_at: now,
    };
    for (const response of [{ password: "x" }, { card: { number: "4242" } }, { token: "eyJhbGciOiJIUzI1NiJ9.e30.x" }]) {
      await db.idempotency_key.create({ data: { ...row, response } });
      expect(await violations("V11")).toEqual(["the answer to key k keeps something secret"]);
      await db.idempotency_key.delete({ where: { actor_key: { actor: "c1", key: "k" } } });
    }
    const mail = await db.mail.create({
      data: {
        key: "secret",
        template: "password-reset",
        to_email: "a@example.com",
        data: { token: "t" },
        is_secret: true,
        sent_at: now,
        created_at: now,
      },
    });
    expect(await violations("V11")).toEqual(["mail secret was sent and keeps its secret"]);
    await db.mail.delete({ where: { id: mail.id } });
    expect(await violations("V11")).toEqual([]);
  });
});
