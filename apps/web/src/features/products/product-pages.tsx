import { pageCount } from "@marketday/domain/paging";
import { Button } from "@marketday/ui/button.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Pagination } from "@marketday/ui/pagination.tsx";
import { type QueryKey, useQueries, type UseQueryOptions } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";

import { useFreshCart } from "../cart/use-cart.ts";
import type { ProductPage } from "./api.ts";
import { GridBones, ProductGrid } from "./product-grid.tsx";

import s from "./product-pages.module.css";

interface ProductPagesOptions<Key extends QueryKey> {
  /** The page in the address. */
  page: number;
  /** Per page. */
  rows: number;
  query: (page: number) => UseQueryOptions<ProductPage, Error, ProductPage, Key>;
  /** Changes the address: `push` to a page that was selected, `replace` for a longer run. */
  goTo: (page: number, how: "push" | "replace") => void;
}

/**
 * Products in numbered pages. The one in the address is shown, with those before it that "Show more" appended it to; a
 * number shows its page alone. Each page is cached separately. An address beyond the end becomes the last page.
 */
export function useProductPages<Key extends QueryKey>({ page, rows, query, goTo }: ProductPagesOptions<Key>) {
  useFreshCart();
  // Where the run that ends with a page begins. The address changes later than this: until then its own run stays.
  const [firsts, setFirsts] = useState<Record<number, number>>({});
  const from = firsts[page] ?? page;
  const { total, ...run } = useQueries({
    queries: Array.from({ length: page - from + 1 }, (_, index) => query(from + index)),
    combine: (pages) => ({
      products: pages.flatMap(({ data }) => data?.products ?? []),
      total: pages.find(({ data }) => data)?.data?.totalResults ?? null,
      isPending: pages.some(({ isPending }) => isPending),
      error: pages.find(({ error }) => error)?.error ?? null,
      retry: () => pages.forEach(({ error, refetch }) => error && void refetch()),
    }),
  });
  // While another page loads the number of all rows is still what it was: nothing below the grid may vanish.
  const [count, setCount] = useState(total);
  if (total !== null && total !== count) setCount(total);
  const pages = pageCount(count ?? 0, rows);
  const show = (first: number, last: number, how: "push" | "replace") => {
    setFirsts({ ...firsts, [last]: first });
    goTo(last, how);
  };
  const isBeyond = pages > 0 && page > pages;
  useEffect(() => {
    if (isBeyond) show(pages, pages, "replace");
    // oxlint-disable-next-line react/exhaustive-deps -- `show` is new with each rendering
  }, [isBeyond, pages]);
  return {
    ...run,
    page,
    /** How many rows there are in all; null until that is known. */
    count,
    pages,
    /** How many rows "Show more" adds. Pages that are on their way do not count as shown yet. */
    more: count === null ? 0 : Math.min(rows, count - (from - 1) * rows - run.products.length),
    append: () => show(from, page + 1, "replace"),
    select: (number: number) => show(number, number, "push"),
  };
}

interface ProductPagesProps {
  list: ReturnType<typeof useProductPages>;
  /** Names the grid. */
  label?: string | undefined;
  /** Names what is on its way. */
  loading: string;
  /** The first row is in the first view. */
  first?: boolean;
  /** Instead of no products. */
  empty: ReactNode;
  /** The address of a page. */
  href: (page: number) => string;
}

/**
 * The grid of a run of pages, "Show more" and the numbers below it. The focus goes to the first new tile after "Show more",
 * and to the title of the dialog around it, if there is one, after a number.
 */
export function ProductPages({ list, label, loading, first = false, empty, href }: ProductPagesProps) {
  const { products, page, count, pages, more, isPending, error, retry, append, select } = list;
  const container = useRef<HTMLDivElement>(null);
  const focusAt = useRef<number | null>(null);
  useEffect(() => {
    if (focusAt.current === null || products.length <= focusAt.current) return;
    container.current?.querySelectorAll<HTMLElement>("article h3 a")[focusAt.current]?.focus();
    focusAt.current = null;
  }, [products.length]);
  return (
    <div className={s.pages} ref={container}>
      {products.length > 0 && <ProductGrid products={products} first={first} {...(label ? { label } : {})} />}
      {isPending && products.length === 0 && <GridBones count={9} label={loading} />}
      {error && <ErrorState message={error.message} onRetry={retry} />}
      {count === 0 && empty}
      {products.length > 0 && more > 0 && !error && (
        <div className={s.more}>
          <Button
            kind="outline"
            size="lg"
            busy={isPending && "Loading…"}
            onClick={() => {
              focusAt.current = products.length;
              append();
            }}
          >
            Show {more} more
          </Button>
        </div>
      )}
      <Pagination
        label="Pages"
        page={page}
        pages={pages}
        href={href}
        onSelect={(number) => {
          select(number);
          const title = container.current?.closest("dialog")?.querySelector<HTMLElement>("[data-dialog-title]");
          title?.focus({ preventScroll: true });
          title?.scrollIntoView({ block: "end" });
        }}
      />
    </div>
  );
}
