import type { ListedOrder, OrderList } from "@marketday/contracts/admin/order-list";

/** Sums of boxes, the money in cents. */
interface SelectionSums {
  /** Null: of too many to count them. */
  lines: number | null;
  total: number;
  due: number;
  /** Units of what the filter names; null: it names nothing. */
  matchingUnits: number | null;
}

/** Boxes that are chosen, on whichever page, with their sums. */
export interface Selection {
  ids: ReadonlySet<number>;
  sums: SelectionSums;
  /** What each added to the sums, as far as it is known: that is what is taken off, whatever happened to the order meanwhile. */
  added: ReadonlyMap<number, SelectionSums>;
  /** The row that was chosen last: a range begins there. */
  anchor: number | null;
}

export const NONE: Selection = {
  ids: new Set(),
  added: new Map(),
  sums: { lines: 0, total: 0, due: 0, matchingUnits: null },
  anchor: null,
};

const toCents = (dollars: number): number => Math.round(dollars * 100);

type Row = Pick<ListedOrder, "orderId" | "status" | "lines" | "total" | "money" | "matchingUnits">;

/** A cancelled box counts as an order only, as in the sums of the list. */
function amountsOf({ status, lines, total, money, matchingUnits }: Row): SelectionSums {
  if (status === "cancelled") return { lines: 0, total: 0, due: 0, matchingUnits: matchingUnits === null ? null : 0 };
  const due = money.state === "due" ? toCents(money.amount) : 0;
  return { lines, total: toCents(total), due, matchingUnits };
}

const add = (sums: SelectionSums, more: SelectionSums, sign: 1 | -1): SelectionSums => ({
  lines: sums.lines === null || more.lines === null ? null : sums.lines + sign * more.lines,
  total: sums.total + sign * more.total,
  due: sums.due + sign * more.due,
  matchingUnits:
    more.matchingUnits === null ? sums.matchingUnits : (sums.matchingUnits ?? 0) + sign * more.matchingUnits,
});

/** Chooses rows, or takes them out. */
function put(
  { ids, sums, added }: Selection,
  rows: readonly Row[],
  isChosen: boolean,
  anchor: number | null,
): Selection {
  const next = new Set(ids);
  const amounts = new Map(added);
  let total = sums;
  for (const row of rows) {
    const { orderId } = row;
    if (next.has(orderId) === isChosen) continue;
    if (isChosen) {
      const now = amountsOf(row);
      next.add(orderId);
      amounts.set(orderId, now);
      total = add(total, now, 1);
    } else {
      next.delete(orderId);
      total = add(total, amounts.get(orderId) ?? amountsOf(row), -1);
      amounts.delete(orderId);
    }
  }
  return next.size === 0 ? { ...NONE, anchor } : { ids: next, sums: total, added: amounts, anchor };
}

/** A row is chosen or no longer. */
export const toggleRow = (selection: Selection, row: Row): Selection =>
  put(selection, [row], !selection.ids.has(row.orderId), row.orderId);

/** The rows from the last one to this one are chosen as that one was; without it on the page, the row alone. */
export function toggleRange(selection: Selection, rows: readonly Row[], row: Row): Selection {
  const from = rows.findIndex(({ orderId }) => orderId === selection.anchor);
  const to = rows.findIndex(({ orderId }) => orderId === row.orderId);
  if (from === -1 || to === -1) return toggleRow(selection, row);
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  return put(selection, range, selection.anchor !== null && selection.ids.has(selection.anchor), row.orderId);
}

/** All rows of the page are chosen; when they were, none of them. */
export function togglePage(selection: Selection, rows: readonly Row[]): Selection {
  const areAll = rows.every(({ orderId }) => selection.ids.has(orderId));
  return put(selection, rows, !areAll, selection.anchor);
}

/** All that match, with the sums of the list. `rows`: those of them that are shown. */
export const chooseAll = (ids: readonly number[], sums: OrderList["sums"], rows: readonly Row[] = []): Selection => ({
  ids: new Set(ids),
  added: new Map(rows.map((row) => [row.orderId, amountsOf(row)])),
  sums: {
    lines: sums.lines,
    total: toCents(sums.total),
    due: toCents(sums.due),
    matchingUnits: sums.matchingUnits,
  },
  anchor: null,
});
