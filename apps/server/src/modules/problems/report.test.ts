import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32, deflateSync } from "node:zlib";

import { lineName } from "@marketday/domain/cart";
import { Hour } from "@marketday/domain/time";
import sharp from "sharp";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { mailsIn } from "../../../test/mails.ts";
import type { Shopper } from "../../../test/shopper.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";
import { asCustomerId } from "../identity/context.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { takeUploadSlot } from "./report-routes.ts";

const market = await buildTestApp();
const { db, deps, app } = market;
const hub = await createHub(db);
const eggs = await createProduct(db, hub.id);

const picture = (width = 400, height = 300) => sharp({ create: { width, height, channels: 3, background: "#b5301c" } });
const withPlace = () =>
  picture()
    .withExif({ IFD0: { Copyright: "canary" }, IFD3: { GPSLatitudeRef: "N" } })
    .jpeg()
    .toBuffer();
const photos = async () =>
  (await readdir(join(market.dataDir, "problems")).catch(() => [])).toSorted((a, b) => a.localeCompare(b));

/** A PNG of 20,000 × 20,000 black pixels: 50 kB that would unpack to more than a gigabyte. */
function hugePng(): Buffer {
  const side = 20_000;
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const framed = Buffer.alloc(named.length + 8);
    framed.writeUInt32BE(data.length);
    named.copy(framed, 4);
    framed.writeUInt32BE(crc32(named), named.length + 4);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit a pixel, gray; a row is its filter's byte and its bits.
  header[8] = 1;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(side * (1 + side / 8)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A report as a browser's form sends it. */
async function report(
  browser: Pick<Shopper, "cookieHeader">,
  orderId: number,
  {
    message = "Two were broken.",
    items = null,
    files = [],
    on = app,
  }: {
    message?: string | null;
    items?: unknown;
    files?: [bytes: Buffer, name?: string, type?: string][];
    on?: typeof app;
  },
) {
  const form = new FormData();
  if (message !== null) form.set("message", message);
  if (items !== null) form.set("items", typeof items === "string" ? items : JSON.stringify(items));
  for (const [bytes, name = "photo.jpg", type = "image/jpeg"] of files)
    form.append("photos", new Blob([new Uint8Array(bytes)], { type }), name);
  const sent = new Response(form);
  const answer = await on.inject({
    method: "POST",
    url: `/api/problems/orders/${orderId}`,
    headers: {
      "sec-fetch-site": "same-origin",
      cookie: browser.cookieHeader(),
      "content-type": sent.headers.get("content-type")!,
    },
    payload: Buffer.from(await sent.arrayBuffer()),
  });
  return { status: answer.statusCode, body: answer.json() };
}

/** A customer with an order. */
async function scene({ quantity = 1 } = {}) {
  const anna = await signIn(market, { hubId: hub.id });
  const order = await createOrder(db, { customerId: anna.customer.id, hub, product: eggs, quantity });
  return { anna, orderId: order.id };
}

test(
  "problem report: stored with re-encoded photos, mailed to the market and confirmed",
  { tags: ["spec:2.1-31", "fail:I14"] },
  async () => {
    const { anna, orderId } = await scene();
    const large = await picture(3000, 1000).png().toBuffer();
    const tall = await sharp(await picture(40, 20).jpeg().toBuffer())
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const answer = await report(anna, orderId, {
      message: "Two were broken.\r\nThe box was wet.",
      files: [
        [await withPlace(), "../../etc/passwd"],
        [large, "x.png", "image/png"],
        [await picture().webp().toBuffer(), "<img src=x>.webp", "image/webp"],
        [tall],
      ],
    });
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    const [kept] = await db.problem_report.findMany({ where: { order_id: orderId }, include: { photos: true } });
    expect(kept).toMatchObject({
      customer_id: anna.customer.id,
      message: "Two were broken.\nThe box was wet.",
      status: "open",
    });
    const files = kept!.photos.map(({ file }) => file);
    expect(files).toHaveLength(4);
    const sizes = [];
    for (const file of files) {
      expect(file).toMatch(/^[0-9a-f-]{36}\.jpg$/);
      const bytes = await readFile(join(market.dataDir, "problems", file));
      const { format, width, height, exif } = await sharp(bytes).metadata();
      expect([format, exif]).toEqual(["jpeg", undefined]);
      expect(bytes.includes("canary")).toBe(false);
      sizes.push(`${width}x${height}`);
    }
    expect(sizes.toSorted((a, b) => a.localeCompare(b))).toEqual(["1600x533", "20x40", "400x300", "400x300"]);

    await sendDueMail(deps);
    const mails = await mailsIn(market.dataDir);
    const toMarket = mails.filter((mail) => mail.subject === `Problem with order #${orderId}`);
    expect(toMarket.map((mail) => [mail.to?.[0]?.address, mail.replyTo?.[0]?.address])).toEqual([
      [deps.env.supportEmail, anna.customer.email],
    ]);
    expect(toMarket[0]!.text).toContain("The box was wet.");
    expect(mails.filter((mail) => mail.to?.[0]?.address === anna.customer.email)).toHaveLength(1);
  },
);

test("problem report with ticked items: the market reads how many of which, of the whole box and by the order's own names", async () => {
  const { anna, orderId } = await scene({ quantity: 3 });
  const jam = await createProduct(db, hub.id, { title: "Plum Jam" });
  const addOn = await createOrder(db, { customerId: anna.customer.id, hub, product: jam });
  await db.order.update({ where: { id: addOn.id }, data: { add_on_to_id: orderId } });
  const variants = { eggs: eggs.variant.id, jam: jam.variant.id };
  await db.variant.update({ where: { id: variants.jam }, data: { unit: "8 oz" } });
  const items = [
    { variantId: variants.eggs, quantity: 2 },
    { variantId: variants.jam, quantity: 1 },
  ];
  const answer = await report(anna, orderId, { message: "Broken and open.", items });
  expect([answer.status, answer.body]).toEqual([200, { success: true }]);
  const [kept] = await db.problem_report.findMany({ where: { order_id: orderId } });
  const [eggsName, jamName] = [lineName(eggs.title, eggs.variant.title), "Plum Jam, 8 oz"];
  expect(kept!.message).toBe(`2 of 3 ${eggsName}\n1 of 1 ${jamName}\n\nBroken and open.`);
  await sendDueMail(deps);
  const mail = (await mailsIn(market.dataDir)).find((one) => one.subject === `Problem with order #${orderId}`);
  expect(mail!.text).toContain(`2 of 3 ${eggsName}`);
  expect(mail!.text).toContain("Broken and open.");

  // Cut short since the page was opened: what is reported is not lost.
  await db.order_item.updateMany({ where: { order_id: orderId }, data: { quantity: 1 } });
  expect((await report(anna, orderId, { message: "And late.", items: [items[0]] })).status).toBe(200);
  const last = await db.problem_report.findFirst({ where: { order_id: orderId }, orderBy: { id: "desc" } });
  expect(last!.message).toBe(`2 of 3 ${eggsName} (now 1)\n\nAnd late.`);
  // Other items are another report.
  expect((await report(anna, orderId, { message: "And late." })).status).toBe(200);
  expect(await db.problem_report.count({ where: { order_id: orderId } })).toBe(3);
});

test("problem report of a box with a canceled add-on: its items do not count", async () => {
  const { anna, orderId } = await scene({ quantity: 2 });
  const addOn = await createOrder(db, { customerId: anna.customer.id, hub, product: eggs, quantity: 4 });
  await db.order.update({ where: { id: addOn.id }, data: { add_on_to_id: orderId, status: "cancelled" } });
  const send = (quantity: number) => report(anna, orderId, { items: [{ variantId: eggs.variant.id, quantity }] });
  for (const editedAt of [null, market.clock.now()]) {
    await db.order.update({ where: { id: addOn.id }, data: { edited_at: editedAt } });
    expect((await send(3)).body).toEqual([expect.any(String), { code: "invalid", field: "items" }]);
  }
  expect((await send(2)).status).toBe(200);
  const [kept] = await db.problem_report.findMany({ where: { order_id: orderId } });
  expect(kept!.message).toBe(`2 of 2 ${lineName(eggs.title, eggs.variant.title)}\n\nTwo were broken.`);
});

test("problem report with items that the order does not have: rejected, and nothing is stored", async () => {
  const { anna, orderId } = await scene({ quantity: 3 });
  const other = await createProduct(db, hub.id);
  await createOrder(db, { customerId: anna.customer.id, hub, product: other });
  const before = await photos();
  const files: [Buffer][] = [[await picture().jpeg().toBuffer()]];
  const one = { variantId: eggs.variant.id, quantity: 1 };
  const cases: unknown[] = [
    [{ ...one, quantity: 4 }],
    [one, { variantId: other.variant.id, quantity: 1 }],
    [one, one],
    [{ ...one, quantity: 0 }],
    [{ ...one, quantity: 1.5 }],
    [{ variantId: "1", quantity: 1 }],
    {},
    "[",
    `[${" ".repeat(70_000)}]`,
  ];
  for (const items of cases) {
    const answer = await report(anna, orderId, { items, files });
    expect([answer.status, answer.body]).toEqual([
      400,
      ["We can't find these items in the order. Please tick them again.", { code: "invalid", field: "items" }],
    ]);
  }
  expect(await photos()).toEqual(before);
  expect(await db.problem_report.count({ where: { order_id: orderId } })).toBe(0);
});

test("problem report sent twice: one report and one mail; with another message: a second one", async () => {
  const { anna, orderId } = await scene();
  const files: [Buffer][] = [[await picture().jpeg().toBuffer()]];
  const before = await photos();
  const both = await Promise.all([report(anna, orderId, { files }), report(anna, orderId, { files })]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const count = () => db.problem_report.count({ where: { order_id: orderId } });
  expect([await count(), (await photos()).length - before.length]).toEqual([1, 1]);
  expect((await report(anna, orderId, { message: "And one was green." })).status).toBe(200);
  expect(await count()).toBe(2);
  const to = String(anna.customer.email);
  expect(await db.mail.count({ where: { template: "problem-received", to_email: to } })).toBe(2);
});

test("problem report repeated: one report within an hour, a second one after it or with another number of photos", async () => {
  const { anna, orderId } = await scene();
  const count = () => db.problem_report.count({ where: { order_id: orderId } });
  const send = async (files: [Buffer][] = []) => expect((await report(anna, orderId, { files })).status).toBe(200);
  try {
    await send();
    market.clock.advance(Hour.ms - 1);
    await send();
    expect(await count()).toBe(1);
    await send([[await picture().jpeg().toBuffer()]]);
    expect(await count()).toBe(2);
    market.clock.advance(1);
    await send();
    expect(await count()).toBe(3);
  } finally {
    market.clock.set(MONDAY);
  }
});

test("problem reports: twenty an hour from one customer and sixty from one address, then 429", async () => {
  const env = { SESSION_SECRET: deps.env.sessionSecrets.join(","), RATE_LIMITS: "on" };
  const limited = await buildTestApp({ url: market.url, env });
  const send = async ({ anna, orderId }: Awaited<ReturnType<typeof scene>>, message: number) =>
    (await report(anna, orderId, { message: `Problem ${message}`, on: limited.app })).status;
  const [first, second, third] = [await scene(), await scene(), await scene()];
  for (let sent = 1; sent <= 20; sent += 1) expect([sent, await send(first, sent)]).toEqual([sent, 200]);
  expect(await send(first, 21)).toBe(429);
  for (let sent = 1; sent <= 20; sent += 1) expect([sent, await send(second, sent)]).toEqual([sent, 200]);
  for (let sent = 1; sent <= 19; sent += 1) expect([sent, await send(third, sent)]).toEqual([sent, 200]);
  expect(await send(third, 20)).toBe(429);
  expect(await db.problem_report.count({ where: { order_id: third.orderId } })).toBe(19);
});

test("invalid photos or messages: rejected, and nothing is stored", { tags: ["fail:I14", "fail:I15"] }, async () => {
  const { anna, orderId } = await scene();
  const before = await photos();
  const jpeg = await picture().jpeg().toBuffer();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const bomb = hugePng();
  const cases: [Parameters<typeof report>[2], number, string][] = [
    [{ files: [[svg, "photo.jpg"]] }, 400, "bad_photo"],
    [{ files: [[svg, "photo.svg", "image/svg+xml"]] }, 400, "bad_photo"],
    [{ files: [[Buffer.from("GIF89a plain words")]] }, 400, "bad_photo"],
    [{ files: [[Buffer.concat([jpeg.subarray(0, 3), Buffer.from("<script>")])]] }, 400, "bad_photo"],
    [{ files: [[jpeg.subarray(0, jpeg.length / 2)]] }, 400, "bad_photo"],
    [{ files: [[jpeg], [svg]] }, 400, "bad_photo"],
    [{ files: [[bomb]] }, 400, "bad_photo"],
    [{ files: [[Buffer.alloc(5 * 1024 * 1024 + 1, jpeg)]] }, 413, "too_large"],
    [{ files: [[jpeg], [jpeg], [jpeg], [jpeg], [jpeg]] }, 413, "too_large"],
    [{ message: "" }, 400, "invalid"],
    [{ message: null }, 400, "invalid"],
    [{ message: "a".repeat(501) }, 400, "invalid"],
    [{ message: "\0" }, 400, "invalid"],
    // What is wrong before the photos is rejected before them.
    [{ message: "", files: [[svg]] }, 400, "invalid"],
    [{ items: "[", files: [[svg]] }, 400, "invalid"],
  ];
  for (const [given, status, code] of cases) {
    const answer = await report(anna, orderId, given);
    expect([answer.status, answer.body[1].code, answer.body[0]]).toEqual([status, code, expect.any(String)]);
  }
  expect(await photos()).toEqual(before);
  expect(await db.problem_report.count({ where: { order_id: orderId } })).toBe(0);
  const json = await anna.post(`/problems/orders/${orderId}`, { message: "Hi" });
  expect([json.status, json.body[1].code]).toEqual([415, "unsupported_media_type"]);
});

test(
  "problem report for another customer's order: 404; for guests: 401",
  { tags: ["fail:G1", "spec:6-06"] },
  async () => {
    const { orderId } = await scene();
    const ben = await signIn(market, { hubId: hub.id });
    const before = await photos();
    const files: [Buffer][] = [[await picture().jpeg().toBuffer()]];
    const foreign = await report(ben, orderId, { files });
    expect([foreign.status, foreign.body]).toEqual([404, (await report(ben, 999_999_999, { files })).body]);
    const guest = await guestOf(market, hub.id);
    for (const browser of [guest, market.shopper()])
      expect((await report(browser, orderId, { files })).status).toBe(401);
    expect(await photos()).toEqual(before);
  },
);

/** A separate connection that sends a request piece by piece. */
function wire(port: number) {
  const socket = connect(port, "127.0.0.1");
  const closed = Promise.withResolvers<string>();
  const answered = Promise.withResolvers<string>();
  let text = "";
  socket.on("data", (part) => {
    text += String(part);
    if (text.includes("\r\n\r\n")) answered.resolve(text);
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    answered.resolve(text);
    closed.resolve(text);
  });
  return {
    send: (part: string | Buffer) => void socket.write(part),
    answered: answered.promise,
    closed: closed.promise,
  };
}
const head = (orderId: number, length: number, cookie: string) =>
  [
    `POST /api/problems/orders/${orderId} HTTP/1.1`,
    "host: localhost",
    "sec-fetch-site: same-origin",
    ...(cookie ? [`cookie: ${cookie}`] : []),
    "content-type: multipart/form-data; boundary=x",
    `content-length: ${length}\r\n\r\n`,
  ].join("\r\n");

test(
  "unauthorized upload: rejected before its body is read, and the connection closes",
  { tags: ["fail:M15", "fail:I2"] },
  async () => {
    const { port } = market;
    const { orderId } = await scene();
    const ben = await signIn(market, { hubId: hub.id });
    for (const [status, cookie] of [
      [401, ""],
      [404, ben.cookieHeader()],
    ] as const) {
      const browser = wire(port);
      browser.send(head(orderId, 1_000_000, cookie));
      browser.send("--x\r\n");
      expect(await browser.answered).toMatch(new RegExp(`^HTTP/1\\.1 ${status} (?:.|\r\n)*connection: close`, "i"));
      await browser.closed;
    }
  },
);

test(
  "unauthorized uploads: many connections that send their bodies slowly and never close are closed by the server",
  { tags: ["fail:I2"] },
  async () => {
    const { orderId } = await scene();
    // A separate server, whose connections are only these.
    const own = await buildTestApp({ url: market.url });
    const countOpen = promisify(own.app.server.getConnections.bind(own.app.server));
    const answers = Array.from({ length: 200 }, async () => {
      // Half-open: the attacker's end stays open when the server ends the connection.
      const socket = connect({ port: own.port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => undefined);
      socket.write(head(orderId, 1_000_000, ""));
      const [first] = (await once(socket, "data")) as [Buffer];
      return { status: first.toString("latin1").slice(0, 12), socket };
    });
    const opened = await Promise.all(answers);
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set(["HTTP/1.1 401"]));
    // A socket that is idle is closed anyway, so these are not.
    const trickle = setInterval(() => opened.forEach(({ socket }) => socket.write("x")), 1000);
    await expect.poll(() => countOpen(), { timeout: 60_000, interval: 100 }).toBe(0);
    clearInterval(trickle);
    for (const { socket } of opened) socket.destroy();
  },
);

test(
  "upload slots: four at once, two per customer; more get 503 before their body is read, and succeed later",
  { tags: ["fail:M15"] },
  async () => {
    const { port } = market;
    const [first, second, third] = [await scene(), await scene(), await scene()];
    const send = async ({ anna, orderId }: typeof first) => {
      const { status, body } = await report(anna, orderId, { message: "Late" });
      return [status, body[1]?.code];
    };
    const idOf = ({ anna }: typeof first) => asCustomerId(anna.customer.id);
    // Uploads in progress: each holds a slot of the process.
    const held = [takeUploadSlot(idOf(first)), takeUploadSlot(idOf(first))];
    expect([await send(first), await send(third)]).toEqual([
      [503, "busy"],
      [200, undefined],
    ]);
    held.push(takeUploadSlot(idOf(second)), takeUploadSlot(idOf(second)));
    expect(await send(third)).toEqual([503, "busy"]);
    const refused = wire(port);
    refused.send(head(third.orderId, 1_000_000, third.anna.cookieHeader()));
    expect(await refused.answered).toMatch(
      /^HTTP\/1\.1 503 (?:.|\r\n)*retry-after: \d+(?:.|\r\n)*Please try again in a moment/i,
    );
    await refused.closed;
    for (const release of held) release();
    expect([await send(first), await send(second), await send(third)]).toEqual(
      Array.from({ length: 3 }, () => [200, undefined]),
    );
  },
);

test(
  "uploads that are refused while they are being sent, five in turn: each sender, who reads only when all is sent, gets the sentence",
  { tags: ["fail:M15"] },
  async () => {
    const { anna, orderId } = await scene();
    const anId = asCustomerId(anna.customer.id);
    const held = [takeUploadSlot(anId), takeUploadSlot(anId)];
    // More than the buffers of both sockets hold.
    const body = Buffer.alloc(19 * 1024 * 1024, "x");
    // One more than are read at the same time.
    for (let n = 0; n < 5; n += 1) {
      const socket = connect(market.port, "127.0.0.1");
      socket.pause();
      const sent = Promise.withResolvers<void>();
      socket.on("error", sent.reject);
      socket.write(head(orderId, body.length, anna.cookieHeader()));
      socket.write(body, () => sent.resolve());
      await sent.promise;
      let received = "";
      socket.on("data", (part) => (received += String(part)));
      socket.resume();
      await once(socket, "close");
      expect(received).toMatch(/^HTTP\/1\.1 503 (?:.|\r\n)*Many photos are coming in right now\. Please try again/i);
    }
    for (const release of held) release();
  },
);

test("a rejected photo: the files of the photos before it are deleted", { tags: ["fail:I14"] }, async () => {
  const { anna, orderId } = await scene();
  const before = await photos();
  const good = await picture().jpeg().toBuffer();
  const answer = await report(anna, orderId, { files: [[good], [Buffer.from("no photo")], [good], [good]] });
  expect([answer.status, answer.body[1]]).toEqual([400, { code: "bad_photo", field: "photos" }]);
  expect(await photos()).toEqual(before);
});

test(
  "request body that is too large or too slow: the connection is closed",
  { tags: ["fail:I1", "fail:I2"] },
  async () => {
    // With the timeouts of production, not those of the tests.
    const env = { SESSION_SECRET: deps.env.sessionSecrets.join(",") };
    const strict = await buildTestApp({ url: market.url, timeoutFactor: 1, env });
    const { port } = strict;
    const start = (path: string, length: number, type: string) =>
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: same-origin\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;
    const talk = (text: string) =>
      new Promise<string>((done) => {
        let received = "";
        const socket = connect(port, "127.0.0.1", () => socket.write(text));
        socket.on("data", (part) => (received += String(part)));
        socket.on("error", () => undefined);
        socket.on("close", () => done(received));
      });
    const { anna, orderId } = await scene();
    const form = "multipart/form-data; boundary=x";
    const tooMuch = start(`/api/problems/orders/${orderId}`, 25_000_000, form).replace(
      "\r\n\r\n",
      `\r\ncookie: ${anna.cookieHeader()}\r\nconnection: close\r\n\r\n`,
    );
    expect(await talk(tooMuch)).toMatch(/^HTTP\/1\.1 413 /);
    // Half a body and then nothing: the connection is closed without a response.
    expect(await talk(`${start("/api/cart", 100, "application/json")}[`)).toBe("");
  },
);

test("problem report of an add-on: the mail to the market names the order that its box has", async () => {
  const { anna, orderId } = await scene();
  const addOn = await createOrder(db, { customerId: anna.customer.id, hub, product: eggs });
  await db.order.update({ where: { id: addOn.id }, data: { add_on_to_id: orderId } });
  expect((await report(anna, addOn.id, { message: "The added ones are green." })).status).toBe(200);
  const { id } = await db.problem_report.findFirstOrThrow({ where: { order_id: addOn.id } });
  const content = await deps.mailTemplates["problem"]!.content(deps, { reportId: id }, market.clock.now());
  expect(content!.subject).toBe(`Problem with order #${orderId}`);
});

test("problem report: the same words about two orders are two reports", async () => {
  const { anna, orderId } = await scene();
  const other = await createOrder(db, { customerId: anna.customer.id, hub, product: eggs });
  for (const id of [orderId, other.id])
    expect((await report(anna, id, { message: "Both are late." })).status).toBe(200);
  const reports = await db.problem_report.findMany({
    where: { customer_id: anna.customer.id },
    orderBy: { id: "asc" },
  });
  expect(reports.map(({ order_id }) => order_id)).toEqual([orderId, other.id]);
});
