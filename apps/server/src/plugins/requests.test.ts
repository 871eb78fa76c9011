import { connect } from "node:net";

import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { createHub, createProduct } from "../../test/factories.ts";

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
  /** Sends bytes as they are; answers everything that came back until the server closed. */
  const raw = async (bytes: string, app = market.app): Promise<string> => {
    const { port } = app.server.address() as { port: number };
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(bytes, "latin1")));
      let text = "";
      socket.setEncoding("utf8");
      socket.on("data", (part: string) => (text += part));
      // Cut after its answer: bytes of ours that nobody read make it a reset.
      socket.on("error", (error: Error & { code?: string }) =>
        error.code === "ECONNRESET" ? undefined : reject(error),
      );
      socket.on("close", () => resolve(text));
    });
  };
  const behind = "GET /api/hubs HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
  const post = (...lines: string[]) =>
    ["POST /api/auth/login HTTP/1.1", "host: localhost", "content-type: application/json", ...lines, "", ""].join(
      "\r\n",
    );

  const smuggled: [string, string][] = [
    ["a length and chunks", `${post("content-length: 5", "transfer-encoding: chunked")}0\r\n\r\n${behind}`],
    ["chunks and a length", `${post("transfer-encoding: chunked", "content-length: 5")}0\r\n\r\n${behind}`],
    ["two lengths", `${post("content-length: 2", "content-length: 40")}{}${behind}`],
    ["two equal lengths", `${post("content-length: 2", "content-length: 2")}{}${behind}`],
    ["two lengths in one line", `${post("content-length: 2, 40")}{}${behind}`],
    ["a length with a sign", `${post("content-length: +2")}{}${behind}`],
    ["a length in hexadecimal", `${post("content-length: 0x2")}{}${behind}`],
    ["a length below nothing", `${post("content-length: -1")}{}${behind}`],
    ["a coding nobody knows", `${post("transfer-encoding: xchunked")}0\r\n\r\n${behind}`],
    ["chunks that are not last", `${post("transfer-encoding: chunked, identity")}0\r\n\r\n${behind}`],
    ["chunks twice", `${post("transfer-encoding: chunked", "transfer-encoding: identity")}0\r\n\r\n${behind}`],
    ["a space before the colon", `${post("transfer-encoding : chunked")}0\r\n\r\n${behind}`],
    [
      "a header folded over two lines",
      `${post("x-a: 1\r\n transfer-encoding: chunked", "content-length: 2")}{}${behind}`,
    ],
    ["a tab that hides a header", `${post("x-a: 1\r\n\ttransfer-encoding: chunked", "content-length: 2")}{}${behind}`],
    ["lines that end in LF alone", `${post("content-length: 2").replaceAll("\r\n", "\n")}{}${behind}`],
    [
      "one line that ends in LF alone",
      `${post("content-length: 2").replace("localhost\r\n", "localhost\n")}{}${behind}`,
    ],
    ["lines that end in CR alone", `${post("content-length: 2").replaceAll("\r\n", "\r")}{}${behind}`],
    ["a chunk with an LF alone", `${post("transfer-encoding: chunked")}2\n{}\r\n0\r\n\r\n${behind}`],
    ["a chunk of no length", `${post("transfer-encoding: chunked")}zz\r\n{}\r\n0\r\n\r\n${behind}`],
    ["a chunk longer than it says", `${post("transfer-encoding: chunked")}1\r\n{}\r\n0\r\n\r\n${behind}`],
    ["a chunk that never ends", `${post("transfer-encoding: chunked")}fffffffffffffffff\r\n{}`],
    ["a NUL in a header", `${post("x-a: 1\0", "content-length: 2")}{}${behind}`],
    ["no HTTP", `hello\r\n\r\n${behind}`],
    ["a method nobody knows", `STEAL /api/hubs HTTP/1.1\r\nhost: localhost\r\n\r\n${behind}`],
  ];

  test("starts", async () => {
    await market.app.listen({ port: 0, host: "127.0.0.1" });
    expect(await raw(behind)).toMatch(/^HTTP\/1\.1 200 /);
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
    const text = await raw(`GET /api/hubs HTTP/1.1\r\n\r\n${behind}`);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  });

  test("headers without end are refused in the same form", { tags: ["fail:I11"] }, async () => {
    const text = await raw(post(`x-a: ${"a".repeat(20_000)}`));
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(text.split("\r\n\r\n")[1]!)).toEqual(["That is too much at once.", { code: "too_large" }]);
  });

  test("headers that dribble in are cut off", { tags: ["fail:I2"] }, async () => {
    // With the market's own patience, not the tests'.
    const hasty = await buildTestApp({ url: market.url, patience: 1 });
    await hasty.app.listen({ port: 0, host: "127.0.0.1" });
    const text = await raw("GET /api/hubs HTTP/1.1\r\nhost: loc", hasty.app);
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
