import { adminEndpoint } from "@marketday/contracts/admin/endpoint";
import { atEnd } from "@marketday/db/testing";
import { STAFF_SESSION } from "@marketday/domain/staff";
import { Minute } from "@marketday/domain/time";
import type { FastifyInstance } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY } from "../../test/app.ts";
import { createHub, GOOD_CARD, newKey } from "../../test/factories.ts";
import { signIn } from "../../test/sign-in.ts";
import { createStaff, staffCookie, staffOf } from "../../test/staff.ts";
import { buildApp } from "../app.ts";
import { validatorCompiler } from "../lib/validate.ts";

const market = await buildTestApp();
const { db, deps } = market;
const hub = await createHub(db);
beforeEach(() => market.clock.set(MONDAY));

const entriesOf = ({ email }: { email: string }) =>
  db.audit_entry.findMany({ where: { subject: `staff:${email}`, action: "staff refused" }, orderBy: { id: "asc" } });

describe("refusals of a signed-in person", { tags: ["fail:N3"] }, () => {
  test("the audit log has one a minute per permission, with the call and the market", async () => {
    const editor = await staffOf(market, { role: "editor", hubId: hub.id });
    const day = `/hubs/${hub.slug}/days/2026-11-26`;
    for (let call = 0; call < 3; call += 1) expect((await editor.get("/staff")).status).toBe(403);
    expect((await editor.get(day)).status).toBe(403);
    const actor = `staff:${editor.person.email}`;
    const staff = { actor, reason: "GET /api/admin/staff", data: { permission: "staff.write" } };
    const run = {
      actor,
      reason: "GET /api/admin/hubs/:hub/days/:date",
      data: { permission: "day.run", hub: hub.slug },
    };
    expect(await entriesOf(editor.person)).toMatchObject([staff, run]);
    market.clock.advance(1 * Minute.ms);
    for (let call = 0; call < 2; call += 1) expect((await editor.get("/staff")).status).toBe(403);
    expect(await entriesOf(editor.person)).toMatchObject([staff, run, staff]);
  });

  test("each market has its own entry; markets that do not exist have one together", async () => {
    const second = await createHub(db);
    const editor = await staffOf(market, { role: "editor", hubId: hub.id });
    for (const key of [hub.slug, second.slug, hub.slug, "none", "none-either"])
      expect((await editor.get(`/hubs/${key}/days/2026-11-26`)).status).toBe(403);
    expect((await entriesOf(editor.person)).map(({ data }) => data)).toMatchObject([
      { hub: hub.slug },
      { hub: second.slug },
      { hub: "none" },
    ]);
  });

  test("a person without the permission in any market gets the same answer for a market that does not exist", async () => {
    const editor = await staffOf(market, "editor");
    const [known, unknown] = [
      await editor.get(`/hubs/${hub.slug}/days/2026-11-26`),
      await editor.get("/hubs/none/days/2026-11-26"),
    ];
    expect([known.status, known.body[1].code]).toEqual([403, "forbidden"]);
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    const lead = await staffOf(market, { role: "hub_lead", hubId: hub.id });
    expect((await lead.get("/hubs/none/days/2026-11-26")).status).toBe(404);
  });
});

test("access revoked on one server: the next call to another server is refused", { tags: ["fail:N3"] }, async () => {
  const other = await buildTestApp({ url: market.url, env: { SESSION_SECRET: deps.env.sessionSecrets.join(",") } });
  const owner = await staffOf(market, "owner");
  const read = async () => {
    const { statusCode } = await other.app.inject({ url: "/api/admin/staff", headers: { cookie: owner.cookie } });
    return statusCode;
  };
  expect(await read()).toBe(200);
  await db.staff_grant.updateMany({ where: { staff_id: owner.person.id }, data: { role: "editor" } });
  await other.waitForNotifications();
  expect(await read()).toBe(403);
  await db.staff.update({ where: { id: owner.person.id }, data: { disabled_at: market.clock.now() } });
  await other.waitForNotifications();
  expect(await read()).toBe(401);
});

test("a session of the staff: a changed token and a shopper's token are 401, and a shopper's cookie beside it changes nothing", async () => {
  const owner = await createStaff(market, "owner");
  const cookie = await staffCookie(market, owner.id);
  const shopper = await signIn(market, { hubId: hub.id });
  const read = async (with_: string) =>
    (await market.app.inject({ url: "/api/admin/staff", headers: { cookie: with_ } })).statusCode;
  expect(await read(cookie)).toBe(200);
  expect(await read(`${cookie}; ${shopper.cookieHeader()}`)).toBe(200);
  expect(await read(`${cookie.slice(0, -2)}xx`)).toBe(401);
  const [, token = ""] = /mkt_session=([^;]+)/.exec(shopper.cookieHeader()) ?? [];
  expect(token).not.toBe("");
  expect(await read(`mkt_staff=${token}`)).toBe(401);
});

