import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import {
  createCustomer,
  createHub,
  createOrder,
  createProduct,
  type TestHub,
  type TestProduct,
} from "@marketday/server/testing/factories";
import { expect, test } from "vitest";

import { root } from "../lib/run.ts";
import { operatedMarket } from "../test/market.ts";

const { db, url, dir: dataDir, run: market, json: parsed } = await operatedMarket();
// oxlint-disable-next-line typescript/no-explicit-any
const json = (...args: string[]) => parsed<any>(...args);

/** Runs `./market … --json` in a separate process, as one of several operators. */
const runProcess = async (...args: string[]) => {
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, NODE_ENV: "test" };
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/market.ts", ...args, "--json"], { env });
  return JSON.parse(stdout);
};

/** In the past, so that its cutoffs have passed. */
const PAST = new Date("2025-11-03T17:00:00Z");
const FUTURE = new Date("2125-11-05T17:00:00Z");
const dayOf = (hub: TestHub) => hub.deliveries[0]!.day.toISOString().slice(0, 10);
const street = (house: number, zipCode: string) => ({
  address: `${house} Main Street`,
  city: "Carmel",
  state: "IN",
  zipCode,
});

async function order(hub: TestHub, product: TestProduct, quantity: number, house: number | null) {
  const customer = await createCustomer(db, {
    hubId: hub.id,
    pepper: "p".repeat(32),
    firstName: `Robin${house ?? ""}`,
  });
  const { id, order_total_cents: paid } = await createOrder(db, {
    customerId: customer.id,
    hub,
    product,
    quantity,
    status: "open",
  });
  const depot = hub.pickup_points[0]!.id;
  await db.order.update({
    where: { id },
    data:
      // Paid with store credit: an amount that the cutoff cannot charge would be printed as to collect.
      house === null
        ? { type: "pickup", pickup_point_id: depot, credit_cents: paid }
        : { address: street(house, house % 2 ? "46032" : "46033"), credit_cents: paid },
  });
  return id;
}
const hashes = (path: string) =>
  readdirSync(path).map((name) => [
    name,
    createHash("sha256")
      .update(readFileSync(join(path, name)))
      .digest("hex"),
  ]);
/** Cancels an order without its money and stock: the sheets only read items and statuses. */
const cancel = (id: number) =>
  db.order.update({ where: { id }, data: { status: "cancelled", cancelled_at: new Date() } });
const short = (id: number, quantity: number) =>
  db.order_item.updateMany({ where: { order_id: id }, data: { quantity } });

const hub = await createHub(db, { name: "Carmel", now: PAST });
const eggs = await createProduct(db, hub.id, { title: "Eggs" });
const ice = await createProduct(db, hub.id, { title: "Ice cream" });
await db.product.update({ where: { id: ice.id }, data: { storage: "frozen" } });
const [first, second, third, fourth] = [
  await order(hub, eggs, 3, 1),
  await order(hub, ice, 2, 2),
  await order(hub, eggs, 4, 3),
  await order(hub, ice, 1, null),
];

test("sheets before the cutoff has run: refused, with the command to run", async () => {
  const refused = await market("sheets", hub.slug, dayOf(hub));
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("./market jobs run")]);
  const week = await json("week", hub.slug);
  expect(week.late).toContainEqual({ day: dayOf(hub), step: "cutoff" });
  const result = await market("week", String(hub.id));
  expect(result.out).toMatch(/cutoff: orders close, money is taken +\w+, Nov \d+(, \d{4})?, 1AM +LATE/);
  expect(result.out).toContain("→ ./market jobs run");

  const ahead = await createHub(db, { name: "Sheridan", now: FUTURE });
  const open = await market("sheets", ahead.slug, dayOf(ahead));
  expect([open.code, open.err]).toEqual([
    1,
    expect.stringMatching(/^Orders of Sheridan for .* are open until 1AM Wednesday/),
  ]);
});

test("sheets and week: an unknown hub, date or number is refused, and nothing is written", async () => {
  const wrongDay = await market("sheets", hub.slug, "2025-11-05");
  expect([wrongDay.code, wrongDay.err]).toEqual([1, expect.stringContaining(`Days near it: ${dayOf(hub)}`)]);
  for (const [args, code, message] of [
    [["sheets", "nowhere", dayOf(hub)], 1, 'There is no hub "nowhere"'],
    [["week", "nowhere"], 1, 'There is no hub "nowhere". Give its slug or its id. The hubs are '],
    [["week", "carmell"], 1, `There is no hub "carmell". Did you mean ${hub.slug}?`],
    [["sheets", hub.slug, "2025-02-30"], 2, '"2025-02-30" is not a date'],
    [["sheets", hub.slug, dayOf(hub), "--drivers", "0"], 2, "Give a number of drivers"],
    [["sheets", hub.slug], 2, `"${hub.slug}" is not a date. Give one such as 2026-11-26, alone or after the hub.`],
    [["sheets", "2025-11-05"], 1, "No hub delivers on 2025-11-05."],
  ] as const) {
    const refused = await market(...args);
    expect([refused.code, refused.err]).toEqual([code, expect.stringContaining(message)]);
  }
  expect(existsSync(join(dataDir, "sheets"))).toBe(false);
});

