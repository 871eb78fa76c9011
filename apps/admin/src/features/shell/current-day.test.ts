import type { TodayRow } from "@marketday/contracts/admin/today";
import { expect, test } from "vitest";

import { paths } from "../../lib/paths.ts";
import { findCurrentDay } from "./current-day.ts";

const timeZone = "America/Indiana/Indianapolis";
const now = new Date("2026-11-25T19:40:00Z");
const me = { permissions: { "orders.read": "all" } } as const;
const row = (slug: string, id: number, day: string, boxes: number): TodayRow => ({
  hub: { id, slug, name: slug, timeZone },
  day,
  boxes,
  openOrders: 0,
  shorts: 0,
  steps: [],
  next: { kind: "nothing", count: null, amount: null, lateSince: null, dueAt: null, command: null },
  pace: null,
});
const rows = [
  row("carmel", 1, "2026-11-24", 80),
  row("carmel", 1, "2026-11-26", 0),
  row("fishers", 2, "2026-11-26", 300),
  row("madison", 3, "2026-12-01", 40),
];
const slugOf = (where: Partial<Parameters<typeof findCurrentDay>[0]>) => {
  const found = findCurrentDay({ me, rows, hubId: null, pathname: paths.today, now, ...where }, "orders.read");
  return found && `${found.hub.slug} ${found.day}`;
};

test.each([
  ["the next date, of its days the first that has boxes", {}, "fishers 2026-11-26"],
  ["the day that is shown", { pathname: paths.boxes("carmel", "2026-11-26") }, "carmel 2026-11-26"],
  ["the next day of the market that is filtered, also without boxes", { hubId: 1 }, "carmel 2026-11-26"],
  ["the first of the next date when none of its days has boxes", { rows: rows.toSpliced(2, 1) }, "carmel 2026-11-26"],
  ["the last day when all are over", { rows: rows.slice(0, 1) }, "carmel 2026-11-24"],
  ["nothing without days", { rows: [] }, undefined],
] as const)("the day that Boxes and Shorts open for: %s", (_, where, expected) => {
  expect(slugOf(where)).toBe(expected);
});
