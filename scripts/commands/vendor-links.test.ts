import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { execute, queryOne, sql, transaction } from "@marketday/db";
import { addDays, dateInZone, dateToUtc } from "@marketday/domain/calendar-date";
import { Day, Hour } from "@marketday/domain/time";
import { issueLink } from "@marketday/server/modules/answers/answer-sql";
import { requestAnswer } from "@marketday/server/modules/answers/request-answer";
import { insertMessage, lockThreadWith } from "@marketday/server/modules/answers/store";
import { findHarvestLink, isRevoked, issueHarvestLink } from "@marketday/server/modules/week/harvest-links";
import { buildTestApp } from "@marketday/server/testing/app";
import { createHub, createProduct } from "@marketday/server/testing/factories";
import { expect, test, vi } from "vitest";

import { operatedMarket } from "../test/market.ts";

/** A market in which customers write to vendors, and a file with new addresses of vendors. */
async function scene() {
  const market = await operatedMarket();
  const { db, dir } = market;
  const hub = await createHub(db);
  const vendorWith = async (email: string | null) => {
    const { vendor_id: id } = await createProduct(db, hub.id);
    return db.vendor.update({ where: { id }, data: { email } });
  };
  /** The live link of a new thread with these messages. */
  const linkOf = async ({ id: vendorId }: { id: number }, now: Date, ...senders: ("C" | "U")[]) => {
    const customer = await db.customer.create({ data: { email: `${randomUUID()}@example.com`, hub_id: hub.id } });
    return transaction(db, async (tx) => {
      const subjectId = await lockThreadWith(tx, customer.id, vendorId, now);
      for (const sender of senders) await insertMessage(tx, subjectId, { sender, message: "Large?", now });
      return issueLink(tx, { vendorId, subject: "thread", subjectId, now });
    });
  };
  const file = join(dir, "vendors.csv");
  const write = (...rows: [vendor: { slug: string }, email: string][]) =>
    writeFileSync(file, ["slug,email", ...rows.map(([{ slug }, email]) => `${slug},${email}`)].join("\n"));
  const revoked = async () =>
    (await db.answer_link.findMany({ where: { revoked_at: { not: null } }, select: { id: true } })).map(({ id }) => id);
  return { market, db, vendorWith, linkOf, file, write, revoked };
}

test("vendors import: a new email address revokes the links that were sent to the old one; other links stay", async () => {
  const { market, db, vendorWith, linkOf, file, write, revoked } = await scene();
  const now = new Date();
  const vendors = {
    moved: await vendorWith("old@example.com"),
    same: await vendorWith("same@example.com"),
    first: await vendorWith(null),
    untouched: await vendorWith("other@example.com"),
  };
  const used = await linkOf(vendors.moved, now, "C");
  await db.answer_link.update({ where: { id: used }, data: { used_at: now } });
  const live = await linkOf(vendors.moved, now, "C");
  for (const vendor of [vendors.same, vendors.first, vendors.untouched]) await linkOf(vendor, now, "C");
  write(
    [vendors.moved, "new@example.com"],
    // Another case of its letters is the same mailbox.
    [vendors.same, "Same@Example.com"],
    [vendors.first, "first@example.com"],
  );
  const note = `${vendors.moved.slug}: the link that was emailed to the old address no longer works. What waits is in the inbox.`;

  const dry = await market.run("vendors", "import", file, "--dry-run");
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining(note) });
  expect(await revoked()).toEqual([]);

  const { code, out } = await market.run("vendors", "import", file);
  expect([code, out.includes(note), out.match(/no longer work/g)?.length]).toEqual([0, true, 1]);
  expect(await revoked()).toEqual([live]);
  expect(await market.run("vendors", "import", file)).toMatchObject({
    code: 0,
    out: expect.not.stringContaining(note),
  });
});

