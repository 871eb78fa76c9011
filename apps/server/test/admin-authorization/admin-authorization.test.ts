import { randomUUID } from "node:crypto";

import type { Access } from "@marketday/contracts/admin/endpoint";
import { atEnd } from "@marketday/db/testing";
import {
  can,
  type Grant,
  type Permission,
  PERMISSIONS,
  ROLE_PERMISSIONS,
  ROLES,
  STAFF_SESSION,
  STEP_UP_PERMISSIONS,
} from "@marketday/domain/staff";
import type { FastifyInstance } from "fastify";
import { beforeAll, expect, test } from "vitest";

import { buildApp } from "../../src/app.ts";
import { runWeek } from "../../src/jobs/week.ts";
import { asStaffId } from "../../src/modules/identity/context.ts";
import { insertStaffSession } from "../../src/modules/identity/staff-session-store.ts";
import { apiKeyOf } from "../api-key.ts";
import { buildTestApp } from "../app.ts";
import { createCustomer, createHub, createOrder, createProduct } from "../factories.ts";
import { signIn } from "../sign-in.ts";
import { createStaff, staffCookie } from "../staff.ts";
import { type AdminFixtures, type AdminRow, adminRows } from "./rows.ts";

const CUTOFF = "2026-11-25T06:00:00Z";
const DAY = "2026-11-26";

const market = await buildTestApp({ env: { PAYMENTS: "offline" } });
const { db, deps } = market;

/** A market with an order for the frozen day. */
async function createMarket() {
  const hub = await createHub(db);
  const product = await createProduct(db, hub.id, { inventory: 50 });
  const { id: customerId } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const order = await createOrder(db, { customerId, hub, product, status: "open", createdAt: market.clock.now() });
  await db.order.update({
    where: { id: order.id },
    data: {
      credit_cents: order.order_total_cents,
      address: { address: "1 Main Street", address2: "", city: "Carmel", state: "IN", zipCode: "46032" },
    },
  });
  return { ...hub, order: order.id, customer: customerId };
}
const [own, other] = [await createMarket(), await createMarket()];
const shopper = await signIn(market, { hubId: own.id });
market.clock.set(CUTOFF);
await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });

interface Caller {
  name: string;
  /** Null: no session of the staff. */
  grants: readonly Grant[] | null;
  staffId: number | null;
  cookie: string;
  /** A key of the person with all permissions, none without a person. */
  key: string | null;
}

/** A person with each role in one market and in all; no session, a shopper's, and that of a person who was disabled. */
async function createCallers(): Promise<Caller[]> {
  const callers: Caller[] = [
    { name: "no session", grants: null, staffId: null, cookie: "", key: null },
    { name: "a shopper", grants: null, staffId: null, cookie: shopper.cookieHeader(), key: null },
  ];
  const disabled = await createStaff(market, "owner");
  callers.push({
    name: "a disabled owner",
    grants: null,
    staffId: null,
    cookie: await staffCookie(market, disabled.id),
    key: null,
  });
  await db.staff.update({ where: { id: disabled.id }, data: { disabled_at: market.clock.now() } });
  for (const role of ROLES)
    for (const hubId of role === "owner" ? [null] : [own.id, null]) {
      const { id } = await createStaff(market, hubId === null ? role : { role, hubId });
      callers.push({
        name: `${role} ${hubId === null ? "everywhere" : "of one market"}`,
        grants: [{ role, hubId }],
        staffId: id,
        cookie: await staffCookie(market, id),
        key: await apiKeyOf(market, id, PERMISSIONS),
      });
    }
  return callers;
}

interface AdminRoute {
  name: string;
  url: string;
  access: Access;
  stepUp: boolean;
}
const routes: AdminRoute[] = [];
let app: FastifyInstance;
let callers: Caller[];

