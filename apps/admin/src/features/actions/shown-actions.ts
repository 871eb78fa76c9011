import type { StaffAction } from "@marketday/contracts/admin/actions";
import { Second } from "@marketday/domain/time";

/** How long the Undo of something that was done at once stays, and what became of something that was held, ms. */
export const UNDO_MS = 10 * Second.ms;
export const RESULT_MS = 6 * Second.ms;

/** A person closed the toast of an action in this state. */
export const closedKey = ({ id, state }: Pick<StaffAction, "id" | "state">): string => `${id} ${state}`;

interface Seen {
  actions: readonly StaffAction[];
  now: Date;
  /** Ids of those that this page has shown before. */
  watched: ReadonlySet<number>;
  /** Of `closedKey`. */
  closed: ReadonlySet<string>;
}

/**
 * The person's own actions that are shown over the page, newest first: what is held or runs, what was done at once a moment ago, what has
 * become of one that was shown, and each that could not be done, until it is closed.
 */
export const shownActions = ({ actions, now, watched, closed }: Seen): StaffAction[] =>
  actions.filter((action) => {
    const { id, state, isOwn, dueAt, createdAt, endedAt } = action;
    if (!isOwn || closed.has(closedKey(action))) return false;
    if (state === "held" || state === "running" || state === "refused" || watched.has(id)) return true;
    const wasAtOnce = state === "done" && dueAt === null && createdAt === endedAt;
    return wasAtOnce && now.getTime() - Date.parse(createdAt) < UNDO_MS;
  });

/** Seconds until an action is done, and of how many; null: it is not held. */
export function countdownOf({ state, dueAt, createdAt }: StaffAction, now: Date): { left: number; of: number } | null {
  if (state !== "held" || dueAt === null) return null;
  const left = Math.max(0, Math.ceil((Date.parse(dueAt) - now.getTime()) / Second.ms));
  return { left, of: Math.round((Date.parse(dueAt) - Date.parse(createdAt)) / Second.ms) };
}
