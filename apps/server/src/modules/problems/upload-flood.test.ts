import { readFile } from "node:fs/promises";
import { connect } from "node:net";

import { isSoak } from "@marketday/db/testing";
import sharp from "sharp";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHubNow, createOrder, createProduct } from "../../../test/factories.ts";
import { startProcess } from "../../../test/processes.ts";
import { signIn } from "../../../test/sign-in.ts";

/** Concurrent uploads, each with four photos of almost 5 MB. */
const UPLOADS = 100;
const PHOTO_BYTES = 4.9 * 1024 * 1024;
const MAX_RSS_MIB = 400;

/** A photo of 12 megapixels at the size limit. */
async function largePhoto(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const photo = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: "#888", noise } })
    .jpeg({ quality: 45 })
    .toBuffer();
  expect(photo.length).toBeLessThan(PHOTO_BYTES);
  // Decoders ignore bytes after the end of the image; the size limit counts them.
  return Buffer.concat([photo, Buffer.alloc(PHOTO_BYTES - photo.length)]);
}

const partHead = (name: string, more: string) => `--x\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;

test(
  "a hundred concurrent uploads of four large photos: memory stays low, each gets a response, other requests are answered",
  { tags: ["fail:M15"] },
  async () => {
    const market = await buildTestApp({ now: new Date().toISOString() });
    const { db } = market;
    const hub = await createHubNow(db);
    const product = await createProduct(db, hub.id);
    const people = await Promise.all(
      Array.from({ length: 25 }, async () => {
        const browser = await signIn(market, { hubId: hub.id });
        const order = await createOrder(db, { customerId: browser.customer.id, hub, product });
        return { cookie: browser.cookieHeader(), orderId: order.id };
      }),
    );
    const photo = await largePhoto();
    const pieces: Buffer[] = [Buffer.from(`${partHead("message", "")}Broken`)];
    for (let n = 0; n < 4; n += 1)
      pieces.push(Buffer.from(`\r\n${partHead("photos", `; filename="${n}.jpg"\r\ncontent-type: image/jpeg`)}`), photo);
    pieces.push(Buffer.from("\r\n--x--\r\n"));
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);

    const server = await startProcess({
      databaseUrl: market.url,
      dataDir: market.dataDir,
      jobs: false,
      env: { SESSION_SECRET: market.deps.env.sessionSecrets.join(",") },
    });
    const upload = (at: number) =>
      new Promise<number>((resolve) => {
        const { cookie, orderId } = people[at % people.length]!;
        const socket = connect(server.port, "127.0.0.1");
        let text = "";
        socket.on("data", (part) => (text += String(part)));
        socket.on("error", () => undefined);
        socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)));
        socket.write(
          `POST /api/problems/orders/${orderId} HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: same-origin\r\nconnection: close\r\n` +
            `cookie: ${cookie}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${length}\r\n\r\n`,
        );
        for (const piece of pieces) socket.write(piece);
      });
    const peakMib = async () =>
      Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, "utf8").catch(() => ""))?.[1] ?? 0) /
      1024;

    const idle = await peakMib();
    const waits: number[] = [];
    const over = new AbortController();
    const browsing = (async () => {
      while (!over.signal.aborted) {
        const before = performance.now();
        expect((await fetch(`${server.address}/api/hubs`)).status).toBe(200);
        waits.push(performance.now() - before);
      }
    })();
    const statuses = await Promise.all(Array.from({ length: UPLOADS }, (_, at) => upload(at)));
    over.abort();
    await browsing;
    const count = (status: number) => statuses.filter((result) => result === status).length;
    waits.sort((a, b) => a - b);
    const p95 = waits[Math.floor(waits.length * 0.95)]!;
    const peak = await peakMib();
    expect(count(200) + count(503)).toBe(UPLOADS);
    expect(count(200)).toBeGreaterThanOrEqual(4);
    expect(waits.length).toBeGreaterThan(0);
    expect(peak).toBeLessThanOrEqual(MAX_RSS_MIB);
    // Times depend on the machine.
    if (isSoak) {
      console.log({
        ok: count(200),
        busy: count(503),
        idleMib: idle,
        peakMib: peak,
        reads: waits.length,
        p95Ms: p95,
        maxMs: waits.at(-1),
      });
      expect(p95).toBeLessThan(500);
    }
    await server.kill();
  },
);
