import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createTestFolder } from "@marketday/db/testing";
import { toDollars } from "@marketday/domain/money";
import { itemTitle } from "@marketday/domain/sheets";
import { addMs, Day } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct, type TestHub } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { staffOf } from "../../../test/staff.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { shortOrder } from "../orders/short-order.ts";
import { readMadeVersion, readSheets } from "./read-sheets.ts";
import { SheetFolders, sweepSheetFolders } from "./sheet-folders.ts";
import { sheetJob } from "./sheet-job.ts";
import { makeSheets } from "./sheets/make.ts";

const points = failpoints();
const market = await buildTestApp({ env: { PAYMENTS: "offline" }, overrides: { failpoint: points.at } });
const { db, deps } = market;
const CUTOFF = "2026-11-25T06:00:00Z";
const DAY = "2026-11-26";
const WHY = { to: "credit", reason: "The hens were shy.", key: null } as const;
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "Ada" }, deps });
const runCutoff = () => {
  market.clock.set(CUTOFF);
  return runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
};
const leadOf = ({ id }: { id: number }) => staffOf(market, { role: "depot_lead", hubId: id });
/** Folders of sheets that were made, without those in progress. */
const foldersMade = () => points.passed.filter((point) => point === "sheets:making").length;

type Lead = Awaited<ReturnType<typeof staffOf>>;

/**
 * A hub on Monday, a person who may run its days, and orders of its eggs of these quantities to doors in turns of two ZIP codes; null: an
 * order of ice cream for the pickup point.
 */
async function dayWith(...quantities: (number | null)[]) {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 50, priceCents: 700 });
  const ice = await createProduct(db, hub.id, { title: "Ice cream", inventory: 50 });
  await db.product.update({ where: { id: ice.id }, data: { storage: "frozen" } });
  const orders: number[] = [];
  for (const [place, quantity] of quantities.entries()) {
    const { id: customerId } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    const { id, order_total_cents: paid } = await createOrder(db, {
      customerId,
      hub,
      product: quantity === null ? ice : eggs,
      quantity: quantity ?? 1,
      status: "open",
      createdAt: new Date(market.clock.now().getTime() + place),
    });
    await db.order.update({ where: { id }, data: { credit_cents: paid, ...destination(hub, place, quantity) } });
    orders.push(id);
  }
  return { hub, eggs, orders, lead: await leadOf(hub), url: `/hubs/${hub.slug}/days/${DAY}` };
}
/** The same after its cutoff: a session of Monday has ended by then. */
async function frozenDay(...quantities: (number | null)[]) {
  const day = await dayWith(...quantities);
  await runCutoff();
  return { ...day, lead: await leadOf(day.hub) };
}
const destination = (hub: TestHub, place: number, quantity: number | null) =>
  quantity === null
    ? { type: "pickup", pickup_point_id: hub.pickup_points[0]!.id }
    : {
        address: {
          address: `${place} Main Street`,
          city: "Carmel",
          state: "IN",
          zipCode: place % 2 ? "46032" : "46033",
        },
      };

/** A file of a version with its headers, read as bytes. */
async function readFile({ cookie }: Pick<Lead, "cookie">, url: string, headers: Record<string, string> = {}) {
  const {
    statusCode,
    rawPayload,
    headers: received,
  } = await market.app.inject({
    url: `/api/admin${url}`,
    headers: { cookie, ...headers },
  });
  return { status: statusCode, bytes: rawPayload, headers: received };
}

/** Every file of the newest version, by name. */
async function readFiles(lead: Lead, url: string, { version, files }: { version: number; files: string[] }) {
  const all: Record<string, Buffer> = {};
  for (const name of files) {
    const { status, bytes } = await readFile(lead, `${url}/sheets/${version}/${name}`);
    expect([name, status, bytes.length > 0]).toEqual([name, 200, true]);
    all[name] = bytes;
  }
  return all;
}

