import { connect } from "node:net";
import { gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { createHub } from "../../test/factories.ts";
import { signIn } from "../../test/sign-in.ts";

const market = await buildTestApp({ timeoutFactor: 1 });
const hub = await createHub(market.db);
const browser = await signIn(market, { hubId: hub.id });
const { port } = market;

const MIB = 1024 * 1024;
const BODY_BYTES = 100 * MIB;

/** Sends 100 MiB as fast as possible, until the server closes. `sent` includes bytes in network buffers. */
function flood(path: string, type: string, chunked: boolean): Promise<{ answer: string; sent: number }> {
  const length = chunked ? "transfer-encoding: chunked" : `content-length: ${BODY_BYTES}`;
  const head = [
    `POST /api${path} HTTP/1.1`,
    "host: localhost",
    "sec-fetch-site: same-origin",
    `cookie: ${browser.cookieHeader()}`,
    `content-type: ${type}`,
    length,
  ];
  const part = Buffer.alloc(64 * 1024, " ");
  const framed = chunked
    ? Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")])
    : part;
  return new Promise((done) => {
    let answer = "";
    let sent = 0;
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      const more = (): void => {
        while (sent < BODY_BYTES && !socket.destroyed) {
          sent += part.length;
          if (!socket.write(framed)) return void socket.once("drain", more);
        }
      };
      more();
    });
    socket.on("data", (text) => (answer += String(text)));
    socket.on("error", () => undefined);
    socket.on("close", () => done({ answer, sent }));
  });
}

const JSON_TYPE = "application/json";

test.for<[name: string, path: string, type: string, chunked: boolean, maxMib: number]>([
  ["JSON with its length", "/cart", JSON_TYPE, false, 8],
  ["JSON in chunks", "/cart", JSON_TYPE, true, 8],
])(
  "body of 100 MiB (%s): rejected, and the connection is closed long before its end",
  { tags: ["fail:I1"] },
  async ([, path, type, chunked, maxMib]) => {
    const { answer, sent } = await flood(path, type, chunked);
    expect(sent).toBeLessThan(maxMib * MIB);
    // The answer can be lost when the connection is cut under a sender that does not read.
    if (answer !== "") expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await browser.get("/cart")).status).toBe(200);
  },
);

test("compressed body: rejected without decompression", { tags: ["fail:I1"] }, async () => {
  const bomb = gzipSync(Buffer.alloc(20 * MIB, " "));
  expect(bomb.length).toBeLessThan(64 * 1024);
  for (const encoding of ["gzip", "br", "deflate", "gzip, gzip"]) {
    const response = await market.app.inject({
      method: "POST",
      url: "/api/cart",
      headers: {
        host: "market.local",
        "sec-fetch-site": "same-origin",
        cookie: browser.cookieHeader(),
        "content-type": JSON_TYPE,
        "content-encoding": encoding,
      },
      payload: bomb,
    });
    expect([encoding, response.statusCode, response.json()[1].code]).toEqual([encoding, 415, "unsupported_media_type"]);
  }
});
