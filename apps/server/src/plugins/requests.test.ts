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

/** Asks with exactly these bytes. */
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

describe("bodies that hurt", { tags: ["fail:I9"] }, () => {
  const one = line(1);
  const refused: [string, Buffer | string][] = [
    ["10,000 lists deep", `${"[".repeat(10_000)}${"]".repeat(10_000)}`],
    [
      "10,000 objects deep in a key that is dropped",
      one.replace("{", `{"x":${"[".repeat(10_000)}${"]".repeat(10_000)},`),
    ],
    ["a deep one that is never closed", "[".repeat(60_000)],
    ["__proto__", one.replace("{", '{"__proto__":{"quantity":9},')],
    ["__proto__ in disguise", one.replace("{", '{"__pro\\u0074o__":{"quantity":9},')],
    ["constructor", one.replace("{", '{"constructor":{"prototype":{"quantity":9}},')],
    ["a name twice", one.replace("{", '{"quantity":9,')],
    [
      "broken UTF-8",
      Buffer.concat([Buffer.from(one.replace("}]", ',"x":"')), Buffer.from([0xc3, 0x28]), Buffer.from('"}]')]),
    ],
    ["a byte order mark", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(one)])],
    ["half a character, spelled out", one.replace("{", '{"x":"\\ud800",')],
    ["UTF-16", Buffer.from(one, "utf16le")],
    ["nothing", ""],
    ["two documents", one + one],
  ];
  test.each(refused)("%s: 400, and nothing happened", async (_name, body) => {
    for (const headers of [{}, { "idempotency-key": crypto.randomUUID() }]) {
      const answer = await put(body, "application/json", headers as Record<string, string>);
      expect([answer.statusCode, answer.json()[1].code]).toEqual([400, "invalid"]);
    }
    expect(await inCart()).toEqual([]);
    expect(({} as { quantity?: unknown }).quantity).toBeUndefined();
  });

  test("a million names are too much; what fits is dropped where no contract knows it", async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `"${at}":0`).join();
    const many = (count: number) => line(0).replace("{", `{${names(count)},`);
    const answer = await put(many(1_000_000));
    expect([answer.statusCode, answer.json()[1].code]).toEqual([413, "too_large"]);
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
  test.each(types)("%j: checked like any other, or a 415", async (type) => {
    const wrong = await put(line(-1), type);
    expect([400, 415]).toContain(wrong.statusCode);
    const good = await put(line(2), type);
    // What is read at all is read and checked wholly.
    expect([type, good.statusCode]).toEqual([type, wrong.statusCode === 415 ? 415 : 200]);
    expect(await inCart()).toEqual(good.statusCode === 200 ? [2] : []);
    await put(line(0));
    for (const answer of [wrong, good].filter(({ statusCode }) => statusCode >= 400))
      expect(answer.json()).toEqual([expect.any(String), expect.objectContaining({ code: expect.any(String) })]);
  });

  test("some of them are JSON, most are not", async () => {
    const statuses = await Promise.all(types.map(async (type) => (await put(line(0), type)).statusCode));
    expect(new Set(statuses)).toEqual(new Set([200, 415]));
    expect(statuses[types.indexOf("text/plain")]).toBe(415);
    expect(statuses[types.indexOf("application/json; charset=utf-16")]).toBe(415);
  });
});

describe("on the wire", () => {
  const raw = (bytes: string, { port } = market) => sendRaw(port, bytes);

  test("a whole request is answered", async () => {
    expect(await raw(BEHIND)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each(smuggled)("%s: 400, and nothing behind it is answered", { tags: ["fail:I11"] }, async (_name, bytes) => {
    const text = await raw(bytes);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(JSON.parse(body)).toEqual(["That request is not understood.", { code: "invalid" }]);
    expect(head.toLowerCase()).toContain("x-content-type-options: nosniff");
    expect(head.toLowerCase()).toContain("connection: close");
  });

  test("a request that names no host is refused", { tags: ["fail:I11"] }, async () => {
    const text = await raw(`GET /api/hubs HTTP/1.1\r\n\r\n${BEHIND}`);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  });

  test("headers without end are refused in the same form", { tags: ["fail:I11"] }, async () => {
    const text = await raw(post(`x-a: ${"a".repeat(20_000)}`));
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(text.split("\r\n\r\n")[1]!)).toEqual([
      "That file or message is too large.",
      { code: "too_large" },
    ]);
  });

  test("headers that dribble in are cut off", { tags: ["fail:I2"] }, async () => {
    // With the market's own patience, not the tests'.
    const hasty = await buildTestApp({ url: market.url, timeoutFactor: 1 });
    const text = await raw("GET /api/hubs HTTP/1.1\r\nhost: loc", hasty);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(text.split("\r\n\r\n")[1]!)).toEqual(["That took too long.", { code: "too_slow" }]);
  });

  test("an address that cannot be read is refused in the same form", { tags: ["fail:I17", "fail:H7"] }, async () => {
    for (const url of ["/%zz", "/api/products/%E0%A4%A", "/vendors/%", "/%c0%ae%c0%ae/etc/passwd"]) {
      const answer = await market.app.inject({ url });
      expect([url, answer.statusCode, answer.json()]).toEqual([
        url,
        400,
        ["That request is not understood.", { code: "invalid" }],
      ]);
      expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    }
  });
});
