import { transaction } from "@marketday/db";
import { STAFF_SESSION } from "@marketday/domain/staff";
import { addMs, Hour, Minute } from "@marketday/domain/time";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createHub, newKey } from "../../../test/factories.ts";
import { waitForLock } from "../../../test/locks.ts";
import { TestPasskey } from "../../../test/passkey.ts";
import { acceptByPasskey, linkOf, signInByPasskey } from "../../../test/staff-sign-in.ts";
import { createStaff, staffCookie, staffOf } from "../../../test/staff.ts";
import { sha256 } from "../../lib/tokens.ts";
import { asStaffId } from "../identity/context.ts";
import { deleteOldStaffSessions } from "../identity/staff-session-store.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { lockStaff } from "./staff-sql.ts";
import { endSessions } from "./store.ts";

const market = await buildTestApp();
const { db, deps } = market;
const hub = await createHub(db);
beforeEach(async () => {
  market.clock.set(MONDAY);
  await db.mail.deleteMany();
  // Owners of other tests are no owners who would be left.
  await db.staff.updateMany({ where: { disabled_at: null }, data: { disabled_at: market.clock.now() } });
  await market.waitForNotifications();
});

/** Gives a person a passkey and a recovery code. */
async function addPasskey(staffId: number) {
  const id = `passkey-${staffId}`;
  const created_at = market.clock.now();
  const key = { public_key: Buffer.from([1]), counter: 0n, transports: [], is_synced: false };
  await db.staff_passkey.create({ data: { id, staff_id: staffId, name: "Phone", ...key, created_at } });
  await db.staff_recovery_code.create({ data: { code_hash: id, staff_id: staffId, created_at } });
}
/** An owner who has set up their sign-in. */
async function owner() {
  const who = await staffOf(market, "owner");
  await addPasskey(who.person.id);
  return who;
}
const versionOf = async (id: number) => (await db.staff.findUniqueOrThrow({ where: { id } })).version;
/** Changes of a person, without what was refused to them. */
const auditOf = async (id: number) => {
  const { email } = await db.staff.findUniqueOrThrow({ where: { id } });
  const where = { subject: `staff:${email}`, action: { not: "staff refused" } };
  return db.audit_entry.findMany({ where, orderBy: { id: "asc" } });
};
const mailsTo = (email: string) => db.mail.findMany({ where: { to_email: email }, orderBy: { id: "asc" } });
const tokenIn = (mail: { data: unknown } | undefined) => {
  expect(mail?.data).toEqual({ token: expect.any(String) });
  return (mail!.data as { token: string }).token;
};
const person = (name: string) => ({
  email: `${name}.${performance.now()}@example.com`.toLowerCase(),
  name: `${name} Ortiz`,
});

test("staff: an invitation is mailed, its token is nowhere but in the mail, and the audit log has the roles", async () => {
  const ada = await owner();
  const ben = person("Ben");
  const roles = [
    { role: "hub_lead", hubId: hub.id },
    { role: "editor", hubId: null },
    { role: "editor", hubId: null },
  ];
  const invited = await ada.post("/staff", { ...ben, email: ben.email.toUpperCase(), roles });
  expect([invited.status, invited.body]).toEqual([
    201,
    {
      id: expect.any(Number),
      ...ben,
      state: "invited",
      roles: [
        { role: "editor", hub: null },
        { role: "hub_lead", hub: { id: hub.id, name: hub.name } },
      ],
      passkeys: 0,
      hasPassword: false,
      recoveryCodesLeft: 0,
      lastSeenAt: null,
      version: 1,
    },
  ]);
  const [mail, ...more] = await mailsTo(ben.email);
  expect([mail, more]).toMatchObject([{ template: "staff-invite", is_secret: true }, []]);
  const token = tokenIn(mail);
  expect(JSON.stringify(invited.body)).not.toContain(token);
  expect(await db.staff_link.findMany({ where: { staff_id: invited.body.id } })).toEqual([
    expect.objectContaining({
      token_hash: sha256(token),
      purpose: "invite",
      expires_at: addMs(market.clock.now(), 24 * Hour.ms),
      used_at: null,
    }),
  ]);
  expect(await auditOf(invited.body.id)).toMatchObject([
    {
      actor: `staff:${ada.person.email}`,
      action: "staff invite",
      data: { before: null, after: { ...ben, roles: ["editor", `hub_lead:${hub.id}`] } },
    },
  ]);
  await sendDueMail(deps);
  expect((await mailsTo(ben.email))[0]).toMatchObject({ data: {}, sent_at: market.clock.now() });
});