/** The files that `market sheets` writes for the newest version. */
async function commandFiles(hub: TestHub): Promise<Record<string, Buffer>> {
  const folder = join(createTestFolder("sheets"), "made");
  const { day, changes, hub: start } = await readSheets(operator(), { hub: hub.slug, day: DAY });
  const pointOf = (zipCode: string) => deps.geocoder.place(zipCode);
  await makeSheets({ day: { ...day, plan: day.plan! }, changes, start, pointOf }, folder);
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

test("day: before the cutoff it has what is ordered so far, and sheets are refused with the command's sentence", async () => {
  const { hub, orders, lead, url } = await dayWith(3, 1, null);
  const day = await lead.get(url);
  expect([day.status, day.body]).toEqual([
    200,
    expect.objectContaining({
      hub: { id: hub.id, slug: hub.slug, name: hub.name, timeZone: hub.time_zone },
      state: "open",
      cutoffAt: "2026-11-25T06:00:00.000Z",
      closedAt: null,
      isStale: false,
      boxes: orders.length,
      units: 5,
      versions: [],
      files: [],
    }),
  ]);
  expect(day.body.vendors.map(({ units, items }: { units: number; items: number }) => [units, items])).toEqual([
    [4, 1],
    [1, 1],
  ]);
  const refused = await lead.post(`${url}/sheets`, {});
  await expect(readSheets(operator(), { hub: hub.slug, day: DAY })).rejects.toThrow(refused.body[0]);
  expect([refused.status, refused.body[1].code]).toEqual([409, "open"]);

  market.clock.set(CUTOFF);
  const late = await leadOf(hub);
  expect((await late.get(url)).body).toMatchObject({ state: "closing", closedAt: "2026-11-25T06:00:00.000Z" });
  const early = await late.post(`${url}/sheets`, {});
  expect([early.status, early.body[1].code]).toEqual([409, "cutoff_not_run"]);

  market.clock.set("2026-11-27T05:00:00Z");
  expect((await (await leadOf(hub)).get(url)).body).toMatchObject({ state: "over", versions: [], files: [] });
});

test("day: a complete cutoff that froze nothing leads to its sheets, also when the date has passed", async () => {
  const { hub, url } = await dayWith(1);
  const { id } = hub.deliveries.find(({ day }) => day.toISOString().startsWith(DAY))!;
  const run = { step: "cutoff", state: "done", lease_until: new Date(CUTOFF), started_at: new Date(CUTOFF) };
  await db.order.updateMany({ where: { delivery_id: id }, data: { status: "closed" } });
  await db.delivery_run.create({ data: { ...run, delivery_id: id } });
  market.clock.set("2026-11-27T05:00:00Z");
  const lead = await leadOf(hub);
  expect((await lead.get(url)).body).toMatchObject({
    state: "frozen",
    versions: [],
    boxes: 1,
    closedAt: "2026-11-25T06:00:00.000Z",
  });
  expect((await lead.post(`${url}/sheets`, {})).body).toMatchObject({ versions: [{ version: 1 }] });
});

test("day: its sheets have the bytes of the command, every listed file is one, and a repeated request makes no other version", async () => {
  const { hub, lead, url } = await frozenDay(3, 1, 2, null);
  expect((await lead.get(url)).body).toMatchObject({
    state: "frozen",
    versions: [{ version: 1, madeAt: null }],
    files: [],
  });
  const made = await lead.post(`${url}/sheets`, { drivers: 2 });
  expect([made.status, made.body.versions]).toEqual([
    200,
    [
      {
        version: 1,
        frozenAt: CUTOFF.replace("Z", ".000Z"),
        madeAt: CUTOFF.replace("Z", ".000Z"),
        drivers: 2,
        changes: null,
      },
    ],
  ]);
  expect((await lead.post(`${url}/sheets`, {})).body).toEqual(made.body);
  expect((await lead.get(url)).body).toEqual(made.body);
  const { "all-sheets.pdf": all, ...files } = await readFiles(lead, url, { version: 1, files: made.body.files });
  expect(files).toEqual(await commandFiles(hub));
  expect(all!.subarray(0, 8).toString()).toBe("%PDF-1.7");
});

test("day: a cancelled and a short order make it stale, and version 2 prints only what changed", async () => {
  const { hub, eggs, orders, lead, url } = await frozenDay(3, 1, 2, null);
  const first = (await lead.post(`${url}/sheets`, {})).body;
  const old = await readFile(lead, `${url}/sheets/1/pack-lists.pdf`);
  await shortOrder(operator(), orders[0]!, [{ variantId: eggs.variant.id, quantity: 2 }], WHY);
  await cancelOrder(operator(), orders[1]!, WHY);
  expect((await lead.get(url)).body).toMatchObject({ isStale: true, boxes: 4, versions: first.versions });

  const second = (await lead.post(`${url}/sheets`, {})).body;
  expect(second).toMatchObject({ isStale: false, boxes: 3, units: 4, versions: [{ version: 2 }, first.versions[0]] });
  const { changes } = await readSheets(operator(), { hub: hub.slug, day: DAY });
  // The whole list of the command, from which the day's view reads only what differs.
  expect(second.versions[0].changes).toEqual(
    changes[0]!.changes.map(({ due, lines, ...change }) => ({
      ...change,
      collect: { before: toDollars(due.before), after: toDollars(due.after) },
      lines: lines.map((line) => ({
        vendor: line.vendor,
        item: itemTitle(line),
        before: line.before,
        after: line.after,
      })),
    })),
  );
  expect(second.versions[0].changes).toMatchObject([
    { kind: "cancelled", tote: 2, goesTo: { before: { driver: 1 }, after: null } },
    { kind: "changed", tote: 1, lines: [{ item: "Eggs, Each", before: 3, after: 1 }] },
  ]);
  const files = await readFiles(lead, url, { version: 2, files: second.files });
  expect(files).toMatchObject(await commandFiles(hub));
  expect(Object.keys(files).filter((name) => name.startsWith("changed"))).toEqual([
    "changed-since-1.pdf",
    "changed-since-1-labels-avery-5160.pdf",
    "changed-since-1-labels.zpl",
  ]);
  const zpl = files["changed-since-1-labels.zpl"]!.toString();
  expect(zpl.match(/\^FDMA,[^^]+/g)).toEqual([`^FDMA,HTTP://LOCALHOST:${deps.env.port}/T/${orders[0]}`]);
  expect(files["labels.zpl"]!.toString()).toContain(zpl.trim());

  // The older version is printed again as it was.
  expect((await readFile(lead, `${url}/sheets/1/pack-lists.pdf`)).bytes).toEqual(old.bytes);
  const { status } = await readFile(lead, `${url}/sheets/1/changes.pdf`);
  expect(status).toBe(404);
});

test("labels: a version that is printed again after the market moved leads to its new address", async () => {
  const { hub, orders, lead, url } = await frozenDay(2);
  await lead.post(`${url}/sheets`, {});
  const codeOf = (zpl: Buffer) => /\^FDMA,([^^]+)/.exec(zpl.toString())?.[1];
  expect(codeOf((await readFile(lead, `${url}/sheets/1/labels.zpl`)).bytes)).toBe(
    `HTTP://LOCALHOST:${deps.env.port}/T/${orders[0]}`,
  );
  const moved = { ...operator(), deps: { ...deps, env: { ...deps.env, publicUrl: "https://market.example:8443" } } };
  const version = await readMadeVersion(moved, { hub: hub.slug, day: DAY, version: 1 });
  const { file } = await new SheetFolders(deps).open(sheetJob(deps, version), "labels.zpl");
  try {
    expect(codeOf(await file.readFile())).toBe(`HTTPS://MARKET.EXAMPLE:8443/T/${orders[0]}`);
  } finally {
    await file.close();
  }
});

test("day: the vendors and amounts of a version stay when orders change, and a label with an unchanged tote is not printed again: it is no file", async () => {
  const { orders, lead, url } = await frozenDay(2, 2);
  await lead.post(`${url}/sheets`, {});
  await cancelOrder(operator(), orders[0]!, WHY);
  const { files, versions } = (await lead.post(`${url}/sheets`, {})).body;
  expect(versions[0].changes).toHaveLength(1);
  expect(files.filter((name: string) => name.startsWith("changed"))).toEqual(["changed-since-1.pdf"]);
  for (const name of ["changed-since-1-labels.zpl", "changed-since-1-labels-avery-5160.pdf"])
    expect([name, (await readFile(lead, `${url}/sheets/2/${name}`)).status]).toEqual([name, 404]);
  await cancelOrder(operator(), orders[1]!, WHY);
  const empty = (await lead.post(`${url}/sheets`, {})).body;
  expect(empty).toMatchObject({ boxes: 0, units: 0, vendors: [] });
  expect(empty.files).toEqual([
    "all-sheets.pdf",
    "changes.pdf",
    "changes.csv",
    "changed-since-1.pdf",
    "changed-since-2.pdf",
  ]);
  await readFiles(lead, url, { version: 3, files: empty.files });
});

test("day: the sheets of a day without boxes are a version without files, for which nothing is drawn", async () => {
  const { hub, lead, url } = await frozenDay();
  const before = foldersMade();
  const made = await lead.post(`${url}/sheets`, {});
  expect([made.status, made.body]).toEqual([200, expect.objectContaining({ boxes: 0, files: [] })]);
  expect(made.body.versions).toMatchObject([{ version: 1, madeAt: expect.any(String), drivers: 1 }]);
  expect(foldersMade()).toBe(before);
  expect((await readFile(lead, `${url}/sheets/1/pick-sheets.pdf`)).status).toBe(404);

  // As when another process is between the two steps of replacing the folder.
  const version = await readMadeVersion(operator(), { hub: hub.slug, day: DAY, version: 1 });
  const folder = await new SheetFolders(deps).prepare(sheetJob(deps, version));
  expect(existsSync(folder)).toBe(false);
});

test("day: sheets that an order made stale are so until the end of the date, by the market's clock", async () => {
  const { hub, orders, lead, url } = await frozenDay(1, 2);
  await lead.post(`${url}/sheets`, {});
  await cancelOrder(operator(), orders[0]!, WHY);
  const isStaleAt = async (at: string) => {
    market.clock.set(at);
    return (await (await leadOf(hub)).get(url)).body.isStale;
  };
  expect(await isStaleAt("2026-11-27T04:59:59Z")).toBe(true);
  expect(await isStaleAt("2026-11-27T05:00:00Z")).toBe(false);
});

test("day: sheets that someone else made meanwhile are a conflict with the day as it is, also for two at once, and stay as they are", async () => {
  const { orders, lead, url } = await frozenDay(1, 2, 3);
  const make = (drivers: number, expectedVersion: number | null) =>
    lead.post(`${url}/sheets`, { drivers, expectedVersion });
  const atOnce = async (expectedVersion: number | null) => {
    const both = await Promise.all([make(1, expectedVersion), make(2, expectedVersion)]);
    const [made, refused] = both.toSorted((one, other) => one.status - other.status);
    expect([made!.status, refused!.status]).toEqual([200, 409]);
    expect([refused!.body[1], (await lead.get(url)).body]).toEqual([
      { code: "conflict", current: made!.body },
      made!.body,
    ]);
    return made!.body;
  };
  expect(await atOnce(null)).toMatchObject({ versions: [{ version: 1 }] });
  await cancelOrder(operator(), orders[0]!, WHY);
  expect((await make(4, 1)).body).toMatchObject({ versions: [{ version: 2, drivers: 4 }, { version: 1 }] });
  const late = await make(3, 1);
  expect([late.status, late.body[0]]).toEqual([
    409,
    "Version 2 was made in the meantime, for 4 drivers. Check it before you make another.",
  ]);
  expect((await lead.get(url)).body).toEqual(late.body[1].current);
  expect(await atOnce(2)).toMatchObject({ versions: [{ version: 3 }, { version: 2, drivers: 4 }, { version: 1 }] });
});

test("sheet: a PDF opens in the tab with a name, a table and labels are downloads, and none is stored by the browser", async () => {
  const { hub, lead, url } = await frozenDay(1);
  await lead.post(`${url}/sheets`, {});
  const names = { "pick-sheets.pdf": "inline", "pick-sheets.csv": "attachment", "labels.zpl": "attachment" };
  const types = { pdf: "application/pdf", csv: "text/csv; charset=utf-8", zpl: "application/zpl; charset=utf-8" };
  for (const [name, disposition] of Object.entries(names)) {
    const { bytes, headers } = await readFile(lead, `${url}/sheets/1/${name}`);
    expect(headers).toMatchObject({
      "content-type": types[name.slice(-3) as keyof typeof types],
      "content-disposition": `${disposition}; filename="${hub.slug}-${DAY}-v1-${name}"`,
      "content-length": String(bytes.length),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  }
});

test("sheet: a name that is not listed, another version, another market and no session get none", async () => {
  const { lead, url } = await frozenDay(1);
  const other = await frozenDay(1);
  expect((await readFile(lead, `${url}/sheets/1/pick-sheets.pdf`)).status).toBe(404);
  await lead.post(`${url}/sheets`, {});
  for (const name of [
    "..%2f..%2f..%2fetc%2fpasswd",
    "..",
    "%2e%2e%2fpick-sheets.pdf",
    "pick-sheets.pdf%00.csv",
    "PICK-SHEETS.PDF",
    "changed-since-1.pdf",
    "constructor",
  ]) {
    const { status } = await readFile(lead, `${url}/sheets/1/${name}`);
    expect([name, status]).toEqual([name, expect.toSatisfy((code) => code === 404 || code === 400)]);
  }
  for (const version of ["2", "0", "-1", "x", "9".repeat(30)])
    expect([version, (await readFile(lead, `${url}/sheets/${version}/pick-sheets.pdf`)).status]).toEqual([
      version,
      version === "2" ? 404 : 400,
    ]);
  for (const path of ["", "/sheets/1/pick-sheets.pdf"])
    expect([path, (await readFile(other.lead, url + path)).status]).toEqual([path, 403]);
  expect((await other.lead.post(`${url}/sheets`, {})).status).toBe(403);
  expect((await readFile({ cookie: "" }, `${url}/sheets/1/pick-sheets.pdf`)).status).toBe(401);

  // A tab shows the sentence as a page.
  const page = await readFile(lead, `${url}/sheets/7/pick-sheets.pdf`, { "sec-fetch-dest": "document" });
  expect([page.status, page.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  expect(page.bytes.toString()).toContain("There are no sheets of version 7.");
});

test("sheets: two people who print at once get the same bytes, which are made once", async () => {
  const { lead, url } = await frozenDay(1, 2);
  await readSheets(operator(), { hub: url.split("/")[2]!, day: DAY });
  const before = foldersMade();
  const both = await Promise.all(
    ["pick-sheets.pdf", "pick-sheets.pdf", "labels.zpl"].map((name) => readFile(lead, `${url}/sheets/1/${name}`)),
  );
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(both[0]!.bytes).toEqual(both[1]!.bytes);
  await readFile(lead, `${url}/sheets/1/fill-sheets.pdf`);
  expect(foldersMade() - before).toBe(1);
});

test("sheets: a name that was deleted with its account is on no sheet that is printed later", async () => {
  const { orders, lead, url } = await frozenDay(1, 2);
  await lead.post(`${url}/sheets`, {});
  await db.snapshot_box.updateMany({ where: { order_id: orders[0]! }, data: { name: "Zebulon Quill" } });
  const csv = async () => (await readFile(lead, `${url}/sheets/1/pack-lists.csv`)).bytes.toString();
  expect(await csv()).toContain("Zebulon Quill");
  await db.snapshot_box.updateMany({ where: { order_id: orders[0]! }, data: { name: "" } });
  expect(await csv()).not.toContain("Zebulon Quill");
});

test("sheets: what a killed server left half made is not served, and is removed after a day", async () => {
  const { lead, url } = await frozenDay(1);
  await lead.post(`${url}/sheets`, {});
  const root = join(market.dataDir, "sheet-cache");
  const made = readdirSync(root);
  const folder = made.find((name) => readdirSync(join(root, name)).includes("labels.csv"));
  // As a server leaves it that is killed while it draws: a temporary folder, and of an older release a whole one.
  mkdirSync(join(root, `${folder}.0a1b2c3d.tmp`));
  writeFileSync(join(root, `${folder}.0a1b2c3d.tmp`, "labels.csv"), "half");
  writeFileSync(join(root, folder!, "labels.csv"), "of an older release");
  const before = foldersMade();
  for (const name of readdirSync(root)) utimesSync(join(root, name), 1000, 1000);
  const { bytes } = await readFile(lead, `${url}/sheets/1/labels.csv`);
  expect(bytes.toString()).toContain("sheet_version");
  expect(foldersMade() - before).toBe(1);
  expect(readdirSync(root)).toHaveLength(1);
  await sweepSheetFolders(deps, addMs(new Date(), 2 * Day.ms));
  expect(readdirSync(root)).toEqual([]);
});

test("day: one statement for the first version and two from the second on, besides session and market", async () => {
  const { orders, lead, url } = await frozenDay(1, 2, 3);
  await lead.post(`${url}/sheets`, {});
  await lead.get("/hubs/nowhere/days/2026-11-26");
  const count = async () =>
    (await market.statements(() => lead.get(url))).filter((text) => /snapshot/.test(text)).length;
  const all = async () => (await market.statements(() => lead.get(url))).length;
  expect([await count(), await all()]).toEqual([1, 2]);
  for (const [place, versions] of [2, 3].entries()) {
    await cancelOrder(operator(), orders[place]!, WHY);
    await lead.post(`${url}/sheets`, {});
    expect([versions, await count(), await all()]).toEqual([versions, 2, 3]);
  }
});

test("day: an unknown market or date is not found, with the nearest days", async () => {
  const { hub, lead } = await dayWith(1);
  const owner = await staffOf(market, "owner");
  expect((await owner.get(`/hubs/nowhere/days/${DAY}`)).status).toBe(404);
  const near = await lead.get(`/hubs/${hub.id}/days/2026-11-27`);
  expect([near.status, near.body[0]]).toEqual([404, expect.stringContaining(`Days near it: ${DAY}`)]);
  expect((await lead.get(`/hubs/${hub.slug}/days/2026-02-30`)).status).toBe(400);
});
