import { execute, sql } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { ADDRESS, createCustomer, createHub, createProduct, GOOD_CARD, PASSWORD } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { fakeSmtp, silentPort } from "../../../test/fake-smtp.ts";
import { endPauses, pausesOf, senderDied } from "../../../test/pauses.ts";
import { smtpMailer } from "../../gateways/mailer/smtp-mailer.ts";
import { dueWork } from "../../jobs/due.ts";
import { enqueueMail } from "./mail-sql.ts";
import { sendDueMail } from "./send-mail.ts";

const smtp = await fakeSmtp();
const points = failpoints();
const FROM = "Little Wagon <hello@little-wagon.example>";
const market = await buildTestApp({
  overrides: { failpoint: points.at, mailer: smtpMailer(smtp.url, FROM) },
  env: { PUBLIC_URL: "https://market.example.org" },
});
const { db, deps } = market;

beforeEach(async () => {
  market.clock.set(MONDAY);
  await db.mail.deleteMany();
  smtp.mode = "take";
  smtp.taken.length = 0;
});
const advance = (minutes: number) => market.clock.advance(minutes * 60_000);
const waiting = () => db.mail.count({ where: { sent_at: null } });
const enqueueMails = async (count: number) => {
  const customer = await createCustomer(db, { pepper: deps.env.pepper });
  for (let n = 0; n < count; n += 1)
    await enqueueMail(db, {
      key: `wagon-pass-lapsed:${customer.id}:${n}`,
      template: "wagon-pass-lapsed",
      customerId: customer.id,
      data: { n },
      now: market.clock.now(),
    });
  return customer;
};

