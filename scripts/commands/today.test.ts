import { calendarDate } from "@marketday/domain/calendar-date";
import { NEXT_KINDS } from "@marketday/domain/day-steps";
import { addMs, Day, Hour } from "@marketday/domain/time";
import { type DayFacts, planDay } from "@marketday/domain/today";
import { readHealth } from "@marketday/server/modules/health/stored-health";
import { buildTestApp } from "@marketday/server/testing/app";
import { createCustomer, createHub, createProduct } from "@marketday/server/testing/factories";
import { staffOf } from "@marketday/server/testing/staff";
import type { Command } from "commander";
import { expect, test } from "vitest";

import { buildCommandLine } from "../lib/cli/command-line.ts";
import { operatedMarket } from "../test/market.ts";

const EVERYTHING = { kinds: new Set(NEXT_KINDS), payouts: true };
const cutoffAt = new Date("2026-11-25T06:00:00Z");
const boxes = { orders: [123_456_789, 123_456_790, 123_456_795], totes: [1, 2, 7], cents: 3120 };
const none = { orders: [], totes: [], cents: 0 };
const facts: DayFacts = {
  hub: { slug: "carmel", name: "Carmel", timeZone: "America/Indiana/Indianapolis" },
  day: calendarDate("2026-11-26"),
  hubSince: addMs(cutoffAt, -100 * Day.ms),
  opensAt: null,
  autoCheckoutAt: addMs(cutoffAt, -36 * Hour.ms),
  cutoffAt,
  closesAt: new Date("2026-11-27T05:00:00Z"),
  runs: ["open", "auto_checkout", "cutoff", "close"].map((step) => ({
    step,
    state: "done",
    leaseUntil: cutoffAt,
    doneAt: cutoffAt,
    errors: [],
  })),
  snapshot: { version: 1, frozenAt: cutoffAt, isStale: false },
  boxes: 3,
  deliveredBoxes: 0,
  deliveredAt: null,
  autoWanted: 0,
  autoOrdered: 0,
  sheetsAt: cutoffAt,
  hadSheets: true,
  vendors: 1,
  arrivedVendors: 0,
  arrivedAt: null,
  shorts: { count: 0, first: null },
  declined: none,
  toCollect: none,
  undelivered: none,
  payout: { vendors: 0, paid: 0, paidAt: null, unpaidCents: 0 },
};
const onTheDay = new Date("2026-11-26T15:00:00Z");
const short = {
  vendor: "oak-farm",
  variantId: 1234,
  came: 9,
  of: 12,
  refundTo: "card",
  bearer: "market",
  isByHand: false,
};
const noTotes = { ...boxes, totes: [] };
/** A day for each kind of the next thing to do. */
const days: [kind: string, change: Partial<DayFacts>, now: Date][] = [
  ["run_late_step", { runs: [] }, cutoffAt],
  ["create_sheets", { sheetsAt: null, hadSheets: false }, onTheDay],
  ["settle_shorts", { shorts: { count: 2, first: short } }, onTheDay],
  ["renew_sheets", { sheetsAt: null }, onTheDay],
  ["collect_at_door", { toCollect: boxes }, onTheDay],
  ["collect_at_door", { toCollect: noTotes }, onTheDay],
  ["retry_charges", { declined: noTotes }, onTheDay],
  ["deliver", { undelivered: boxes }, onTheDay],
  ["deliver", { undelivered: noTotes }, onTheDay],
  ["pay_vendors", { payout: { vendors: 2, paid: 0, paidAt: null, unpaidCents: 1 } }, addMs(onTheDay, Day.ms)],
];

/** Parses a command line with the real commands, without running it. @returns the command's name */
async function parse(text: string): Promise<string> {
  const args = text.split(" ");
  const line = await buildCommandLine(args);
  let reached: Command | undefined;
  const replace = (command: Command): void => {
    command.configureOutput({ writeErr: () => undefined });
    if (command.commands.length === 0) command.action((...all: unknown[]) => void (reached = all.at(-1) as Command));
    for (const each of command.commands) replace(each);
  };
  replace(line);
  await line.parseAsync(args, { from: "user" });
  if (!reached) throw new Error(`${text}: no command runs`);
  return [reached.parent?.parent ? reached.parent.name() : "", reached.name()].join(" ").trim();
}

