import type { StaffAction } from "@marketday/contracts/admin/actions";
import type { OrderBox } from "@marketday/contracts/admin/orders";

/** Whether an action is about one of these orders. */
function isAbout({ summary }: StaffAction, orderIds: readonly number[]): boolean {
  if (summary.kind === "mark_paid") return summary.orderIds.some((id) => orderIds.includes(id));
  return "orderId" in summary && orderIds.includes(summary.orderId);
}

/**
 * The actions that the panel of a box shows: what is held or running, a refusal that nothing has followed, and the newest payment that can
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
  const last =
    newest && (newest.state === "refused" || (isPaid(newest) && newest.canUndo && money.state !== "due"))
      ? [newest]
      : [];
  return [...pending, ...last];
}

const isPending = ({ state }: StaffAction): boolean => state === "held" || state === "running";
const isPaid = ({ state, summary }: StaffAction): boolean => state === "done" && summary.kind === "mark_paid";

/** How many other boxes were paid in the same step. */
export const othersOf = ({ summary }: Pick<StaffAction, "summary">): number =>
  summary.kind === "mark_paid" ? summary.boxes - 1 : 0;
