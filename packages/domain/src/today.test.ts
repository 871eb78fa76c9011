import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { calendarDate } from "./calendar-date.ts";
import { DAY_STEPS, NEXT_KINDS } from "./day-steps.ts";
import { deliveryDayOf, instantOf } from "./delivery.ts";
import { addMs, Day, Hour, Minute } from "./time.ts";
import {
  type Allowed,
  type BoxSet,
  type DayFacts,
  mostUrgent,
  type NextAction,
  PAYOUT_LATE_MS,
  planDay,
} from "./today.ts";
import type { StepRun } from "./week-plan.ts";

const ZONE = "America/Indiana/Indianapolis";
const EVERYTHING: Allowed = { kinds: new Set(NEXT_KINDS), payouts: true };
const NO_BOXES: BoxSet = { orders: [], totes: [], cents: 0 };
/** Thursday, November 26. The cutoff is Wednesday 1 AM, the day ends on Friday at midnight. */
const cutoffAt = new Date("2026-11-25T06:00:00Z");
const closesAt = new Date("2026-11-27T05:00:00Z");
const facts: DayFacts = {
  hub: { slug: "carmel", name: "Carmel", timeZone: ZONE },
  day: calendarDate("2026-11-26"),
  hubSince: new Date("2026-01-01T00:00:00Z"),
  opensAt: addMs(cutoffAt, -7 * Day.ms),
  autoCheckoutAt: addMs(cutoffAt, -36 * Hour.ms),
  cutoffAt,
  closesAt,
  runs: [],
  snapshot: null,
  boxes: 3,
  deliveredBoxes: 0,
  deliveredAt: null,
  autoWanted: 0,
  autoOrdered: 0,
  sheetsAt: null,
  hadSheets: false,
  vendors: 0,
  arrivedVendors: 0,
  arrivedAt: null,
  shorts: { count: 0, first: null },
  declined: NO_BOXES,
  toCollect: NO_BOXES,
  undelivered: NO_BOXES,
  payout: { vendors: 0, paid: 0, paidAt: null, unpaidCents: 0 },
};
const ran = (...steps: string[]): StepRun[] =>
  steps.map((step) => ({ step, state: "done", leaseUntil: cutoffAt, doneAt: addMs(cutoffAt, Minute.ms), errors: [] }));
/** Of a day whose orders are closed and whose sheets are made. */
const packed: Partial<DayFacts> = {
  runs: ran("open", "auto_checkout", "cutoff"),
  snapshot: { version: 1, frozenAt: cutoffAt, isStale: false },
  sheetsAt: addMs(cutoffAt, Hour.ms),
  vendors: 2,
};
const closed: Partial<DayFacts> = {
  ...packed,
  runs: ran("open", "auto_checkout", "cutoff", "close"),
  deliveredBoxes: 3,
  deliveredAt: closesAt,
};
const plan = (change: Partial<DayFacts>, now: string | Date, allowed = EVERYTHING) =>
  planDay({ ...facts, ...change }, allowed, new Date(now));
const states = (change: Partial<DayFacts>, now: string | Date) =>
  plan(change, now)
    .steps.map(({ state }) => state)
    .join(" ");
const stepOf = (change: Partial<DayFacts>, now: string | Date, name: (typeof DAY_STEPS)[number]) =>
  plan(change, now).steps.find(({ step }) => step === name)!;

