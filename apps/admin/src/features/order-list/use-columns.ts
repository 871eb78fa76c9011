import type { OrderQuery } from "@marketday/domain/order-query";
import { useCallback, useMemo, useState } from "react";

import { getItem, removeItem, setItem } from "../../lib/storage.ts";
import { chosenColumns, type ColumnKey, columnsOf, fittingColumns, phoneColumns, usualColumns } from "./columns.tsx";
import type { ListAddress } from "./list-address.ts";
import type { ListView } from "./views.ts";

const storedColumns = (key: string) => `order-columns:${key}`;

/** The columns that a view holds, of the market's own views in this browser; null: the usual ones. */
export const readColumns = (view: ListView): readonly string[] | null =>
  view.saved ? (view.columns.length > 0 ? view.columns : null) : getItem<string[]>("local", storedColumns(view.key));

/** Keeps the columns of one of the market's own views in this browser; a saved view holds its own. Null: the usual ones. */
export function storeColumns(view: ListView, columns: readonly ColumnKey[] | null): void {
  if (view.saved) return;
  if (columns === null) removeItem("local", storedColumns(view.key));
  else setItem("local", storedColumns(view.key), columns);
}

/** Beside the panel. */
const BESIDE: readonly ColumnKey[] = ["tote", "name", "total", "money"];

interface Columns {
  address: ListAddress;
  view: ListView;
  query: OrderQuery;
  isOneHub: boolean;
  isBeside: boolean;
  isNarrow: boolean;
}

/** The columns that are chosen and usual, those that the table has room for, and the ref of the list, whose width that is. */
export function useColumns({ address, view, query, isOneHub, isBeside, isNarrow }: Columns) {
  const usual = usualColumns({
    isOneDay: query.tokens.filter(({ name }) => name === "day").length === 1 && !address.q.includes(".."),
    isOneHub,
    hasMatch: query.tokens.some(({ name }) => name === "product" || name === "vendor"),
  });
  const keys = chosenColumns(address.columns ?? readColumns(view), usual);
  const [list, width] = useWidth();
  const text = fittingColumns(isBeside ? BESIDE : keys, width).join();
  // The same array for the same keys: rows are rendered again only for what they show.
  const columns = useMemo(
    () => (isNarrow ? phoneColumns() : columnsOf(text.split(",") as ColumnKey[])),
    [text, isNarrow],
  );
  return { keys, usual, columns, list };
}

/** The width of an element, px; the window's until it is known. */
function useWidth() {
  const [width, setWidth] = useState(() => innerWidth);
  const observe = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      // A list that is not shown has none.
      if (entry && entry.contentRect.width > 0) setWidth(entry.contentRect.width);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [observe, width] as const;
}
