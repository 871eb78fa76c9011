import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { execute, insertJobs, query, type QueueName, sql } from "@marketday/db";
import { Hour, Minute } from "@marketday/domain/time";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, createProduct, newKey } from "../../../test/factories.ts";
import { fakeSmtp } from "../../../test/fake-smtp.ts";
import { staffOf } from "../../../test/staff.ts";
import { parseEnv } from "../../env.ts";
import { smtpMailer } from "../../gateways/mailer/smtp-mailer.ts";
import { backUp } from "../backup/back-up.ts";
import { backupFolder } from "../backup/list-backups.ts";
import { backupName } from "../backup/prune-backups.ts";
import { storeBackup } from "../health/stored-health.ts";
import type { Context } from "../identity/context.ts";
import { noteFailure } from "../job-failures/failure-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { parseExample } from "./read-environment.ts";

const smtp = await fakeSmtp();
const FROM = "Carmel Market <hello@carmel.example>";
const SECRETS = {
  SESSION_SECRET: "q8Zr0mX1vT5bN7cK3sJ9wL2yP4dF6hGa",
  PASSWORD_PEPPER: "uE4tR7iO1pA9sD3fG6hJ2kL5zX8cV0bN",
  METRICS_TOKEN: "m3tr1cs-t0ken-of-this-test",
  SMTP_URL: "smtp://mailer:hunter2@mail.carmel.example:587",
  IDENTIFY_WEBHOOK_URL: "https://hooks.carmel.example/in/4f7c9b?key=abc123",
};
const market = await buildTestApp({
  overrides: { mailer: smtpMailer(smtp.url, FROM) },
  env: { MARKET_NAME: "Carmel Market", PUBLIC_URL: "http://market.carmel.example", SMPT_URL: "typo", ...SECRETS },
});
const { db, deps } = market;
const MONDAY_ISO = new Date(MONDAY).toISOString();
const job = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });
const auditOf = (action: string) => db.audit_entry.findMany({ where: { action }, orderBy: { id: "asc" } });

beforeEach(async () => {
  market.clock.set(MONDAY);
  smtp.mode = "take";
  smtp.taken.length = 0;
  await db.mail.deleteMany();
  await db.job_failure.deleteMany();
});

test("settings: everything of .env.example is listed in its group with its explanation, and no secret is in the answer", async () => {
  const ada = await staffOf(market, "owner");
  const { status, body } = await ada.get("/settings/environment");
  expect(status).toBe(200);
  const settings = body.groups.flatMap((group: { settings: object[] }) => group.settings) as {
    name: string;
    about: string;
    value: string | null;
  }[];
  expect(settings.map(({ name }) => name).toSorted()).toEqual(deps.env.values.map(({ name }) => name).toSorted());
  expect(settings.filter(({ about }) => about === "")).toEqual([]);
  const byName = Object.fromEntries(settings.map((setting) => [setting.name, setting]));
  expect(byName["MARKET_NAME"]).toMatchObject({ value: "Carmel Market", isSet: true, isSecret: false, warning: null });
  expect(byName["SESSION_IDLE_DAYS"]).toMatchObject({ value: "30", isSet: false });
  expect(byName["MAIL_FROM"]).toMatchObject({ value: expect.stringContaining("Carmel Market"), isSet: false });
  expect(byName["STRIPE_SECRET_KEY"]).toMatchObject({ value: null, isSet: false, isSecret: true });
  expect(byName["SESSION_SECRET"]).toMatchObject({ value: null, isSet: true, isSecret: true });
  expect(byName["SMTP_URL"]).toMatchObject({ value: "smtp://mail.carmel.example:587/…", isSet: true });
  expect(byName["IDENTIFY_WEBHOOK_URL"]).toMatchObject({ value: "https://hooks.carmel.example/…" });
  expect(byName["PUBLIC_URL"]).toMatchObject({ value: "http://market.carmel.example" });
  expect(body.unknown).toEqual([{ name: "SMPT_URL", warning: expect.stringContaining("Did you mean SMTP_URL?") }]);
  const sent = JSON.stringify(body);
  for (const secret of [...Object.values(SECRETS), "hunter2", "4f7c9b", "abc123"]) expect(sent).not.toContain(secret);
});

test("settings: an explanation in .env.example is about the settings below it, up to the next comment or empty line", () => {
  const text =
    "# Not a group\n\n# --- Mail ------\n\n# Sends mail.\n# By SMTP.\n#A_URL=x\n\n# Both.\n#B=\n#C=\n# Another.\n#D=\n";
  expect(parseExample(text)).toEqual([
    {
      title: "Mail",
      settings: [
        { name: "A_URL", about: "Sends mail. By SMTP." },
        { name: "B", about: "Both." },
        { name: "C", about: "Both." },
        { name: "D", about: "Another." },
      ],
    },
  ]);
});