describe("steps of a delivery day", () => {
  test.each<[string, Partial<DayFacts>, string, string]>([
    ["before it opens", {}, "2026-11-18T05:59:59Z", "ahead ahead ahead ahead ahead off off ahead ahead ahead"],
    ["the minute it opens", {}, "2026-11-18T06:00:00Z", "now ahead ahead ahead ahead off off ahead ahead ahead"],
    ["no server opened it", {}, "2026-11-18T06:15:00Z", "late ahead ahead ahead ahead off off ahead ahead ahead"],
    [
      "it takes orders",
      { runs: ran("open") },
      "2026-11-20T12:00:00Z",
      "done ahead ahead ahead ahead off off ahead ahead ahead",
    ],
    [
      "no server ran until the cutoff",
      {},
      "2026-11-25T06:15:00Z",
      "off off late ahead ahead off off ahead ahead ahead",
    ],
    [
      "the cutoff has run",
      { ...packed, sheetsAt: null },
      "2026-11-25T07:00:00Z",
      "done done done due ahead off off ahead ahead ahead",
    ],
    [
      "at 6 AM there are no sheets",
      { ...packed, sheetsAt: null },
      "2026-11-25T11:00:00Z",
      "done done done late ahead off off ahead ahead ahead",
    ],
    ["the sheets are made", packed, "2026-11-25T12:00:00Z", "done done done done ahead off off ahead ahead ahead"],
    [
      "an order was canceled since",
      { ...packed, snapshot: { version: 1, frozenAt: cutoffAt, isStale: true } },
      "2026-11-25T12:00:00Z",
      "done done done due ahead off off ahead ahead ahead",
    ],
    ["the delivery day", packed, "2026-11-26T05:00:00Z", "done done done done ahead off off now ahead ahead"],
    [
      "every box is delivered",
      { ...packed, deliveredBoxes: 3 },
      "2026-11-26T20:00:00Z",
      "done done done done ahead off off done ahead ahead",
    ],
    [
      "the day is over, and no server ran",
      packed,
      "2026-11-27T05:20:00Z",
      "done done done done off off off now late ahead",
    ],
    [
      "vendors are to be paid",
      { ...closed, payout: { vendors: 2, paid: 0, paidAt: null, unpaidCents: 5000 } },
      "2026-11-27T06:00:00Z",
      "done done done done off off off done done due",
    ],
    [
      "vendors were not paid for a week",
      { ...closed, payout: { vendors: 2, paid: 1, paidAt: null, unpaidCents: 5000 } },
      "2026-12-04T05:00:00Z",
      "done done done done off off off done done late",
    ],
    [
      "every vendor is paid",
      { ...closed, payout: { vendors: 2, paid: 2, paidAt: closesAt, unpaidCents: 0 } },
      "2026-12-04T05:00:00Z",
      "done done done done off off off done done done",
    ],
    [
      "a box was taken back after the day",
      { ...closed, deliveredBoxes: 2 },
      "2026-11-27T06:00:00Z",
      "done done done done off off off late done off",
    ],
    [
      "no one ordered",
      { ...closed, boxes: 0, deliveredBoxes: 0, sheetsAt: null, vendors: 0 },
      "2026-11-25T07:00:00Z",
      "done done done off off off off off done off",
    ],
  ])("%s", (_, change, now, expected) => {
    expect(states(change, now)).toBe(expected);
  });

  test("filled and loaded: nothing records them, so that only their total is there, once the orders are closed", () => {
    for (const name of ["filled", "loaded"] as const) {
      expect(stepOf(packed, closesAt, name)).toMatchObject({ state: "off", count: null, total: 3, at: null });
      expect(stepOf({ runs: ran("open") }, "2026-11-20T12:00:00Z", name)).toMatchObject({ state: "off", total: null });
    }
  });

  const dayBefore = "2026-11-25T20:00:00Z";
  const onTheDay = "2026-11-26T05:00:00Z";
  const at = new Date("2026-11-25T19:31:00Z");
  test.each<[string, Partial<DayFacts>, string | Date, object]>([
    ["before the cutoff", { runs: ran("open") }, "2026-11-20T12:00:00Z", { state: "ahead", count: null, total: null }],
    ["no one is checked in", packed, dayBefore, { state: "ahead", count: null, total: 2 }],
    ["some are here the day before", { ...packed, arrivedVendors: 1 }, dayBefore, { state: "now", count: 1, total: 2 }],
    ["some are here on the day", { ...packed, arrivedVendors: 1 }, onTheDay, { state: "due", count: 1, total: 2 }],
    [
      "all are here",
      { ...packed, arrivedVendors: 2, arrivedAt: at },
      dayBefore,
      { state: "done", count: 2, total: 2, at },
    ],
    ["no one was checked in on the day", packed, onTheDay, { state: "ahead", count: null, total: 2 }],
    ["the day is over and no one was checked in", closed, closesAt, { state: "off", count: null, total: 2 }],
    ["the day is over and some were", { ...closed, arrivedVendors: 1 }, closesAt, { state: "off", count: 1, total: 2 }],
    ["no vendor brings anything", { ...packed, vendors: 0 }, onTheDay, { state: "off", count: null, total: 0 }],
    ["the day is over without a cutoff", {}, closesAt, { state: "off", count: null, total: null }],
  ])("vendors in: %s", (_, change, now, expected) => {
    expect(stepOf(change, now, "vendors_in")).toMatchObject(expected);
  });

  test("vendors in: at any time and with any number of them here, it is never late, and never a reason to do something", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: -12 * 24, max: 24 * 24 }),
        (vendors, arrived, hours) => {
          const now = addMs(cutoffAt, hours * Hour.ms);
          const day = { ...closed, vendors, arrivedVendors: Math.min(arrived, vendors), arrivedAt: cutoffAt };
          const { state, count, total } = stepOf(day, now, "vendors_in");
          expect(state).not.toBe("late");
          expect(count === null || (count > 0 && count <= total!)).toBe(true);
          expect(state === "done").toBe(count !== null && count === total);
          expect(plan(day, now).next).toEqual(plan({ ...day, arrivedVendors: 0 }, now).next);
        },
      ),
    );
  });

  test("counts: automatic orders, delivered boxes, paid vendors, and the version of the sheets", () => {
    const payout = { vendors: 15, paid: 3, paidAt: null, unpaidCents: 1 };
    const day = { ...closed, autoWanted: 33, autoOrdered: 31, deliveredBoxes: 2, payout };
    expect(stepOf(day, closesAt, "auto_checkout")).toMatchObject({ count: 31, total: 33 });
    expect(stepOf(day, closesAt, "delivered")).toMatchObject({ count: 2, total: 3 });
    expect(stepOf(day, closesAt, "paid_out")).toMatchObject({ count: 3, total: 15 });
    expect(stepOf(day, closesAt, "sheets")).toMatchObject({ version: 1, at: addMs(cutoffAt, Hour.ms) });
    expect(stepOf({ ...packed, sheetsAt: null }, closesAt, "sheets").version).toBeNull();
    expect(stepOf({ autoWanted: 33 }, "2026-11-20T00:00:00Z", "auto_checkout")).toMatchObject({
      count: null,
      total: null,
    });
  });

  test("who may not see payouts: the step is off without numbers, and a closed day is over", () => {
    const day = { ...closed, payout: { vendors: 15, paid: 3, paidAt: null, unpaidCents: 700 } };
    const { steps, next, isOver } = plan(day, closesAt, { kinds: new Set(["deliver"]), payouts: false });
    expect(steps.at(-1)).toEqual({ step: "paid_out", state: "off", at: null, count: null, total: null, version: null });
    expect([next.kind, isOver]).toEqual(["nothing", true]);
    expect(plan(day, closesAt).isOver).toBe(false);
  });
});