test("a session of the staff: reads of an open page and its stream do not prolong it, and a write and other reads do", async () => {
  const owner = await createStaff(market, "owner");
  const cookie = await staffCookie(market, owner.id);
  const seen = async () => (await db.staff_session.findFirstOrThrow({ where: { staff_id: owner.id } })).last_seen_at;
  const send = async (url: string, headers: Record<string, string>, method: "GET" | "POST" = "GET") => {
    market.clock.advance(2 * Minute.ms);
    const all = { cookie, "sec-fetch-site": "same-origin", ...headers };
    await market.app.inject({ url: `/api/admin${url}`, method, headers: all });
    return (await seen()).getTime() === market.clock.now().getTime();
  };
  expect(await send("/staff", { "x-background": "1" })).toBe(false);
  expect(await send("/session", { "x-background": "1" })).toBe(false);
  expect(await send("/session", { accept: "text/event-stream" })).toBe(false);
  expect(await send("/staff", {})).toBe(true);
  expect(await send("/staff/2000000000/disable", { "x-background": "1" }, "POST")).toBe(true);
  market.clock.advance(STAFF_SESSION.idleMs);
  const headers = { cookie, "x-background": "1" };
  expect((await market.app.inject({ url: "/api/admin/staff", headers })).statusCode).toBe(401);
});

/** A server with a route for tests, which is not ready. */
async function buildWith(register: (app: Awaited<ReturnType<typeof buildApp>>) => void) {
  const app = await buildApp(deps, { webDist: "none" });
  atEnd(() => app.close());
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  register(app);
  return app;
}

test("a route of the admin API that does not say who may call it fails the start", { tags: ["fail:G6"] }, async () => {
  await expect(
    buildWith((app) => {
      app.post("/api/admin/anything", async () => "open to all");
    }),
  ).rejects.toThrow("POST /api/admin/anything does not say who may call it: declare it with adminEndpoint.");
});

describe("Idempotency-Key of the staff", { tags: ["fail:B3"] }, () => {
  const sendNews = adminEndpoint({
    method: "POST",
    url: "/api/admin/news",
    access: { permission: "content.write", where: "any" },
    idempotent: true,
    schema: { body: z.object({ text: z.string() }), response: { 200: z.object({ sent: z.number() }) } },
  });
  let sent = 0;
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await buildWith((built) => {
      built.route({ ...sendNews, handler: async () => ({ sent: ++sent }) });
    });
  });

  async function post(cookie: string, key: string, text: string) {
    const answer = await app.inject({
      method: "POST",
      url: "/api/admin/news",
      headers: { cookie, "sec-fetch-site": "same-origin", "idempotency-key": key },
      payload: { text },
    });
    return {
      status: answer.statusCode,
      body: answer.json(),
      isReplayed: answer.headers["idempotent-replayed"] === "true",
    };
  }

  test("the same request is done once; another body is refused; keys of two people, and of a customer, are apart", async () => {
    const [one, two] = [await staffOf(market, "editor"), await staffOf(market, "editor")];
    const key = newKey();
    const first = await post(one.cookie, key, "Apples");
    expect(first).toEqual({ status: 200, body: { sent }, isReplayed: false });
    expect(await post(one.cookie, key, "Apples")).toEqual({ ...first, isReplayed: true });
    expect((await post(one.cookie, key, "Pears")).body[1].code).toBe("key_reused");
    expect(await post(two.cookie, key, "Pears")).toEqual({
      status: 200,
      body: { sent: first.body.sent + 1 },
      isReplayed: false,
    });
    const customer = await signIn(market, { hubId: hub.id });
    const gift = { amount: 50, recipientEmail: "f@example.com", message: "", deliverOn: "2026-11-23", card: GOOD_CARD };
    expect((await customer.post("/gift-cards", gift, { "idempotency-key": key })).status).toBe(201);
  });

  test("access is checked before the key: a person whose permission was revoked gets no stored response", async () => {
    const person = await staffOf(market, "editor");
    const key = newKey();
    expect((await post(person.cookie, key, "Plums")).status).toBe(200);
    await db.staff_grant.deleteMany({ where: { staff_id: person.person.id } });
    // The second server has no listener: its cache ends after a second of its clock.
    app.dropStaff(null);
    expect((await post(person.cookie, key, "Plums")).status).toBe(403);
    expect((await post("", key, "Plums")).status).toBe(401);
    const shopper = await signIn(market, { hubId: hub.id });
    expect((await post(shopper.cookieHeader(), key, "Plums")).status).toBe(401);
  });
});