test.each([
  ["smtp://user:1234/abc@mail.example:587", "smtp://…"],
  ["smtp://apikey:99#x@mail.example", "smtp://…"],
  ["smtp://mail.example", "smtp://mail.example"],
  ["smtp://u:p@mail.example:587/?pool=true", "smtp://mail.example:587/…"],
])("settings: of the address %s is shown %s", (SMTP_URL, shown) => {
  const { values } = parseEnv({ SMTP_URL });
  expect(values.find(({ name }) => name === "SMTP_URL")?.value).toBe(shown);
});

test("checks: run from the admin app they find what doctor finds, grouped by advice, and the result is stored", async () => {
  const ada = await staffOf(market, "owner");
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id);
  const adjusted = (units: number) =>
    db.offer.updateMany({ where: { variant_id: eggs.variant.id }, data: { inventory: { increment: units } } });
  await adjusted(3);
  const { status, body } = await ada.post("/settings/checks");
  await adjusted(-3);
  expect([status, body.checkedAt, body.failed]).toEqual([200, market.clock.now().toISOString(), 1]);
  expect(body.findings[0]).toEqual({
    check: "V1",
    kind: "wrong",
    advice: expect.stringContaining("Compare the offer's adjustments"),
    problems: [expect.stringContaining("3")],
  });
  expect(body.findings).toContainEqual(expect.objectContaining({ check: "settings", kind: "information" }));
  const { body: health } = await ada.get("/settings/health");
  expect(health.checks).toEqual({
    failed: 1,
    problems: [expect.stringMatching(/^V1: /)],
    checkedAt: body.checkedAt,
  });
  expect(health.versions).toEqual({
    marketday: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    node: process.version.slice(1),
    postgres: expect.stringMatching(/^\d+\./),
    migration: expect.stringMatching(/^\d{14}_/),
  });
});

