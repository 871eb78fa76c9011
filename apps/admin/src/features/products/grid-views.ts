import type { SavedView } from "@marketday/contracts/admin/order-list";
import { OFFER_VOCABULARY } from "@marketday/domain/offer-query";

import * as t from "#messages/products";

import { paths } from "../../lib/paths.ts";
import { canonical as canonicalIn } from "../list/filter-text.ts";
import { type NamedView, savedKey } from "../list/saved-views.ts";
import { type ColumnKey, isColumn } from "./columns.ts";

/** A tab of the grid. */
export interface GridView extends NamedView {
  /** Of a saved one; null: those of this browser. */
  columns: readonly ColumnKey[] | null;
}

/** What the address says of the grid, besides the market of the frame. */
export interface GridAddress {
  /** The key of the view that was opened; null: none. */
  view: string | null;
  q: string;
  /** Null: those of the view. */
  columns: readonly ColumnKey[] | null;
}

/** All rows of the grid have one order. */
export const GRID_SORT = "vendor";

const builtIn = (key: keyof typeof t.viewNames, q: string): GridView => ({
  key,
  name: t.viewNames[key],
  q,
  columns: null,
  saved: null,
});
/** The market's own views. */
const OWN: readonly GridView[] = [
  builtIn("all", ""),
  builtIn("watched", "stock:out has:watchers"),
  builtIn("oversold", "has:oversold"),
  builtIn("picture", "no:picture"),
  builtIn("sale", "has:sale"),
];

/** The market's own views, then the saved ones. */
export const gridViews = (saved: readonly SavedView[]): GridView[] => [
  ...OWN,
  ...saved.map((view) => ({
    key: savedKey(view),
    name: view.name,
    q: view.query,
    columns: view.columns.some(isColumn) ? view.columns.filter(isColumn) : null,
    saved: view,
  })),
];

/** A filter as it is compared. */
export const canonical = (q: string): string => canonicalIn({ vocabulary: OFFER_VOCABULARY }, q);

export function readAddress(search: string): GridAddress {
  const params = new URLSearchParams(search);
  const columns = params.get("columns")?.split(",").filter(isColumn) ?? [];
  return { view: params.get("view"), q: params.get("q") ?? "", columns: columns.length > 0 ? columns : null };
}

/** The address of the grid with a change. What else is in it stays. */
export function withAddress(search: string, { view, q, columns }: Partial<GridAddress>): string {
  const params = new URLSearchParams(search);
  const put = (name: string, value: string) => {
    if (value === "") params.delete(name);
    else params.set(name, value);
  };
  if (view !== undefined) put("view", view ?? "");
  if (q !== undefined) put("q", q.trim());
  if (columns !== undefined) put("columns", columns?.join(",") ?? "");
  const query = params.toString();
  return query === "" ? paths.products : `${paths.products}?${query}`;
}

/** Whether the address shows something else than its view holds. */
export const isChanged = (view: GridView, { q, columns }: GridAddress): boolean =>
  canonical(q) !== canonical(view.q) ||
  (view.saved !== null && columns !== null && columns.join() !== view.columns?.join());
