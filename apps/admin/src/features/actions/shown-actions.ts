import type { StaffAction } from "@marketday/contracts/admin/actions";
import { Minute, Second } from "@marketday/domain/time";

/** How long the Undo of something that was done at once stays, and what became of something that was held, ms. */
export const UNDO_MS = 10 * Second.ms;
export const RESULT_MS = 6 * Second.ms;
/** A result that no toast has shown in this time is no news. */
const NEWS_MS = Minute.ms;

/** A person closed the toast of an action in this state. */
export const closedKey = ({ id, state }: Pick<StaffAction, "id" | "state">): string => `${id} ${state}`;

interface Seen {
  actions: readonly StaffAction[];
  now: Date;
  /** Ids of those that this page has shown before. */
  watched: ReadonlySet<number>;
  /** Of `closedKey`. */
  closed: ReadonlySet<string>;
  /** Ids of those whose toast is on the page: they close by their own time, which the pointer stops. */
  mounted: ReadonlySet<number>;
}

/**
 * The person's own actions that are shown over the page, newest first: what is held or runs, what was done at once a moment ago, what has
 * become of one that was shown, and each that could not be done, until it is closed. The time of one that waits behind another runs too.
 */
export const shownActions = ({ actions, now, watched, closed, mounted }: Seen): StaffAction[] =>
  actions.filter((action) => {
    const { id, state, isOwn, endedAt } = action;
    if (!isOwn || closed.has(closedKey(action))) return false;
    if (state === "held" || state === "running" || state === "refused" || mounted.has(id)) return true;
    const age = endedAt === null ? 0 : now.getTime() - Date.parse(endedAt);
    return wasAtOnce(action) ? age < UNDO_MS : watched.has(id) && age < NEWS_MS;
  });

/** It was not held: its Undo takes back what has happened. */
const wasAtOnce = ({ state, dueAt, createdAt, endedAt }: StaffAction): boolean =>
  state === "done" && dueAt === null && createdAt === endedAt;

/**
 * What the key of Undo takes back: the newest of those that are shown, a refusal aside. None while that one is no longer to be undone: a
 * second press takes back nothing that the person did before.
 */
export function findLast(shown: readonly StaffAction[]): StaffAction | undefined {
  const newest = shown.find(({ state }) => state !== "refused");
  return newest?.canUndo ? newest : undefined;
}

/** Seconds until an action is done, of which `left` are left, and of how many; null: it is not held. */
export function countdownOf(
  { state, dueAt, createdAt }: StaffAction,
  left: number,
): { left: number; of: number } | null {
  if (state !== "held" || dueAt === null) return null;
  return { left, of: Math.round((Date.parse(dueAt) - Date.parse(createdAt)) / Second.ms) };
}