test.each(days)("today: the command of %s is one that the command line takes", async (kind, change, now) => {
  const day = { ...facts, ...change };
  const { next } = planDay(day, EVERYTHING, kind === "run_late_step" ? addMs(now, Hour.ms) : now);
  expect(next.kind).toBe(kind);
  expect(text(next.command).startsWith(await parse(text(next.command)))).toBe(true);
});
const text = (command: string | null): string => command ?? "";

test("today: every kind of thing to do has its command checked", () => {
  expect(new Set([...days.map(([kind]) => kind), "nothing"])).toEqual(new Set(NEXT_KINDS));
});

test("today: the command of each count is one that the command line takes, and a line that it does not take is refused", async () => {
  const market = await buildTestApp();
  await createHub(market.db);
  const { body } = await (await staffOf(market, "owner")).get("/today");
  const counts = Object.values(body.counts as Record<string, { key: string; command: string | null }[]>).flat();
  expect(counts.filter(({ command }) => command === null).map(({ key }) => key)).toEqual(["shorts_to_settle"]);
  const commands = counts.flatMap(({ command }) => command ?? []);
  expect(commands).toHaveLength(14);
  for (const command of commands) expect(command.startsWith(await parse(command)), command).toBe(true);
  await expect(parse("orders list --no-such")).rejects.toThrow("unknown option");
  await expect(parse("ledger payouts --to yesterday")).rejects.toThrow("yesterday");
});

test("doctor and backup: what they found, and when, is stored for the board", async () => {
  const market = await operatedMarket();
  const stored = async () =>
    readHealth(Object.fromEntries((await market.db.market_fact.findMany()).map(({ key, value }) => [key, value])));
  await market.run("doctor");
  expect(await stored()).toMatchObject({ failed: 0, checkedAt: expect.any(Date), lastBackupAt: null });
  const { takenAt } = await market.json<{ takenAt: string }>("backup");
  expect((await stored()).lastBackupAt).toEqual(new Date(takenAt));
});

test("stock watched: sold-out items by the number of shoppers who watch them, of all hubs or of one", async () => {
  const { db, ...market } = await operatedMarket();
  const [hub, other] = [await createHub(db), await createHub(db)];
  const [eggs, milk] = [
    await createProduct(db, hub.id, { title: "Eggs" }),
    await createProduct(db, hub.id, { title: "Milk" }),
  ];
  const kale = await createProduct(db, other.id, { title: "Kale" });
  /** Carts of new shoppers with a watched line. */
  const watch = async (hubId: number, product: typeof eggs, shoppers: number) => {
    for (let n = 0; n < shoppers; n += 1) {
      const { id } = await createCustomer(db, { hubId, pepper: "tests" });
      const item = { variant_id: product.variant.id, quantity: 1, watching: true, seen_price_cents: 650 };
      await db.cart.create({ data: { customer_id: id, items: { create: item } } });
    }
  };
  await watch(hub.id, milk, 1);
  await watch(hub.id, eggs, 2);
  await watch(other.id, kale, 3);
  const listed = async (...args: string[]) =>
    (await market.json<{ product: string; hub: string; watchers: number }[]>("stock", "watched", ...args)).map(
      ({ product, hub: slug, watchers }) => [product, slug, watchers],
    );
  // Nothing is sold out.
  expect(await listed()).toEqual([]);
  await db.offer.updateMany({ data: { inventory: 0 } });
  expect(await listed()).toEqual([
    ["Kale", other.slug, 3],
    ["Eggs", hub.slug, 2],
    ["Milk", hub.slug, 1],
  ]);
  expect((await listed("--hub", String(hub.id))).map(([product]) => product)).toEqual(["Eggs", "Milk"]);
});
