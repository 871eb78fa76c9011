/** What of each delivery day is done, due and late, and what a person does next (docs/product.md §18). */

import { addDays, type CalendarDate, dateInZone } from "./calendar-date.ts";
import { DAY_STEPS, type DayStepName, type DayStepState, NEXT_KINDS, type NextKind } from "./day-steps.ts";
import { instantOf } from "./delivery.ts";
import { getOrThrow } from "./get-or-throw.ts";
import { addMs, atOrAfter, Day, Hour, isBefore, Minute } from "./time.ts";
import { formatTotes } from "./totes.ts";
import { planWeek, type StepState, type WeekDay, type WeekLineItem, type WeekStep } from "./week-plan.ts";

/** When sheets should have been made, by the hub's clock: the first time after the cutoff, and for changed ones on the delivery day. */
const SHEETS_BY = "06:00";
/** Vendors who are not paid so long after the end of a delivery day are paid late. */
export const PAYOUT_LATE_MS = 7 * Day.ms;

/** Boxes that a person does something with. Cents. */
export interface BoxSet {
  /** Numbers of their first orders. */
  orders: readonly number[];
  /** Their totes, ascending. Fewer than the orders when some are in none. */
  totes: readonly number[];
  cents: number;
}

/** A counted shortage: a vendor's slug, an item's variant, units that came of those that were ordered. */
interface OpenShortage {
  vendor: string;
  variantId: number;
  came: number;
  of: number;
  refundTo: string;
  bearer: string;
  /** Its shares were set by hand: `market short` would share it out by the rule. */
  isByHand: boolean;
}

/** What the database says of a delivery day. Instants; cents. */
export interface DayFacts extends WeekDay {
  hub: { slug: string; name: string; timeZone: string };
  day: CalendarDate;
  /** Boxes with a live order, and how many of them are marked as delivered. */
  boxes: number;
  deliveredBoxes: number;
  /** When the last of them was. */
  deliveredAt: Date | null;
  /** Customers whom the automatic checkout should order for, and those it ordered for. */
  autoWanted: number;
  autoOrdered: number;
  /** When the newest version's sheets were made, and whether those of an earlier one were; null: not yet. */
  sheetsAt: Date | null;
  hadSheets: boolean;
  /** Vendors with items in the newest version, those of them who have arrived, and when the last of these did. */
  vendors: number;
  arrivedVendors: number;
  arrivedAt: Date | null;
  /** Counted shortages that are not settled, and the first of them. */
  shorts: { count: number; first: OpenShortage | null };
  /** Orders whose card could not be charged. */
  declined: BoxSet;
  /** Boxes to collect at the door: paid offline, or packed although the card could not be charged. */
  toCollect: BoxSet;
  /** Boxes that are closed for changes and not marked as delivered. */
  undelivered: BoxSet;
  /** Vendors with a share in the day, those whose share a payout includes, when the last one was booked, and what is not paid. */
  payout: { vendors: number; paid: number; paidAt: Date | null; unpaidCents: number };
}

/** A step on the board. `at`: when it is due, or was done. */
interface DayStep {
  step: DayStepName;
  state: DayStepState;
  at: Date | null;
  count: number | null;
  total: number | null;
  /** Of `sheets`. */
  version: number | null;
}

/** The next thing to do. `cents`: what it is worth. `lateSince` null: it is not late. */
export interface NextAction {
  kind: NextKind;
  count: number | null;
  cents: number | null;
  lateSince: Date | null;
  dueAt: Date | null;
  /** The arguments of `./market`; null: nothing is to be done. */
  command: string | null;
}

/** A delivery day on the board. */
export interface DayPlan {
  steps: DayStep[];
  next: NextAction;
  /** Closed, and paid out as far as the person may see: there is nothing left to show. */
  isOver: boolean;
}

/** What a person may do and see. */
export interface Allowed {
  kinds: ReadonlySet<NextKind>;
  /** Payouts, also whether they were made. */
  payouts: boolean;
}

const NOTHING: NextAction = {
  kind: "nothing",
  count: null,
  cents: null,
  lateSince: null,
  dueAt: null,
  command: null,
};

/** The board's state of a step that the clockwork runs. What it runs within minutes is no one's task. */
const CLOCKWORK: Record<StepState, DayStepState> = {
  ahead: "ahead",
  due: "now",
  running: "now",
  late: "late",
  done: "done",
  // Done, but not for everybody: counts and declined cards say for whom.
  errors: "done",
  missed: "off",
  before: "off",
};

