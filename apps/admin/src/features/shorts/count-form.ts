import { shareOut } from "@marketday/domain/stock";

import type { Count, DayItem, Share, Shortage } from "./api.ts";

/** What a person fills in for an item. */
export interface CountForm {
  /** As it is typed. */
  came: string;
  /** Units by box, set by hand; null: by the rule. */
  gets: Record<string, number> | null;
  refundTo: Shortage["refundTo"];
  bearer: Shortage["bearer"];
  reason: string;
}

/** What was typed and is not saved, over a version of the shortage; null: over none. */
export interface Draft {
  form: CountForm;
  over: number | null;
}

const EMPTY: CountForm = { came: "", gets: null, refundTo: "card", bearer: "vendor", reason: "" };

/** The form of what is saved. */
export const formOf = (shortage: Shortage | undefined): CountForm =>
  shortage
    ? {
        came: String(shortage.came),
        gets: shortage.gets,
        refundTo: shortage.refundTo,
        bearer: shortage.bearer,
        reason: shortage.reason,
      }
    : EMPTY;

const sortedGets = (gets: CountForm["gets"]) =>
  gets && Object.entries(gets).toSorted(([one], [other]) => Number(one) - Number(other));
/** Whether two forms say the same. */
export const isSameForm = (one: CountForm, other: CountForm): boolean =>
  one.came.trim() === other.came.trim() &&
  one.refundTo === other.refundTo &&
  one.bearer === other.bearer &&
  one.reason.trim() === other.reason.trim() &&
  JSON.stringify(sortedGets(one.gets)) === JSON.stringify(sortedGets(other.gets));

/** The number that was typed, 0 to what is ordered. "empty": nothing is typed. "invalid": no whole number. "more": than are ordered. */
export function parseCame(text: string, ordered: number): number | "empty" | "invalid" | "more" {
  const typed = text.trim();
  if (typed === "") return "empty";
  if (!/^\d{1,6}$/.test(typed)) return "invalid";
  return Number(typed) > ordered ? "more" : Number(typed);
}

/** A box as the person sees it while they type. */
export type BoxShare = Share & { gets: number };

/**
 * What each box gets: by hand, else by the rule, calculated here so that it follows each key. `shares`: the boxes of the last plan, the
 * oldest first. A box that came since is not among those set by hand, and has what it ordered.
 */
export function applyShares(shares: readonly Share[], came: number, gets: CountForm["gets"]): BoxShare[] {
  if (gets) return shares.map((share) => ({ ...share, gets: gets[share.boxId] ?? share.ordered }));
  const byRule = shareOut(
    came,
    shares.map(({ ordered }) => ordered),
  );
  return shares.map((share, place) => ({ ...share, gets: byRule[place] ?? 0 }));
}

/** Units that are still to be given to boxes; below zero, too many were given. */
export const unitsLeft = (boxes: readonly BoxShare[], came: number): number =>
  came - boxes.reduce((sum, { gets }) => sum + gets, 0);

/** All shares set by hand, with one box changed by a number of units: never below 0 or above what it ordered. */
export const adjustBox = (boxes: readonly BoxShare[], boxId: number, by: number): Record<string, number> =>
  Object.fromEntries(
    boxes.map((box) => [box.boxId, box.boxId === boxId ? Math.max(0, Math.min(box.ordered, box.gets + by)) : box.gets]),
  );

/** What is sent for a form whose number is valid. */
export const countOf = (item: DayItem, form: CountForm, came: number): Count => ({
  variantId: item.variantId,
  came,
  of: item.ordered,
  gets: form.gets,
  refundTo: form.refundTo,
  bearer: form.bearer,
  reason: form.reason.trim(),
});
