import { readdir, readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import sharp from "sharp";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHubNow, createOrder, createProduct } from "../../../test/factories.ts";
import { startProcess } from "../../../test/processes.ts";
import { signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp({ now: new Date().toISOString() });
const { db } = market;
const hub = await createHubNow(db);
const eggs = await createProduct(db, hub.id);
const anna = await signIn(market, { hubId: hub.id });
const { id: orderId } = await createOrder(db, { customerId: anna.customer.id, hub, product: eggs });

const MIB = 1024 * 1024;
const BODY_BYTES = 200 * MIB;
/** Less than arrives of a body without its length, so that a server which keeps it in memory fails. */
const GROWTH_MIB = 20;

const picture = (width = 400, height = 300) => sharp({ create: { width, height, channels: 3, background: "#b5301c" } });
const storedFiles = () => readdir(join(market.dataDir, "problems")).catch(() => [] as string[]);

/** The box at the start of an HEIF file: its brand, and those that it is compatible with. */
function fileType(brand: string, ...compatible: string[]): Buffer {
  const names = [brand, "\0\0\0\0", ...compatible].join("");
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + names.length);
  return Buffer.concat([size, Buffer.from(`ftyp${names}`, "latin1"), Buffer.alloc(1000, 7)]);
}

/** Sends a report with one photo over HTTP, as a phone does. */
async function send(bytes: Buffer, { name = "photo.jpg", type = "image/jpeg" } = {}) {
  const form = new FormData();
  form.set("message", "Two were broken.");
  form.append("photos", new Blob([new Uint8Array(bytes)], { type }), name);
  const answer = await fetch(`http://127.0.0.1:${market.port}/api/problems/orders/${orderId}`, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin", cookie: anna.cookieHeader() },
    body: form,
  });
  return { status: answer.status, body: (await answer.json()) as [string, { code: string; field?: string }] };
}

const HEIC =
  "HEIC photos can't be opened here. Save the photo as JPEG and add it again (on an iPhone: Settings, Camera, Formats, Most Compatible).";
const NO_PHOTO = "Photos must be JPEG, PNG or WebP.";
const UNREADABLE = "A photo could not be read, or it is too large to open.";
const html = Buffer.from("<!doctype html><script>alert(1)</script>");

test.each<
  [name: string, sentence: string, make: () => Promise<Buffer> | Buffer, sentAs?: { name: string; type: string }]
>([
  ["HEIC of an iPhone", HEIC, () => fileType("heic", "mif1", "heic"), { name: "IMG_0042.HEIC", type: "image/heic" }],
  ["HEIC that is named JPEG", HEIC, () => fileType("mif1", "mif1", "heic")],
  [
    "sequence of HEVC pictures",
    HEIC,
    () => fileType("hevc", "msf1"),
    { name: "live.heics", type: "image/heic-sequence" },
  ],
  ["AVIF", NO_PHOTO, () => picture().avif().toBuffer(), { name: "photo.avif", type: "image/avif" }],
  [
    "SVG with a script",
    NO_PHOTO,
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  ],
  ["page with a script", NO_PHOTO, () => html],
  ["script after the first bytes of a JPEG", UNREADABLE, () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), html])],
  [
    "JPEG that ends in the middle",
    UNREADABLE,
    async () => (await picture(900, 900).jpeg().toBuffer()).subarray(0, 2_000),
  ],
  ["picture of 100 megapixels", UNREADABLE, () => picture(10_000, 10_000).png().toBuffer()],
])(
  "problem report with a photo, %s: 400 with what to do, and nothing is stored",
  { tags: ["fail:N14"] },
  async (...given) => {
    const [, sentence, make, sentAs] = given;
    const before = await storedFiles();
    expect(await send(await make(), sentAs)).toEqual({
      status: 400,
      body: [sentence, { code: "bad_photo", field: "photos" }],
    });
    expect(await storedFiles()).toEqual(before);
    expect(await db.problem_report.count({ where: { order_id: orderId } })).toBe(0);
  },
);

