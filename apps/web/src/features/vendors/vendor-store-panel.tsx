import { pageAddress, usePageNumber } from "@marketday/client/page-number.ts";
import { ApiError } from "@marketday/client/transport.ts";
import { VENDOR_PRODUCTS_ROWS } from "@marketday/domain/limits";
import { DialogActions, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton } from "@marketday/ui/skeleton.tsx";
import { Navigate, useParams } from "react-router";

import { messages } from "../../lib/messages.ts";
import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { GridBones } from "../products/product-grid.tsx";
import { ProductPages, useProductPages } from "../products/product-pages.tsx";
import { useShopper } from "../session/api.ts";
import { ShareButton } from "../share/share-button.tsx";
import { useVendor, vendorProductsQuery } from "./api.ts";
import { FollowButton, FollowHeart } from "./follow-button.tsx";
import { counted } from "./numbers.ts";
import { VendorHead, VendorHeadBones } from "./vendor-head.tsx";

import s from "./vendor-store-panel.module.css";

/** Everything a vendor sells, 18 a page (spec §2.1 /collections/vendor/{vendorId}). */
export default function VendorStorePanel() {
  const { slug = "" } = useParams();
  const { data: vendor, error: unknown, refetch } = useVendor(slug);
  const { replaceSearch } = useNavigation();
  const { hubId } = useShopper();
  const list = useProductPages({
    page: usePageNumber(),
    rows: VENDOR_PRODUCTS_ROWS,
    query: (page) => vendorProductsQuery(hubId, slug, page),
    goTo: (page) => replaceSearch(pageAddress("", page)),
  });
  const { count } = list;
  useTitle(vendor ? `All of ${vendor.name}` : null);

  if (unknown instanceof ApiError && unknown.status === 404) return <Navigate to={paths.notFound} replace />;
  if (!vendor && unknown)
    return (
      <DialogBody>
        <DialogTitle>Vendor</DialogTitle>
        <ErrorState message={messages.vendorSearch} onRetry={() => void refetch()} />
      </DialogBody>
    );
  // The products come with the head above them, so that they never move.
  if (!vendor)
    return (
      <DialogBody>
        <div className={s.store}>
          <Skeleton label="vendor">
            <VendorHeadBones />
          </Skeleton>
          <GridBones count={9} label="products" />
        </div>
      </DialogBody>
    );
  return (
    <>
      <DialogActions>
        <FollowHeart vendor={vendor} />
        <ShareButton title={vendor.name} path={paths.vendorStore(vendor.slug)} />
      </DialogActions>
      <DialogBody>
        <div className={s.store}>
          <VendorHead vendor={vendor} />
          {unknown && <ErrorState message={messages.vendorSearch} onRetry={() => void refetch()} />}
          {count !== null && count > 0 && <p className={s.found}>{counted(count, "product")}</p>}
          <ProductPages
            list={list}
            label={vendor.name}
            loading="products"
            empty={
              <EmptyState title="No products this week" action={<FollowButton vendor={vendor} />}>
                Follow the stall to find it again when it's back.
              </EmptyState>
            }
            href={(page) => pageAddress(paths.vendorStore(slug), page)}
          />
        </div>
      </DialogBody>
    </>
  );
}
