import { expect, test } from "vitest";

import { addMs, Hour, Minute } from "./time.ts";
import { LATE_AFTER_MS, planWeek, type StepRun, WEEK_STEPS, type WeekDay } from "./week-plan.ts";

const cutoffAt = new Date("2026-11-25T06:00:00Z");
const day: WeekDay = {
  hubSince: new Date("2026-11-01T00:00:00Z"),
  opensAt: new Date("2026-11-18T06:00:00Z"),
  autoCheckoutAt: addMs(cutoffAt, -36 * Hour.ms),
  cutoffAt,
  closesAt: new Date("2026-11-27T05:00:00Z"),
  runs: [],
  snapshot: null,
};
const run = (step: string, state = "done", extra: Partial<StepRun> = {}): StepRun => ({
  step,
  state,
  leaseUntil: new Date("2026-11-25T06:02:00Z"),
  doneAt: state === "running" ? null : new Date("2026-11-25T06:00:03Z"),
  errors: [],
  ...extra,
});
const states = (now: string | Date, change: Partial<WeekDay> = {}) =>
  planWeek({ ...day, ...change }, new Date(now))
    .filter(({ step }) => !step.startsWith("remind"))
    .map(({ state }) => state);

test.each([
  ["before anything", "2026-11-18T05:59:59Z", {}, "ahead ahead ahead ahead ahead"],
  ["the cycle opens", "2026-11-18T06:00:00Z", {}, "due ahead ahead ahead ahead"],
  ["no server runs to open it", "2026-11-18T06:15:00Z", {}, "late ahead ahead ahead ahead"],
  ["open", "2026-11-20T00:00:00Z", { runs: [run("open")] }, "done ahead ahead ahead ahead"],
  ["a first day without a cycle before it", "2026-11-20T00:00:00Z", { opensAt: null }, "ahead ahead ahead ahead ahead"],
  [
    "at the cutoff",
    cutoffAt.toISOString(),
    { runs: [run("open"), run("auto_checkout", "done_with_errors")] },
    "done errors due ahead ahead",
  ],
  ["no server ran until the cutoff", "2026-11-25T06:20:00Z", {}, "missed missed late ahead ahead"],
  [
    "the cutoff is being run",
    "2026-11-25T06:01:59Z",
    { runs: [run("open"), run("auto_checkout", "missed"), run("cutoff", "running")] },
    "done missed running ahead ahead",
  ],
  [
    "the server died in it",
    "2026-11-25T06:02:00Z",
    { runs: [run("open"), run("auto_checkout"), run("cutoff", "running")] },
    "done done late ahead ahead",
  ],
  [
    "sheets can be made",
    "2026-11-25T08:00:00Z",
    {
      runs: [run("open"), run("auto_checkout"), run("cutoff")],
      snapshot: { version: 1, frozenAt: cutoffAt, isStale: false },
    },
    "done done done done ahead",
  ],
  [
    "a cutoff that froze nothing: the sheets freeze it",
    "2026-11-25T08:00:00Z",
    { runs: [run("open"), run("auto_checkout"), run("cutoff")] },
    "done done done due ahead",
  ],
  [
    "no sheets were made, and the day is over",
    "2026-11-27T05:00:00Z",
    { runs: [run("open"), run("auto_checkout"), run("cutoff")] },
    "done done done missed due",
  ],
  [
    "an order was cancelled since",
    "2026-11-25T08:00:00Z",
    {
      runs: [run("open"), run("auto_checkout"), run("cutoff")],
      snapshot: { version: 1, frozenAt: cutoffAt, isStale: true },
    },
    "done done done due ahead",
  ],
  [
    "the day is over: its sheets are no longer needed",
    "2026-11-27T06:00:00Z",
    {
      runs: [run("open"), run("auto_checkout"), run("cutoff")],
      snapshot: { version: 1, frozenAt: cutoffAt, isStale: true },
    },
    "done done done done late",
  ],
] as const)("%s", (_name, now, change, expected) => {
  expect(states(now, change as Partial<WeekDay>).join(" ")).toBe(expected);
});

