import type { DayBox } from "./api.ts";

/** The filters of the list by state. */
export const VIEWS = ["all", "due", "declined", "cancelled"] as const;
export type View = (typeof VIEWS)[number];

const rules: Record<View, (box: DayBox) => boolean> = {
  all: () => true,
  due: ({ status, money }) => status !== "cancelled" && money.state === "due",
  declined: ({ status, money }) => status !== "cancelled" && money.state === "declined",
  cancelled: ({ status }) => status === "cancelled",
};

/** The filter in an address; what is no filter is all. */
export const viewOf = (text: string | null): View => VIEWS.find((view) => view === text) ?? "all";

const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();

/** Whether a text is part of a box's name, or begins its order number (spaces or not), or is its tote. */
function fits(box: DayBox, text: string): boolean {
  const digits = text.replaceAll(/[\s#]/g, "");
  if (/^\d+$/.test(digits))
    return String(box.tote ?? "") === digits || (digits.length > 2 && String(box.orderId).startsWith(digits));
  return plain(box.name).includes(text) || plain(box.place).includes(text);
}

/** The boxes of a view that a text finds: by name, place, tote or order number. */
export function filterBoxes(boxes: readonly DayBox[], view: View, text: string): DayBox[] {
  const wanted = plain(text);
  return boxes.filter((box) => rules[view](box) && (wanted === "" || fits(box, wanted)));
}

/** How many boxes each view has. */
export const countViews = (boxes: readonly DayBox[]): Record<View, number> =>
  Object.fromEntries(VIEWS.map((view) => [view, boxes.filter(rules[view]).length])) as Record<View, number>;

const addUp = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100;

/** The sums of boxes, of those that are not cancelled. */
export function sumBoxes(boxes: readonly DayBox[]) {
  const live = boxes.filter((box) => !rules.cancelled(box));
  return {
    boxes: live.length,
    cancelled: boxes.length - live.length,
    total: addUp(live.map(({ total }) => total)),
    due: addUp(live.filter(rules.due).map(({ money }) => money.amount)),
  };
}

/** The address of a list with a filter. */
export function withFilter(path: string, search: string, change: { view?: View; text?: string }): string {
  const params = new URLSearchParams(search);
  if (change.view !== undefined) {
    if (change.view === "all") params.delete("show");
    else params.set("show", change.view);
  }
  if (change.text !== undefined) {
    if (change.text.trim() === "") params.delete("q");
    else params.set("q", change.text);
  }
  const query = params.toString();
  return query === "" ? path : `${path}?${query}`;
}
