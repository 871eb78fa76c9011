import { StaleNotice } from "@marketday/client/stale-notice.tsx";
import type { Vendor } from "@marketday/contracts/vendors";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { useId } from "react";

import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { GridBones, ProductGrid } from "../products/product-grid.tsx";
import { useVendorRail } from "./api.ts";
import { FollowButton } from "./follow-button.tsx";

import s from "./vendor-section.module.css";

/** What sells best here, in one row, and the way to everything. */
export function PopularProducts({ vendor }: { vendor: Vendor }) {
  const query = useVendorRail(vendor.slug);
  const { data, error, refetch } = query;
  const id = useId();
  return (
    <section className={s.section} aria-labelledby={id}>
      <div className={s.top}>
        <h3 id={id}>Popular products</h3>
        {data && data.totalResults > 0 && (
          <OverlayLink to={paths.vendorStore(vendor.slug)} className={s.all}>
            Shop all
            <span className="sr">
              {" "}
              {data.totalResults} products of {vendor.name}
            </span>
          </OverlayLink>
        )}
      </div>
      <StaleNotice query={query} />
      {data && data.products.length > 0 && <ProductGrid products={data.products} rail heading="h4" />}
      {data?.products.length === 0 && (
        <EmptyState icon="crate" title="No products this week" action={<FollowButton vendor={vendor} />}>
          Follow the stall to find it again when it's back.
        </EmptyState>
      )}
      {!data && error && <ErrorState message={error.message} onRetry={() => void refetch()} />}
      {!data && !error && <GridBones count={4} label="products" />}
    </section>
  );
}