/** Steps of the clockwork by their names on the board. */
const BOARD_STEPS = {
  opens: "open",
  auto_checkout: "auto_checkout",
  cutoff: "cutoff",
  closed: "close",
} as const satisfies Partial<Record<DayStepName, WeekStep>>;

/** The clockwork's steps of a day, by name. */
type Lines = Readonly<Record<WeekStep, WeekLineItem>>;

/** The first `SHEETS_BY` of a hub's clock that is not before an instant. */
function sheetsBy(after: Date, zone: string): Date {
  const date = dateInZone(after, zone);
  const sameDay = instantOf(date, SHEETS_BY, zone);
  return isBefore(sameDay, after) ? instantOf(addDays(date, 1), SHEETS_BY, zone) : sameDay;
}

const lateFrom = (at: Date, now: Date): Date | null => (atOrAfter(now, at) ? at : null);

/** "carmel 2026-11-26 --tote 1-3,7"; by order numbers when a box is in no tote. */
const boxArguments = ({ hub, day }: DayFacts, { orders, totes }: BoxSet): string =>
  totes.length === orders.length ? `${hub.slug} ${day} --tote ${formatTotes(totes)}` : orders.join(" ");

const isCutOff = ({ cutoff }: Lines): boolean => cutoff.state === "done" || cutoff.state === "errors";

/** The sheets: null when there is nothing to print, or not yet. */
function sheetsAction(facts: DayFacts, lines: Lines, now: Date): NextAction | null {
  const { hub, day, snapshot, sheetsAt, hadSheets, closesAt, boxes } = facts;
  const { cutoff } = lines;
  if (!isCutOff(lines) || atOrAfter(now, closesAt) || boxes === 0) return null;
  const isStale = lines.sheets.state === "due" && snapshot !== null;
  if (sheetsAt !== null && !isStale) return null;
  const kind = sheetsAt !== null || hadSheets ? "renew_sheets" : "create_sheets";
  const dueAt =
    kind === "renew_sheets"
      ? instantOf(day, SHEETS_BY, hub.timeZone)
      : sheetsBy(cutoff.doneAt ?? facts.cutoffAt, hub.timeZone);
  return {
    kind,
    count: boxes,
    cents: null,
    lateSince: lateFrom(dueAt, now),
    dueAt,
    command: `sheets ${hub.slug} ${day}`,
  };
}

/** The shortages that were counted: settled once the orders are closed, by the end of the delivery day. */
function shortsAction({ hub, day, closesAt, shorts }: DayFacts, lines: Lines, now: Date): NextAction[] {
  if (!isCutOff(lines) || shorts.count === 0 || shorts.first === null) return [];
  const { vendor, variantId, came, of, refundTo, bearer, isByHand } = shorts.first;
  return [
    {
      kind: "settle_shorts",
      count: shorts.count,
      cents: null,
      lateSince: lateFrom(closesAt, now),
      dueAt: closesAt,
      command: isByHand
        ? null
        : `short ${hub.slug} ${day} ${vendor} ${variantId} ${came}/${of} --to ${refundTo} --bearer ${bearer} --reason counted`,
    },
  ];
}

/** Cards to charge again, money to collect, boxes to mark as delivered. The last two from the beginning of the delivery day on. */
function boxActions(facts: DayFacts, isClosed: boolean, now: Date): NextAction[] {
  const { hub, day, closesAt, declined, toCollect, undelivered } = facts;
  const lateSince = lateFrom(closesAt, now);
  const base = { lateSince, dueAt: closesAt };
  const hasBegun = day <= dateInZone(now, hub.timeZone);
  const actions: NextAction[] = [];
  if (hasBegun && toCollect.orders.length > 0)
    actions.push({
      ...base,
      kind: "collect_at_door",
      count: toCollect.orders.length,
      cents: toCollect.cents,
      command: `orders paid ${boxArguments(facts, toCollect)}`,
    });
  if (declined.orders.length > 0)
    actions.push({
      ...base,
      kind: "retry_charges",
      count: declined.orders.length,
      cents: declined.cents,
      command: `orders charge ${getOrThrow(declined.orders, 0)}`,
    });
  // At the end of the day the clockwork marks all; what is left after that was taken back by hand.
  if (hasBegun && undelivered.orders.length > 0 && (isClosed || lateSince === null))
    actions.push({
      ...base,
      kind: "deliver",
      count: undelivered.orders.length,
      cents: null,
      command: `orders deliver ${boxArguments(facts, undelivered)}`,
    });
  return actions;
}