test("sheets: the same version gives the same bytes; a change makes a new version with a list of changes and the same tote numbers", async () => {
  expect((await market("jobs", "run")).code).toBe(0);
  const dry = await json("sheets", hub.slug, dayOf(hub), "--dry-run");
  expect(dry).toMatchObject({ version: 1, totes: 4, units: 10, files: [], folder: null });
  expect(existsSync(join(dataDir, "sheets"))).toBe(false);

  const version1 = await json("sheets", hub.slug, dayOf(hub), "--drivers", "2");
  expect(version1).toMatchObject({ version: 1, isNew: false, totes: 4, units: 10, changes: [] });
  expect(version1.files.map(({ name }: { name: string }) => name)).toEqual(readdirSync(version1.folder).toSorted());
  const stops = readFileSync(join(version1.folder, "driver-sheets.csv"), "utf8");
  expect(stops).toMatch(new RegExp(`,${first},Robin1[^\r]*,1 Main Street,,Carmel,IN,46032,`));
  const bytes = hashes(version1.folder);
  rmSync(version1.folder, { recursive: true });
  await json("sheets", hub.slug, dayOf(hub), "--drivers", "2");
  expect(hashes(version1.folder)).toEqual(bytes);

  await cancel(second);
  await short(third, 1);
  expect((await json("sheets", hub.slug, dayOf(hub), "--dry-run")).version).toBe(1);
  const result = await market("sheets", hub.slug, dayOf(hub), "--drivers", "2");
  expect(result.out).toContain("3 totes, 5 units, version 2.");
  expect(result.out).toContain(
    `What version 2 changed:\n  tote 2, order ${second}: canceled\n  tote 3, order ${third}`,
  );
  expect(result.out).toContain("Eggs, Each: 1, was 4");
  const version2 = await json("sheets", hub.slug, dayOf(hub), "--drivers", "2");
  expect(version2).toMatchObject({ version: 2, isNew: false, totes: 3, units: 5 });
  expect(version2.changes.map(({ kind, tote }: { kind: string; tote: number }) => [tote, kind])).toEqual([
    [2, "cancelled"],
    [3, "changed"],
  ]);
  expect(readdirSync(version2.folder)).toEqual(expect.arrayContaining(["changes.pdf", "changes.csv"]));
  // Only what changed: tote 3 is packed again, tote 2 is set aside.
  const changed = await json("sheets", hub.slug, dayOf(hub), "--changed");
  expect(changed).toMatchObject({ version: 2, isNew: false, folder: `${version2.folder}-changed-since-1` });
  expect(readdirSync(changed.folder)).toEqual([
    "changed-since-1-labels-avery-5160.pdf",
    "changed-since-1-labels.zpl",
    "changed-since-1.pdf",
  ]);
  const zpl = readFileSync(join(changed.folder, "changed-since-1-labels.zpl"), "utf8");
  expect(zpl.match(/\^FDMA,[^^]+/g)).toEqual([`^FDMA,HTTP://LOCALHOST:3000/T/${third}`]);
  const refused = await market("sheets", hub.slug, dayOf(hub), "--changed", "2");
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("no sheets of a version numbered 2")]);
  // Labels of version 1 stay correct for unchanged orders: tote, driver and stop.
  const labelRows = (folder: string): string[] =>
    readFileSync(join(folder, "labels.csv"), "utf8")
      .split("\r\n")
      .map((row) => row.split(",").slice(3, -1).join(","));
  expect(labelRows(version1.folder)).toEqual(expect.arrayContaining(labelRows(version2.folder)));
  const totes = readFileSync(join(version2.folder, "pack-lists.csv"), "utf8");
  expect([first, third, fourth].map((id) => new RegExp(`,(\\d+),${id},`).exec(totes)?.[1])).toEqual(["1", "3", "4"]);
  expect(hashes(version1.folder)).toEqual(bytes);
});

