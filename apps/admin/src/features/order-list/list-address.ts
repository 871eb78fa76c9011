import type { ORDER_SORTS } from "@marketday/contracts/admin/order-list";

/** A column that the server sorts by. */
type SortColumn = (typeof ORDER_SORTS)[number];
/** "-" before it: downwards. */
export type Sort = SortColumn | `-${SortColumn}`;

/** The contract's own list would bring its validation into the app. */
const COLUMNS: Readonly<Record<SortColumn, true>> = {
  day: true,
  tote: true,
  placed: true,
  name: true,
  total: true,
  lines: true,
  due: true,
};

export const DEFAULT_SORT: Sort = "-day";

/** What the address says of the list, besides the market of the frame. */
export interface ListAddress {
  /** The key of the view that was opened; null: none. */
  view: string | null;
  /** The filter as text. */
  q: string;
  sort: Sort;
  page: number;
  /** Keys of the columns in their order; null: those of the view. */
  columns: readonly string[] | null;
}

const LAST_PAGE = 1_000_000;

export const isSortColumn = (key: string): key is SortColumn => Object.hasOwn(COLUMNS, key);
export const isSort = (text: string): text is Sort => isSortColumn(text.replace(/^-/, ""));

/** Reads the query of an address; what is no sort or page is the first one. */
export function readAddress(search: string): ListAddress {
  const params = new URLSearchParams(search);
  const sort = params.get("sort") ?? "";
  const page = Number(params.get("page"));
  const columns = params.get("columns");
  return {
    view: params.get("view"),
    q: params.get("q") ?? "",
    sort: isSort(sort) ? sort : DEFAULT_SORT,
    page: Number.isSafeInteger(page) && page > 1 ? Math.min(page, LAST_PAGE) : 1,
    columns: columns === null ? null : columns.split(",").filter(Boolean),
  };
}

/** An address of the list with a change; another filter, order or view begins at its first page. What else is in it stays. */
export function withAddress(path: string, search: string, change: Partial<ListAddress>): string {
  const params = new URLSearchParams(search);
  const put = (name: string, value: string) => {
    if (value === "") params.delete(name);
    else params.set(name, value);
  };
  if (change.view !== undefined) put("view", change.view ?? "");
  if (change.q !== undefined) put("q", change.q.trim());
  if (change.sort !== undefined) put("sort", change.sort === DEFAULT_SORT ? "" : change.sort);
  if (change.columns !== undefined) put("columns", change.columns?.join(",") ?? "");
  const begins = change.q !== undefined || change.sort !== undefined || change.view !== undefined;
  if (change.page !== undefined || begins) put("page", (change.page ?? 1) > 1 ? String(change.page) : "");
  const query = params.toString();
  return query === "" ? path : `${path}?${query}`;
}

/** The order after the head of a column was pressed: first the usual direction, then the other one. */
export function nextSort(current: Sort, column: SortColumn): Sort {
  const isUp = column === "name" || column === "tote";
  const first: Sort = isUp ? column : `-${column}`;
  const other: Sort = isUp ? `-${column}` : column;
  return current === first ? other : first;
}