test("staff: an invitation for an address on the staff, a role that cannot be granted or an unknown hub is refused", async () => {
  const ada = await owner();
  const invite = async (change: object) => {
    const { status, body } = await ada.post("/staff", {
      ...person("Cal"),
      roles: [{ role: "editor", hubId: null }],
      ...change,
    });
    return [status, ...body];
  };
  expect(await invite({ email: ada.person.email })).toEqual([
    409,
    `${ada.person.email} is on the staff already. Reset their sign-in to send a new link.`,
    { code: "already_staff", field: "email" },
  ]);
  expect(await invite({ roles: [{ role: "owner", hubId: hub.id }] })).toEqual([
    400,
    "Owner is a role of the whole market, not of one hub.",
    { code: "invalid", field: "roles" },
  ]);
  expect(await invite({ roles: [{ role: "editor", hubId: 2_000_000_000 }] })).toEqual([
    400,
    "There is no market “2000000000”.",
    { code: "invalid", field: "roles" },
  ]);
  expect(await invite({ roles: [] })).toEqual([400, "Choose at least one role", { code: "invalid", field: "roles" }]);
  expect(await invite({ email: "cal" })).toEqual([400, "Valid email is required", { code: "invalid", field: "email" }]);
  expect(await db.mail.count()).toBe(0);
});

test("staff: the list shows who is active, invited, disabled, and whose invitation has expired", async () => {
  const ada = await owner();
  const invited = [person("Dee"), person("Eli")];
  await ada.post("/staff", { ...invited[0], roles: [{ role: "editor", hubId: null }] });
  for (const hours of [7, 7]) {
    market.clock.advance(hours * Hour.ms);
    await ada.get("/staff");
  }
  const late = await owner();
  await late.post("/staff", { ...invited[1], roles: [{ role: "auditor", hubId: null }] });
  for (const hours of [7, 3]) {
    market.clock.advance(hours * Hour.ms);
    await late.get("/staff");
  }
  const { body } = await late.get("/staff");
  const stateOf = (email: string) => body.find((member: { email: string }) => member.email === email);
  expect(stateOf(invited[0]!.email)).toMatchObject({ state: "expired", lastSeenAt: null });
  expect(stateOf(invited[1]!.email)).toMatchObject({ state: "invited" });
  expect(stateOf(ada.person.email)).toMatchObject({
    state: "active",
    passkeys: 1,
    recoveryCodesLeft: 1,
    lastSeenAt: addMs(new Date(MONDAY), 14 * Hour.ms).toISOString(),
  });
  expect(body.some(({ state }: { state: string }) => state === "disabled")).toBe(true);
  const names: string[] = body.map(({ name }: { name: string }) => name);
  expect(names).toEqual(names.toSorted());
});

test("staff: when a person was last seen, and that they have signed in before, outlives their sessions", async () => {
  const [ada, ben, cal] = [await owner(), await staffOf(market, "editor"), await createStaff(market, "editor")];
  market.clock.advance(10 * Minute.ms);
  const seenAt = market.clock.now();
  expect((await ben.get("/me/security")).status).toBe(200);
  await market.waitForNotifications();
  market.clock.advance(STAFF_SESSION.absoluteMs + Minute.ms);
  const now = market.clock.now();
  await deleteOldStaffSessions(db, { created: now, ended: now }, 100);
  expect(await db.staff_session.count({ where: { staff_id: ben.person.id } })).toBe(0);
  const cookie = await staffCookie(market, ada.person.id);
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  const { body } = await market.app.inject({ url: "/api/admin/staff", headers });
  const members = JSON.parse(body) as { id: number; lastSeenAt: string | null }[];
  const seen = (id: number) => members.find((member) => member.id === id)?.lastSeenAt;
  expect([seen(ben.person.id), seen(cal.id), seen(ada.person.id)]).toEqual([
    seenAt.toISOString(),
    null,
    now.toISOString(),
  ]);
  for (const { id } of [ben.person, cal]) {
    const url = `/api/admin/staff/${id}/reset`;
    const reset = await market.app.inject({ method: "POST", url, headers, payload: { expectedVersion: 1 } });
    expect(reset.statusCode).toBe(200);
  }
  const purposeOf = async (id: number) => (await db.staff_link.findFirstOrThrow({ where: { staff_id: id } })).purpose;
  expect([await purposeOf(ben.person.id), await purposeOf(cal.id)]).toEqual(["reset", "invite"]);
});

