import type { ActionSummary, StaffAction } from "@marketday/contracts/admin/actions";
import { expect, test } from "vitest";

import { secondsUntil } from "../../lib/use-seconds-left.ts";
import { countdownOf, findLast, shownActions } from "./shown-actions.ts";
import { didWords, doneWords, heldWords } from "./words.ts";

const now = new Date("2026-11-26T10:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();
const summary: ActionSummary = {
  kind: "short",
  shortageId: 1,
  title: "Pasture Eggs",
  came: 9,
  of: 12,
  boxes: 3,
  back: 23.82,
  mails: 3,
  refunds: 3,
};
const action = (change: Partial<StaffAction>): StaffAction => ({
  id: 1,
  summary,
  state: "held",
  hub: { id: 1, slug: "carmel", name: "Carmel", timeZone: "America/Indiana/Indianapolis" },
  day: "2026-11-26",
  by: "Ada",
  isOwn: true,
  canUndo: true,
  createdAt: at(-18),
  dueAt: at(42),
  endedAt: null,
  problem: null,
  ...change,
});
const shown = (one: StaffAction, watched: number[] = [], closed: string[] = [], mounted: number[] = []) =>
  shownActions({
    actions: [one],
    now,
    watched: new Set(watched),
    closed: new Set(closed),
    mounted: new Set(mounted),
  }).length === 1;

test("held: the ring and the words have the seconds that are left", () => {
  expect(countdownOf(action({}), 42)).toEqual({ left: 42, of: 60 });
  expect(countdownOf(action({ state: "done", dueAt: null }), 0)).toBeNull();
  expect([secondsUntil(at(42), now), secondsUntil(at(41.2), now), secondsUntil(at(-3), now)]).toEqual([42, 42, 0]);
  expect(heldWords(summary, 42)).toBe("3 refunds and 3 emails send in 42 s");
  expect(heldWords({ ...summary, refunds: 1, mails: 0 }, 0)).toBe("1 refund sends now");
  // Two of three boxes are paid at the door: nothing goes back to them.
  expect(heldWords({ ...summary, refunds: 1 }, 42)).toBe("1 refund and 3 emails send in 42 s");
  expect(doneWords(action({ state: "refused", problem: "It was delivered." }))).toBe(
    "Could not be done: It was delivered.",
  );
});

test("shown: what is held, what became of it where it was seen, and what was refused until it is closed; never someone else's", () => {
  expect(shown(action({}))).toBe(true);
  expect(shown(action({ isOwn: false }))).toBe(false);
  const done = action({ state: "done", dueAt: null, endedAt: at(0) });
  expect([shown(done), shown(done, [1])]).toEqual([false, true]);
  const refused = action({ state: "refused", dueAt: null, endedAt: at(0) });
  expect([shown(refused), shown(refused, [], ["1 refused"])]).toEqual([true, false]);
});

test("shown: what was done at once has its Undo for ten seconds", () => {
  const atOnce = (seconds: number) =>
    action({ state: "done", dueAt: null, createdAt: at(-seconds), endedAt: at(-seconds) });
  expect([shown(atOnce(9)), shown(atOnce(11))]).toEqual([true, false]);
});

test("shown: a payment behind a newer one has no Undo after its ten seconds; the pointer holds the one in front", () => {
  const payment = action({ state: "done", dueAt: null, createdAt: at(-11), endedAt: at(-11) });
  expect([shown(payment, [1]), shown(payment, [1], [], [1])]).toEqual([false, true]);
  const sent = (seconds: number) => action({ state: "done", dueAt: null, endedAt: at(-seconds) });
  expect([shown(sent(59), [1]), shown(sent(61), [1])]).toEqual([true, false]);
});

test("undo by key: the newest that is shown; while that is being undone or was, none before it", () => {
  const one = (id: number, change: Partial<StaffAction>) => action({ id, ...change });
  const held = one(1, {});
  const undone = one(2, { state: "undone", canUndo: false, dueAt: null });
  const refused = one(3, { state: "refused", canUndo: false, dueAt: null });
  expect(findLast([one(2, {}), held])?.id).toBe(2);
  expect(findLast([undone, held])).toBeUndefined();
  expect(findLast([refused, held])?.id).toBe(1);
});

test("paid: one box is named by its order, several by their number", () => {
  const paid = (boxes: number): ActionSummary => ({ kind: "mark_paid", orderIds: [397_120_862], boxes, amount: 13 });
  const words = (boxes: number) => doneWords({ summary: paid(boxes), state: "done", problem: null });
  expect(words(1)).toBe("Order 397\u00A0120\u00A0862 marked as paid, $13.00");
  expect(words(23)).toBe("23 boxes marked as paid, $13.00");
  expect(didWords(paid(1))).toBe("marked order 397\u00A0120\u00A0862 as paid, $13.00");
});