test("late begins a quarter of an hour after a step came due, not a millisecond sooner", () => {
  const late = addMs(cutoffAt, LATE_AFTER_MS);
  const runs = [run("open"), run("auto_checkout")];
  expect(states(addMs(late, -1), { runs })[2]).toBe("due");
  expect(states(late, { runs })[2]).toBe("late");
});

test("each step is there once, with its time, what went wrong and when it was done", () => {
  const lines = planWeek(
    { ...day, runs: [run("cutoff", "done_with_errors", { errors: ["order 1 could not be charged"] })] },
    addMs(cutoffAt, 20 * Minute.ms),
  );
  expect(lines.map(({ step }) => step)).toEqual([...WEEK_STEPS]);
  expect(lines.find(({ step }) => step === "cutoff")).toEqual({
    step: "cutoff",
    at: cutoffAt,
    state: "errors",
    doneAt: new Date("2026-11-25T06:00:03Z"),
    errors: ["order 1 could not be charged"],
  });
});

test("planWeek: sheets are done at the instant of their newest version", () => {
  const frozenAt = addMs(cutoffAt, Hour.ms);
  const lines = planWeek({ ...day, snapshot: { version: 2, frozenAt, isStale: false } }, addMs(cutoffAt, 2 * Hour.ms));
  expect(lines.find(({ step }) => step === "sheets")).toEqual({
    step: "sheets",
    at: cutoffAt,
    state: "done",
    doneAt: frozenAt,
    errors: [],
  });
});

test("reminders come due a day before what they are about, and are missed with it", () => {
  const reminders = (now: string) =>
    planWeek({ ...day, runs: [run("open")] }, new Date(now)).flatMap(({ step, state }) =>
      step.startsWith("remind") ? [state] : [],
    );
  expect(reminders("2026-11-22T17:59:59Z")).toEqual(["ahead", "ahead"]);
  expect(reminders("2026-11-22T18:00:00Z")).toEqual(["due", "ahead"]);
  expect(reminders("2026-11-23T18:00:00Z")).toEqual(["missed", "ahead"]);
  expect(reminders("2026-11-24T06:00:00Z")).toEqual(["missed", "due"]);
  expect(reminders(cutoffAt.toISOString())).toEqual(["missed", "missed"]);
});

test("planWeek: in a market that was created after a cutoff, that day's sheets are not ahead for good", () => {
  const sheetsAt = (now: Date, hubSince: Date, runs: StepRun[] = []) =>
    planWeek({ ...day, hubSince, runs }, now).find(({ step }) => step === "sheets")!.state;
  const closed = addMs(day.closesAt, Hour.ms);
  expect(sheetsAt(closed, closed)).toBe("before");
  expect(sheetsAt(closed, cutoffAt)).toBe("before");
  expect(sheetsAt(closed, closed, [run("cutoff")])).toBe("before");
  // Until the day is over its sheets can still be made.
  expect(sheetsAt(addMs(cutoffAt, Hour.ms), cutoffAt)).toBe("ahead");
  expect(sheetsAt(addMs(cutoffAt, Hour.ms), cutoffAt, [run("cutoff")])).toBe("due");
  expect(sheetsAt(closed, addMs(cutoffAt, -1))).toBe("ahead");
});

test("planWeek: in a market that was created in the middle of a cycle, what came due before that is not missed", () => {
  const hubSince = addMs(cutoffAt, -30 * Hour.ms);
  const at = (hours: number, change: Partial<WeekDay> = {}) =>
    planWeek({ ...day, hubSince, ...change }, addMs(cutoffAt, hours * Hour.ms)).map(
      ({ step, state }) => `${step} ${state}`,
    );
  const created = ["open late", "remind_auto_checkout before", "auto_checkout late"];
  expect(at(-29).slice(0, 3)).toEqual(created);
  const recorded = { runs: [run("open", "missed"), run("remind_auto_checkout", "missed")] };
  expect(at(1, recorded).slice(0, 4)).toEqual([
    "open before",
    "remind_auto_checkout before",
    "auto_checkout before",
    "remind_order_by missed",
  ]);
  expect(
    at(1, { hubSince: day.hubSince })
      .slice(0, 4)
      .map((line) => line.split(" ")[1]),
  ).toEqual(Array.from({ length: 4 }, () => "missed"));
});
