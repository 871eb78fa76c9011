import * as calls from "@marketday/contracts/calls";
import { createDb } from "@marketday/db";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { createCustomer, createHub, createProduct, PASSWORD } from "../../test/factories.ts";
import { guestOf, signIn } from "../../test/sign-in.ts";
import { buildApp } from "../app.ts";
import { createDeps } from "../create-deps.ts";

const market = await buildTestApp();
const hub = await createHub(market.db);
const eggs = await createProduct(market.db, hub.id);

describe("errors", () => {
  test("errors of all kinds are an array of message and details", { tags: ["spec:7.0-03", "fail:G8"] }, async () => {
    const browser = market.shopper();
    const cases: [Promise<{ status: number; body: any; headers: any }>, number, string][] = [
      [browser.get("/nothing/here"), 404, "not_found"],
      [browser.get("/products/999999"), 404, "not_found"],
      [browser.get("/hubs/abc/details"), 400, "invalid"],
      [browser.post("/auth/login", "{not json"), 400, "invalid"],
      [browser.post("/auth/login", "[]"), 400, "invalid"],
      [browser.post("/auth/login", `{"username":"a","password":"b","__proto__":{"x":1}}`), 400, "invalid"],
      [browser.post("/auth/login", "a=b", { "content-type": "text/plain" }), 415, "unsupported_media_type"],
      [
        browser.post("/auth/login", "a=b", { "content-type": "application/x-www-form-urlencoded" }),
        415,
        "unsupported_media_type",
      ],
      [browser.post("/auth/login", JSON.stringify({ username: "a".repeat(70_000), password: "x" })), 413, "too_large"],
    ];
    for (const [pending, status, code] of cases) {
      const response = await pending;
      expect([response.status, Array.isArray(response.body), typeof response.body[0], response.body[1]?.code]).toEqual([
        status,
        true,
        "string",
        code,
      ]);
      expect(JSON.stringify(response.body)).not.toMatch(/node_modules|at .*\.ts|select |postgres|prisma|fastify/i);
      expect(response.headers["x-powered-by"]).toBeUndefined();
    }
  });

  test("a character that Postgres cannot store: 400", async () => {
    const response = await market.shopper().get("/content/a%00b");
    expect([response.status, response.body[1].code]).toEqual([400, "invalid"]);
  });

  test("an unexpected error: 500 with the request's id and without its reason", async () => {
    const broken = await buildTestApp({
      url: market.url,
      overrides: { geocoder: { place: () => null, zipAt: () => Promise.reject(new Error("secret inside")) } },
    });
    const response = await broken.shopper().get("/geo/zip?lat=1&lng=1");
    expect([response.status, response.body]).toEqual([
      500,
      ["Something went wrong.", { code: "internal", requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    ]);
  });

  test("an unavailable database: 503 with Retry-After, and the process continues", { tags: ["fail:L12"] }, async () => {
    const db = createDb({ url: "postgres://unknown:x@127.0.0.1:1/none" });
    const deps = await createDeps(market.deps.env, "", market.deps.log, { db, clock: market.clock });
    const app = await buildApp(deps);
    const response = await app.inject({ url: "/api/hubs" });
    expect([response.statusCode, response.headers["retry-after"], response.json()[1].code]).toEqual([
      503,
      "2",
      "unavailable",
    ]);
    expect((await app.inject({ url: "/healthz" })).statusCode).toBe(200);
    expect((await app.inject({ url: "/readyz" })).statusCode).toBe(503);
    expect((await market.app.inject({ url: "/readyz" })).json().status).toBe("ready");
    await app.close();
    await db.close();
  });
});

describe("unsafe requests", () => {
  const putLogout = (headers: Record<string, string>, cookie = true) =>
    market.app.inject({
      method: "PUT",
      url: "/api/auth/logout",
      headers: { host: "market.local", ...headers, ...(cookie && { cookie: "mkt_session=x" }) },
    });

  test("accepted only from our own pages", { tags: ["fail:H4"] }, async () => {
    const table: [Record<string, string>, boolean, number][] = [
      [{ "sec-fetch-site": "same-origin" }, true, 200],
      [{ "sec-fetch-site": "cross-site" }, true, 403],
      [{ "sec-fetch-site": "same-site" }, true, 403],
      [{ "sec-fetch-site": "none" }, true, 403],
      [{ origin: "http://market.local" }, true, 200],
      [{ origin: "http://evil.example" }, true, 403],
      [{ origin: "null" }, true, 403],
      [{ origin: "http://market.local.evil.example" }, true, 403],
      [{ origin: "https://market.local" }, true, 403],
      [{}, true, 403],
      [{}, false, 200],
      [{ "sec-fetch-site": "cross-site", origin: "http://market.local" }, true, 403],
    ];
    for (const [headers, cookie, status] of table) {
      const response = await putLogout(headers, cookie);
      expect([headers, cookie, response.statusCode]).toEqual([headers, cookie, status]);
      if (status === 403) expect(response.json()[1].code).toBe("bad_origin");
    }
  });

  test(
    "a login that another site sends, with or without cookies of this market: 403 and no session",
    { tags: ["fail:F8"] },
    async () => {
      const { email } = await createCustomer(market.db, { hubId: hub.id, pepper: market.deps.env.pepper });
      const guest = await guestOf(market, hub.id);
      const login = (headers: Record<string, string>) =>
        market.app.inject({
          method: "POST",
          url: "/api/auth/login",
          headers: { host: "market.local", ...headers },
          payload: { username: email, password: PASSWORD },
        });
      for (const cookies of [{}, { cookie: guest.cookieHeader() }] as Record<string, string>[])
        for (const sender of [
          { "sec-fetch-site": "cross-site" },
          { "sec-fetch-site": "same-site" },
          { origin: "http://evil.example" },
          { origin: "null" },
          { "sec-fetch-site": "cross-site", origin: "http://market.local" },
        ] as Record<string, string>[]) {
          const refused = await login({ ...cookies, ...sender });
          expect([cookies, sender, refused.statusCode, refused.json()[1].code]).toEqual([
            cookies,
            sender,
            403,
            "bad_origin",
          ]);
          expect(refused.headers["set-cookie"]).toBeUndefined();
        }
      expect((await guest.get("/auth")).body).toMatchObject({ isGuest: true });
      const own = await login({ "sec-fetch-site": "same-origin" });
      expect([own.statusCode, own.cookies.map(({ name }) => name)]).toEqual([
        200,
        expect.arrayContaining(["mkt_session"]),
      ]);
    },
  );

  test("every unsafe call rejects another site, and an image cannot call it", { tags: ["fail:H4"] }, async () => {
    const all = Object.values(calls) as { method: string; url: string }[];
    const changing = all.filter(({ method }) => method !== "GET");
    const read = new Set(all.filter(({ method }) => method === "GET").map(({ url }) => url));
    expect(changing.length).toBeGreaterThan(30);
    const customer = await signIn(market, { hubId: hub.id });
    const headers = { host: "market.local", cookie: customer.cookieHeader() };
    const before = await customer.get("/account/profile");
    for (const { method, url } of changing) {
      const path = `/api${url.replaceAll(/:[A-Za-z]+/g, "1")}`;
      for (const site of [{ "sec-fetch-site": "cross-site" }, { origin: "http://evil.example" }]) {
        const response = await market.app.inject({
          method: method as "POST",
          url: path,
          headers: { ...headers, ...site, "content-type": "application/json" },
        });
        expect([method, path, response.statusCode, response.json()[1].code]).toEqual([method, path, 403, "bad_origin"]);
      }
      if (read.has(url)) continue;
      const image = await market.app.inject({
        url: path,
        headers: {
          ...headers,
          "sec-fetch-site": "cross-site",
          "sec-fetch-mode": "no-cors",
          "sec-fetch-dest": "image",
        },
      });
      expect([path, image.statusCode >= 400]).toEqual([path, true]);
    }
    const after = await customer.get("/account/profile");
    expect([after.status, after.body]).toEqual([200, before.body]);
  });

  test(
    "no GET changes stored data, even when another site requests it with the customer's cookies",
    { tags: ["fail:H4"] },
    async () => {
      const customer = await signIn(market, { hubId: hub.id });
      await customer.put("/cart", [eggs.line(1)]);
      const tables = await market.db.$queryRaw<{ name: string }[]>`
        select table_name as name from information_schema.tables
        where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`;
      // Every visit updates the session's last use and the rate limits. `GET /auth/bridge` is a call of the spec (§7.1) that
      // creates a token: another site cannot read the response, and the token alone changes nothing.
      const updated = new Set(["session", "rate_limit", "bridge_token"]);
      const stored = async () =>
        Object.fromEntries(
          await Promise.all(
            tables
              .filter(({ name }) => !updated.has(name))
              .map(async ({ name }) => {
                const [row] = await market.db.$queryRawUnsafe<{ sum: string | null }[]>(
                  `select count(*) || ':' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as sum from "${name}" t`,
                );
                return [name, row?.sum] as const;
              }),
          ),
        );
      expect(tables.length).toBeGreaterThan(40);
      const reads = (Object.values(calls) as { method: string; url: string }[]).filter(
        ({ method }) => method === "GET",
      );
      expect(reads.length).toBeGreaterThan(30);
      const before = await stored();
      const statuses = new Set<number>();
      for (const { url } of reads) {
        const path = `/api${url.replaceAll(/:[A-Za-z]+/g, String(eggs.id))}`;
        const { statusCode } = await market.app.inject({
          url: path,
          headers: {
            host: "market.local",
            cookie: customer.cookieHeader(),
            "sec-fetch-site": "cross-site",
            "sec-fetch-mode": "no-cors",
            "sec-fetch-dest": "image",
          },
        });
        expect([path, statusCode < 500]).toEqual([path, true]);
        statuses.add(statusCode);
      }
      expect(statuses).toContain(200);
      await market.app.settled();
      expect(await stored()).toEqual(before);
    },
  );

  test("without Origin: every spelling of a session cookie is rejected", { tags: ["fail:H4"] }, async () => {
    for (const name of ["mkt_session", "__Host-mkt_session"])
      for (const header of [
        `${name}=x`,
        `${name} =x`,
        ` ${name} = x`,
        `a=b;${name}=x`,
        `a=b; ${name}\t=x`,
        `;${name}=x`,
      ]) {
        const response = await putLogout({ cookie: header }, false);
        expect([header, response.statusCode]).toEqual([header, 403]);
      }
    expect((await putLogout({ cookie: "not_mkt_session=x" }, false)).statusCode).toBe(200);
  });

  test("no other origin is allowed to read (CORS)", { tags: ["fail:H5"] }, async () => {
    for (const origin of ["https://evil.example", "null", "http://market.local.evil.example"]) {
      const response = await market.app.inject({ url: "/api/hubs", headers: { origin } });
      expect(response.headers["access-control-allow-origin"]).toBeUndefined();
      const preflight = await market.app.inject({
        method: "OPTIONS",
        url: "/api/cart",
        headers: { origin, "access-control-request-method": "PUT", "access-control-request-headers": "content-type" },
      });
      expect(Object.keys(preflight.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
      expect(preflight.statusCode).toBe(404);
    }
  });
});

describe("headers", () => {
  test(
    "are on every response; HSTS and upgrade-insecure-requests only over https",
    { tags: ["fail:H6", "fail:H7"] },
    async () => {
      for (const url of [
        "/api/hubs",
        "/api/none",
        "/healthz",
        "/shop",
        "/nowhere",
        "/api/openapi.json",
        "/img/0000000000000000/480.webp",
      ]) {
        const { headers } = await market.app.inject({ url });
        const policy = String(headers["content-security-policy"]);
        expect([
          url,
          policy.includes("unsafe-inline"),
          headers["x-content-type-options"],
          headers["referrer-policy"],
        ]).toEqual([url, false, "nosniff", "no-referrer"]);
        expect(headers["strict-transport-security"]).toBeUndefined();
        expect(policy).not.toContain("upgrade-insecure-requests");
      }
      const { headers } = await market.app.inject({ url: "/shop" });
      expect(String(headers["content-security-policy"])).toContain("frame-ancestors 'none'");
      const frame = await market.app.inject({ url: "/embed/checkout" });
      expect(String(frame.headers["content-security-policy"])).toContain("frame-ancestors 'self'");
      const secure = await buildTestApp({ url: market.url, env: { PUBLIC_URL: "https://market.example" } });
      const { headers: overHttps } = await secure.app.inject({ url: "/shop" });
      expect(overHttps["strict-transport-security"]).toContain("max-age=31536000");
    },
  );

  test("personal responses are not stored by caches", { tags: ["fail:G9"] }, async () => {
    const browser = market.shopper();
    await browser.post("/auth/guest?zipCode=46032");
    for (const url of ["/auth", "/account/profile", "/cart"])
      expect([url, (await browser.get(url)).headers["cache-control"]]).toEqual([url, "no-store"]);
    for (const url of ["/feed", "/hubs", `/products/${eggs.id}`]) {
      const response = await browser.get(url);
      expect([url, response.headers["cache-control"], typeof response.headers["etag"]]).toEqual([
        url,
        "private, no-cache",
        "string",
      ]);
    }
  });
});

describe("the OpenAPI document", () => {
  test("is version 3.1 and lists only existing routes", { tags: ["fail:G7"] }, async () => {
    const { body } = await market.shopper().get("/openapi.json");
    expect(body.openapi).toMatch(/^3\.1/);
    const documented = Object.entries(body.paths as Record<string, Record<string, unknown>>).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes: string[] = [];
    const seen = market.app.printRoutes({ commonPrefix: false, includeHooks: false });
    expect(seen).toContain("api");
    for (const item of documented) {
      const [method, path] = item.split(" ") as ["GET", string];
      expect([
        item,
        market.app.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ":$1").replace(/\/$/, "") }),
      ]).toEqual([item, true]);
      routes.push(item);
    }
    expect(routes).toContain("PUT /api/cart");
    expect(routes.length).toBeGreaterThanOrEqual(20);
  });

  test("has a response schema for every call", async () => {
    const { body } = await market.shopper().get("/openapi.json");
    for (const [path, methods] of Object.entries(body.paths as Record<string, Record<string, any>>))
      for (const [method, operation] of Object.entries(methods)) {
        const good = Object.keys(operation.responses).filter((status) => status.startsWith("2"));
        expect([method, path, good.length > 0]).toEqual([method, path, true]);
      }
  });
});

test("internal files: 404", { tags: ["fail:G6", "spec:6-10"] }, async () => {
  for (const path of ["/.env", "/.git/config", "/metrics", "/package.json", "/assets/../../package.json"]) {
    const response = await market.app.inject({
      url: path,
      headers: { accept: "application/json" },
      // Another machine, because this one may read the metrics.
      remoteAddress: "203.0.113.9",
    });
    expect([path, response.statusCode]).toEqual([path, 404]);
  }
});

test(
  "mass assignment: thirty keys that shoppers must not set change nothing on any route",
  { tags: ["fail:G5"] },
  async () => {
    const email = "mass@example.com";
    const browser = market.shopper();
    await browser.post("/auth/guest?zipCode=46032");
    const names = [
      "id",
      "customerId",
      "customer_id",
      "isGuest",
      "is_guest",
      "credit",
      "creditCents",
      "credit_cents",
      "role",
      "admin",
      "isAdmin",
      "hubId",
      "hub_id",
      "price",
      "total",
      "email_normal",
      "password_hash",
      "passwordHash",
      "referred_by_id",
      "autoCheckoutStatus",
      "auto_checkout_status",
      "isWagonPassActive",
      "deleted_at",
      "created_at",
      "discountAmount",
      "tax",
      "tip",
      "processingFee",
      "orderTotal",
      "status",
    ];
    const extra = Object.fromEntries(names.map((name) => [name, name === "isGuest" ? false : 999]));
    const registration = { email, password: "wheelbarrow", zipCode: "46032", firstName: "Ada", lastName: "Brown" };
    const registered = await browser.post("/auth/register", { ...extra, ...registration });
    expect(registered.status, JSON.stringify(registered.body)).toBe(200);
    const row = () => market.db.customer.findUniqueOrThrow({ where: { email } });
    const before = await row();
    expect(before).toMatchObject({
      credit_cents: 0,
      hub_id: hub.id,
      auto_checkout_status: 0,
      deleted_at: null,
      referred_by_id: null,
    });
    const choice = {
      type: "delivery",
      tipPercentage: 0,
      deliveryAddress: { address: "1 Main", city: "Carmel", state: "IN", zipCode: "46032" },
    };
    await browser.put("/cart", [{ ...extra, ...eggs.line(1) }]);
    await browser.put("/cart/discount", { ...extra, code: null });
    await browser.post("/checkout/quote", { ...extra, ...choice });
    await browser.post("/checkout", { ...extra, ...choice, expectedTotal: 0 });
    await browser.put(`/hubs/${hub.id}/switch`, extra);
    await browser.post(`/hubs/${hub.id}/switch`, extra);
    await browser.post("/auth/login", { ...extra, username: email, password: "wheelbarrow" });
    expect(await row()).toEqual(before);
    expect((await browser.get("/cart")).body.items).toMatchObject([{ quantity: 1, price: 6.5 }]);
    expect(await market.db.order.count({ where: { customer_id: before.id } })).toBe(0);
  },
);