test("staff: the list is one statement, and the session another one, for any number of people", async () => {
  const ada = await owner();
  for (const name of ["Gil", "Hal", "Ivy"])
    await ada.post("/staff", { ...person(name), roles: [{ role: "hub_lead", hubId: hub.id }] });
  const executed = await market.statements(() => {
    market.app.dropStaff(null);
    return ada.get("/staff");
  });
  // The session and the list.
  expect(executed).toHaveLength(2);
});

test("staff: only an owner sees or changes the staff, and a change needs a step-up of the last five minutes", async () => {
  const [ada, ben] = [await owner(), await staffOf(market, "manager", "bookkeeper")];
  expect((await ben.get("/staff")).status).toBe(403);
  const before = await versionOf(ben.person.id);
  const change = { expectedVersion: before, roles: [{ role: "owner", hubId: null }] };
  expect((await ben.put(`/staff/${ben.person.id}/roles`, change)).status).toBe(403);
  market.clock.advance(5 * Minute.ms + 1);
  expect((await ada.get("/staff")).status).toBe(200);
  for (const send of [
    () => ada.post("/staff", { ...person("Fay"), roles: change.roles }),
    () => ada.put(`/staff/${ben.person.id}/roles`, change),
    () => ada.post(`/staff/${ben.person.id}/disable`, { expectedVersion: before }),
    () => ada.post(`/staff/${ben.person.id}/reset`, { expectedVersion: before }),
  ])
    expect(await send()).toMatchObject({ status: 403, body: [expect.any(String), { code: "step_up_required" }] });
  expect([await versionOf(ben.person.id), await auditOf(ben.person.id)]).toEqual([before, []]);
});

test(
  "staff: new roles count from the next request on, are mailed and audited, and the same roles change nothing",
  { tags: ["fail:N3"] },
  async () => {
    const [ada, ben] = [await owner(), await staffOf(market, "owner")];
    const { id, email } = ben.person;
    expect((await ben.get("/staff")).status).toBe(200);
    const roles = [{ role: "hub_lead", hubId: hub.id }];
    const changed = await ada.put(`/staff/${id}/roles`, { expectedVersion: 1, roles });
    expect(changed).toMatchObject({ status: 200, body: { roles: [{ role: "hub_lead" }], version: 2 } });
    await market.waitForNotifications();
    expect(await ben.get("/staff")).toMatchObject({ status: 403, body: [expect.any(String), { code: "forbidden" }] });
    expect(await ada.put(`/staff/${id}/roles`, { expectedVersion: 2, roles })).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    expect(await auditOf(id)).toMatchObject([
      { action: "staff roles", data: { before: { roles: ["owner"] }, after: { roles: [`hub_lead:${hub.id}`] } } },
    ]);
    expect(await mailsTo(email)).toMatchObject([
      { template: "staff-roles-changed", data: { roles: [`Market lead (${hub.name})`] } },
    ]);
  },
);

test(
  "staff: of two changes to one person the second is refused with the person as they are now",
  { tags: ["fail:N1"] },
  async () => {
    const [ada, ben] = [await owner(), await staffOf(market, "editor")];
    const { id } = ben.person;
    await ada.put(`/staff/${id}/roles`, { expectedVersion: 1, roles: [{ role: "support", hubId: null }] });
    const current = { id, roles: [{ role: "support", hub: null }], version: 2 };
    const refusal = { status: 409, body: [expect.stringContaining("in the meantime"), { code: "conflict", current }] };
    const roles = [{ role: "auditor", hubId: null }];
    expect(await ada.put(`/staff/${id}/roles`, { expectedVersion: 1, roles })).toMatchObject(refusal);
    expect(await ada.post(`/staff/${id}/disable`, { expectedVersion: 1 })).toMatchObject(refusal);
    expect(await ada.post(`/staff/${id}/reset`, { expectedVersion: 1 })).toMatchObject(refusal);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(["staff roles"]);
    expect((await ada.post("/staff/2000000000/disable", { expectedVersion: 1 })).status).toBe(404);
  },
);

