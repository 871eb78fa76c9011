import { readFile } from "node:fs/promises";
import { connect } from "node:net";

import { isSoak, size } from "@marketday/db/testing";
import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { createHubNow, createOrder, createProduct } from "../../test/factories.ts";
import { startProcess } from "../../test/processes.ts";
import { signIn } from "../../test/sign-in.ts";

const MIB = 1024 * 1024;
const LOGINS = 1000;
const ADDRESSES = 50;
/** Seconds over which the logins are sent. */
const SECONDS = size(5, 10);

const market = await buildTestApp({ now: new Date().toISOString() });
const { db, deps } = market;
const hub = await createHubNow(db);
const product = await createProduct(db, hub.id);
const browser = await signIn(market, { hubId: hub.id });
const { id: orderId } = await createOrder(db, { customerId: browser.customer.id, hub, product });

/** A server with its limits on; at full size with production's timeouts, which refuse what a busy machine sends too late. */
const server = await startProcess({
  databaseUrl: market.url,
  dataDir: market.dataDir,
  jobs: false,
  ...(isSoak && { timeoutFactor: 1 }),
  env: {
    RATE_LIMITS: "on",
    TRUST_PROXY: "127.0.0.1",
    PASSWORD_PEPPER: deps.env.pepper,
    SESSION_SECRET: deps.env.sessionSecrets.join(","),
  },
});
const status = () => readFile(`/proc/${server.pid}/status`, "utf8");
const memoryMib = async (name: "VmRSS" | "VmHWM") =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(await status())![1]) / 1024;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const browse = async () => {
  const started = performance.now();
  const response = await fetch(`${server.address}/api/hubs`, { headers: { "x-forwarded-for": "198.51.100.7" } });
  await response.arrayBuffer();
  expect(response.status).toBe(200);
  return performance.now() - started;
};
const logIn = async (n: number, username: string, password: string) => {
  const response = await fetch(`${server.address}/api/auth/login`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": `10.${n % ADDRESSES}.0.7`,
    },
    body: JSON.stringify({ username, password }),
  });
  await response.arrayBuffer();
  return response.status;
};

test(
  "login flood: 1,000 wrong logins from 50 addresses are refused without hashing while browsing goes on",
  { tags: ["fail:F13"] },
  async () => {
    // The memory of two concurrent hashes belongs to the baseline, not to the flood; the first login makes the hash of no account.
    expect(await logIn(0, "unknown@example.com", "wrong")).toBe(401);
    expect(await Promise.all([1, 2].map((n) => logIn(n, `unknown${n}@example.com`, "wrong")))).toEqual([401, 401]);
    for (let n = 0; n < size(1, 40, 40); n += 1) await Promise.all(Array.from({ length: 10 }, browse));
    const before = await memoryMib("VmHWM");

    const over = new AbortController();
    const waits: number[] = [];
    const browseLoop = (async () => {
      while (!over.signal.aborted) {
        waits.push(await browse());
        await wait(20);
      }
    })();
    const perTick = 20;
    const answers: Promise<number>[] = [];
    const began = performance.now();
    for (let n = 0; n < LOGINS; n += perTick) {
      for (let k = n; k < n + perTick; k += 1) answers.push(logIn(k, `flood${k}@example.com`, "wrong"));
      await wait((SECONDS * 1000 * perTick) / LOGINS);
    }
    const statuses = await Promise.all(answers);
    // Windows of 10 s that the flood can have touched; two when its logins were sent in time.
    const windows = Math.ceil((performance.now() - began) / 10_000) + 1;
    over.abort();
    await browseLoop;

    const count = (...expected: number[]) => statuses.filter((each) => expected.includes(each)).length;
    expect(count(401, 429, 503)).toBe(LOGINS);
    expect(count(429, 503)).toBeGreaterThanOrEqual(LOGINS - windows * 25);
    waits.sort((a, b) => a - b);
    expect(waits.length).toBeGreaterThan(20);
    // Times and memory depend on the machine.
    if (!isSoak) return;
    expect(waits[Math.floor(waits.length * 0.99)], "p99").toBeLessThan(300);
    expect((await memoryMib("VmHWM")) - before).toBeLessThan(40);
  },
);

/** Sends a body of 100 MiB as fast as possible, until the server closes. Bytes of `sent` include network buffers. */
function send(path: string, type: string, length: number | null): Promise<{ answer: string; sent: number }> {
  const head = [
    `POST /api${path} HTTP/1.1`,
    "host: localhost",
    "sec-fetch-site: same-origin",
    `cookie: ${browser.cookieHeader()}`,
    `content-type: ${type}`,
    length === null ? "transfer-encoding: chunked" : `content-length: ${length}`,
  ];
  const body = Buffer.alloc(64 * 1024, "x");
  const part =
    length === null ? Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n")]) : body;
  return new Promise((resolve) => {
    let answer = "";
    let sent = 0;
    const socket = connect(server.port, "127.0.0.1", () => {
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      const more = (): void => {
        while (sent < 100 * MIB && !socket.destroyed) {
          sent += body.length;
          if (!socket.write(part)) return void socket.once("drain", more);
        }
      };
      more();
    });
    socket.on("data", (text) => (answer += String(text)));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve({ answer, sent }));
  });
}

const JSON_TYPE = "application/json";
const FORM = "multipart/form-data; boundary=x";

const upload = `/problems/orders/${orderId}`;

test.each([
  // The buffers of both sockets hold several MiB.
  { name: "JSON", path: "/cart", type: JSON_TYPE, lengths: [100 * MIB, null], sentMib: [12, 12], growthMib: 10 },
  // 20 MB of a body without a length are read, and wait for the garbage collector.
  { name: "an upload", path: upload, type: FORM, lengths: [100 * MIB, null], sentMib: [12, 32], growthMib: 40 },
])(
  "bodies of 100 MiB: $name, with a length and in chunks, is refused early",
  { tags: ["fail:I1"] },
  async ({ path, type, lengths, sentMib, growthMib }) => {
    const round = () => Promise.all(lengths.map((length) => send(path, type, length)));
    // The first requests load the code that reads them.
    for (let n = 0; n < size(0, 2, 2); n += 1) await round();
    const before = await memoryMib("VmRSS");
    for (let n = 0; n < size(1, 3, 3); n += 1)
      for (const [index, { answer, sent }] of (await round()).entries()) {
        expect(sent / MIB, `body ${index}`).toBeLessThan(sentMib[index]!);
        // The answer can be lost when the connection is cut under a sender that does not read.
        if (answer !== "") expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      }
    if (isSoak) expect((await memoryMib("VmRSS")) - before).toBeLessThan(growthMib);
    expect(await browse()).toBeGreaterThan(0);
  },
);
