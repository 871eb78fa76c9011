import { API_KEY, PERMISSIONS, STAFF_SESSION } from "@marketday/domain/staff";
import { addMs, Day, Minute } from "@marketday/domain/time";
import { beforeEach, describe, expect, test } from "vitest";

import { apiKeyOf, withKey } from "../../../test/api-key.ts";
import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct, newKey } from "../../../test/factories.ts";
import { auditOf, personWithPasskey } from "../../../test/staff-sign-in.ts";
import { createStaff, staffCookie, staffOf } from "../../../test/staff.ts";
import { sha256 } from "../../lib/tokens.ts";

const market = await buildTestApp();
const { db, deps, clock } = market;
const hub = await createHub(db);
beforeEach(() => clock.set(MONDAY));

const BAD_KEY = {
  status: 401,
  body: ["This API key doesn't work: it is unknown, has expired or was revoked.", { code: "bad_api_key" }],
};
const NOT_WITH_KEY = {
  status: 403,
  body: ["An API key can't do that. Sign in to the back office instead.", { code: "key_not_allowed" }],
};

describe("API keys: creating one", () => {
  test("its secret is in the response alone, a hash is stored, and its person is mailed", async () => {
    const { browser, person } = await personWithPasskey(market, "owner");
    const { status, body } = await browser.post("/admin/me/keys", {
      name: "Nightly export",
      permissions: ["orders.read", "audit.read", "orders.read"],
      days: 90,
    });
    expect(status).toBe(201);
    const secret: string = body.secret;
    expect(secret).toMatch(/^mkt_[\w-]{43}$/);
    expect(body.key).toEqual({
      id: expect.any(Number),
      name: "Nightly export",
      start: secret.slice(0, 10),
      permissions: ["orders.read", "audit.read"],
      lost: [],
      createdAt: clock.now().toISOString(),
      expiresAt: addMs(clock.now(), 90 * Day.ms).toISOString(),
      isExpired: false,
      lastUsedAt: null,
    });
    const row = await db.staff_api_key.findUniqueOrThrow({ where: { id: body.key.id } });
    expect(row.key_hash).toBe(sha256(secret));
    expect(JSON.stringify(row)).not.toContain(secret.slice(10));
    const [mail] = await db.mail.findMany({ where: { to_email: person.email, template: "staff-api-key-created" } });
    expect(mail?.data).toEqual({ email: person.email, name: "Nightly export", expiresAt: body.key.expiresAt });
    expect((await auditOf(market, person)).at(-1)).toMatchObject({
      action: "staff api-key add",
      data: { name: "Nightly export", permissions: ["orders.read", "audit.read"] },
    });
    expect((await browser.get("/admin/me/keys")).body).toEqual([body.key]);
    expect(await withKey(market, secret)("/orders")).toMatchObject({ status: 200 });
  });

  test("needs a proof of identity, a permission that its person has, and at most a year", async () => {
    const { browser } = await personWithPasskey(market, "support");
    const create = (change: object) =>
      browser.post("/admin/me/keys", { name: "Export", permissions: ["orders.read"], days: 365, ...change });
    expect(await create({ permissions: ["orders.read", "staff.write"] })).toMatchObject({
      status: 400,
      body: ["A key can only do what you may do yourself.", { code: "invalid", field: "permissions" }],
    });
    for (const [change, field] of [
      [{ permissions: [] }, "permissions"],
      [{ permissions: ["everything"] }, "permissions.0"],
      [{ name: " " }, "name"],
      [{ days: 366 }, "days"],
      [{ days: 0 }, "days"],
      [{ days: 1.5 }, "days"],
    ] as const)
      expect(await create(change)).toMatchObject({ status: 400, body: [expect.any(String), { field }] });
    expect((await create({})).status).toBe(201);
    clock.advance(STAFF_SESSION.stepUpMs + Minute.ms);
    expect(await create({})).toMatchObject({ status: 403, body: [expect.any(String), { code: "step_up_required" }] });
  });

  test("a key for a year works until the year is over, and not at its end", async () => {
    const { browser } = await personWithPasskey(market, "auditor");
    const { body } = await browser.post("/admin/me/keys", { name: "x", permissions: ["orders.read"], days: 365 });
    const get = withKey(market, body.secret);
    clock.set(addMs(new Date(body.key.expiresAt), -1));
    expect((await get("/orders")).status).toBe(200);
    clock.advance(1);
    expect(await get("/orders")).toMatchObject(BAD_KEY);
    await expect(
      db.staff_api_key.update({
        where: { id: body.key.id },
        data: { expires_at: addMs(new Date(body.key.createdAt), 365 * Day.ms + 1) },
      }),
    ).rejects.toThrow("staff_api_key_within_a_year");
  });

  test(`a person has at most ${API_KEY.most} that work`, async () => {
    const { browser } = await personWithPasskey(market, "auditor");
    const create = () => browser.post("/admin/me/keys", { name: "x", permissions: ["orders.read"], days: 1 });
    for (let key = 0; key < API_KEY.most; key += 1) expect((await create()).status).toBe(201);
    expect(await create()).toMatchObject({ status: 409, body: [expect.any(String), { code: "too_many_keys" }] });
  });
});