describe("mail: mail server failures", () => {
  test(
    "mail server down for an hour: orders succeed, and each mail is sent once when it is back",
    { tags: ["fail:E1", "fail:V9"] },
    async () => {
      const hub = await createHub(db);
      const eggs = await createProduct(db, hub.id, { inventory: 500 });
      await smtp.down();
      const orders: number[] = [];
      const count = size(8, 60);
      for (let n = 0; n < count; n += 1) {
        const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
        const browser = market.shopper();
        await browser.post("/auth/login", { username: row.email, password: PASSWORD });
        await browser.put("/cart", [eggs.line(1)]);
        const choice = { type: "delivery", deliveryAddress: ADDRESS, card: GOOD_CARD };
        const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
        const { status, body } = await browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
        expect(status).toBe(201);
        orders.push(body.orderId);
        advance(60 / count);
        expect(await sendDueMail(deps)).toBe(0);
      }
      expect([smtp.taken, await waiting()]).toEqual([[], count]);
      const tries = await db.mail.aggregate({ _sum: { attempts: true } });
      expect(tries._sum.attempts).toBeLessThanOrEqual(count);
      // No mail waits longer than ten seconds for its next attempt.
      const pauses = await pausesOf(db, "mail");
      expect([pauses.length, Math.max(...pauses) <= 10]).toEqual([count, true]);
      await smtp.up();
      await endPauses(db, "mail");
      expect(await sendDueMail(deps)).toBe(count);
      expect(await waiting()).toBe(0);
      const sentIds = smtp.taken.map((mail) => Number(/order (\d{9})/.exec(mail.subject!)?.[1]));
      // Oldest first, three at a time: when a mail is accepted, at most two older ones are still unsent.
      for (const [place, id] of sentIds.entries()) {
        const older = orders.slice(0, orders.indexOf(id));
        expect(older.filter((orderId) => !sentIds.slice(0, place).includes(orderId)).length).toBeLessThan(3);
      }
      expect(new Set(smtp.taken.map((mail) => mail.messageId)).size).toBe(count);
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "mail server that hangs or never greets: the attempt times out and is retried with increasing delays",
    { tags: ["fail:E2"] },
    async () => {
      await enqueueMails(1);
      smtp.mode = "hang";
      const impatient = { ...deps, mailer: smtpMailer(smtp.url, FROM, { greeting: 60_000, silence: 300 }) };
      const browser = market.shopper();
      for (let n = 0; n < 10; n += 1) {
        const [, answer] = await Promise.all([sendDueMail(impatient), browser.get("/hubs")]);
        expect(answer.status).toBe(200);
        const { attempts, last_error } = await db.mail.findFirstOrThrow();
        expect([attempts, last_error]).toEqual([n + 1, expect.stringMatching(/timeout|greeting never received/i)]);
        // 1 to 2 s, 2 to 4 s … at most 5 minutes; on a slow machine a little time has already passed.
        const [pause = 0] = await pausesOf(db, "mail");
        expect(pause).toBeLessThanOrEqual(Math.min(300, 2 ** (n + 1)));
        if (n >= 5) expect(pause).toBeGreaterThan(Math.min(300, 2 ** n) / 2);
        expect(await sendDueMail(deps)).toBe(0);
        await endPauses(db, "mail");
      }
      smtp.mode = "take";
      expect([await sendDueMail(deps), smtp.taken.length]).toEqual([1, 1]);
      await enqueueMails(2);
      const silent = { ...deps, mailer: smtpMailer(await silentPort(), FROM, { greeting: 300, silence: 60_000 }) };
      expect(await sendDueMail(silent)).toBe(0);
      // No greeting: the second mail was not attempted.
      expect(
        (await db.mail.findMany({ where: { sent_at: null }, orderBy: { id: "asc" } })).map((m) => m.attempts),
      ).toEqual([1, 0]);
    },
  );

  test("451 for one full mailbox: the other mails are sent, this one is retried", { tags: ["fail:E2"] }, async () => {
    const [bad, good] = [await enqueueMails(1), await enqueueMails(2)];
    smtp.mode = "full";
    smtp.fullBox = bad.email!;
    expect(await sendDueMail(deps)).toBe(2);
    expect(smtp.taken.every((mail) => mail.to?.[0]?.address === good.email)).toBe(true);
    expect(await db.mail.findFirstOrThrow({ where: { sent_at: null } })).toMatchObject({
      to_email: bad.email,
      attempts: 1,
      last_error: expect.stringContaining("mailbox full"),
    });
    smtp.mode = "busy";
    await endPauses(db, "mail");
    expect(await sendDueMail(deps)).toBe(0);
    smtp.mode = "take";
    await endPauses(db, "mail");
    expect(await sendDueMail(deps)).toBe(1);
  });

  test(
    "connection lost after acceptance, or sender killed: at most one more copy, with the same Message-ID",
    { tags: ["fail:E1"] },
    async () => {
      await enqueueMails(1);
      smtp.mode = "drop";
      expect(await sendDueMail(deps)).toBe(0);
      smtp.mode = "take";
      await endPauses(db, "mail");
      // The sender stops just after the mail server accepted the mail.
      const dying = Promise.withResolvers<void>();
      const hang = () => new Promise<never>(() => dying.resolve());
      void sendDueMail({ ...deps, failpoint: hang });
      await dying.promise;
      const before = smtp.taken.length;
      expect([await sendDueMail(deps), await waiting()]).toEqual([0, 1]);
      await senderDied(db, "mail");
      await sendDueMail(deps);
      await endPauses(db, "mail");
      await sendDueMail(deps);
      expect([smtp.taken.length, await waiting()]).toEqual([before + 1, 0]);
      expect(new Set(smtp.taken.map((mail) => mail.messageId)).size).toBe(1);
      await senderDied(db, "mail");
      expect(await sendDueMail(deps)).toBe(0);
    },
  );

  test("mail whose job was lost: enqueued again; a mail that waits for its retry is not due", async () => {
    const ctx = { now: market.clock.now(), actor: { type: "system" as const, job: "test" }, deps };
    const due = async () => (await dueWork(ctx)).find(({ job }) => job === "mail")?.count ?? 0;
    await enqueueMails(2);
    await execute(db, sql`delete from pgboss.job where name = 'mail'`);
    smtp.mode = "busy";
    expect([await due(), await sendDueMail(deps), await due()]).toEqual([2, 0, 0]);
    smtp.mode = "take";
    await endPauses(db, "mail");
    expect([await due(), await sendDueMail(deps), await due(), smtp.taken.length]).toEqual([2, 2, 0, 2]);
  });

  test("several servers send at once: each mail is sent once; one mail per event", { tags: ["fail:V9"] }, async () => {
    const customer = await enqueueMails(size(30, 500));
    const again = {
      key: `wagon-pass-lapsed:${customer.id}:0`,
      template: "wagon-pass-lapsed",
      customerId: customer.id,
      data: {},
      now: market.clock.now(),
    };
    await enqueueMail(db, again);
    await Promise.all([sendDueMail(deps), sendDueMail(deps), sendDueMail(deps)]);
    expect([smtp.taken.length, await waiting()]).toEqual([size(30, 500), 0]);
    expect(new Set(smtp.taken.map((mail) => mail.messageId)).size).toBe(size(30, 500));
  });
});
