import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";

import { buildApp } from "../../src/app.ts";
import { buildTestApp } from "../app.ts";
import { emptyDist } from "../dist.ts";
import { createCustomer } from "../factories.ts";
import { LINK_PAGES } from "../link-pages.ts";
import {
  ownedRows,
  CANARY,
  cookieOf,
  createMarket,
  createFixtures,
  type Fixtures,
  type Visitor,
  VISITORS,
} from "./fixtures.ts";
import { type Row, rows } from "./rows.ts";

const market = await buildTestApp();
const { db, deps } = market;
const shared = await createMarket(db);
interface RegisteredRoute {
  name: string;
  method: string;
  url: string;
  isHidden: boolean;
  isByLink: boolean;
}
const registered: RegisteredRoute[] = [];
/** Routes without the documentation viewer, `HEAD`, which every `GET` adds, and the admin API, which has its own matrix. */
const isChecked = ({ method, url }: RegisteredRoute) =>
  method !== "HEAD" && !url.startsWith("/api/docs") && !url.startsWith("/api/admin/");
let app: FastifyInstance;

beforeAll(async () => {
  app = await buildApp(deps, {
    webDist: emptyDist(market.dataDir),
    onRoute: ({ method, url, schema, config }) => {
      const isByLink = config?.byLink === true;
      for (const each of [method].flat())
        registered.push({ name: `${each} ${url}`, method: each, url, isHidden: schema?.hide === true, isByLink });
    },
  });
  await app.ready();
});
afterAll(() => app.close());

const names = () => registered.filter(isChecked).map(({ name }) => name);

test("authorization matrix: every route has a row, and every row a route", { tags: ["fail:G1"] }, () => {
  const missing = names().filter((name) => !rows[name]);
  expect(
    missing,
    `These routes have no row in the authorization matrix. Add one line each to apps/server/test/authorization/rows.ts, for instance:\n${missing
      .map((name) => `  "${name}": customers((of) => ({ params: {}, body: {} })),`)
      .join("\n")}\nand choose: everyone, shoppers (guests too), customers, or ownerOnly (for a row of customer A).\n`,
  ).toEqual([]);
  const obsolete = Object.keys(rows).filter((name) => !names().includes(name));
  expect(obsolete, "These rows of apps/server/test/authorization/rows.ts have no route: remove them.").toEqual([]);
});

test("authorization matrix: the forms that links of mails open are those that the browser test posts", () => {
  const posted = registered.filter(({ isByLink }) => isByLink);
  expect(posted.map(({ name }) => name).toSorted()).toEqual(LINK_PAGES.map((url) => `POST ${url}`));
});

/** The same parameters with unknown ids. */
const unknownOf = (params: Record<string, string | number>) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      String(value).includes("-") ? "11111111-1111-4111-8111-111111111111" : "999999999",
    ]),
  );

async function sendAs(name: string, row: Row, visitor: Visitor, of: Fixtures, otherId: number, unknown = false) {
  const [method, url = ""] = name.split(" ");
  const { params = {}, query = "", body } = row.request(of);
  const filled = Object.entries(unknown ? unknownOf(params) : params).reduce(
    (path, [key, value]) => path.replace(key === "*" ? "*" : `:${key}`, encodeURIComponent(String(value))),
    url,
  );
  // The holder of a vendor's link tries it on every route.
  const link = visitor === "vendor" ? `token=${of.token}` : "";
  const search = [query, link].filter(Boolean).join("&");
  const cookie = await cookieOf(deps, visitor, of, otherId);
  return app.inject({
    method: method as "GET",
    url: search ? `${filled}?${search}` : filled,
    headers: {
      "sec-fetch-site": "same-origin",
      ...(url.startsWith("/api/") ? {} : { accept: "text/html" }),
      ...(cookie && { cookie }),
      ...(visitor === "vendor" && { authorization: `Bearer ${of.token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
}

/** Public data: browsers may cache and revalidate it. All other responses are not cached (G9). */
const SHARED = new Set([
  "GET /api/hubs",
  "GET /api/hubs/:id/details",
  "GET /api/hubs/:id/map",
  "GET /api/feed",
  "GET /api/banners/",
  "GET /api/collections",
  "GET /api/collections/:id/products",
  "GET /api/content/:slug",
  "GET /api/faq",
  "GET /api/blog-posts",
  "GET /api/blog-posts/:id",
  "GET /api/products/:id",
  "GET /api/products/:id/suggestions",
  "GET /api/search/new/auto-complete/:q",
  "GET /api/search/new/query/:q",
  "GET /api/search/vendors/:q",
  "GET /api/vendors/search/:q",
  "GET /api/vendors",
  "GET /api/vendors/:id",
  "GET /api/vendors/:id/products",
  "GET /api/vendors/:id/posts",
  "GET /api/bundles",
  "GET /api/bundles/:id",
]);
const cacheOf = (name: string, status: number) =>
  name === "GET /api/openapi.json" ? "no-cache" : SHARED.has(name) && status < 400 ? "private, no-cache" : "no-store";

test.for(Object.entries(rows))(
  "authorization: %s",
  { tags: ["fail:G1", "fail:G2", "fail:G9", "spec:6-01", "spec:6-03"] },
  async ([name, row]) => {
    const of = await createFixtures(db, deps.env, shared);
    const { id: otherId } = await createCustomer(db, { pepper: deps.env.pepper, hubId: of.hub.id });
    const before = await ownedRows(db, of);
    for (const visitor of VISITORS) {
      if (visitor === "owner") expect(await ownedRows(db, of), `the owner's rows are unchanged`).toEqual(before);
      const response = await sendAs(name, row, visitor, of, otherId);
      const [status, code] = [row[visitor]].flat() as [number, string?];
      expect([visitor, response.statusCode, response.body.slice(0, 300)]).toEqual([visitor, status, expect.anything()]);
      if (code !== undefined || (status === 401 && name.includes(" /api/")))
        expect([visitor, response.json()[1].code]).toEqual([visitor, code ?? "login_required"]);
      if (name.includes(" /api/"))
        expect([visitor, response.headers["cache-control"]]).toEqual([visitor, cacheOf(name, response.statusCode)]);
      if (visitor !== "owner") expect(response.body, `no data of the owner for ${visitor}`).not.toMatch(CANARY);
      if (visitor === "other" && status === 404 && row.owner !== 404) {
        const unknownResponse = await sendAs(name, row, visitor, of, otherId, true);
        expect([unknownResponse.statusCode, unknownResponse.body], "the same as for an unknown id").toEqual([
          404,
          response.body,
        ]);
      }
    }
  },
);

test("OpenAPI document: contains exactly the registered calls", { tags: ["fail:G7"] }, async () => {
  const { paths } = (await app.inject({ url: "/api/openapi.json" })).json<{
    paths: Record<string, Record<string, unknown>>;
  }>();
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  const calls = registered.filter((route) => isChecked(route) && route.url.startsWith("/api/"));
  expect(documented.toSorted()).toEqual(
    calls
      .filter(({ isHidden }) => !isHidden)
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(
    calls
      .filter(({ isHidden }) => isHidden)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(["GET /api/openapi.json", "POST /api/auth/reset", "POST /api/webhooks/stripe"]);
});
