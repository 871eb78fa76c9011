import type { TodayRow } from "@marketday/contracts/admin/today";
import { calendarDate } from "@marketday/domain/calendar-date";
import { DAY_STEPS, type DayStepName } from "@marketday/domain/day-steps";
import { expect, test } from "vitest";

import * as t from "#messages/today";

import { cardWords, nextWords } from "./next-words.ts";
import { currentStep, runSteps } from "./step-words.ts";

const NOW = new Date("2026-11-25T19:40:00Z");
const ZONE = "America/Indiana/Indianapolis";
const nbsp = (text: string) => text.replaceAll("\u00A0", " ");

type Step = TodayRow["steps"][number];

/** Carmel's Thursday; each step is ahead unless it is given. */
function rowWith(
  steps: Partial<Record<DayStepName, Partial<Step>>>,
  next: Partial<TodayRow["next"]> = {},
  row: Partial<TodayRow> = {},
): TodayRow {
  return {
    hub: { id: 1, slug: "carmel", name: "Carmel", timeZone: ZONE },
    day: "2026-11-26",
    boxes: 94,
    openOrders: 0,
    shorts: 0,
    steps: DAY_STEPS.map((step) => ({
      step,
      state: "ahead" as const,
      at: null,
      count: null,
      total: null,
      version: null,
      ...steps[step],
    })),
    next: { kind: "nothing", count: null, amount: null, lateSince: null, dueAt: null, command: null, ...next },
    pace: null,
    ...row,
  };
}

const wordsOf = (step: DayStepName, value: Partial<Step>) =>
  nbsp(runSteps(rowWith({ [step]: value }), NOW).find(({ key }) => key === step)!.words);

test.each([
  ["opens", { state: "done", at: "2026-11-18T14:00:00Z" }, "Nov 18"],
  ["auto_checkout", { state: "done", count: 37, total: 37 }, "37"],
  ["auto_checkout", { state: "done", count: 31, total: 33 }, "31 of 33"],
  ["cutoff", { state: "done", at: "2026-11-25T06:00:00Z" }, "1 AM"],
  ["cutoff", { state: "ahead", at: "2026-11-26T06:30:00Z" }, "Thu 1:30 AM"],
  ["sheets", { state: "done", at: "2026-11-25T11:00:00Z", version: 2 }, "v2"],
  ["sheets", { state: "late", at: "2026-11-25T11:00:00Z", version: 1 }, "due 6 AM"],
  ["sheets", { state: "due", at: "2026-11-26T11:00:00Z" }, "due Thu"],
  ["vendors_in", { state: "ahead" }, ""],
  ["vendors_in", { state: "ahead", total: 17 }, "17 farms"],
  ["vendors_in", { state: "now", count: 11, total: 17 }, "11 of 17"],
  ["vendors_in", { state: "due", count: 16, total: 17 }, "16 of 17"],
  ["vendors_in", { state: "done", count: 17, total: 17, at: "2026-11-25T19:31:00Z" }, "17 of 17"],
  ["vendors_in", { state: "off", count: 16, total: 17 }, "16 of 17"],
  ["vendors_in", { state: "off", total: 17 }, "on paper"],
  ["filled", { state: "off", total: 94 }, "on paper"],
  ["filled", { state: "off" }, "–"],
  ["closed", { state: "off", at: "2026-11-25T05:00:00Z" }, "missed"],
  ["delivered", { state: "now", at: "2026-11-26T05:00:00Z", count: 41, total: 63 }, "41 of 63"],
  ["delivered", { state: "done", count: 1204, total: 1204 }, "1,204"],
  ["delivered", { state: "ahead", at: "2026-12-09T05:00:00Z" }, "Dec 9"],
  ["paid_out", { state: "due", count: 0, total: 15 }, "15 farms"],
  ["paid_out", { state: "due", count: 14, total: 15 }, "14 of 15 farms"],
  ["paid_out", { state: "ahead" }, ""],
] as const)("step words: %s %o reads “%s”", (step, value, words) => {
  expect(wordsOf(step, value)).toBe(words);
});

test("current step: what is late or due comes before what runs, and that before what is ahead", () => {
  const steps = (states: Parameters<typeof rowWith>[0]) => currentStep(runSteps(rowWith(states), NOW))?.key;
  expect(steps({ delivered: { state: "now" }, paid_out: { state: "due" } })).toBe("paid_out");
  expect(steps({ opens: { state: "done" }, delivered: { state: "now" } })).toBe("delivered");
  expect(steps({ opens: { state: "done" }, auto_checkout: { state: "off" } })).toBe("cutoff");
});