function payoutAction({ day, closesAt, payout }: DayFacts, now: Date): NextAction[] {
  const waiting = payout.vendors - payout.paid;
  if (waiting <= 0) return [];
  const dueAt = addMs(closesAt, PAYOUT_LATE_MS);
  return [
    {
      kind: "pay_vendors",
      count: waiting,
      cents: payout.unpaidCents,
      lateSince: lateFrom(dueAt, now),
      dueAt,
      command: `ledger payouts --to ${day}`,
    },
  ];
}

/** Late ones first, then by kind, then the one that is due first. */
function compareUrgency(a: NextAction, b: NextAction): number {
  const isLate = ({ lateSince }: NextAction) => (lateSince === null ? 1 : 0);
  const at = ({ lateSince, dueAt }: NextAction) => (lateSince ?? dueAt)?.getTime() ?? Infinity;
  return (
    isLate(a) - isLate(b) ||
    NEXT_KINDS.indexOf(a.kind) - NEXT_KINDS.indexOf(b.kind) ||
    (at(a) === at(b) ? 0 : at(a) - at(b))
  );
}

/** The state of a step for which someone acts: late or due as the action is. */
const stateOfAction = ({ lateSince }: NextAction): DayStepState => (lateSince === null ? "due" : "late");

/** Vendors who have arrived. On the delivery day the rest are due; a day on which no one recorded any stays without numbers. */
function vendorsInStep(facts: DayFacts, lines: Lines, now: Date): DayStep {
  const { hub, day, snapshot, vendors, arrivedVendors, arrivedAt } = facts;
  const step = { step: "vendors_in", at: null, count: null, total: null, version: null } as const;
  const today = dateInZone(now, hub.timeZone);
  if (!snapshot) return { ...step, state: today <= day && !isCutOff(lines) ? "ahead" : "off" };
  if (vendors === 0) return { ...step, state: "off", total: 0 };
  if (arrivedVendors === 0) return { ...step, state: today <= day ? "ahead" : "off", total: vendors };
  const counted = { ...step, count: arrivedVendors, total: vendors };
  if (arrivedVendors >= vendors) return { ...counted, state: "done", at: arrivedAt };
  if (today < day) return { ...counted, state: "now" };
  return { ...counted, state: today === day ? "due" : "off" };
}

function deliveredStep(facts: DayFacts, isClosed: boolean, now: Date): DayStep {
  const { hub, day, boxes, deliveredBoxes, deliveredAt, closesAt } = facts;
  const step = { step: "delivered", at: closesAt, count: deliveredBoxes, total: boxes, version: null } as const;
  if (boxes === 0 && facts.snapshot) return { ...step, state: "off", at: null };
  if (boxes > 0 && deliveredBoxes >= boxes) return { ...step, state: "done", at: deliveredAt };
  if (atOrAfter(now, closesAt)) return { ...step, state: isClosed ? "late" : "now" };
  return { ...step, state: day <= dateInZone(now, hub.timeZone) || deliveredBoxes > 0 ? "now" : "ahead" };
}

function paidOutStep(facts: DayFacts, actions: readonly NextAction[], isClosed: boolean): DayStep {
  const { payout, closesAt } = facts;
  const step = { step: "paid_out", at: closesAt, count: payout.paid, total: payout.vendors, version: null } as const;
  if (!isClosed) return { ...step, state: "ahead", count: null, total: null };
  if (payout.vendors === 0) return { ...step, state: "off", at: null };
  const action = actions.find(({ kind }) => kind === "pay_vendors");
  return action ? { ...step, state: stateOfAction(action) } : { ...step, state: "done", at: payout.paidAt };
}

/**
 * The ten steps of a delivery day at `now`, and the next thing that a person does. Filled and loaded are not recorded: they are `off`,
 * and their total says how many there are. So are vendors in once a day has passed on which no one checked any in.
 */