test(
  "staff: a change that is repeated with its key after a lost answer has the first answer, and is done once",
  { tags: ["fail:B2"] },
  async () => {
    const [ada, ben] = [await owner(), await staffOf(market, "manager")];
    const { id } = ben.person;
    const send = async (method: "PUT" | "POST", path: string, payload: object, key: string) => {
      const { statusCode, headers, body } = await market.app.inject({
        method,
        url: `/api/admin/staff/${id}/${path}`,
        headers: { cookie: ada.cookie, "sec-fetch-site": "same-origin", "idempotency-key": key },
        payload,
      });
      return [statusCode, headers["idempotent-replayed"], JSON.parse(body) as { version: number }] as const;
    };
    const roles = [{ role: "editor", hubId: null }];
    for (const [method, path, change] of [
      ["PUT", "roles", { roles }],
      ["POST", "disable", {}],
    ] as const) {
      const body = { ...change, expectedVersion: await versionOf(id) };
      const key = newKey();
      const [status, , first] = await send(method, path, body, key);
      expect([status, first.version]).toEqual([200, body.expectedVersion + 1]);
      expect(await send(method, path, body, key)).toEqual([200, "true", first]);
    }
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(["staff roles", "staff disable"]);
  },
);

test(
  "staff: the last owner who can sign in is not demoted, disabled or reset, until another one can",
  { tags: ["fail:N4"] },
  async () => {
    const ada = await owner();
    const { id } = ada.person;
    // Invited, but without a way to sign in.
    const ben = await createStaff(market, "owner");
    const disabled = await createStaff(market, "owner");
    await addPasskey(disabled.id);
    await db.staff.update({ where: { id: disabled.id }, data: { disabled_at: market.clock.now() } });
    await createStaff(market, "manager").then((manager) => addPasskey(manager.id));
    const roles = [{ role: "manager", hubId: null }];
    const refusal = {
      status: 409,
      body: [
        "Ada Kowalski is the last owner who can sign in. Make someone else an owner first.",
        { code: "last_owner" },
      ],
    };
    expect(await ada.put(`/staff/${id}/roles`, { expectedVersion: 1, roles })).toMatchObject(refusal);
    expect(await ada.post(`/staff/${id}/disable`, { expectedVersion: 1 })).toMatchObject(refusal);
    expect(await ada.post(`/staff/${id}/reset`, { expectedVersion: 1 })).toMatchObject(refusal);
    const kept = [{ role: "owner", hubId: null }, ...roles];
    expect((await ada.put(`/staff/${id}/roles`, { expectedVersion: 1, roles: kept })).status).toBe(200);
    await addPasskey(ben.id);
    expect((await ada.put(`/staff/${id}/roles`, { expectedVersion: 2, roles })).status).toBe(200);
  },
);

test("staff: two owners demote each other at the same moment, one stays an owner", { tags: ["fail:N4"] }, async () => {
  for (const action of ["roles", "disable", "reset"] as const) {
    const [ada, ben] = [await owner(), await owner()];
    const send = (from: typeof ada, to: typeof ada) =>
      action === "roles"
        ? from.put(`/staff/${to.person.id}/roles`, { expectedVersion: 1, roles: [{ role: "editor", hubId: null }] })
        : from.post(`/staff/${to.person.id}/${action}`, { expectedVersion: 1 });
    const results = await Promise.all([send(ada, ben), send(ben, ada)]);
    const left = await db.staff.count({
      where: { disabled_at: null, grants: { some: { role: "owner" } }, passkeys: { some: {} } },
    });
    expect({ action, left }).toEqual({ action, left: 1 });
    // The second one waited: it is no longer allowed, or would remove the last owner.
    const statuses = results.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => [401, 403, 409].includes(status))).toHaveLength(1);
    await db.staff.updateMany({ data: { disabled_at: market.clock.now() } });
  }
});

test(
  "staff: an owner's session that ends while a change waits: the change is refused",
  { tags: ["fail:N3"] },
  async () => {
    const [ada, ben] = [await owner(), await staffOf(market, "editor")];
    const roles = [{ role: "owner", hubId: null }];
    const work = { response: Promise.resolve({ status: 0 }) };
    await transaction(db, async (tx) => {
      await lockStaff(tx);
      work.response = ada.put(`/staff/${ben.person.id}/roles`, { expectedVersion: 1, roles });
      await waitForLock(db, work.response);
      await endSessions(tx, asStaffId(ada.person.id), market.clock.now());
    });
    expect(await work.response).toMatchObject({
      status: 401,
      body: [expect.any(String), { code: "sign_in_required" }],
    });
    expect(await versionOf(ben.person.id)).toBe(1);
  },
);