describe("API keys: what one opens", { tags: ["fail:N3"] }, () => {
  test("only what it was created for and its person may do now, in their markets", async () => {
    const other = await createHub(db);
    const [inOwn, inOther] = await Promise.all(
      [hub, other].map(async (each) => {
        const product = await createProduct(db, each.id, { inventory: 9 });
        const { id } = await createCustomer(db, { hubId: each.id, pepper: deps.env.pepper });
        return createOrder(db, { customerId: id, hub: each, product });
      }),
    );
    const lead = await createStaff(market, { role: "hub_lead", hubId: hub.id });
    const get = withKey(market, await apiKeyOf(market, lead.id, ["orders.read", "staff.write"]));
    expect((await get(`/orders/${inOwn!.id}`)).status).toBe(200);
    expect((await get(`/orders/${inOther!.id}`)).status).toBe(404);
    const { body } = await get("/orders");
    const text = JSON.stringify(body);
    expect([text.includes(String(inOwn!.id)), text.includes(String(inOther!.id))]).toEqual([true, false]);
    // Of the role, not of the key: and of the key, not of the role.
    expect((await get("/customers")).body[1].code).toBe("forbidden");
    expect((await get("/staff")).body[1].code).toBe("forbidden");
    await db.staff_grant.updateMany({ where: { staff_id: lead.id }, data: { role: "editor" } });
    await market.waitForNotifications();
    expect((await get("/orders")).body[1].code).toBe("forbidden");
  });

  test("nothing of one's own security, nothing with a proof of identity, no sign-in, and no stream", async () => {
    const owner = await createStaff(market, "owner");
    const get = withKey(market, await apiKeyOf(market, owner.id, PERMISSIONS));
    for (const url of ["/me/security", "/me/keys", "/events", "/openapi.json"])
      expect(await get(url)).toMatchObject(NOT_WITH_KEY);
    const target = await createStaff(market, "editor");
    expect(await get(`/staff/${target.id}/disable`, { method: "POST", body: { expectedVersion: 1 } })).toMatchObject(
      NOT_WITH_KEY,
    );
    expect((await get("/session")).body.me).toBeNull();
    expect((await get("/staff")).status).toBe(200);
    expect((await get("/none")).status).toBe(404);
  });

  test("a session beside it is refused, another Authorization is not a key, and in a query or for the shop it does nothing", async () => {
    const owner = await createStaff(market, "owner");
    const key = await apiKeyOf(market, owner.id, PERMISSIONS);
    const cookie = await staffCookie(market, owner.id);
    expect(await withKey(market, key)("/staff", { headers: { cookie } })).toMatchObject({
      status: 400,
      body: [expect.any(String), { code: "two_credentials" }],
    });
    const read = async (headers: Record<string, string>, url = "/api/admin/staff") =>
      (await market.app.inject({ url, headers })).statusCode;
    expect(await read({ cookie, authorization: "Basic YWRhOng=" })).toBe(200);
    expect(await read({ authorization: `Basic ${key}` })).toBe(401);
    expect(await read({ authorization: key })).toBe(401);
    expect(await read({}, `/api/admin/staff?key=${key}&authorization=${key}&access_token=${key}`)).toBe(401);
    const profile = { authorization: `Bearer ${key}` };
    expect(await read(profile, "/api/account/profile")).toBe(401);
  });

  test("a write needs no Origin, repeats with its Idempotency-Key, and its entry names the person and the key", async () => {
    const { browser, person } = await personWithPasskey(market, "owner");
    const { body: created } = await browser.post("/admin/me/keys", {
      name: "Robot",
      permissions: ["people.read"],
      days: 1,
    });
    const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    const send = withKey(market, created.secret);
    const note = { method: "POST" as const, body: { text: "Rings twice" }, headers: { "idempotency-key": newKey() } };
    const [first, second] = [
      await send(`/customers/${customer.id}/notes`, note),
      await send(`/customers/${customer.id}/notes`, note),
    ];
    expect(first.status).toBeLessThan(300);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    const entries = await db.audit_entry.findMany({ where: { subject: `customer:${customer.id}` } });
    expect(entries.at(-1)).toMatchObject({
      actor: `staff:${person.email}`,
      data: { apiKey: "Robot", apiKeyId: created.key.id },
    });
    expect(entries).toHaveLength(1);
  });
});