describe("the next thing to do", () => {
  const nextOf = (change: Partial<DayFacts>, now: string | Date, allowed = EVERYTHING) =>
    plan(change, now, allowed).next;
  const some: BoxSet = { orders: [401, 402, 405], totes: [1, 2, 7], cents: 3120 };
  const nothing: NextAction = {
    kind: "nothing",
    count: null,
    cents: null,
    lateSince: null,
    dueAt: null,
    command: null,
  };

  test("a step of the clockwork that is late: the jobs are run, late since it came due", () => {
    expect(nextOf({}, "2026-11-25T06:14:59Z")).toEqual(nothing);
    expect(nextOf({}, "2026-11-25T06:15:00Z")).toEqual({
      ...nothing,
      kind: "run_late_step",
      lateSince: cutoffAt,
      dueAt: cutoffAt,
      command: "jobs run",
    });
  });

  test("sheets: due by the first 6 AM after the cutoff, and late from then on", () => {
    const day = { ...packed, sheetsAt: null };
    const dueAt = new Date("2026-11-25T11:00:00Z");
    const create = { ...nothing, kind: "create_sheets", count: 3, dueAt, command: "sheets carmel 2026-11-26" };
    expect(nextOf(day, addMs(dueAt, -1))).toEqual(create);
    expect(nextOf(day, dueAt)).toEqual({ ...create, lateSince: dueAt });
    const afternoon = new Date("2026-11-25T20:00:00Z");
    const late = { ...day, runs: ran("open", "auto_checkout", "cutoff").map((run) => ({ ...run, doneAt: afternoon })) };
    expect(nextOf(late, afternoon)).toEqual({ ...create, dueAt: new Date("2026-11-26T11:00:00Z") });
    expect(nextOf(day, closesAt).kind).not.toBe("create_sheets");
    expect(nextOf({ ...day, boxes: 0 }, dueAt)).toEqual(nothing);
  });

  test("sheets that have changed: due until 6 AM of the delivery day, also when a version has no routes yet", () => {
    const isStale = { ...packed, snapshot: { version: 1, frozenAt: cutoffAt, isStale: true } };
    const dueAt = new Date("2026-11-26T11:00:00Z");
    const renew = { ...nothing, kind: "renew_sheets", count: 3, dueAt, command: "sheets carmel 2026-11-26" };
    expect(nextOf(isStale, addMs(dueAt, -1))).toEqual(renew);
    expect(nextOf(isStale, dueAt)).toEqual({ ...renew, lateSince: dueAt });
    expect(nextOf({ ...packed, sheetsAt: null, hadSheets: true }, addMs(dueAt, -1))).toEqual(renew);
  });

  test.each([
    ["2026-03-08", "America/Chicago", "2026-03-07T12:00:00.000Z", "2026-03-08T11:00:00.000Z"],
    ["2026-03-09", "America/Chicago", "2026-03-08T11:00:00.000Z", "2026-03-09T11:00:00.000Z"],
    ["2026-11-02", "America/Chicago", "2026-11-01T12:00:00.000Z", "2026-11-02T12:00:00.000Z"],
    ["2026-11-02", "America/Denver", "2026-11-01T13:00:00.000Z", "2026-11-02T13:00:00.000Z"],
  ])("sheets of %s in %s, where the clocks change: 6 AM by the hub's clock", (day, timeZone, madeBy, renewedBy) => {
    const { cutoff } = deliveryDayOf(calendarDate(day), timeZone);
    const change: Partial<DayFacts> = {
      ...packed,
      hub: { ...facts.hub, timeZone },
      day: calendarDate(day),
      cutoffAt: cutoff,
      closesAt: addMs(instantOf(calendarDate(day), "12:00", timeZone), 12 * Hour.ms),
      runs: ran("cutoff").map((run) => ({ ...run, doneAt: cutoff })),
      sheetsAt: null,
    };
    expect(nextOf(change, cutoff).dueAt?.toISOString()).toBe(madeBy);
    expect(nextOf({ ...change, hadSheets: true }, cutoff).dueAt?.toISOString()).toBe(renewedBy);
  });

  test("shortages: settled once the orders are closed, before the sheets are made again, and late from the end of the day on", () => {
    const counted = { vendor: "oak-farm", variantId: 1234, came: 9, of: 12, refundTo: "credit", bearer: "vendor" };
    const first = { ...counted, isByHand: false };
    const day = { ...packed, shorts: { count: 3, first } };
    const settle = {
      ...nothing,
      kind: "settle_shorts",
      count: 3,
      dueAt: closesAt,
      command: "short carmel 2026-11-26 oak-farm 1234 9/12 --to credit --bearer vendor --reason counted",
    };
    expect(nextOf({ ...day, runs: ran("open"), snapshot: null }, "2026-11-20T12:00:00Z")).toEqual(nothing);
    expect(nextOf(day, "2026-11-25T12:00:00Z")).toEqual(settle);
    const byHand = { count: 3, first: { ...counted, isByHand: true } };
    // The command knows the rule alone.
    expect(nextOf({ ...day, shorts: byHand }, "2026-11-25T12:00:00Z")).toEqual({ ...settle, command: null });
    expect(nextOf({ ...day, sheetsAt: null }, "2026-11-25T07:00:00Z").kind).toBe("create_sheets");
    const snapshot = { version: 1, frozenAt: cutoffAt, isStale: true };
    expect(nextOf({ ...day, snapshot }, "2026-11-25T12:00:00Z").kind).toBe("settle_shorts");
    expect(nextOf({ ...closed, shorts: { count: 3, first } }, closesAt)).toEqual({ ...settle, lateSince: closesAt });
    expect(plan({ ...closed, shorts: { count: 3, first } }, closesAt).isOver).toBe(false);
  });

  test("declined cards: due at the end of the day, with the command for the first order", () => {
    const retry = {
      ...nothing,
      kind: "retry_charges",
      count: 3,
      cents: 3120,
      dueAt: closesAt,
      command: "orders charge 401",
    };
    const day = { ...packed, declined: { ...some, totes: [] } };
    expect(nextOf(day, "2026-11-25T12:00:00Z")).toEqual(retry);
    expect(nextOf({ ...day, runs: closed.runs! }, closesAt)).toEqual({ ...retry, lateSince: closesAt });
  });

  test("money at the door: collected from the beginning of the delivery day on, before the cards are charged again", () => {
    const day = { ...packed, toCollect: some, declined: some };
    expect(nextOf(day, "2026-11-26T04:59:59Z").kind).toBe("retry_charges");
    expect(nextOf(day, "2026-11-26T05:00:00Z")).toEqual({
      ...nothing,
      kind: "collect_at_door",
      count: 3,
      cents: 3120,
      dueAt: closesAt,
      command: "orders paid carmel 2026-11-26 --tote 1-2,7",
    });
  });

  test("boxes: named by order when one of them is in no tote", () => {
    const toCollect = { ...some, totes: [1, 2] };
    expect(nextOf({ ...packed, toCollect }, "2026-11-26T05:00:00Z").command).toBe("orders paid 401 402 405");
  });

  test("boxes to mark as delivered: on the day, and again when one was taken back after it", () => {
    const deliver = {
      ...nothing,
      kind: "deliver",
      count: 3,
      dueAt: closesAt,
      command: "orders deliver carmel 2026-11-26 --tote 1-2,7",
    };
    expect(nextOf({ ...packed, undelivered: some }, "2026-11-26T04:59:59Z")).toEqual(nothing);
    expect(nextOf({ ...packed, undelivered: some }, "2026-11-26T05:00:00Z")).toEqual(deliver);
    // At the end of the day the clockwork does it.
    expect(nextOf({ ...packed, undelivered: some }, closesAt)).toEqual(nothing);
    expect(nextOf({ ...closed, undelivered: some }, closesAt)).toEqual({ ...deliver, lateSince: closesAt });
  });

  test("vendors: paid once the day is closed, and late a week after it", () => {
    const payout = { vendors: 15, paid: 3, paidAt: null, unpaidCents: 1_489_138 };
    const pay = {
      ...nothing,
      kind: "pay_vendors",
      count: 12,
      cents: 1_489_138,
      dueAt: addMs(closesAt, PAYOUT_LATE_MS),
      command: "ledger payouts --to 2026-11-26",
    };
    expect(nextOf({ ...packed, payout }, "2026-11-26T20:00:00Z")).toEqual(nothing);
    expect(nextOf({ ...closed, payout }, closesAt)).toEqual(pay);
    expect(nextOf({ ...closed, payout }, pay.dueAt)).toEqual({ ...pay, lateSince: pay.dueAt });
  });

  test("a person gets the most urgent thing that the person may do", () => {
    const day = { ...packed, sheetsAt: null, declined: some };
    const now = "2026-11-25T07:00:00Z";
    expect(nextOf(day, now).kind).toBe("create_sheets");
    expect(nextOf(day, now, { kinds: new Set(["retry_charges"]), payouts: true }).kind).toBe("retry_charges");
    expect(nextOf(day, now, { kinds: new Set(), payouts: true })).toEqual(nothing);
    expect(stepOf(day, now, "sheets").state).toBe("due");
  });
});

