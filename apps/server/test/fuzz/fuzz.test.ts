import { size } from "@marketday/db/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { buildTestApp } from "../app.ts";
import { cookieOf, createMarket, createFixtures, type Visitor } from "../authorization/fixtures.ts";
import { CHOICE, createCustomer, GOOD_CARD, PASSWORD } from "../factories.ts";
import { type FuzzRequest, type Call, type Known, requestOf, type Schema } from "./requests.ts";

const market = await buildTestApp();
const { app, db, deps } = market;
const things = await createFixtures(db, deps.env, await createMarket(db));
const { id: otherId, email: otherEmail } = await createCustomer(db, { pepper: deps.env.pepper, hubId: things.hub.id });

const VISITORS: Visitor[] = ["anonymous", "guest", "other", "owner"];
const cookies = new Map<Visitor, string | null>();
// Placed by checkout, because the factory's order has no payment and the audit would report it.
await db.order.delete({ where: { id: things.orderId } });
things.orderId = await buy();

async function buy(): Promise<number> {
  const sendAsOwner = (method: string, path: string, body: unknown) =>
    send(method, "owner", { url: `/api${path}`, body });
  await sendAsOwner("PUT", "/cart", [things.eggs.line(2)]);
  const { orderTotal } = (await sendAsOwner("POST", "/checkout/quote", CHOICE)).json<{ orderTotal: number }>();
  const placed = await sendAsOwner("POST", "/checkout", { ...CHOICE, expectedTotal: orderTotal });
  expect(placed.statusCode, placed.body).toBe(201);
  return placed.json<{ orderId: number }>().orderId;
}

interface Operation {
  parameters?: Call["parameters"];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
}
async function callsOf(): Promise<Call[]> {
  const { paths } = (await app.inject({ url: "/api/openapi.json" })).json<{
    paths: Record<string, Record<string, Operation>>;
  }>();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path,
      parameters: parameters.filter((parameter) => ["path", "query"].includes(parameter.in)),
      body: requestBody?.content["application/json"]?.schema,
      expectedStatuses: Object.keys(responses)
        .map(Number)
        .filter((status) => status < 400),
    })),
  );
}

const known: Known = new Map<string, unknown[]>([
  [
    "id",
    [
      things.eggs.id,
      things.vendorId,
      things.hub.id,
      things.farHub.id,
      things.bundle.id,
      things.collection.id,
      things.orderId,
      things.threadId,
      things.eggs.slug,
      things.post.slug,
      things.sessionId,
      "faq",
      "terms",
    ],
  ],
  ["productId", [things.eggs.id]],
  ["variantId", [things.variantId]],
  ["fromBundleId", [things.bundle.id, null]],
  ["hubId", [things.hub.id, things.farHub.id]],
  ["vendorId", [things.vendorId]],
  ["paymentMethodId", [null, things.methodId]],
  ["zipCode", ["46032", "80301", "00000"]],
  ["email", [otherEmail, "fuzz@example.com"]],
  ["username", [otherEmail]],
  ["password", [PASSWORD]],
  ["oldPassword", [PASSWORD]],
  ["quantity", [0, 1, 2]],
  ["type", ["delivery"]],
  ["discountCode", [null]],
  ["confirmationToken", [null]],
  ["deliveryAddress", [CHOICE.deliveryAddress]],
  // Without the card that times out, which would be a 503.
  [
    "card",
    [GOOD_CARD, { ...GOOD_CARD, number: "4000000000000002" }, { ...GOOD_CARD, number: "4000002500003155" }, null],
  ],
  ["slug", [things.post.slug, "terms", "about"]],
  ["token", [things.token]],
]);
const LEARNED = new Set([
  "id",
  "slug",
  "code",
  "token",
  "attemptId",
  "setupId",
  "questionId",
  "idOrSlug",
  "q",
  "expectedTotal",
]);
/** Collects values of a response, so that later requests use them. */
function learn(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (LEARNED.has(name) && ["string", "number"].includes(typeof inner)) {
      const pool = known.get(name) ?? [];
      if (!pool.includes(inner)) known.set(name, [...pool.slice(-60), inner]);
    } else learn(inner);
  }
}

