import { StaleNotice } from "@marketday/client/stale-notice.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton } from "@marketday/ui/skeleton.tsx";
import type { ReactNode } from "react";

import { messages } from "../../lib/messages.ts";
import { VendorRow, VendorRowBones } from "../vendors/vendor-row.tsx";
import { useVendorSearch } from "./api.ts";
import { BrowseChips } from "./browse-chips.tsx";
import { ResultHead } from "./result-head.tsx";

import s from "./search-page.module.css";

/** Vendors of this hub, at most 25 (spec §9 Vendor search results). */
export function VendorResults({ term, choice }: { term: string; choice: ReactNode }) {
  const query = useVendorSearch(term);
  const { data, error, refetch } = query;
  return (
    <>
      <ResultHead term={term} total={data?.length ?? null} choice={choice} />
      <StaleNotice query={query} />
      {!data && !error && (
        <Skeleton label="vendors">
          <div className={s.vendors}>
            {Array.from({ length: 6 }, (_, index) => (
              <VendorRowBones key={index} />
            ))}
          </div>
        </Skeleton>
      )}
      {!data && error && <ErrorState message={messages.vendorSearch} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <EmptyState icon="stall" title={`No farm or artisan for “${term}”`} action={<BrowseChips />}>
          Try fewer letters, or browse what they sell:
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul className={s.vendors} aria-label={`Vendors for ${term}`}>
          {data.map((vendor) => (
            <li key={vendor.id}>
              <VendorRow vendor={vendor} heading="h2" />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