beforeAll(async () => {
  app = await buildApp(deps, {
    webDist: "none",
    onRoute: ({ method, url, config }) => {
      for (const each of [method].flat())
        if (url.startsWith("/api/admin/") && each !== "HEAD")
          routes.push({ name: `${each} ${url}`, url, access: config!.access!, stepUp: config!.stepUp === true });
    },
  });
  atEnd(() => app.close());
  await app.ready();
  callers = await createCallers();
});

/** A call for an order: where a person may not read the market's orders, there is none. */
const isOfOrder = (url: string): boolean => url.includes("/orders/:id");

/** A call for a person: where a person of the staff may not read the market's people, there is none. */
const isOfCustomer = (url: string): boolean => url.includes("/customers/:id");

/** The expected answer by the contract's access: 401, 403, of an order or a person 404, or what the row says. */
function expectedOf(
  { access, url }: Pick<AdminRoute, "access" | "url">,
  { grants }: Caller,
  hubId: number,
  row: AdminRow,
): AdminRow["status"] {
  if (access === "public") return row.status;
  if (grants === null) return [401, "sign_in_required"];
  if (access === "signed_in") return row.status;
  const where = access.where === "hub" ? hubId : access.where;
  const isPermitted =
    can(grants, access.permission, where) || (access.or !== undefined && can(grants, access.or, where));
  if (!isPermitted) return [403, "forbidden"];
  if (isOfCustomer(url) && !can(grants, "people.read", hubId)) return [404, "not_found"];
  return isOfOrder(url) && !can(grants, "orders.read", hubId) ? [404, "not_found"] : row.status;
}

/** The same with a key of the person: nothing that is for the person alone, and nothing that needs a proof of identity. */
function expectedWithKey(route: AdminRoute, caller: Caller, hubId: number, row: AdminRow): AdminRow["status"] {
  if (route.access === "signed_in") return [403, "key_not_allowed"];
  const expected = expectedOf(route, caller, hubId, row);
  return route.stepUp && expected === row.status ? [403, "key_not_allowed"] : expected;
}