test(
  "staff: a disabled person's sessions end at once on every server, their link is dead, and a second time changes nothing",
  { tags: ["fail:N3"] },
  async () => {
    const second = await buildTestApp({
      url: market.url,
      env: { SESSION_SECRET: deps.env.sessionSecrets.join(",") },
    });
    const [ada, ben] = [await owner(), await staffOf(market, "owner")];
    const { id, email } = ben.person;
    const elsewhere = () =>
      second.app.inject({ url: "/api/admin/staff", headers: { cookie: ben.cookie, "sec-fetch-site": "same-origin" } });
    expect([(await ben.get("/staff")).status, (await elsewhere()).statusCode]).toEqual([200, 200]);
    await ada.post(`/staff/${id}/reset`, { expectedVersion: 1 });
    const token = tokenIn((await mailsTo(email))[0]);
    // A session that begins after the reset ended the others.
    await staffCookie(market, id);
    const disabled = await ada.post(`/staff/${id}/disable`, { expectedVersion: 2 });
    expect(disabled).toMatchObject({ status: 200, body: { state: "disabled", version: 3 } });
    await Promise.all([market.waitForNotifications(), second.waitForNotifications()]);
    expect([(await ben.get("/staff")).status, (await elsewhere()).statusCode]).toEqual([401, 401]);
    expect(await db.staff_session.count({ where: { staff_id: id, ended_at: null } })).toBe(0);
    expect(await db.staff_link.findUnique({ where: { token_hash: sha256(token) } })).toMatchObject({
      used_at: market.clock.now(),
    });
    expect(await ada.post(`/staff/${id}/disable`, { expectedVersion: 3 })).toMatchObject({ body: { version: 3 } });
    expect(await auditOf(id)).toMatchObject([
      { action: "staff reset" },
      {
        action: "staff disable",
        data: { before: { disabled: false }, after: { disabled: true }, endedSessions: 1, revokedKeys: 0 },
      },
    ]);
    // The mail of the link that died was not sent yet.
    expect(await sendDueMail(deps)).toBe(0);
  },
);

test("staff: a reset deletes passkeys, password and codes, ends sessions, replaces the link, and gives a disabled person access", async () => {
  const [ada, ben] = [await owner(), await staffOf(market, "support")];
  const { id, email } = ben.person;
  await addPasskey(id);
  const secrets = { password_hash: "x", totp_secret: "y", totp_last_step: 1n };
  await db.staff.update({ where: { id }, data: secrets });
  await ada.post(`/staff/${id}/reset`, { expectedVersion: 1 });
  await ada.post(`/staff/${id}/disable`, { expectedVersion: 2 });
  expect(await ada.post(`/staff/${id}/reset`, { expectedVersion: 3 })).toMatchObject({
    status: 200,
    body: { state: "invited", passkeys: 0, hasPassword: false, recoveryCodesLeft: 0, version: 4 },
  });
  expect(await db.staff.findUnique({ where: { id } })).toMatchObject({
    password_hash: null,
    totp_secret: null,
    totp_last_step: null,
    disabled_at: null,
  });
  expect(await db.staff_session.count({ where: { staff_id: id, ended_at: null } })).toBe(0);
  const [first, second] = await mailsTo(email);
  expect([first?.template, second?.template, second?.is_secret]).toEqual(["staff-reset", "staff-reset", true]);
  const links = await db.staff_link.findMany({ where: { staff_id: id, used_at: null } });
  expect(links.map((link) => link.token_hash)).toEqual([sha256(tokenIn(second))]);
  expect((await auditOf(id)).map(({ action, data }) => [action, data])).toMatchObject([
    ["staff reset", { before: { passkeys: 1, password: true }, after: { passkeys: 0, password: false } }],
    ["staff disable", {}],
    ["staff reset", { before: { disabled: true, passkeys: 0 }, after: { disabled: false } }],
  ]);
  expect(await sendDueMail(deps)).toBe(1);
});

