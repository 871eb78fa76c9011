import { SEARCH_ROWS } from "@marketday/domain/limits";
import { pageCount } from "@marketday/domain/paging";
import { type ReactNode, useEffect, useRef, useState } from "react";

import { paths } from "../../navigation/paths.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { GridBones, ProductGrid } from "../products/product-grid.tsx";
import { useSearchPages } from "./api.ts";
import { BrowseChips } from "./browse-chips.tsx";
import { ResultHead } from "./result-head.tsx";
import { useGoTo } from "./use-go-to.ts";
import { VendorRail } from "./vendor-rail.tsx";

import s from "./search-page.module.css";

interface ItemResultsProps {
  term: string;
  page: number;
  choice: ReactNode;
}

/** Items of this hub, 18 a page: numbered pages, and "Show 18 more", which appends. */
export function ItemResults({ term, page, choice }: ItemResultsProps) {
  // Where the run that ends with a page begins: "Show more" lengthens a run, a number and a reload begin one.
  const [firsts, setFirsts] = useState<Record<number, number>>({});
  const from = firsts[page] ?? page;
  const { products, total, isPending, error, retry } = useSearchPages(term, from, page);
  // While another page loads the number of results is still what it was.
  const [count, setCount] = useState(total);
  if (total !== null && total !== count) setCount(total);
  const list = useRef<HTMLDivElement>(null);
  const focusAt = useRef<number | null>(null);
  const goTo = useGoTo();
  useEffect(() => {
    if (focusAt.current === null || products.length <= focusAt.current) return;
    list.current?.querySelectorAll<HTMLElement>("article h3 a")[focusAt.current]?.focus();
    focusAt.current = null;
  }, [products.length]);

  // An address beyond the end becomes the last page.
  const pages = pageCount(count ?? 0, SEARCH_ROWS);
  const isBeyond = pages > 0 && page > pages;
  useEffect(() => {
    if (isBeyond) goTo({ term, mode: "items", page: pages }, "replace");
    // oxlint-disable-next-line react/exhaustive-deps -- `goTo` is new with each rendering
  }, [isBeyond, pages, term]);

  const left = count === null ? 0 : count - (from - 1) * SEARCH_ROWS - products.length;
  return (
    <>
      <ResultHead term={term} total={count} choice={choice} />
      <VendorRail term={term} />
      <h2 className="sr">Items</h2>
      <div ref={list}>
        {products.length > 0 && <ProductGrid products={products} first label={`Results for ${term}`} />}
      </div>
      {isPending && products.length === 0 && <GridBones count={9} label="results" />}
      {error && <ErrorState message={error.message} onRetry={retry} />}
      {count === 0 && (
        <EmptyState icon="find" title={`Nothing for “${term}”`} action={<BrowseChips />}>
          Try fewer words, or browse:
        </EmptyState>
      )}
      {products.length > 0 && left > 0 && !error && (
        <div className={s.more}>
          <Button
            kind="outline"
            size="lg"
            busy={isPending && "Loading…"}
            onClick={() => {
              focusAt.current = products.length;
              setFirsts({ ...firsts, [page + 1]: from });
              goTo({ term, mode: "items", page: page + 1 }, "replace");
            }}
          >
            Show {Math.min(left, SEARCH_ROWS)} more
          </Button>
        </div>
      )}
      <Pagination
        label="Pages"
        page={page}
        pages={pages}
        href={(number) => paths.search(term, "items", number)}
        onSelect={(number) => {
          setFirsts({ ...firsts, [number]: number });
          goTo({ term, mode: "items", page: number }, "push");
        }}
      />
    </>
  );
}