async function send(method: string, visitor: Visitor, { url, body }: FuzzRequest) {
  if (!cookies.has(visitor)) cookies.set(visitor, await cookieOf(deps, visitor, things, otherId));
  const cookie = cookies.get(visitor);
  const response = await app.inject({
    method: method as "GET",
    url,
    headers: {
      "sec-fetch-site": "same-origin",
      ...(cookie && { cookie }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  // The session changed: the next request uses a new one.
  if (response.headers["set-cookie"] !== undefined) cookies.delete(visitor);
  return response;
}

/**
 * Every call of the OpenAPI document with values that its schema allows. Responses are serialized by the contract's schema, and
 * one that violates it is a 500, so that the absence of 500 covers both (failures.md I18).
 */
test(
  "fuzz: requests that the contracts allow get a valid response or an array error, and the audit finds nothing",
  { tags: ["fail:I18", "fail:G8"] },
  async () => {
    const seed = size(20_261_123, Date.now() % 2 ** 31);
    const calls = await callsOf();
    expect(calls.length).toBeGreaterThan(90);
    // A password hash takes as long as fifty other calls.
    const slow = ({ body }: Call) => Object.keys(body?.properties ?? {}).some((name) => /password/i.test(name));
    const money = ({ method, path }: Call) => method !== "GET" && /cart$|checkout\/quote|edit-order/.test(path);
    const pool = calls.flatMap((call) => Array<Call>(slow(call) ? 1 : money(call) ? 40 : 8).fill(call));
    const succeeded = new Set<string>();
    const total = size(1200, 100_000);
    for (let n = 0; n < total; n += 1) {
      const [[call, visitor]] = fc.sample(fc.tuple(fc.constantFrom(...pool), fc.constantFrom(...VISITORS)), {
        numRuns: 1,
        seed: seed + n,
      }) as [[Call, Visitor]];
      const [generated] = fc.sample(requestOf(call, known), { numRuns: 1, seed: seed + n }) as [FuzzRequest];
      const sendChecked = async (method: string, request: FuzzRequest, expectedStatuses: number[]) => {
        const response = await send(method, visitor, request);
        const context = `seed ${seed}, request ${n}: ${visitor} ${method} ${request.url} ${JSON.stringify(request.body)?.slice(0, 600)} → ${response.statusCode} ${response.body.slice(0, 300)}`;
        expect(response.statusCode, context).toBeLessThan(500);
        if (response.statusCode < 400) expect([...expectedStatuses, 304], context).toContain(response.statusCode);
        else
          expect(response.json(), context).toEqual([
            expect.any(String),
            expect.objectContaining({ code: expect.any(String) }),
          ]);
        return response;
      };
      const prices = call.path.endsWith("/checkout/quote");
      if (prices) await send("PUT", visitor, { url: "/api/cart", body: [things.eggs.line(1)] });
      const leaves = call.method === "DELETE" && call.path === "/api/account" && ["owner", "other"].includes(visitor);
      // Later requests need both accounts: it is another one that is deleted.
      if (leaves) {
        const { id } = await createCustomer(db, { pepper: deps.env.pepper, hubId: things.hub.id });
        cookies.set(visitor, await cookieOf(deps, "other", things, id));
      }
      const response = await sendChecked(call.method, generated, call.expectedStatuses);
      if (leaves) cookies.delete(visitor);
      if (response.statusCode >= 400) continue;
      succeeded.add(`${call.method} ${call.path}`);
      const isJson = String(response.headers["content-type"]).includes("json");
      const value: unknown = isJson && response.body ? response.json() : null;
      learn(value);
      // Checks out with the quoted total.
      if (prices) {
        const { orderTotal } = value as { orderTotal: number };
        await sendChecked(
          "POST",
          { url: "/api/checkout", body: { ...(generated.body as object), expectedTotal: orderTotal } },
          [201, 202],
        );
      }
    }
    expect(await market.audit()).toEqual([]);
    // Many of the calls must succeed at least once.
    expect(succeeded.size, [...succeeded].join(", ")).toBeGreaterThan(calls.length * 0.4);
  },
);