describe("failed work", () => {
  /** A mail that the mail server has refused once. */
  async function refusedMail() {
    const customer = await createCustomer(db, { pepper: deps.env.pepper });
    const key = `wagon-pass-lapsed:${customer.id}`;
    await enqueueMail(db, {
      key,
      template: "wagon-pass-lapsed",
      customerId: customer.id,
      data: {},
      now: market.clock.now(),
    });
    smtp.mode = "busy";
    await sendDueMail(deps);
    smtp.mode = "take";
    return key;
  }
  const workOf = async (who: Awaited<ReturnType<typeof staffOf>>) => (await who.get("/settings/health")).body.work;

  test("a mail that was refused: listed with its reason, and one retry sends it without its pause", async () => {
    const ada = await staffOf(market, "owner");
    const key = await refusedMail();
    expect(await workOf(ada)).toEqual([
      {
        job: "mail",
        subject: key,
        reason: expect.stringMatching(/\S/),
        tries: 1,
        since: MONDAY_ISO,
        nextAt: null,
        canRetry: true,
      },
    ]);
    // It pauses: the next tick does not send it.
    await sendDueMail(deps);
    expect(smtp.taken).toEqual([]);
    const retried = await ada.post("/settings/work/retry", { work: { job: "mail", subject: key } });
    expect([retried.status, retried.body]).toEqual([200, { retried: 1 }]);
    await sendDueMail(deps);
    expect(smtp.taken).toHaveLength(1);
    expect(await workOf(ada)).toEqual([]);
    expect((await auditOf("settings retry")).at(-1)).toMatchObject({
      actor: `staff:${ada.person.email}`,
      data: { job: "mail", subject: key, retried: 1 },
    });
    // A second click, after it has gone.
    const late = await ada.post("/settings/work/retry", { work: { job: "mail", subject: key } });
    expect(late.body).toEqual({ retried: 0 });
    await sendDueMail(deps);
    expect(smtp.taken).toHaveLength(1);
  });

  test("an item of a job: its pause ends, those of others do not; without a name all end", async () => {
    const ada = await staffOf(market, "owner");
    for (const subject of ["pass 7", "pass 8"]) await noteFailure(job(), "wagon-passes", subject, new Error("No."));
    await noteFailure(job(), "holds", "order 3", new Error("No."));
    const [first] = await workOf(ada);
    expect(first).toMatchObject({ nextAt: MONDAY_ISO });
    // The second try comes at the next tick, later ones after a pause.
    for (const subject of ["pass 7", "pass 8"]) await noteFailure(job(), "wagon-passes", subject, new Error("No."));
    await noteFailure(job(), "holds", "order 3", new Error("No."));
    const now = market.clock.now();
    const paused = async () =>
      (await db.job_failure.findMany({ orderBy: [{ job: "asc" }, { subject: "asc" }] }))
        .filter(({ next_at }) => next_at > now)
        .map(({ job: name, subject }) => `${name} ${subject}`);
    expect(await paused()).toEqual(["holds order 3", "wagon-passes pass 7", "wagon-passes pass 8"]);
    await ada.post("/settings/work/retry", { work: { job: "wagon-passes", subject: "pass 8" } });
    expect(await paused()).toEqual(["holds order 3", "wagon-passes pass 7"]);
    expect((await ada.post("/settings/work/retry", {})).body).toEqual({ retried: 3 });
    expect(await paused()).toEqual([]);
  });

  test("an event of email marketing and an automatic order that pause: one retry ends the pause of each, and of no other", async () => {
    const ada = await staffOf(market, "owner");
    const hub = await createHub(db);
    const now = market.clock.now();
    const inAnHour = new Date(now.getTime() + Hour.ms);
    const person = { hubId: hub.id, pepper: deps.env.pepper };
    const [ben, eve] = [await createCustomer(db, person), await createCustomer(db, person)];
    const events: { key: string; subject: string }[] = [];
    for (const { id: customer_id } of [ben, eve]) {
      const data = { customer_id, event: "login", created_at: now, attempts: 2, last_error: "No." };
      const { id } = await db.identify_event.create({ data });
      events.push({ key: String(id), subject: `event ${id} of customer ${customer_id}` });
    }
    const delivery_id = hub.deliveries[0]!.id;
    const orders: { key: string }[] = [];
    for (const { id: customer_id } of [ben, eve]) {
      await db.auto_checkout_result.create({ data: { delivery_id, customer_id, outcome: "payments_down", tries: 1 } });
      orders.push({ key: `${delivery_id}:${customer_id}` });
    }
    const enqueue = (queue: QueueName, key: string) =>
      execute(
        db,
        insertJobs(
          queue,
          sql`select ${key}::text as key, '{}'::jsonb as data, ${inAnHour}::timestamptz as start_after, null::int as retry_limit`,
        ),
      );
    for (const { key } of events) await enqueue("identify", key);
    for (const { key } of orders) await enqueue("auto-checkout", key);
    const paused = async () =>
      (
        await query(
          db,
          sql`select singleton_key as key from pgboss.job where start_after > ${now} and singleton_key = any(${[...events, ...orders].map(({ key }) => key)}::text[]) order by 1`,
          z.object({ key: z.string() }),
        )
      ).map(({ key }) => key);
    const work: { job: string; subject: string; nextAt: string | null }[] = await workOf(ada);
    const order = work.find(
      ({ job: name, subject }) => name === "auto-checkout" && subject.includes(`customer ${ben.id} `),
    )!;
    expect(order.nextAt).toBe(inAnHour.toISOString());
    expect((await paused()).toSorted()).toEqual([...events, ...orders].map(({ key }) => key).toSorted());
    for (const { job: name, subject } of [{ job: "identify", subject: events[0]!.subject }, order])
      expect((await ada.post("/settings/work/retry", { work: { job: name, subject } })).body).toEqual({ retried: 1 });
    expect((await paused()).toSorted()).toEqual([events[1]!.key, orders[1]!.key].toSorted());
    await db.auto_checkout_result.deleteMany({ where: { delivery_id } });
    await db.identify_event.deleteMany({ where: { customer_id: { in: [ben.id, eve.id] } } });
  });

  test("work that others try again: listed without a retry, and retrying all leaves it alone", async () => {
    const ada = await staffOf(market, "owner");
    for (const name of ["webhook", "payments", "orphaned-charges"])
      await noteFailure(job(), name, "x", new Error("No."));
    const work: { canRetry: boolean }[] = await workOf(ada);
    expect(work.map(({ canRetry }) => canRetry)).toEqual([false, false, false]);
    expect((await ada.post("/settings/work/retry", {})).body).toEqual({ retried: 0 });
  });

  test("the key of a mail with an email address: the address is not in the audit log", async () => {
    const ada = await staffOf(market, "owner");
    await noteFailure(job(), "reminders", "application-received:vendor:rosa@example.com:2026", new Error("No."));
    const [work] = await workOf(ada);
    await ada.post("/settings/work/retry", { work: { job: work.job, subject: work.subject } });
    const entry = (await auditOf("settings retry")).at(-1);
    expect(entry?.actor).toBe(`staff:${ada.person.email}`);
    expect(JSON.stringify(entry?.data)).not.toContain("rosa@");
  });

  test("an automatic order that failed: listed, and without a next try it is not retried", async () => {
    const ada = await staffOf(market, "owner");
    const hub = await createHub(db);
    const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    const now = market.clock.now();
    await db.auto_checkout_result.create({
      data: {
        delivery_id: hub.deliveries[0]!.id,
        customer_id: customer.id,
        outcome: "failed",
        error: "No.",
        tries: 3,
        done_at: now,
      },
    });
    const work = (await workOf(ada)).find(({ job: name }: { job: string }) => name === "auto-checkout");
    expect(work).toMatchObject({
      subject: expect.stringContaining(`customer ${customer.id} for `),
      nextAt: null,
      canRetry: false,
    });
    const { body } = await ada.post("/settings/work/retry", { work: { job: work.job, subject: work.subject } });
    expect(body).toEqual({ retried: 0 });
    await db.auto_checkout_result.deleteMany({ where: { customer_id: customer.id } });
  });
});

