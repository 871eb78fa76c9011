import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

import { Second } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { createHub, createProduct } from "../../test/factories.ts";
import { BEHIND, post, sendRaw, smuggled } from "../../test/smuggling.ts";

const market = await buildTestApp();
const hub = await createHub(market.db);
const eggs = await createProduct(market.db, hub.id);
const browser = market.shopper();
await browser.post("/auth/guest?zipCode=46032");
const inCart = async () => (await browser.get("/cart")).body.items.map((item: any) => item.quantity);

/** Sends exactly these bytes. */
const put = (payload: Buffer | string, type = "application/json", headers: Record<string, string> = {}) =>
  market.app.inject({
    method: "PUT",
    url: "/api/cart",
    payload,
    headers: {
      cookie: browser.cookieHeader(),
      "sec-fetch-site": "same-origin",
      ...(type && { "content-type": type }),
      ...headers,
    },
  });
const line = (quantity: unknown) => JSON.stringify([{ ...eggs.line(1), quantity }]);

describe("malicious bodies", { tags: ["fail:I9"] }, () => {
  const valid = line(1);
  const rejected: [string, Buffer | string][] = [
    ["10,000 lists deep", `${"[".repeat(10_000)}${"]".repeat(10_000)}`],
    [
      "10,000 objects deep in a key that is dropped",
      valid.replace("{", `{"x":${"[".repeat(10_000)}${"]".repeat(10_000)},`),
    ],
    ["nested lists that are never closed", "[".repeat(60_000)],
    ["__proto__", valid.replace("{", '{"__proto__":{"quantity":9},')],
    ["__proto__ in disguise", valid.replace("{", '{"__pro\\u0074o__":{"quantity":9},')],
    ["constructor", valid.replace("{", '{"constructor":{"prototype":{"quantity":9}},')],
    ["a name twice", valid.replace("{", '{"quantity":9,')],
    [
      "broken UTF-8",
      Buffer.concat([Buffer.from(valid.replace("}]", ',"x":"')), Buffer.from([0xc3, 0x28]), Buffer.from('"}]')]),
    ],
    ["a byte order mark", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(valid)])],
    ["half a character, spelled out", valid.replace("{", '{"x":"\\ud800",')],
    ["UTF-16", Buffer.from(valid, "utf16le")],
    ["nothing", ""],
    ["two documents", valid + valid],
  ];
  test.each(rejected)("%s: 400, and the cart is unchanged", async (_name, body) => {
    for (const headers of [{}, { "idempotency-key": crypto.randomUUID() }]) {
      const response = await put(body, "application/json", headers as Record<string, string>);
      expect([response.statusCode, response.json()[1].code]).toEqual([400, "invalid"]);
    }
    expect(await inCart()).toEqual([]);
    expect(({} as { quantity?: unknown }).quantity).toBeUndefined();
  });

  test("a million names are too large; unknown names that fit are dropped", async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `"${at}":0`).join();
    const many = (count: number) => line(0).replace("{", `{${names(count)},`);
    const response = await put(many(1_000_000));
    expect([response.statusCode, response.json()[1].code]).toEqual([413, "too_large"]);
    expect((await put(many(5_000))).statusCode).toBe(200);
    expect(await inCart()).toEqual([]);
  });
});