test(
  "vendors import: a new email address ends the link of a day's list; the note names it as long as that day has not ended",
  { tags: ["fail:N6"] },
  async () => {
    const { market, db, vendorWith, file, write } = await scene();
    const [coming, over, same] = [
      await vendorWith("coming@example.com"),
      await vendorWith("over@example.com"),
      await vendorWith("same@example.com"),
    ];
    const now = new Date();
    const hub = await db.hub.findFirstOrThrow();
    const linkOf = async ({ id: vendorId, email }: { id: number; email: string | null }, days: number) => {
      const day = dateToUtc(addDays(dateInZone(now, hub.time_zone), days));
      const before = (ms: number) => new Date(day.getTime() - ms);
      const { id: deliveryId } = await db.delivery.upsert({
        where: { hub_id_day: { hub_id: hub.id, day } },
        create: { hub_id: hub.id, day, cutoff_at: before(Day.ms), auto_checkout_at: before(Day.ms + 36 * Hour.ms) },
        update: {},
      });
      return transaction(db, (tx) => issueHarvestLink(tx, { deliveryId, vendorId }, email, now));
    };
    const links = [await linkOf(coming, 1), await linkOf(over, -1), await linkOf(same, 1)];
    write([coming, "coming.farm@example.com"], [over, "over.farm@example.com"], [same, "Same@example.com"]);
    const { code, out } = await market.run("vendors", "import", file);
    expect([code, out.match(/no longer work/g)?.length]).toEqual([0, 1]);
    expect(out).toContain(
      `${coming.slug}: the link to what they bring that was emailed to the old address no longer works. Send them a new one: ./market vendors link HUB DATE ${coming.slug}`,
    );
    const states = await Promise.all(links.map(async (id) => isRevoked((await findHarvestLink(db, id))!)));
    expect(states).toEqual([true, true, false]);
  },
);

test("vendors import: links that had expired, or have nothing that waits, are revoked and not counted", async () => {
  const { market, db, vendorWith, linkOf, file, write, revoked } = await scene();
  const [busy, idle] = [await vendorWith("busy@example.com"), await vendorWith("idle@example.com")];
  const now = new Date();
  const { id: productId } = await db.product.findFirstOrThrow({ where: { vendor_id: busy.id } });
  const { id: customerId } = await db.customer.create({ data: { email: "ann@example.com" } });
  const question = await db.question.create({
    data: { customer_id: customerId, product_id: productId, question: "Large?", created_at: now },
  });
  const links = [
    await linkOf(busy, now, "C"),
    await transaction(db, (tx) =>
      issueLink(tx, { vendorId: busy.id, subject: "question", subjectId: question.id, now }),
    ),
    await linkOf(busy, now, "C", "U"),
    await linkOf(busy, new Date(now.getTime() - 31 * Day.ms), "C"),
    await linkOf(idle, now, "C", "U"),
  ];
  write([busy, "busy.farm@example.com"], [idle, "idle.farm@example.com"]);
  const { code, out } = await market.run("vendors", "import", file);
  expect([code, out.match(/.*no longer work.*/g)?.map((line) => line.trim())]).toEqual([
    0,
    [
      expect.stringContaining(
        `${busy.slug}: the 2 links that were emailed to the old address no longer work. What waits is in the inbox.`,
      ),
    ],
  ]);
  expect((await revoked()).toSorted()).toEqual(links.toSorted());
});

test("vendors import while a message to the vendor is being stored: no live link is left at the old address", async () => {
  const { market, db, vendorWith, linkOf, file, write, revoked } = await scene();
  const { deps } = await buildTestApp({ url: market.url });
  const vendor = await vendorWith("old@example.com");
  const isWaiting = async () =>
    (await queryOne(
      db,
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )) !== null;
  /** Resolves when `work` waits for a lock, or is over without one. */
  const waits = async (work: Promise<unknown>) => {
    const over = new AbortController();
    void work.finally(() => over.abort());
    await vi.waitUntil(async () => over.signal.aborted || (await isWaiting()), { timeout: 60_000, interval: 20 });
  };
  const subject = { vendorId: vendor.id, subject: "thread", now: new Date() } as const;
  const threadId = async (link: string) => (await db.answer_link.findUniqueOrThrow({ where: { id: link } })).subject_id;
  const subjectId = await threadId(await linkOf(vendor, subject.now, "C"));
  await db.answer_link.deleteMany();

  write([vendor, "new@example.com"]);
  let imported: ReturnType<typeof market.run> | undefined;
  await transaction(db, async (tx) => {
    await requestAnswer(tx, deps.env, { ...subject, subjectId, mailKey: "first" });
    imported = market.run("vendors", "import", file);
    await waits(imported);
  });
  expect(await imported).toMatchObject({ code: 0 });
  const first = await db.mail.findUniqueOrThrow({ where: { key: "first" } });
  expect([first.to_email, await revoked()]).toEqual(["old@example.com", [(first.data as { linkId: string }).linkId]]);

  // A message that comes while addresses are written waits, and goes to the new one.
  let requested: Promise<void> | undefined;
  await transaction(db, async (tx) => {
    await execute(tx, sql`update vendor set email = 'newest@example.com' where id = ${vendor.id}::int`);
    requested = transaction(db, (own) => requestAnswer(own, deps.env, { ...subject, subjectId, mailKey: "second" }));
    await waits(requested);
  });
  await requested;
  expect(await db.mail.findUniqueOrThrow({ where: { key: "second" } })).toMatchObject({
    to_email: "newest@example.com",
  });
});