describe("backups", () => {
  afterEach(async () => rm(backupFolder(deps.env), { recursive: true, force: true }));

  test("none: the answer has no time, and the folder", async () => {
    const ada = await staffOf(market, "owner");
    await db.market_fact.deleteMany({ where: { key: "backup" } });
    expect((await ada.get("/settings/backups")).body).toEqual({
      lastAt: null,
      folder: join(deps.env.dataDir, "backups"),
      found: [],
    });
  });

  test("listed newest first with size; one that is cut short is marked; other folders are left out", async () => {
    const ada = await staffOf(market, "owner");
    const folder = backupFolder(deps.env);
    const older = backupName(market.clock.now());
    const newer = backupName(new Date(market.clock.now().getTime() + Hour.ms));
    await mkdir(folder, { recursive: true });
    const manifest = await backUp(job(), join(folder, older), { signal: AbortSignal.timeout(Minute.ms) });
    await storeBackup(db, new Date(manifest.takenAt), folder);
    await cp(join(folder, older), join(folder, newer), { recursive: true });
    const cut = manifest.tables.find(({ file }) => file.bytes > 0)!.file.path;
    await writeFile(join(folder, newer, cut), "");
    await mkdir(join(folder, "by-hand"));
    const { body: backups } = await ada.get("/settings/backups");
    expect(backups.lastAt).toBe(manifest.takenAt);
    expect(backups.found).toEqual([
      { name: newer, takenAt: null, bytes: expect.any(Number) },
      { name: older, takenAt: manifest.takenAt, bytes: expect.any(Number) },
    ]);
    expect(backups.found[1].bytes).toBeGreaterThan(0);
  });
});

describe("emails", () => {
  test("every one that the market sends is listed with subject and occasion, and has a preview as text and as a document", async () => {
    const ada = await staffOf(market, "owner");
    const { body } = await ada.get("/settings/mails");
    expect(body).toMatchObject({ isSent: true, testTo: ada.person.email, from: expect.stringContaining("Carmel") });
    const names = Object.keys(deps.mailTemplates).filter((name) => name !== "test");
    expect(body.mails.map(({ name }: { name: string }) => name)).toEqual(names.toSorted());
    for (const { name, subject } of body.mails as { name: string; subject: string }[]) {
      const mail = await ada.get(`/settings/mails/${name}`);
      expect([name, mail.status, mail.body.subject]).toEqual([name, 200, subject]);
      expect(mail.body.text).toContain("Carmel Market");
    }
    const page = await market.app.inject({
      url: "/api/admin/settings/mails/order-confirmation/html",
      headers: { cookie: ada.cookie, "sec-fetch-site": "same-origin" },
    });
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'$/,
      ),
      "cache-control": "no-store",
    });
    expect(page.body).toContain("Carmel Market");
    for (const name of ["no-such-mail", "constructor"])
      for (const path of ["", "/html"]) expect((await ada.get(`/settings/mails/${name}${path}`)).status).toBe(404);
  });

  test("a test email goes to the person who sends it, once for a repeated request, and is in the audit log", async () => {
    const ada = await staffOf(market, "owner");
    const key = newKey();
    const send = () =>
      market.app.inject({
        method: "POST",
        url: "/api/admin/settings/mails/order-confirmation/test",
        headers: { cookie: ada.cookie, "sec-fetch-site": "same-origin", "idempotency-key": key },
      });
    const [first, second] = [await send(), await send()];
    expect([first.json(), second.json()]).toEqual([{ to: ada.person.email }, { to: ada.person.email }]);
    await sendDueMail(deps);
    expect(smtp.taken.map(({ to, subject }) => [to?.[0]?.address, subject])).toEqual([
      [ada.person.email, expect.stringMatching(/^Test: \S/)],
    ]);
    const own = (await auditOf("settings test-mail")).filter(({ actor }) => actor === `staff:${ada.person.email}`);
    expect(own).toMatchObject([{ data: { template: "order-confirmation" } }]);
    expect((await ada.post("/settings/mails/no-such-mail/test")).status).toBe(404);
  });
});