test("the most urgent row: late ones first, then by kind, then the one that is due first; null when nothing is to be done", () => {
  const row = (kind: NextAction["kind"], dueAt: string | null, isLate = false) => {
    const at = dueAt === null ? null : new Date(dueAt);
    return { next: { kind, count: 1, cents: null, dueAt: at, lateSince: isLate ? at : null, command: null } };
  };
  const nothing = row("nothing", null);
  expect(mostUrgent([])).toBeNull();
  expect(mostUrgent([nothing])).toBeNull();
  expect(mostUrgent([nothing, row("deliver", "2026-11-26T05:00:00Z")])).toBe(1);
  expect(
    mostUrgent([row("create_sheets", "2026-11-26T05:00:00Z"), row("pay_vendors", "2026-11-27T05:00:00Z", true)]),
  ).toBe(1);
  expect(mostUrgent([row("deliver", "2026-11-25T05:00:00Z"), row("create_sheets", "2026-11-26T05:00:00Z")])).toBe(1);
  expect(mostUrgent([row("create_sheets", "2026-11-26T05:00:00Z"), row("create_sheets", "2026-11-25T05:00:00Z")])).toBe(
    1,
  );
  expect(mostUrgent([row("create_sheets", "2026-11-26T05:00:00Z"), row("create_sheets", "2026-11-26T05:00:00Z")])).toBe(
    0,
  );
});
