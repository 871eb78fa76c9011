import { Writable } from "node:stream";

import { pino } from "pino";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createOrder, createProduct } from "../../../test/factories.ts";
import { SHORT_DAY, shortDay } from "../../../test/short-day.ts";
import { staffOf } from "../../../test/staff.ts";
import { vendorTokens } from "../../lib/tokens.ts";
import { weekMails } from "../week/mails.ts";

/** The log lines of the server. */
const lines: string[] = [];
const log = pino(
  { level: "info" },
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  }),
);
const market = await buildTestApp({ overrides: { log } });
const { db, deps } = market;
const address = `http://127.0.0.1:${market.port}`;
const pathOf = (linkId: string) => `/farm/${vendorTokens("harvest", deps.env.sessionSecrets).sign(linkId)}`;

/** What was logged of the uses of a link. */
const usesOf = (linkId: string) =>
  lines
    .map((line) => JSON.parse(line) as { msg: string; linkId?: string; state?: string; method?: string })
    .filter((line) => line.msg === "vendor link" && line.linkId === linkId)
    .map(({ method, state }) => [method, state]);

/** A closed day with 5 eggs of a vendor in three boxes and another vendor's jam, and the link that was mailed for the eggs. */
async function scene() {
  const day = await shortDay(market, [[2], [1], [2]]);
  const { hub, deliveryId, vendor, variantId, shoppers } = day;
  const jam = await createProduct(db, hub.id, { title: "Plum jam" });
  await createOrder(db, { customerId: shoppers[0]!.customer.id, hub, product: jam, quantity: 4, status: "closed" });
  const link = await db.harvest_link.findFirstOrThrow({ where: { delivery_id: deliveryId, vendor_id: vendor.id } });
  const path = pathOf(link.id);
  const send = async (method: string, fields?: Record<string, string>) => {
    const response = await fetch(`${address}${path}`, {
      method,
      redirect: "manual",
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    return { status: response.status, location: response.headers.get("location"), body: await response.text() };
  };
  return {
    ...day,
    jam,
    link,
    path,
    send,
    /** Posts the form as the page of 5 eggs has it. */
    report: (came: string, { reason = "", of = "5" } = {}) =>
      send("POST", { [`came-${variantId}`]: came, [`of-${variantId}`]: of, reason }),
    shortages: () =>
      db.shortage.findMany({
        where: { delivery_id: deliveryId },
        select: { came: true, of: true, state: true, reason: true, by_vendor: true, counted_by: true, version: true },
        orderBy: { id: "asc" },
      }),
    arrival: () =>
      db.vendor_arrival.findUnique({
        where: { delivery_id_vendor_id: { delivery_id: deliveryId, vendor_id: vendor.id } },
        select: { confirmed_at: true, confirmed_by: true, version: true },
      }),
  };
}

test(
  "harvest link: it is in the vendor's mail, and shows the vendor's items of that day: no other vendor, shopper, address or money",
  { tags: ["fail:N6"] },
  async () => {
    const { link, path, send, vendor, jam, shoppers, deliveryId } = await scene();
    const mail = await db.mail.findFirstOrThrow({
      where: { template: "vendor-order", data: { path: ["linkId"], equals: link.id } },
    });
    const content = await weekMails["vendor-order"]!.content(deps, mail.data as never, market.clock.now());
    expect([mail.to_email, content?.link?.path]).toEqual(["farm@example.com", path]);
    const page = await send("GET");
    expect(page.status).toBe(200);
    for (const shown of ["Eggs, Each", "5 ordered", vendor.name]) expect(page.body).toContain(shown);
    const other = await db.vendor.findUniqueOrThrow({ where: { id: jam.vendor_id } });
    const customers = await db.customer.findMany({
      where: { id: { in: shoppers.map(({ customer }) => customer.id) } },
    });
    const [order] = await db.order.findMany({ where: { delivery_id: deliveryId }, take: 1 });
    const secrets = [
      "Plum jam",
      other.name,
      "$",
      String(order!.id),
      ...customers.flatMap(({ email, first_name, last_name }) => [email, first_name, last_name]),
    ].filter((text): text is string => !!text);
    for (const secret of secrets) expect([secret, page.body.includes(secret)]).toEqual([secret, false]);
    expect(page.body).not.toMatch(/<script|<nav|href=/);
    expect(usesOf(link.id)).toEqual([["GET", "open"]]);
    expect(lines.join("")).not.toContain(path.slice("/farm/".length));
  },
);

test(
  "harvest link: previews and HEAD change nothing, other methods are refused, and each use is logged",
  { tags: ["fail:N6"] },
  async () => {
    const { link, send, arrival, shortages } = await scene();
    expect((await send("HEAD")).status).toBe(200);
    expect((await send("GET")).status).toBe(200);
    for (const method of ["PUT", "DELETE", "PATCH"]) expect([404, 405]).toContain((await send(method)).status);
    expect([await arrival(), await shortages()]).toEqual([null, []]);
    expect(usesOf(link.id).map(([, state]) => state)).toEqual(["open", "open"]);
  },
);

test("harvest link: all that is ordered is confirmed with one button, and the market sees by whom", async () => {
  const { hub, vendor, report, arrival, shortages, send } = await scene();
  const { status, location } = await report("5");
  expect([status, location]).toEqual([303, expect.stringMatching(/^\/farm\//)]);
  expect(await arrival()).toMatchObject({ confirmed_at: expect.any(Date), confirmed_by: `vendor:${vendor.slug}` });
  expect(await shortages()).toEqual([]);
  expect((await send("GET")).body).toContain("You have confirmed this.");
  const lead = await staffOf(market, { role: "depot_lead", hubId: hub.id });
  const { vendors } = (await lead.get(`/hubs/${hub.slug}/days/${SHORT_DAY}`)).body;
  expect(vendors.find(({ id }: { id: number }) => id === vendor.id).confirmed.by).toBe(vendor.name);
});

test("harvest link: fewer is a count for the market, sent twice it is one, and all again removes it", async () => {
  const { vendor, report, shortages, arrival, send, as, url } = await scene();
  await report("3", { reason: "Weather" });
  await report("3", { reason: "Weather" });
  const counted = { came: 3, of: 5, reason: "Weather", by_vendor: true, counted_by: vendor.name };
  expect(await shortages()).toEqual([{ ...counted, state: "counted", version: 1 }]);
  expect((await as.get(url)).body.shortages).toMatchObject([{ came: 3, of: 5, countedBy: vendor.name }]);
  expect((await arrival())?.confirmed_at).toEqual(expect.any(Date));
  const page = await send("GET");
  expect(page.body).toContain(`value="3"`);
  expect(page.body).toContain("<option selected>Weather</option>");
  await report("5");
  expect(await shortages()).toEqual([{ ...counted, state: "removed", version: 2 }]);
});

test(
  "harvest link: what a person of the market has counted is shown to the vendor and not changed",
  { tags: ["fail:N8"] },
  async () => {
    const { report, shortages, send, as, url, count } = await scene();
    await as.put(url, { ...count(4, 5), expectedVersion: null });
    const before = await shortages();
    const page = await send("GET");
    expect(page.body).toContain("4 of 5");
    expect(page.body).not.toContain("<form");
    // From a page that was opened before.
    const { status, body } = await report("2");
    expect([status, body]).toEqual([409, expect.stringContaining("The list has changed since you opened it.")]);
    expect(await shortages()).toEqual(before);
  },
);

test("harvest link: a count by the vendor that the market changes is the market's", async () => {
  const { report, shortages, send, as, url, count } = await scene();
  await report("3");
  const [{ version }] = (await as.get(url)).body.shortages;
  await as.put(url, { ...count(4, 5), expectedVersion: version });
  expect(await shortages()).toMatchObject([{ came: 4, by_vendor: false }]);
  expect((await report("5")).status).toBe(409);
  expect((await send("GET")).body).toContain("4 of 5");
});

test.each([
  ["too many", "6"],
  ["a negative number", "-1"],
  ["a word", "three"],
  ["nothing", ""],
  ["a part", "2.5"],
])("harvest link: %s is refused with what to do, what was typed stays, and nothing is stored", async (_, came) => {
  const { report, shortages, arrival } = await scene();
  const { status, body } = await report(came, { reason: "Animals" });
  expect([status, body]).toEqual([400, expect.stringContaining("Enter how many of Eggs, Each come, from 0 to 5.")]);
  expect(body).toContain(`value="${came}"`);
  expect(body).toContain("<option selected>Animals</option>");
  expect([await shortages(), await arrival()]).toEqual([[], null]);
});

test("harvest link: a form of a list that has changed since stores nothing, and keeps what was typed", async () => {
  const { report, shortages, arrival } = await scene();
  const { status, body } = await report("3", { of: "6" });
  expect([status, body]).toEqual([409, expect.stringContaining("check the numbers and send them again")]);
  expect(body).toContain(`value="3"`);
  expect([await shortages(), await arrival()]).toEqual([[], null]);
  // All of what was ordered is all of it still.
  expect((await report("6", { of: "6" })).body).toContain(`value="5"`);
});

test("harvest link: after the market has checked the vendor in, it shows the numbers and changes none", async () => {
  const { hub, vendor, report, shortages, send, link } = await scene();
  const lead = await staffOf(market, { role: "depot_lead", hubId: hub.id });
  await lead.put(`/hubs/${hub.slug}/days/${SHORT_DAY}/vendors/${vendor.id}`, { hasArrived: true, expectedVersion: 0 });
  const { status, body } = await report("2");
  expect([status, body]).toEqual([409, expect.stringContaining("The market has checked you in.")]);
  expect(body).not.toContain("<form");
  expect((await send("GET")).status).toBe(200);
  expect(await shortages()).toEqual([]);
  expect(usesOf(link.id)).toEqual([
    ["POST", "arrived"],
    ["GET", "arrived"],
  ]);
});

test(
  "harvest link: revoked, or after the end of its day in the market's zone, it shows and changes nothing; a forged one is unknown",
  { tags: ["fail:N6"] },
  async () => {
    const { report, shortages, arrival, send, link, clock } = { ...(await scene()), clock: market.clock };
    // Indianapolis is 5 hours behind.
    clock.set("2026-11-27T04:59:00Z");
    expect((await send("GET")).status).toBe(200);
    clock.set("2026-11-27T05:00:00Z");
    for (const { status, body } of [await send("GET"), await report("2")]) {
      expect([status, body]).toEqual([410, expect.stringContaining("This day is over")]);
      expect(body).not.toContain("Eggs");
    }
    clock.set("2026-11-25T12:00:00Z");
    await db.harvest_link.update({ where: { id: link.id }, data: { revoked_at: clock.now() } });
    for (const { status, body } of [await send("GET"), await report("2")]) {
      expect([status, body]).toEqual([410, expect.stringContaining("This link was taken back")]);
      expect(body).not.toContain("Eggs");
    }
    expect([await shortages(), await arrival()]).toEqual([[], null]);
    const foreign = [
      `${link.id}.forged`,
      vendorTokens("harvest", ["another secret that is long enough to sign"]).sign(link.id),
      vendorTokens("answer", deps.env.sessionSecrets).sign(link.id),
    ];
    for (const token of foreign) expect((await fetch(`${address}/farm/${token}`)).status).toBe(404);
  },
);