test("staff: a person who was disabled is invited again, with only the new roles and nothing of the old sign-in", async () => {
  const [ada, ben] = [await owner(), await staffOf(market, "manager", "bookkeeper")];
  const { id, email } = ben.person;
  await addPasskey(id);
  await ada.post(`/staff/${id}/disable`, { expectedVersion: 1 });
  const again = await ada.post("/staff", { email, name: "Ben Again", roles: [{ role: "editor", hubId: hub.id }] });
  expect(again).toMatchObject({
    status: 201,
    body: { id, name: "Ben Again", state: "invited", roles: [{ role: "editor" }], passkeys: 0, version: 3 },
  });
  expect((await mailsTo(email)).map(({ template }) => template)).toEqual(["staff-invite"]);
  await market.waitForNotifications();
  expect((await ben.get("/staff")).status).toBe(401);
});

test("staff: an invited person who sets up a passkey is active, and a reset ends that sign-in", async () => {
  const ada = await owner();
  const ben = person("Ben");
  const { body: invited } = await ada.post("/staff", { ...ben, roles: [{ role: "editor", hubId: null }] });
  const token = tokenIn((await mailsTo(ben.email))[0]);
  const [browser, passkey] = [market.shopper(), new TestPasskey()];
  expect(await acceptByPasskey(browser, token, passkey)).toMatchObject({ status: 200 });
  const stateOf = async () =>
    (await ada.get("/staff")).body.find((member: { id: number }) => member.id === invited.id) as object;
  expect(await stateOf()).toMatchObject({ state: "active", passkeys: 1, recoveryCodesLeft: 10 });
  expect((await signInByPasskey(market.shopper(), passkey)).status).toBe(200);
  const expectedVersion = await versionOf(invited.id);
  expect((await ada.post(`/staff/${invited.id}/reset`, { expectedVersion })).status).toBe(200);
  await market.waitForNotifications();
  expect((await browser.get("/admin/me/security")).status).toBe(401);
  expect((await signInByPasskey(market.shopper(), passkey)).status).toBe(401);
  expect(await acceptByPasskey(market.shopper(), token)).toMatchObject({
    status: 404,
    body: [expect.any(String), { code: "link_dead" }],
  });
});

test("staff: a link that is used while its person is reset or disabled leaves no passkey or no access", async () => {
  const ada = await owner();
  for (const action of ["reset", "disable", "reset", "disable"] as const) {
    const ben = await createStaff(market, "editor");
    const token = await linkOf(market, ben.id);
    const browser = market.shopper();
    const [changed, accepted] = await Promise.all([
      ada.post(`/staff/${ben.id}/${action}`, { expectedVersion: ben.version }),
      acceptByPasskey(browser, token),
    ]);
    // A link that was used first has raised the version.
    const isChanged = changed.status === 200;
    // 400: the reset deleted the challenge after the link was found open.
    const statuses = [expect.toBeOneOf([200, 409]), expect.toBeOneOf([200, 400, 404])];
    expect([changed.status, accepted.status]).toEqual(statuses);
    const open = await db.staff_session.count({ where: { staff_id: ben.id, ended_at: null } });
    const { passkeys, disabled_at } = await db.staff.findUniqueOrThrow({
      where: { id: ben.id },
      include: { passkeys: true },
    });
    expect({ isChanged, open }).toEqual({ isChanged, open: isChanged ? 0 : 1 });
    if (isChanged && action === "reset") expect(passkeys).toEqual([]);
    expect(disabled_at === null).toBe(!(isChanged && action === "disable"));
  }
});

test("staff: a link that is used leaves nothing that its person signed in with before, and ends their sessions", async () => {
  const ben = await staffOf(market, "editor");
  const { id } = ben.person;
  const browser = market.shopper();
  const token = await linkOf(market, id);
  await addPasskey(id);
  await db.staff.update({ where: { id }, data: { password_hash: "x", totp_secret: "y", totp_last_step: 1n } });
  const passkey = new TestPasskey();
  expect((await acceptByPasskey(browser, token, passkey)).status).toBe(200);
  expect(
    await db.staff.findUniqueOrThrow({ where: { id }, include: { passkeys: true, recovery_codes: true } }),
  ).toMatchObject({ password_hash: null, totp_secret: null, passkeys: [{ id: passkey.id }] });
  expect(await db.staff_recovery_code.count({ where: { code_hash: `passkey-${id}` } })).toBe(0);
  await market.waitForNotifications();
  expect((await ben.get("/me/security")).status).toBe(401);
  expect((await browser.get("/admin/me/security")).status).toBe(200);
});