test("sheets: two operators at once after a change get one new version, and tote numbers are not reused", async () => {
  await cancel(fourth);
  const late = await order(hub, eggs, 1, 9);
  await db.order.update({ where: { id: late }, data: { status: "pending" } });
  const both = await Promise.all(
    [1, 2].map(() => runProcess("sheets", hub.slug, dayOf(hub), "--out", join(dataDir, "print"))),
  );
  expect(both.map(({ version }) => version)).toEqual([3, 3]);
  expect(both.filter(({ isNew }) => isNew)).toHaveLength(1);
  const boxes = await db.snapshot_box.findMany({
    where: { snapshot: { delivery_id: hub.deliveries[0]!.id, version: 3 } },
    orderBy: { tote: "asc" },
  });
  expect(boxes.map(({ tote, order_id }) => [tote, order_id])).toEqual([
    [1, first],
    [3, third],
    [5, late],
  ]);
  expect(readdirSync(join(dataDir, "print"))).toEqual([`${hub.slug}-${dayOf(hub)}-v3`]);
  const changes = readFileSync(join(both[0].folder, "changes.csv"), "utf8");
  expect(changes).toContain(`,3,2,4,${fourth},`);
  expect(changes).toContain(`,2,1,2,${second},`);
});

test("docs/sheets.md: every command works, and the listed files are made", async () => {
  const page = readFileSync(join(root, "docs/sheets.md"), "utf8");
  const lines = [...page.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, block]) => block!.trim().split("\n"));
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) {
    const args = line
      .replace(/^\.\/market /, "")
      .replace("carmel", hub.slug)
      .replace("2026-11-26", dayOf(hub))
      .split(" ");
    const out = args.indexOf("--out") + 1;
    if (out > 0) args[out] = join(dataDir, "page", args[out]!);
    expect([line, (await market(...args)).code]).toEqual([line, 0]);
  }
  // The page lists exactly the files that are made.
  const documented = [...page.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, name]) => name);
  const [folder] = readdirSync(join(dataDir, "page", "print"));
  const written = readdirSync(join(dataDir, "page", "print", folder!)).map((name) => name.replace(/\.\w+$/, ""));
  expect(new Set(written)).toEqual(new Set(documented));
});

test("week lists finished steps; sheets of all hubs; an unwritable folder is refused", async () => {
  // The first run planned the days of the cycle that the second run opens.
  expect((await market("jobs", "run")).code).toBe(0);
  const { days, late } = await json("week", hub.slug);
  const steps = days[0].steps.map(({ step, state }: { step: string; state: string }) => [step, state]);
  expect(steps).toContainEqual(["cutoff", "done"]);
  expect(steps).toContainEqual(["sheets", "done"]);
  expect(late).toEqual([]);
  const empty = await createHub(db, { name: "Empty", now: PAST });
  expect((await market("jobs", "run")).code).toBe(0);
  const none = await market("sheets", empty.slug, dayOf(empty));
  expect([none.code, none.out]).toEqual([0, expect.stringContaining("No orders: there is nothing to print.")]);
  // All hubs of a day at once: a hub whose cutoff has not run is listed, and the others are made.
  const all = await json("sheets", dayOf(hub));
  expect(all).toMatchObject({
    day: dayOf(hub),
    hubs: [
      { hub: hub.slug, totes: 3 },
      { hub: empty.slug, totes: 0 },
    ],
    refused: [],
  });
  const behind = await createHub(db, { name: "Ahead", now: PAST });
  const some = await market("sheets", dayOf(hub), "--dry-run");
  expect([some.code, some.err]).toEqual([1, ""]);
  expect(some.out).toMatch(/^Carmel, 2025[^]*\n\nEmpty, 2025[^]*\n\nThe cutoff of Ahead for .* was not run\./);
  const { hubs } = await json("week");
  expect(hubs.map(({ hub: slug }: { hub: string }) => slug)).toEqual(
    (await db.hub.findMany({ orderBy: [{ name: "asc" }, { id: "asc" }] })).map(({ slug }) => slug),
  );
  expect(hubs.find(({ hub: slug }: { hub: string }) => slug === hub.slug)).toEqual(await json("week", hub.slug));
  const weeks = await market("week");
  for (const { name, slug } of [hub, empty, behind]) expect(weeks.out).toContain(`== ${name} (${slug})\n`);
  const file = join(dataDir, "file");
  writeFileSync(file, "");
  const closed = await market("sheets", hub.slug, dayOf(hub), "--out", file);
  expect([closed.code, closed.err]).toEqual([1, expect.stringContaining(`The sheets cannot be written to ${file}`)]);
});