const late = { lateSince: "2026-11-25T11:00:00Z", dueAt: "2026-11-25T11:00:00Z" };
const tonight = { dueAt: "2026-11-26T05:00:00Z" };

test.each([
  [{ kind: "create_sheets", count: 94, ...late }, "Create sheets", "since 6 AM"],
  [{ kind: "settle_shorts", count: 1, ...tonight }, "Settle 1 short", "by midnight"],
  [{ kind: "settle_shorts", count: 3, ...late }, "Settle 3 shorts", "since 6 AM"],
  [{ kind: "renew_sheets", count: 94, dueAt: "2026-11-26T11:00:00Z" }, "Renew the sheets", "by Thu 6 AM"],
  [{ kind: "collect_at_door", count: 1, amount: 31.2, ...tonight }, "Collect $31.20", "from 1 box"],
  [{ kind: "collect_at_door", count: 2, ...tonight }, "Collect for 2 boxes", "by midnight"],
  [{ kind: "retry_charges", count: 2, amount: 87.3, ...tonight }, "2 cards declined", "$87.30"],
  [{ kind: "deliver", count: 22, ...tonight }, "22 boxes to deliver", "by midnight"],
  [{ kind: "pay_vendors", count: 15, amount: 6214.8 }, "Pay 15 farms", "$6,214.80 in all"],
  [{ kind: "nothing" }, "Nothing to do", null],
] as const)("next words: %o reads “%s”, “%s”", (next, title, note) => {
  const words = nextWords(rowWith({}, next), NOW);
  expect([words.title, words.note && nbsp(words.note)]).toEqual([title, note]);
});

test.each([
  [71, 65, "6 ahead of last week"],
  [60, 65, "5 behind last week"],
  [65, 65, "As many as last week"],
  [0, 0, null],
])("next words: %i orders after %i last week read “%s”", (thisWeek, lastWeek, note) => {
  expect(nextWords(rowWith({}, {}, { pace: { thisWeek, lastWeek } }), NOW).note).toBe(note);
});

test("card: it says since when, how many boxes wait and for how long", () => {
  const words = cardWords(
    rowWith({ sheets: { state: "late" } }, { kind: "create_sheets", count: 1, ...late }),
    NOW,
    false,
  );
  expect(nbsp(Object.values(words).join(" | "))).toBe(
    "Late since 6 AM | Carmel has no sheets for tomorrow | 1 box is waiting. Overdue by 8 hours 40 minutes.",
  );
});

test("card: of a market with another clock it names the place, and of what is not late the time left", () => {
  const row = rowWith(
    {},
    { kind: "deliver", count: 3, dueAt: "2026-11-26T07:00:00Z" },
    { hub: { id: 4, slug: "fort-collins", name: "Fort Collins", timeZone: "America/Denver" }, day: "2026-11-25" },
  );
  expect(nbsp(Object.values(cardWords(row, NOW, true)).join(" | "))).toBe(
    "Due by midnight in Denver | Fort Collins: 3 boxes to deliver | Mark what has arrived. The customer gets an email. Due in 11 hours 20 minutes.",
  );
});

test("card: a late step of the clockwork is named", () => {
  const row = rowWith({ auto_checkout: { state: "late" } }, { kind: "run_late_step", ...late, command: "jobs run" });
  expect(cardWords(row, NOW, false).heading).toBe("Carmel: Auto-checkout hasn’t run");
});

test("dates: the day before and after have names, days within a week their weekday, others their date", () => {
  const today = calendarDate("2026-11-25");
  const names = ["2026-11-24", "2026-11-25", "2026-11-26", "2026-11-28", "2026-12-03"].map((day) =>
    t.dayName(calendarDate(day), today),
  );
  expect(names).toEqual(["Yesterday", "Today", "Tomorrow", "Saturday", "Dec 3"]);
});

test("spans: two units at most, in the singular and plural", () => {
  const spans = [30_000, 60_000, 3_600_000, 12_060_000, 90_000_000, 200_000_000].map(t.span);
  expect(spans).toEqual(["1 minute", "1 minute", "1 hour", "3 hours 21 minutes", "1 day 1 hour", "2 days 7 hours"]);
});

test("ages: minutes, hours, from two days on days", () => {
  const ages = [0, 5, 180, 47 * 60, 50 * 60].map((minutes) => t.ago(new Date(NOW.getTime() - minutes * 60_000), NOW));
  expect(ages).toEqual(["just now", "5 min ago", "3 h ago", "47 h ago", "2 d ago"]);
});
