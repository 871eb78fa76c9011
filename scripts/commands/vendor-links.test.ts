import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { transaction } from "@marketday/db";
import { issueLink } from "@marketday/server/modules/answers/answer-sql";
import { createHub, createProduct } from "@marketday/server/testing/factories";
import { expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

test("vendors import: a new email address revokes the links that were sent to the old one; other links stay", async () => {
  const market = await operatedMarket();
  const { db, dir } = market;
  const hub = await createHub(db);
  const linkOf = async (email: string | null) => {
    const { vendor_id: vendorId } = await createProduct(db, hub.id);
    const vendor = await db.vendor.update({ where: { id: vendorId }, data: { email } });
    const issue = (subjectId: number) =>
      transaction(db, (tx) => issueLink(tx, { vendorId, subject: "thread", subjectId, now: new Date() }));
    const used = await issue(vendorId * 10);
    await db.answer_link.update({ where: { id: used }, data: { used_at: new Date() } });
    return { vendor, live: await issue(vendorId * 10 + 1), used };
  };
  const moved = await linkOf("old@example.com");
  const same = await linkOf("same@example.com");
  const first = await linkOf(null);
  const untouched = await linkOf("other@example.com");
  const file = join(dir, "vendors.csv");
  const row = ({ vendor }: typeof moved, email: string) => `${vendor.slug},${email}`;
  writeFileSync(
    file,
    ["slug,email", row(moved, "new@example.com"), row(same, "same@example.com"), row(first, "first@example.com")].join(
      "\n",
    ),
  );
  const revoked = async () =>
    (await db.answer_link.findMany({ where: { revoked_at: { not: null } }, select: { id: true } })).map(({ id }) => id);
  const note = `${moved.vendor.slug}: the link that was emailed to the old address no longer works. Answer in the inbox.`;

  const dry = await market.run("vendors", "import", file, "--dry-run");
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining(note) });
  expect(await revoked()).toEqual([]);

  const { code, out } = await market.run("vendors", "import", file);
  expect([code, out.includes(note), out.match(/no longer work/g)?.length]).toEqual([0, true, 1]);
  expect(await revoked()).toEqual([moved.live]);
  expect(await market.run("vendors", "import", file)).toMatchObject({
    code: 0,
    out: expect.not.stringContaining(note),
  });
  expect(await db.answer_link.findUniqueOrThrow({ where: { id: untouched.live } })).toMatchObject({ revoked_at: null });
});