describe("API keys: ending one", () => {
  test(
    "revoked by its person or an owner, it is refused at once also by a server that had it cached, and the try is recorded",
    { tags: ["fail:F2", "fail:N3"] },
    async () => {
      const { browser, person } = await personWithPasskey(market, "manager");
      const owner = await staffOf(market, "owner");
      const other = await buildTestApp({ url: market.url, now: clock.now().toISOString() });
      const create = async () =>
        (await browser.post("/admin/me/keys", { name: "Robot", permissions: ["orders.read"], days: 1 })).body;
      const [own, byOwner, last] = [await create(), await create(), await create()];
      const elsewhere = async ({ secret }: { secret: string }) => withKey(other, secret)("/orders");
      for (const each of [own, byOwner, last]) expect((await elsewhere(each)).status).toBe(200);

      expect((await browser.delete(`/admin/me/keys/${own.key.id}`)).status).toBe(200);
      expect((await browser.delete(`/admin/me/keys/${own.key.id}`)).status).toBe(404);
      await other.waitForNotifications();
      expect(await elsewhere(own)).toMatchObject(BAD_KEY);

      const { keys } = (await owner.get(`/staff/${person.id}/access`)).body;
      expect(keys.map(({ id }: { id: number }) => id)).toEqual([last.key.id, byOwner.key.id]);
      expect(keys[0]).toMatchObject({ lastUsedAt: clock.now().toISOString() });
      expect((await owner.delete(`/staff/${person.id}/keys/${byOwner.key.id}`)).body).toEqual({ revoked: 1 });
      expect((await owner.delete(`/staff/${owner.person.id}/keys/${last.key.id}`)).status).toBe(404);
      await other.waitForNotifications();
      expect(await elsewhere(byOwner)).toMatchObject(BAD_KEY);
      expect((await elsewhere(last)).status).toBe(200);
      expect((await owner.delete(`/staff/${person.id}/keys/all`)).body).toEqual({ revoked: 1 });
      await other.waitForNotifications();
      expect(await elsewhere(last)).toMatchObject(BAD_KEY);
      const ended = (await auditOf(market, person)).filter(({ action }) => action.startsWith("staff api-key re"));
      expect(ended.map(({ actor, action, reason }) => [actor, action, reason])).toEqual([
        [`staff:${person.email}`, "staff api-key revoke", ""],
        ["anonymous", "staff api-key refused", "revoked"],
        [`staff:${owner.person.email}`, "staff api-key revoke", ""],
        ["anonymous", "staff api-key refused", "revoked"],
        [`staff:${owner.person.email}`, "staff api-key revoke", ""],
        ["anonymous", "staff api-key refused", "revoked"],
      ]);
    },
  );

  test("a person who is disabled or reset, or has not set up a sign-in, has no key that works", async () => {
    const owner = await staffOf(market, "owner");
    for (const action of ["disable", "reset"]) {
      const ben = await createStaff(market, "manager");
      const get = withKey(market, await apiKeyOf(market, ben.id, ["orders.read"]));
      expect((await get("/orders")).status).toBe(200);
      expect((await owner.post(`/staff/${ben.id}/${action}`, { expectedVersion: ben.version })).status).toBe(200);
      await market.waitForNotifications();
      expect(await get("/orders")).toMatchObject(BAD_KEY);
      expect(await db.staff_api_key.count({ where: { staff_id: ben.id, revoked_at: null } })).toBe(0);
    }
    const cal = await createStaff(market, "manager");
    const get = withKey(market, await apiKeyOf(market, cal.id, ["orders.read"]));
    await db.staff_passkey.deleteMany({ where: { staff_id: cal.id } });
    expect(await get("/orders")).toMatchObject(BAD_KEY);
  });

  test("keys that do not work are limited by address, and one that works is not", { tags: ["fail:F13"] }, async () => {
    const limited = await buildTestApp({ env: { RATE_LIMITS: "on" } });
    const owner = await createStaff(limited, "owner");
    const good = withKey(limited, await apiKeyOf(limited, owner.id, ["staff.write"]));
    const statuses: number[] = [];
    for (let count = 0; count < 22; count += 1) statuses.push((await withKey(limited, "mkt_wrong")("/staff")).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    expect(statuses.slice(20)).toEqual([429, 429]);
    expect((await good("/staff")).status).toBe(200);
  });
});
