import { usePageNumber } from "@marketday/client/page-number.ts";
import { SEARCH_ROWS } from "@marketday/domain/limits";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import type { ReactNode } from "react";

import { paths } from "../../navigation/paths.ts";
import { ProductPages, useProductPages } from "../products/product-pages.tsx";
import { useShopper } from "../session/api.ts";
import { searchPageQuery } from "./api.ts";
import { BrowseChips } from "./browse-chips.tsx";
import { ResultHead } from "./result-head.tsx";
import { useGoTo } from "./use-go-to.ts";
import { VendorRail } from "./vendor-rail.tsx";

interface ItemResultsProps {
  term: string;
  choice: ReactNode;
}

/** Items of this hub, 18 a page: numbered pages, and "Show 18 more", which appends. */
export function ItemResults({ term, choice }: ItemResultsProps) {
  const { hubId } = useShopper();
  const goTo = useGoTo();
  const list = useProductPages({
    page: usePageNumber(),
    rows: SEARCH_ROWS,
    query: (page) => searchPageQuery(hubId, term, page),
    goTo: (page, how) => goTo({ term, mode: "items", page }, how),
  });
  return (
    <>
      <ResultHead term={term} total={list.count} choice={choice} />
      <VendorRail term={term} />
      <h2 className="sr">Items</h2>
      <ProductPages
        list={list}
        label={`Results for ${term}`}
        loading="results"
        first
        empty={
          <EmptyState icon="find" title={`Nothing for “${term}”`} action={<BrowseChips />}>
            Try fewer words, or browse:
          </EmptyState>
        }
        href={(page) => paths.search(term, "items", page)}
      />
    </>
  );
}
