/** Pages of a list (docs/product.md §2 Paging, spec §2.4 Inbox). Pages count from 1. */

import { PAGES_SHOWN_WHOLE, ROWS_MAX } from "./limits.ts";

/** How many pages so many rows take; none for no rows. */
export function pageCount(totalRows: number, rowsPerPage: number): number {
  return Math.ceil(Math.max(0, totalRows) / rowsPerPage);
}

/** Rows per page as requested, at most 100 and at least 1 (failures I7). */
export function clampRows(rows: number): number {
  return Math.min(Math.max(1, Math.trunc(rows)), ROWS_MAX);
}

/** How many rows come before a page. */
export function pageOffset(page: number, rowsPerPage: number): number {
  return (page - 1) * rowsPerPage;
}

/** What stands for pages that are left out. */
export const ELLIPSIS = "…";

/**
 * The links of a pagination: all pages up to 6, otherwise the first, the last and a window of at least three round the
 * current one, with "…" for two or more pages left out (spec §9 Other). A current page out of range counts as the nearest.
 */
export function pageWindow(current: number, total: number): (number | typeof ELLIPSIS)[] {
  const pages = Array.from({ length: total }, (_, place) => place + 1);
  if (total <= PAGES_SHOWN_WHOLE) return pages;
  const here = Math.min(Math.max(1, current), total);
  // At either end the window is as wide as in the middle with its neighbours, so that the links do not jump.
  const from = Math.min(here - 1, total - 3);
  const to = Math.max(here + 1, 4);
  const shown = pages.filter((page) => page === 1 || page === total || (page >= from && page <= to));
  return shown.flatMap((page, place) => {
    const gap = page - (shown[place - 1] ?? 0) - 1;
    if (gap === 0) return [page];
    return gap === 1 ? [page - 1, page] : [ELLIPSIS, page];
  });
}
