import { createHubNow } from "@marketday/server/testing/factories";
import { beforeEach, expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;
const hub = await createHubNow(db);
beforeEach(async () => {
  await db.staff.updateMany({ where: { disabled_at: null }, data: { disabled_at: new Date() } });
  await db.mail.deleteMany();
});

let people = 0;
const newEmail = () => `ben.${(people += 1)}@example.com`;
const memberOf = (email: string) => db.staff.findUniqueOrThrow({ where: { email }, include: { grants: true } });
const lastAudit = (email: string) =>
  db.audit_entry.findFirst({ where: { subject: `staff:${email}` }, orderBy: { id: "desc" } });

test("staff: an invitation prints the link that it mails, and a dry run prints and writes nothing", async () => {
  const email = newEmail();
  const line = [
    "staff",
    "invite",
    email.toUpperCase(),
    "--name",
    "Ben Ortiz",
    "--role",
    `hub_lead:${hub.slug}`,
  ] as const;
  const dry = await market.json(...line, "--role", "editor", "--dry-run");
  expect(dry).toMatchObject({ link: null, dryRun: true, member: { email } });
  expect(await db.staff.count({ where: { email } })).toBe(0);
  const { code, out } = await market.runWith(
    { PUBLIC_URL: "https://market.example.org" },
    ...line,
    "--role",
    "editor",
    "--reason",
    "new this season",
  );
  const mail = await db.mail.findFirstOrThrow({ where: { to_email: email } });
  const { token } = mail.data as { token: string };
  expect([code, out]).toEqual([
    0,
    [
      `Invited Ben Ortiz (${email}): Editor, Market lead (${hub.name}).`,
      `A link was emailed to ${email}. It works once, within 24 hours:`,
      `  https://market.example.org/admin/invite/${token}\n`,
    ].join("\n"),
  ]);
  const { grants } = await memberOf(email);
  expect(grants.map(({ role, hub_id }) => `${role} ${hub_id}`).toSorted()).toEqual([
    "editor null",
    `hub_lead ${hub.id}`,
  ]);
  expect(await lastAudit(email)).toMatchObject({
    actor: "operator:ada",
    action: "staff invite",
    reason: "new this season",
  });
});

test("staff: the list, new roles, the end of access and a reset, by email or id", async () => {
  const email = newEmail();
  expect((await market.run("staff", "list")).out).not.toContain(email);
  await market.json("staff", "invite", email, "--name", "Ben Ortiz", "--role", "manager");
  const { id } = await memberOf(email);
  expect(await market.json<object[]>("staff", "list")).toContainEqual(
    expect.objectContaining({ id, email, state: "invited", roles: [{ role: "manager", hub: null }] }),
  );
  expect((await market.run("staff", "list")).out).toMatch(
    new RegExp(String.raw`^ *${id} +${email} +Ben Ortiz +invited +Manager +0$`, "m"),
  );
  expect((await market.run("staff", "roles", email, "--role", "bookkeeper", "--dry-run")).out).toBe(
    "Ben Ortiz would be: Bookkeeper.\n",
  );
  expect((await market.run("staff", "roles", String(id), "--role", "editor")).out).toBe("Ben Ortiz is now: Editor.\n");
  expect(await market.run("staff", "disable", email)).toMatchObject({
    code: 2,
    err: `End the access of ${email} now? Say --yes to do it; nothing was done.\n`,
  });
  expect((await market.run("staff", "disable", email, "--dry-run")).out).toBe("Would end the access of Ben Ortiz.\n");
  expect((await memberOf(email)).disabled_at).toBeNull();
  expect((await market.run("staff", "disable", email, "--yes")).out).toBe("Ben Ortiz has no access anymore.\n");
  expect((await memberOf(email)).disabled_at).not.toBeNull();
  expect((await market.run("staff", "reset", email, "--dry-run")).out).toBe(
    `Would reset the sign-in of Ben Ortiz (${email}).\n`,
  );
  const reset = await market.json<{ link: string }>("staff", "reset", email, "--yes");
  expect(reset).toMatchObject({ link: expect.stringMatching(/^http:\/\/localhost:\d+\/admin\/invite\/[\w-]{43}$/) });
  expect(await memberOf(email)).toMatchObject({ disabled_at: null, grants: [{ role: "editor" }] });
  const actions = await db.audit_entry.findMany({ where: { subject: `staff:${email}` }, orderBy: { id: "asc" } });
  expect(actions.map(({ action }) => action)).toEqual(["staff invite", "staff roles", "staff disable", "staff reset"]);
});

test("staff: the only owner, who has lost the phone, is reset at the machine", async () => {
  const email = newEmail();
  await market.json("staff", "invite", email, "--name", "Ada", "--role", "owner");
  const { id } = await memberOf(email);
  const passkey = {
    name: "Phone",
    public_key: Buffer.from([1]),
    counter: 0n,
    is_synced: false,
    created_at: new Date(),
  };
  await db.staff_passkey.create({ data: { ...passkey, id: `passkey-${id}`, staff_id: id } });
  expect(await market.run("staff", "disable", email, "--yes")).toMatchObject({
    code: 1,
    err: "Ada is the last owner who can sign in. Make someone else an owner first.\n",
  });
  const { link } = await market.json<{ link: string }>("staff", "reset", email, "--yes");
  expect(link).toContain("/admin/invite/");
  expect(await db.staff_passkey.count({ where: { staff_id: id } })).toBe(0);
});

test("staff: an unknown role, and a person who is not on the staff, are refused", async () => {
  expect(await market.run("staff", "invite", newEmail(), "--name", "Ben", "--role", "boss")).toMatchObject({
    code: 2,
    err: expect.stringContaining("owner, manager, hub_lead"),
  });
  expect(await market.run("staff", "disable", "no.one@example.com", "--yes")).toMatchObject({
    code: 1,
    err: "No one on the staff has the address no.one@example.com.\n",
  });
});
