import type { ListedOrder } from "@marketday/contracts/admin/order-list";
import { useMemo, useState } from "react";

import { nextRows, reuseRows, type SteadyRows } from "../orders/steady-rows.ts";

export const keyOf = ({ orderId }: ListedOrder): number => orderId;

interface Shown {
  orders: readonly ListedOrder[];
  view: string;
  openKey: number | null;
  /** What every row was when it was last in an answer. */
  known: ReadonlyMap<number, ListedOrder>;
  steady: SteadyRows;
  /** Rows that the newest answer does not have. */
  gone: ReadonlySet<number>;
}

/** The rows after an answer for the page that is shown; with another filter or page they begin again. */
export function showRows(
  before: Shown | null,
  orders: readonly ListedOrder[],
  view: string,
  openKey: number | null,
): Shown {
  const same = before?.view === view ? before : null;
  const fresh = same ? reuseRows(same.known, orders, keyOf) : orders;
  const keys = new Set(fresh.map(keyOf));
  const left = same ? same.steady.keys.flatMap((key) => (keys.has(key) ? [] : (same.known.get(key) ?? []))) : [];
  const rows = [...fresh, ...left];
  return {
    orders,
    view,
    openKey,
    known: new Map(rows.map((row) => [keyOf(row), row])),
    steady: nextRows(same?.steady ?? null, { rows, keyOf, view, found: fresh, openKey }),
    gone: new Set(left.map(keyOf)),
  };
}

/**
 * The rows of the page: live data marks them and moves none. Rows that no longer match, or are on another page now, stay until the
 * filter or page changes. `orders` is undefined until they have arrived for this `view` (the filter and page as text).
 */
export function useListRows(orders: readonly ListedOrder[] | undefined, view: string, openKey: number | null) {
  const [shown, setShown] = useState<Shown | null>(null);
  if (orders && (shown?.orders !== orders || shown.view !== view || shown.openKey !== openKey))
    setShown(showRows(shown, orders, view, openKey));
  const rows = useMemo(() => shown?.steady.keys.flatMap((key) => shown.known.get(key) ?? []), [shown]);
  return { rows, changed: shown?.steady.changed, gone: shown?.gone, view: shown?.view ?? null };
}