async function send(
  route: AdminRoute,
  row: AdminRow,
  credential: { cookie: string } | { key: string },
  of: AdminFixtures,
) {
  const { params = {}, body } = (await row.request?.(of)) ?? {};
  const url = Object.entries(params).reduce(
    (path, [key, value]) => path.replace(`:${key}`, encodeURIComponent(String(value))),
    route.url,
  );
  const response = await app.inject({
    method: route.name.split(" ")[0] as "GET",
    url,
    headers: {
      ...("key" in credential && { authorization: `Bearer ${credential.key}` }),
      ...("cookie" in credential && { "sec-fetch-site": "same-origin" }),
      ...("cookie" in credential && credential.cookie && { cookie: credential.cookie }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
    ...(row.isStream && { payloadAsStream: true }),
  });
  const isJson = String(response.headers["content-type"]).includes("json");
  if (row.isStream && !isJson) response.stream().destroy();
  const text = row.isStream && isJson ? (await response.stream().toArray()).join("") : isJson ? response.body : "";
  return { status: response.statusCode, body: text === "" ? undefined : JSON.parse(text), headers: response.headers };
}

const unchanged = await createStaff(market, "editor");
const startSession = async (staffId: number): Promise<string> => {
  const id = randomUUID();
  await insertStaffSession(deps.db, { id, staffId: asStaffId(staffId), userAgent: "Test", now: market.clock.now() });
  return id;
};
const fixturesOf = (caller: Caller, hub: typeof own, isAllowed: boolean): AdminFixtures => ({
  hub: hub.slug,
  day: DAY,
  order: hub.order,
  customer: hub.customer,
  target: () => (isAllowed ? createStaff(market, "editor") : Promise.resolve(unchanged)),
  otherSession: async () => (isAllowed && caller.staffId !== null ? startSession(caller.staffId) : randomUUID()),
});

test("admin authorization: every route has a row, and every row a route", { tags: ["fail:G1", "fail:G6"] }, () => {
  const names = routes.map(({ name }) => name);
  const missing = names.filter((name) => !adminRows[name]);
  expect(
    missing,
    `These routes have no row in the matrix of the admin API. Add one line each to apps/server/test/admin-authorization/rows.ts, for instance:\n${missing
      .map((name) => `  "${name}": { request: async (of) => ({ params: {}, body: {} }), status: 200 },`)
      .join("\n")}\nwith a request that works for an owner. Who may call it is read from its contract.\n`,
  ).toEqual([]);
  const obsolete = Object.keys(adminRows).filter((name) => !names.includes(name));
  expect(obsolete, "These rows of apps/server/test/admin-authorization/rows.ts have no route: remove them.").toEqual(
    [],
  );
});

test("admin authorization: the permissions that need a proof of identity are those of the contracts", () => {
  const ofRoutes = routes.flatMap(({ access, ...route }) =>
    typeof access === "string" ? [] : [{ ...route, permission: access.permission }],
  );
  const proven = new Set(ofRoutes.filter(({ stepUp }) => stepUp).map(({ permission }) => permission));
  expect([...proven].filter((permission) => !STEP_UP_PERMISSIONS.includes(permission))).toEqual([]);
  const unproven = STEP_UP_PERMISSIONS.filter(
    (permission) => !proven.has(permission) && ofRoutes.some((route) => route.permission === permission),
  );
  expect(unproven).toEqual([]);
});

/** Calls a route with the key of each person. */
async function checkKeys(route: AdminRoute, row: AdminRow, hubs: readonly (typeof own)[]): Promise<void> {
  for (const hub of hubs)
    for (const caller of callers) {
      if (caller.key === null) continue;
      const expected = expectedWithKey(route, caller, hub.id, row);
      const [status, code] = [expected].flat() as [number, string?];
      const fixtures = fixturesOf(caller, hub, expected === row.status);
      const answer = await send(route, row, { key: caller.key }, fixtures);
      const cell = `a key of ${caller.name}, ${hub === own ? "own" : "another"} market`;
      expect([cell, answer.status, answer.body?.[1]?.code]).toEqual([
        cell,
        status,
        status < 400 ? undefined : (code ?? expect.any(String)),
      ]);
    }
}

test.for(ROLE_PERMISSIONS.owner)(
  "admin authorization: an owner's key with %s alone opens exactly the routes of this permission",
  { tags: ["fail:G1"] },
  async (permission: Permission) => {
    const { id } = await createStaff(market, "owner");
    const key = await apiKeyOf(market, id, [permission]);
    for (const route of routes) {
      const { access } = route;
      if (access === "public") continue;
      const answer = await send(route, {} as AdminRow, { key }, fixturesOf(callers[0]!, own, false));
      const isOwn = access !== "signed_in" && (access.permission === permission || access.or === permission);
      const expected =
        access === "signed_in" || (isOwn && route.stepUp) ? "key_not_allowed" : isOwn ? "open" : "forbidden";
      expect([route.name, answer.status < 500]).toEqual([route.name, true]);
      const code: unknown = answer.body?.[1]?.code;
      expect([route.name, code === "key_not_allowed" || code === "forbidden" ? code : "open"]).toEqual([
        route.name,
        expected,
      ]);
    }
  },
);

test.for(Object.entries(adminRows))(
  "admin authorization: %s",
  { tags: ["fail:G1", "fail:G6", "fail:N3"] },
  async ([name, row]) => {
    const route = routes.find((each) => each.name === name)!;
    const hubs = route.url.includes("/:hub/") || isOfOrder(route.url) || isOfCustomer(route.url) ? [own, other] : [own];
    for (const hub of hubs)
      for (const caller of callers) {
        const expected = expectedOf(route, caller, hub.id, row);
        const [status, code] = [expected].flat() as [number, string?];
        const isAllowed = expected === row.status;
        const cookie =
          row.endsSession && caller.staffId !== null ? await staffCookie(market, caller.staffId) : caller.cookie;
        const answer = await send(route, row, { cookie }, fixturesOf(caller, hub, isAllowed));
        const cell = `${caller.name}, ${hub === own ? "own" : "another"} market`;
        expect([cell, answer.status, answer.body?.[1]?.code]).toEqual([
          cell,
          status,
          status < 400 ? undefined : (code ?? expect.any(String)),
        ]);
        expect([cell, answer.headers["cache-control"]]).toEqual([cell, "no-store"]);
      }
    if (route.access !== "public") await checkKeys(route, row, hubs);
    if (!route.stepUp) return;
    const owner = await createStaff(market, "owner");
    const stale = await staffCookie(market, owner.id);
    await db.staff_session.updateMany({
      where: { staff_id: owner.id },
      data: { stepped_up_at: new Date(market.clock.now().getTime() - STAFF_SESSION.stepUpMs - 1) },
    });
    await market.waitForNotifications();
    const answer = await send(route, row, { cookie: stale }, fixturesOf(callers[0]!, own, false));
    expect(["an owner whose proof is old", answer.status, answer.body?.[1]?.code]).toEqual([
      "an owner whose proof is old",
      403,
      "step_up_required",
    ]);
  },
);

test(
  "admin authorization: an unknown call is 401 without a session of the staff, and 404 with one",
  { tags: ["fail:G6"] },
  async () => {
    for (const url of ["/api/admin", "/api/admin/none", "/api/admin/none/1?x=1"])
      for (const { cookie, grants, name } of callers) {
        const answer = await app.inject({ url, headers: cookie ? { cookie } : {} });
        expect([name, url, answer.statusCode]).toEqual([name, url, grants === null ? 401 : 404]);
      }
  },
);

test("admin authorization: a cookie of the staff opens nothing of the shop", { tags: ["fail:G1"] }, async () => {
  const { cookie } = callers.find(({ name }) => name === "owner everywhere")!;
  for (const url of ["/api/auth", "/api/cart", "/api/account/profile", "/api/orders", "/api/inbox"]) {
    const [answer, without] = [await app.inject({ url, headers: { cookie } }), await app.inject({ url })];
    expect([url, answer.statusCode, answer.json()]).toEqual([url, without.statusCode, without.json()]);
  }
});

test(
  "admin document: lists each call of the admin API with who may call it, and the shop's lists none",
  { tags: ["fail:G7"] },
  async () => {
    const { cookie } = callers.find(({ name }) => name === "auditor everywhere")!;
    const document = (await app.inject({ url: "/api/admin/openapi.json", headers: { cookie } })).json<{
      paths: Record<string, Record<string, { description?: string; security?: object[] }>>;
      components: { schemas: Record<string, unknown>; securitySchemes: Record<string, object> };
    }>();
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
    );
    expect(listed.toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
    expect(document.paths["/api/admin/staff"]?.["post"]?.description).toBe(
      "Needs `staff.write` in every market. Needs a proof of identity of the last five minutes. Takes `Idempotency-Key`.",
    );
    expect(document.paths["/api/admin/session"]?.["get"]?.description).toBe("Without a session.");
    expect(document.components.securitySchemes["apiKey"]).toMatchObject({ type: "http", scheme: "bearer" });
    const securityOf = (path: string, method: string) => document.paths[`/api/admin${path}`]?.[method]?.security;
    expect(securityOf("/session", "get")).toEqual([]);
    expect(securityOf("/staff", "get")).toEqual([{ session: [] }, { apiKey: [] }]);
    expect(securityOf("/staff", "post")).toEqual([{ session: [] }]);
    expect(securityOf("/me/keys", "get")).toEqual([{ session: [] }]);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(["StaffMember", "DaySheets"]));
    const shop = (await app.inject({ url: "/api/openapi.json" })).json<typeof document>();
    expect(Object.keys(shop.paths).filter((path) => path.startsWith("/api/admin"))).toEqual([]);
    expect(Object.keys(shop.components.schemas)).not.toEqual(expect.arrayContaining(["StaffMember"]));
    expect(Object.keys(shop.components.schemas).length).toBeGreaterThan(20);
  },
);
