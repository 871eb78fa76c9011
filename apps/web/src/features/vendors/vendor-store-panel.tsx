import { VENDOR_PRODUCTS_ROWS } from "@marketday/domain/limits";
import { useRef } from "react";
import { Navigate, useParams } from "react-router";

import { ApiError } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { useTitle } from "../../lib/use-title.tsx";
import { paths } from "../../navigation/paths.ts";
import { Button } from "../../ui/button.tsx";
import { DialogActions, DialogBody, DialogTitle } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { GridBones, ProductGrid } from "../products/product-grid.tsx";
import { usePagedRows, usePages } from "../products/use-paged.ts";
import { ShareButton } from "../share/share-button.tsx";
import { useVendor, useVendorPages } from "./api.ts";
import { FollowButton, FollowHeart } from "./follow-button.tsx";
import { counted } from "./numbers.ts";
import { VendorHead, VendorHeadBones } from "./vendor-head.tsx";

import s from "./vendor-store-panel.module.css";

/** Everything a vendor sells, 18 a page (spec §2.1 /collections/vendor/{vendorId}). */
export default function VendorStorePanel() {
  const { slug = "" } = useParams();
  const { data: vendor, error: unknown, refetch } = useVendor(slug);
  const position = usePages();
  const run = useVendorPages(slug, position.from, position.page);
  const { products, isPending, error, retry } = run;
  const panel = useRef<HTMLDivElement>(null);
  const { count, pages, left, showMore, select } = usePagedRows(run, position, VENDOR_PRODUCTS_ROWS, panel);
  useTitle(vendor ? `All of ${vendor.name}` : null);

  if (unknown instanceof ApiError && unknown.status === 404) return <Navigate to={paths.notFound} replace />;
  if (!vendor && unknown)
    return (
      <DialogBody>
        <DialogTitle>Vendor</DialogTitle>
        <ErrorState message={messages.vendorSearch} onRetry={() => void refetch()} />
      </DialogBody>
    );
  const address = paths.vendorStore(slug);
  return (
    <>
      {vendor && (
        <DialogActions>
          <FollowHeart vendor={vendor} />
          <ShareButton title={vendor.name} path={paths.vendorStore(vendor.slug)} />
        </DialogActions>
      )}
      <DialogBody>
        <div className={s.store} ref={panel}>
          {vendor ? (
            <VendorHead vendor={vendor} />
          ) : (
            <Skeleton label="vendor">
              <VendorHeadBones />
            </Skeleton>
          )}
          {unknown && <ErrorState message={messages.vendorSearch} onRetry={() => void refetch()} />}
          {count !== null && count > 0 && <p className={s.found}>{counted(count, "product")}</p>}
          {products.length > 0 && <ProductGrid products={products} {...(vendor ? { label: vendor.name } : {})} />}
          {isPending && products.length === 0 && <GridBones count={9} label="products" />}
          {error && <ErrorState message={error.message} onRetry={retry} />}
          {count === 0 && vendor && (
            <EmptyState title="No products this week" action={<FollowButton vendor={vendor} />}>
              Follow the stall to find it again when it's back.
            </EmptyState>
          )}
          {products.length > 0 && left > 0 && !error && (
            <div className={s.more}>
              <Button kind="outline" size="lg" busy={isPending && "Loading…"} onClick={showMore}>
                Show {Math.min(left, VENDOR_PRODUCTS_ROWS)} more
              </Button>
            </div>
          )}
          <Pagination
            label="Pages"
            page={position.page}
            pages={pages}
            href={(number) => (number === 1 ? address : `${address}?page=${number}`)}
            onSelect={select}
          />
        </div>
      </DialogBody>
    </>
  );
}
