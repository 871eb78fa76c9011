import type { DayItem, DayShorts, Shortage } from "./api.ts";
import type { Draft } from "./count-form.ts";

/** A row of the list. */
export interface ListEntry {
  key: string;
  variantId: number;
  item: DayItem | undefined;
  /** Undefined: it is typed and not saved. */
  shortage: Shortage | undefined;
  title: string;
  /** As it is typed, where it is not saved. */
  came: number | string;
  of: number;
  /** Something is typed that is not saved. */
  hasDraft: boolean;
  /** Its address shows this row, and not a later count of the same item. */
  opens: boolean;
}

/** In place of a number that is not typed yet. */
const UNKNOWN = "–";

export interface ListGroups {
  toSettle: ListEntry[];
  held: ListEntry[];
  settled: ListEntry[];
}

/** Rows that have something to settle: a number that is typed and says that all came has not. */
export const unsettledOf = (toSettle: readonly ListEntry[]): ListEntry[] =>
  toSettle.filter(({ shortage, came, of }) => shortage !== undefined || String(came).trim() !== String(of));

/** The rows of a day: what is counted or typed, what is held, what is settled. What is typed for an item that no one has counted comes last. */
export function groupEntries(
  { items, shortages }: Pick<DayShorts, "items" | "shortages">,
  drafts: Readonly<Record<string, Draft>>,
): ListGroups {
  const itemOf = (variantId: number) => items.find((item) => item.variantId === variantId);
  const open = new Set(shortages.filter(({ state }) => state !== "settled").map(({ variantId }) => variantId));
  const shown = new Set<number>();
  const entries = shortages.map((shortage): ListEntry => {
    const { id, variantId, state, action } = shortage;
    const item = itemOf(variantId);
    const draft = state === "counted" ? drafts[variantId] : undefined;
    const summary = action?.summary;
    const opens = state === "settled" ? !open.has(variantId) && !drafts[variantId] && !shown.has(variantId) : true;
    shown.add(variantId);
    return {
      key: String(id),
      variantId,
      item,
      shortage,
      title: item?.title ?? (summary?.kind === "short" ? summary.title : String(variantId)),
      came: draft ? draft.form.came || UNKNOWN : shortage.came,
      of: state === "counted" ? (item?.ordered ?? shortage.of) : shortage.of,
      hasDraft: draft !== undefined,
      opens,
    };
  });
  const typed = Object.entries(drafts).flatMap(([id, { form }]): ListEntry[] => {
    const variantId = Number(id);
    const item = itemOf(variantId);
    if (!item || open.has(variantId)) return [];
    const { title, ordered } = item;
    return [
      {
        key: `typed ${id}`,
        variantId,
        item,
        shortage: undefined,
        title,
        came: form.came || UNKNOWN,
        of: ordered,
        hasDraft: true,
        opens: true,
      },
    ];
  });
  const inState = (state: Shortage["state"]) => entries.filter(({ shortage }) => shortage?.state === state);
  return { toSettle: [...inState("counted"), ...typed], held: inState("held"), settled: inState("settled") };
}