test(
  "problem report with a photo whose declared type is wrong: its content decides",
  { tags: ["fail:N14"] },
  async () => {
    const own = await createOrder(db, { customerId: anna.customer.id, hub, product: eggs });
    const form = new FormData();
    form.set("message", "Two were broken.");
    form.append(
      "photos",
      new Blob([new Uint8Array(await picture().png().toBuffer())], { type: "image/heic" }),
      "a.heic",
    );
    const { status } = await fetch(`http://127.0.0.1:${market.port}/api/problems/orders/${own.id}`, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin", cookie: anna.cookieHeader() },
      body: form,
    });
    expect(status).toBe(200);
    const { photos } = await db.problem_report.findFirstOrThrow({
      where: { order_id: own.id },
      include: { photos: true },
    });
    const stored = await readFile(join(market.dataDir, "problems", photos[0]!.file));
    expect((await sharp(stored).metadata()).format).toBe("jpeg");
  },
);

test.each([
  // The buffers of both sockets hold several MiB.
  ["with its length", true, 32],
  // Without a length what the limit allows is read.
  ["in chunks", false, 64],
] as const)(
  "problem report with a photo of 200 MB, %s: 413 names the limit early, memory stays low and the next report is taken",
  { tags: ["fail:N14"] },
  async (_name, hasLength, sentMib) => {
    const server = await startProcess({
      databaseUrl: market.url,
      dataDir: market.dataDir,
      jobs: false,
      env: { SESSION_SECRET: market.deps.env.sessionSecrets.join(",") },
    });
    /** The largest memory of the server so far; null where the system does not tell it. */
    const peakMib = async () => {
      const status = await readFile(`/proc/${server.pid}/status`, "utf8").catch(() => "");
      const [, kib] = /VmHWM:\s+(\d+)/.exec(status) ?? [];
      return kib === undefined ? null : Number(kib) / 1024;
    };
    const head = Buffer.from(
      '--x\r\ncontent-disposition: form-data; name="photos"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n',
    );
    const upload = () =>
      new Promise<{ status: number; body: string; sent: number }>((resolve, reject) => {
        const request = httpRequest({
          host: "127.0.0.1",
          port: server.port,
          method: "POST",
          path: `/api/problems/orders/${orderId}`,
          headers: {
            "sec-fetch-site": "same-origin",
            cookie: anna.cookieHeader(),
            "content-type": "multipart/form-data; boundary=x",
            ...(hasLength && { "content-length": BODY_BYTES }),
          },
        });
        const part = Buffer.alloc(MIB, 0xff);
        let sent = 0;
        const answered = new AbortController();
        request.on("response", (response) => {
          answered.abort();
          void text(response).then((body) => resolve({ status: response.statusCode ?? 0, body, sent }));
        });
        request.on("error", (error) => answered.signal.aborted || reject(error));
        request.write(head);
        const more = (): void => {
          while (sent < BODY_BYTES - head.length && !answered.signal.aborted && !request.destroyed) {
            sent += part.length;
            if (!request.write(part)) return void request.once("drain", more);
          }
        };
        more();
      });
    const report = async (photo: Buffer) => {
      const { id } = await createOrder(db, { customerId: anna.customer.id, hub, product: eggs });
      const form = new FormData();
      form.set("message", "Two were broken.");
      form.append("photos", new Blob([new Uint8Array(photo)]), "a.jpg");
      const { status } = await fetch(`${server.address}/api/problems/orders/${id}`, {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin", cookie: anna.cookieHeader() },
        body: form,
      });
      return status;
    };
    const photo = await picture().jpeg().toBuffer();
    // The first small report loads the code that reads forms and photos.
    expect(await report(photo)).toBe(200);
    const before = await peakMib();
    const { status, body, sent } = await upload();
    expect([status, JSON.parse(body)]).toEqual([
      413,
      ["Those photos are too large. Each may have up to 5 MB.", { code: "too_large", field: "photos" }],
    ]);
    expect(sent / MIB).toBeLessThan(sentMib);
    const after = await peakMib();
    if (!hasLength) expect(sent / MIB).toBeGreaterThan(GROWTH_MIB);
    // Where the system has no /proc, memory is not known.
    if (before !== null && after !== null) expect(after - before).toBeLessThan(GROWTH_MIB);
    expect(await storedFiles()).not.toContainEqual(expect.stringMatching(/\.upload$/));
    expect(await report(photo)).toBe(200);
  },
);