export function planDay(facts: DayFacts, allowed: Allowed, now: Date): DayPlan {
  const { hub, snapshot, boxes } = facts;
  const lines = Object.fromEntries(planWeek(facts, now).map((line) => [line.step, line])) as Lines;
  const lineOf = (step: keyof typeof BOARD_STEPS) => lines[BOARD_STEPS[step]];
  const closed = lineOf("closed");
  const isClosed = CLOCKWORK[closed.state] === "done" || CLOCKWORK[closed.state] === "off";

  const late = (Object.keys(BOARD_STEPS) as (keyof typeof BOARD_STEPS)[])
    .map(lineOf)
    .find(({ state }) => state === "late");
  const sheets = sheetsAction(facts, lines, now);
  const actions: NextAction[] = [
    ...(late
      ? [{ ...NOTHING, kind: "run_late_step", lateSince: late.at ?? now, dueAt: late.at, command: "jobs run" } as const]
      : []),
    ...(sheets ? [sheets] : []),
    ...shortsAction(facts, lines, now),
    ...boxActions(facts, isClosed, now),
    ...(isClosed ? payoutAction(facts, now) : []),
  ];

  const clockworkStep = (step: keyof typeof BOARD_STEPS): DayStep => {
    const { state, at, doneAt } = lineOf(step);
    return { step, state: CLOCKWORK[state], at: doneAt ?? at, count: null, total: null, version: null };
  };
  const unrecorded = (step: DayStepName, total: number): DayStep => ({
    step,
    state: "off",
    at: null,
    count: null,
    total: snapshot ? total : null,
    version: null,
  });
  const steps: Record<DayStepName, () => DayStep> = {
    opens: () => clockworkStep("opens"),
    auto_checkout: () => {
      const { autoWanted: total, autoOrdered: count } = facts;
      const step = clockworkStep("auto_checkout");
      return ["done", "now"].includes(step.state) && total > 0 ? { ...step, count, total } : step;
    },
    cutoff: () => clockworkStep("cutoff"),
    sheets: () => {
      const { sheetsAt, hadSheets } = facts;
      const version = sheetsAt !== null || hadSheets ? (snapshot?.version ?? null) : null;
      const step = { step: "sheets", count: null, total: null, version } as const;
      if (sheets) return { ...step, state: stateOfAction(sheets), at: sheets.dueAt };
      if (sheetsAt !== null) return { ...step, state: "done", at: sheetsAt };
      const isAhead = ["ahead", "now", "late"].includes(CLOCKWORK[lineOf("cutoff").state]);
      return isAhead
        ? { ...step, state: "ahead", at: sheetsBy(facts.cutoffAt, hub.timeZone) }
        : { ...step, state: "off", at: null };
    },
    vendors_in: () => vendorsInStep(facts, lines, now),
    filled: () => unrecorded("filled", boxes),
    loaded: () => unrecorded("loaded", boxes),
    delivered: () => deliveredStep(facts, isClosed, now),
    closed: () => clockworkStep("closed"),
    paid_out: () =>
      allowed.payouts
        ? paidOutStep(facts, actions, isClosed)
        : { step: "paid_out", state: "off", at: null, count: null, total: null, version: null },
  };
  const mine = actions.filter(({ kind }) => allowed.kinds.has(kind)).toSorted(compareUrgency);
  const next = mine[0] ?? NOTHING;
  const isPaid = !allowed.payouts || payoutAction(facts, now).length === 0;
  return {
    steps: DAY_STEPS.map((step) => steps[step]()),
    next,
    isOver: isClosed && isPaid && next.kind === "nothing",
  };
}

/** Index of the row whose next thing is most urgent; null when nothing is to be done. */
export function mostUrgent(rows: readonly { next: NextAction }[]): number | null {
  let best: number | null = null;
  for (const [index, { next }] of rows.entries())
    if (next.kind !== "nothing" && (best === null || compareUrgency(next, rows[best]!.next) < 0)) best = index;
  return best;
}

/** How loud a count is. */
export type Loudness = "quiet" | "due" | "late";

/** Questions and messages that wait so long are late. */
export const ANSWER_LATE_MS = Day.ms;
/** A stored result of the checks that is older is not current. */
export const CHECKS_LATE_MS = 3 * Hour.ms;
/** Backups are made daily; one that is so old was missed, and two are late. */
export const BACKUP_DUE_MS = 26 * Hour.ms;
export const BACKUP_LATE_MS = 50 * Hour.ms;
/** Mails are sent every minute; one that waits so long is stuck. */
export const MAIL_LATE_MS = 15 * Minute.ms;
