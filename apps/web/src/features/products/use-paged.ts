import { pageCount } from "@marketday/domain/paging";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

import { pageOf } from "../../lib/page-of.ts";
import { useOverlays } from "../../navigation/use-overlays.ts";

/** A run of pages: which are shown, and what is known of them. */
interface Run<T> {
  products: T[];
  total: number | null;
}

/** The pages of an overlay by its address: `from` to `page` are shown, "Show more" appends, a page number replaces. */
export function usePages() {
  const { search } = useLocation();
  const { replaceSearch } = useOverlays();
  const page = pageOf(new URLSearchParams(search));
  // Where the run that ends with a page begins. The address changes later than this: until then its own run stays.
  const [firsts, setFirsts] = useState<Record<number, number>>({});
  const from = firsts[page] ?? page;
  return {
    page,
    from,
    append: () => {
      setFirsts({ ...firsts, [page + 1]: from });
      replaceSearch(`?page=${page + 1}`);
    },
    goTo: (number: number) => {
      setFirsts({ ...firsts, [number]: number });
      replaceSearch(number === 1 ? "" : `?page=${number}`);
    },
  };
}

interface PagedRows {
  /** How many rows there are in all; null until that is known. */
  count: number | null;
  pages: number;
  /** How many rows "Show more" would still bring. */
  left: number;
  showMore: () => void;
  select: (page: number) => void;
}

/**
 * The run of pages as a reader has it: what is left to show, and where the focus goes: to the first new tile after "Show
 * more", to the dialog's title after a number. An address beyond the end becomes the last page.
 */
export function usePagedRows<T>(
  { products, total }: Run<T>,
  { page, from, append, goTo }: ReturnType<typeof usePages>,
  rows: number,
  panel: RefObject<HTMLElement | null>,
): PagedRows {
  // While another page loads the number of all rows is still what it was: nothing below the grid may vanish.
  const [count, setCount] = useState(total);
  if (total !== null && total !== count) setCount(total);
  const pages = pageCount(count ?? 0, rows);
  const beyond = pages > 0 && page > pages;
  useEffect(() => {
    if (beyond) goTo(pages);
    // oxlint-disable-next-line react/exhaustive-deps -- `goTo` is new with each rendering
  }, [beyond, pages]);
  const focusAt = useRef<number | null>(null);
  useEffect(() => {
    if (focusAt.current === null || products.length <= focusAt.current) return;
    panel.current?.querySelectorAll<HTMLElement>("article :is(h3, h4) a")[focusAt.current]?.focus();
    focusAt.current = null;
  }, [products.length, panel]);
  return {
    count,
    pages,
    // Pages that are on their way do not count as shown yet.
    left: count === null ? 0 : Math.max(0, count - (from - 1) * rows - products.length),
    showMore: () => {
      focusAt.current = products.length;
      append();
    },
    select: (number) => {
      goTo(number);
      const title = panel.current?.querySelector<HTMLElement>("[data-dialog-title]");
      title?.focus({ preventScroll: true });
      title?.scrollIntoView({ block: "end" });
    },
  };
}