describe("types that only resemble JSON", { tags: ["fail:I10"] }, () => {
  const types = [
    "application/json\t",
    "\tapplication/json",
    " application/json",
    "application/json ; charset=utf-8",
    "application/json\t;charset=utf-8",
    "application/json;",
    "APPLICATION/JSON",
    "application/JSON; Charset=UTF-8",
    'application/json; charset="utf-8"',
    "application/json; charset=utf-16",
    "application/json; charset=utf-7",
    "application/json; boundary=x",
    "application/json, text/plain",
    "application/json garbage",
    "application/json\u00a0",
    "application/jsonx",
    "application/vnd.api+json",
    "application//json",
    "text/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "json",
    "*/*",
    "",
  ];
  test.each(types)("%j: validated like JSON, or a 415", async (type) => {
    const wrong = await put(line(-1), type);
    expect([400, 415]).toContain(wrong.statusCode);
    const good = await put(line(2), type);
    // A body that is parsed is also validated.
    expect([type, good.statusCode]).toEqual([type, wrong.statusCode === 415 ? 415 : 200]);
    expect(await inCart()).toEqual(good.statusCode === 200 ? [2] : []);
    await put(line(0));
    for (const response of [wrong, good].filter(({ statusCode }) => statusCode >= 400))
      expect(response.json()).toEqual([expect.any(String), expect.objectContaining({ code: expect.any(String) })]);
  });

  test("types: a few are accepted as JSON, the others are 415", async () => {
    const statuses = await Promise.all(types.map(async (type) => (await put(line(0), type)).statusCode));
    expect(new Set(statuses)).toEqual(new Set([200, 415]));
    expect(statuses[types.indexOf("text/plain")]).toBe(415);
    expect(statuses[types.indexOf("application/json; charset=utf-16")]).toBe(415);
  });
});

describe("raw HTTP", () => {
  const raw = (bytes: string, { port } = market) => sendRaw(port, bytes);

  test("a valid request is answered", async () => {
    expect(await raw(BEHIND)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each(smuggled)("%s: 400, and following bytes are not answered", { tags: ["fail:I11"] }, async (_name, bytes) => {
    const text = await raw(bytes);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(JSON.parse(body)).toEqual(["That request is not understood.", { code: "invalid" }]);
    expect(head.toLowerCase()).toContain("x-content-type-options: nosniff");
    expect(head.toLowerCase()).toContain("connection: close");
  });

  test("a request without a host: 400", { tags: ["fail:I11"] }, async () => {
    const text = await raw(`GET /api/hubs HTTP/1.1\r\n\r\n${BEHIND}`);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  });

  test("headers that are too long: 431 with an array body", { tags: ["fail:I11"] }, async () => {
    const text = await raw(post(`x-a: ${"a".repeat(20_000)}`));
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(text.split("\r\n\r\n")[1]!)).toEqual([
      "That file or message is too large.",
      { code: "too_large" },
    ]);
  });

  test("headers that arrive too slowly: 408", { tags: ["fail:I2"] }, async () => {
    // With the real timeouts, not those of the tests.
    const strict = await buildTestApp({ url: market.url, timeoutFactor: 1 });
    const text = await raw("GET /api/hubs HTTP/1.1\r\nhost: loc", strict);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(text.split("\r\n\r\n")[1]!)).toEqual(["That took too long.", { code: "too_slow" }]);
  });

  test(
    "headers that arrive within four seconds, as on a busy machine, are answered",
    { tags: ["fail:I2"] },
    async () => {
      const strict = await buildTestApp({ url: market.url, timeoutFactor: 1 });
      const socket = connect(strict.port, "127.0.0.1");
      const answered = once(socket, "data");
      socket.write("GET /api/hubs HTTP/1.1\r\nhost: loc");
      await pause(4 * Second.ms);
      socket.write("alhost\r\nconnection: close\r\n\r\n");
      const [first] = await answered;
      expect(String(first)).toMatch(/^HTTP\/1\.1 200 /);
      socket.destroy();
    },
  );

  test(
    "a URL that cannot be parsed: 400 with an array body and security headers",
    { tags: ["fail:I17", "fail:H7"] },
    async () => {
      for (const url of ["/%zz", "/api/products/%E0%A4%A", "/vendors/%", "/%c0%ae%c0%ae/etc/passwd"]) {
        const response = await market.app.inject({ url });
        expect([url, response.statusCode, response.json()]).toEqual([
          url,
          400,
          ["That request is not understood.", { code: "invalid" }],
        ]);
        expect(response.headers["content-security-policy"]).toContain("default-src 'none'");
        expect(response.headers["x-content-type-options"]).toBe("nosniff");
      }
    },
  );
});
