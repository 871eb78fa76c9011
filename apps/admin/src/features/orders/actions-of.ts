import type { ActionSummary, StaffAction } from "@marketday/contracts/admin/actions";
import type { OrderBox } from "@marketday/contracts/admin/orders";

/** What was done and can be taken back. */
const REVERSIBLE: ReadonlySet<ActionSummary["kind"]> = new Set([
  "mark_paid",
  "change_place",
  "write_note",
  "bulk_deliver",
  "bulk_place",
]);

/** Undo in the panel of a box takes back nothing of another one: what was done to many is taken back in the recent changes. */
const isOfMany = ({ summary }: StaffAction): boolean =>
  (summary.kind === "bulk_deliver" || summary.kind === "bulk_place") && summary.orderIds.length > 1;

/** Whether an action is about one of these orders. */
function isAbout({ summary }: StaffAction, orderIds: readonly number[]): boolean {
  if ("orderIds" in summary) return summary.orderIds.some((id) => orderIds.includes(id));
  return "orderId" in summary && orderIds.includes(summary.orderId);
}

/**
 * The actions that the panel of a box shows: what is held or running, a refusal that nothing has followed, and the newest one that can
 * be taken back. `actions`: newest first.
 */
export function shownActionsOf(
  { held, orderIds, money }: Pick<OrderBox, "held" | "orderIds" | "money">,
  actions: readonly StaffAction[],
): StaffAction[] {
  const about = actions.filter((action) => isAbout(action, orderIds));
  const known = new Map(about.map((action) => [action.id, action]));
  // The list may be newer than the box, and the other way round: what is over in one of them is over.
  const pending = [
    ...held.filter(({ id }) => !known.has(id) || isPending(known.get(id)!)),
    ...about.filter((action) => isPending(action) && !held.some(({ id }) => id === action.id)),
  ];
  const newest = about.find(({ state }) => state !== "undone");
  const isShown =
    newest?.state === "refused" ||
    (newest?.state === "done" &&
      REVERSIBLE.has(newest.summary.kind) &&
      newest.canUndo &&
      !isOfMany(newest) &&
      (newest.summary.kind !== "mark_paid" || money.state !== "due"));
  const last = newest && isShown ? [newest] : [];
  return [...pending, ...last];
}

const isPending = ({ state }: StaffAction): boolean => state === "held" || state === "running";

/** How many other boxes were paid in the same step. */
export const othersOf = ({ summary }: Pick<StaffAction, "summary">): number =>
  summary.kind === "mark_paid" ? summary.boxes - 1 : 0;
