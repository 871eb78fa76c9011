import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";

import { buildApp } from "../../src/app.ts";
import { buildTestApp } from "../app.ts";
import { emptyDist } from "../empty-dist.ts";
import { createCustomer } from "../factories.ts";
import { type Row, rows } from "./rows.ts";
import { belongings, CANARY, cookieOf, makeMarket, makeThings, type Things, type Visitor, VISITORS } from "./things.ts";

const market = await buildTestApp();
const { db, deps } = market;
const shared = await makeMarket(db);
interface Registered {
  name: string;
  method: string;
  url: string;
  isHidden: boolean;
}
const registered: Registered[] = [];
/** The reader of the documentation, and what `HEAD` adds to every `GET`. */
const isOwn = ({ method, url }: Registered) => method !== "HEAD" && !url.startsWith("/api/docs");
let app: FastifyInstance;

beforeAll(async () => {
  app = await buildApp(deps, {
    webDist: emptyDist(market.dataDir),
    onRoute: ({ method, url, schema }) => {
      for (const one of [method].flat())
        registered.push({ name: `${one} ${url}`, method: one, url, isHidden: schema?.hide === true });
    },
  });
  await app.ready();
});
afterAll(() => app.close());

const names = () => registered.filter(isOwn).map(({ name }) => name);

test("every route has its row, and every row its route", { tags: ["fail:G1"] }, () => {
  const missing = names().filter((name) => !rows[name]);
  expect(
    missing,
    `These routes have no row in the authorisation matrix. Add one line each to apps/server/test/authorisation/rows.ts, for instance:\n${missing
      .map((name) => `  "${name}": customers((of) => ({ params: {}, body: {} })),`)
      .join(
        "\n",
      )}\nand choose: everybody, shoppers (guests too), customers, or ownerOnly (about a thing of customer A).\n`,
  ).toEqual([]);
  const gone = Object.keys(rows).filter((name) => !names().includes(name));
  expect(gone, "These rows of apps/server/test/authorisation/rows.ts have no route any more: remove them.").toEqual([]);
});

/** The same thing, but an id that nobody has. */
const unknownOf = (params: Record<string, string | number>) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      String(value).includes("-") ? "11111111-1111-4111-8111-111111111111" : "999999999",
    ]),
  );

async function ask(name: string, row: Row, visitor: Visitor, of: Things, otherId: number, unknown = false) {
  const [method, url = ""] = name.split(" ");
  const { params = {}, query = "", body } = row.ask(of);
  const filled = Object.entries(unknown ? unknownOf(params) : params).reduce(
    (path, [key, value]) => path.replace(key === "*" ? "*" : `:${key}`, encodeURIComponent(String(value))),
    url,
  );
  // Whoever holds a vendor's link tries it everywhere.
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

/** What a market shows to all: a browser may keep it, and asks whether it still holds. Anything else is kept nowhere (G9). */
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
  "%s",
  { tags: ["fail:G1", "fail:G2", "fail:G9", "spec:6-01", "spec:6-03"] },
  async ([name, row]) => {
    const of = await makeThings(db, deps.env, shared);
    const { id: otherId } = await createCustomer(db, { pepper: deps.env.pepper, hubId: of.hub.id });
    const before = await belongings(db, of);
    for (const visitor of VISITORS) {
      if (visitor === "owner") expect(await belongings(db, of), `others left the owner's things alone`).toEqual(before);
      const answer = await ask(name, row, visitor, of, otherId);
      const [status, code] = [row[visitor]].flat() as [number, string?];
      expect([visitor, answer.statusCode, answer.body.slice(0, 300)]).toEqual([visitor, status, expect.anything()]);
      if (code !== undefined || (status === 401 && name.includes(" /api/")))
        expect([visitor, answer.json()[1].code]).toEqual([visitor, code ?? "login_required"]);
      if (name.includes(" /api/"))
        expect([visitor, answer.headers["cache-control"]]).toEqual([visitor, cacheOf(name, answer.statusCode)]);
      if (visitor !== "owner") expect(answer.body, `${visitor} reads nothing of the owner's`).not.toMatch(CANARY);
      if (visitor === "other" && status === 404 && row.owner !== 404) {
        const nobodys = await ask(name, row, visitor, of, otherId, true);
        expect([nobodys.statusCode, nobodys.body], "as for an id that nobody has").toEqual([404, answer.body]);
      }
    }
  },
);

test("the OpenAPI document has exactly the calls there are", { tags: ["fail:G7"] }, async () => {
  const { paths } = (await app.inject({ url: "/api/openapi.json" })).json<{
    paths: Record<string, Record<string, unknown>>;
  }>();
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  const calls = registered.filter((route) => isOwn(route) && route.url.startsWith("/api/"));
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
