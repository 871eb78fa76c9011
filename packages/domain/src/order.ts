/** States, ids and the countdown of an order (spec §4 Order status, docs/product.md §8). What its customer reads and may do: `order-state.ts`. */

import { daysBetween, dateInZone, formatLong, formatWeekday, wallClock } from "./calendar-date.ts";
import { atOrAfter, Hour, Minute, msBetween } from "./time.ts";

/** For each state, the states that may follow. */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>;

/** The states from which a transition leads to `to`, in the table's order. */
export function statesBefore<S extends string>(transitions: Transitions<S>, to: S): S[] {
  return (Object.keys(transitions) as S[]).filter((from) => transitions[from].includes(to));
}

/** The states that are not final: another transition may follow. */
export function openStates<S extends string>(transitions: Transitions<S>): S[] {
  return (Object.keys(transitions) as S[]).filter((from) => transitions[from].length > 0);
}

const ORDER_STATUSES = ["future", "open", "pending", "closed", "cancelled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * The transitions of an order (docs/product.md §8): it opens with its cycle, is pending from the cutoff (a pre-order whose
 * cycle never opened, too) and closed when delivered. An operator may cancel it in any state, and move an open one to a later day,
 * where it opens again. That a delivery is undone, so that the order is pending again (`undo-delivery.ts`), is no transition of the
 * week: a cutoff would undo it too.
 */
export const orderTransitions: Transitions<OrderStatus> = {
  future: ["open", "pending", "cancelled"],
  open: ["future", "pending", "cancelled"],
  pending: ["closed", "cancelled"],
  closed: ["cancelled"],
  cancelled: [],
};

/**
 * A new order id: nine digits, the first not zero (docs/product.md §2 Ids). `randomInt(min, max)` gives an integer from `min`
 * up to but not including `max`, as `crypto.randomInt` does.
 */
export function newOrderId(randomInt: (min: number, max: number) => number): number {
  return randomInt(100_000_000, 1_000_000_000);
}

/** How long an order can still be added to. */
export type TimeLeft = { unit: "day" | "hour" | "minute"; count: number };

/**
 * The time left until a cutoff: whole days by the hub's wall clock, hours when under a day (spec §2.4), minutes when
 * under an hour, at least one. Null at or after the cutoff.
 */
export function timeLeft(now: Date, cutoff: Date, zone: string): TimeLeft | null {
  if (atOrAfter(now, cutoff)) return null;
  const from = wallClock(now, zone);
  const to = wallClock(cutoff, zone);
  // By the wall clock, so that a day of 23 or 25 hours is one day.
  const days = daysBetween(from.date, to.date) - (from.timeOfDayMs > to.timeOfDayMs ? 1 : 0);
  if (days >= 1) return { unit: "day", count: days };
  const ms = msBetween(now, cutoff);
  if (ms >= Hour.ms) return { unit: "hour", count: Math.floor(ms / Hour.ms) };
  return { unit: "minute", count: Math.max(1, Math.floor(ms / Minute.ms)) };
}

/** "2 days left to add", "6 hours left", "1 minute left"; null at or after the cutoff. */
export function formatTimeLeft(now: Date, cutoff: Date, zone: string): string | null {
  const left = timeLeft(now, cutoff, zone);
  if (left === null) return null;
  const span = `${left.count} ${left.unit}${left.count === 1 ? "" : "s"} left`;
  return left.unit === "day" ? `${span} to add` : span;
}

/** "1AM", "12:30PM": an instant's time of day in a zone. */
export function formatClock(instant: Date, zone: string): string {
  const minutes = Math.floor(wallClock(instant, zone).timeOfDayMs / Minute.ms);
  const hour = Math.floor(minutes / 60);
  const minute = minutes % 60;
  return `${hour % 12 === 0 ? 12 : hour % 12}${minute === 0 ? "" : `:${String(minute).padStart(2, "0")}`}${hour < 12 ? "AM" : "PM"}`;
}

/** "closes at 1AM tonight", "closes at 1AM Wednesday", "closes at 1AM Wednesday, December 2"; null at or after the cutoff. */
export function formatCloses(now: Date, cutoff: Date, zone: string): string | null {
  if (atOrAfter(now, cutoff)) return null;
  const days = daysBetween(wallClock(now, zone).date, wallClock(cutoff, zone).date);
  const tonight = days === 0 || (days === 1 && wallClock(cutoff, zone).timeOfDayMs < 6 * Hour.ms);
  return `closes at ${tonight ? `${formatClock(cutoff, zone)} tonight` : formatOrderBy(cutoff, zone, now)}`;
}

/** "1AM Wednesday", more than six days away "1AM Wednesday, December 2": what an order-by line shows of a cutoff. */
export function formatOrderBy(cutoff: Date, zone: string, now: Date): string {
  return `${formatClock(cutoff, zone)} ${formatWeekday(dateInZone(cutoff, zone), dateInZone(now, zone))}`;
}

/** "1AM Wednesday, December 23": a cutoff that may be weeks away. */
export function formatChangeBy(cutoff: Date, zone: string, now: Date): string {
  return `${formatClock(cutoff, zone)} ${formatLong(dateInZone(cutoff, zone), dateInZone(now, zone))}`;
}
