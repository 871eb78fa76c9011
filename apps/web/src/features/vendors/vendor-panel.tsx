import { useMarketNow } from "@marketday/client/clock.ts";
import { topModal } from "@marketday/client/overlays/overlay-stack.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { Vendor } from "@marketday/contracts/vendors";
import { Button } from "@marketday/ui/button.tsx";
import { DialogActions, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Grid, Stack } from "@marketday/ui/layout.tsx";
import { Skeleton } from "@marketday/ui/skeleton.tsx";
import { useEffect, useId, useState } from "react";
import { Navigate, useLocation, useParams } from "react-router";

import { messages } from "../../lib/messages.ts";
import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useFreshCart } from "../cart/use-cart.ts";
import { MessageButton } from "../inbox/message-button.tsx";
import { GridBones } from "../products/product-grid.tsx";
import { useShopper } from "../session/api.ts";
import { ShareButton } from "../share/share-button.tsx";
import { useVendor } from "./api.ts";
import { FollowHeart } from "./follow-button.tsx";
import { PopularProducts } from "./popular-products.tsx";
import { TheLatest } from "./the-latest.tsx";
import { VendorHead, VendorHeadBones } from "./vendor-head.tsx";
import { VendorHere } from "./vendor-link.tsx";
import { VendorStats } from "./vendor-stats.tsx";

/** A vendor over the page it was opened from (spec §2.4 Vendor detail). `?hashed=true`: the address of a printed link. */
export default function VendorPanel() {
  const { slug = "" } = useParams();
  const hashed = new URLSearchParams(useLocation().search).get("hashed") === "true";
  const { data: vendor, error, refetch } = useVendor(slug, hashed);
  useTitle(vendor?.name ?? null);
  useFreshCart();

  if (error instanceof ApiError && error.status === 404) return <Navigate to={paths.notFound} replace />;
  if (vendor)
    return (
      <VendorHere value={vendor.id}>
        <Details key={vendor.id} vendor={vendor} failed={error !== null} onRetry={() => void refetch()} />
      </VendorHere>
    );
  return (
    <DialogBody>
      {error ? (
        <>
          <DialogTitle>Vendor</DialogTitle>
          <ErrorState message={messages.vendorSearch} onRetry={() => void refetch()} />
        </>
      ) : (
        <Stack gap={5}>
          <Skeleton label="vendor">
            <VendorHeadBones />
          </Skeleton>
          <GridBones count={4} label="products" />
        </Stack>
      )}
    </DialogBody>
  );
}

interface DetailsProps {
  vendor: Vendor;
  /** What is here is what a list knew. */
  failed: boolean;
  onRetry: () => void;
}

function Details({ vendor, failed, onRetry }: DetailsProps) {
  const now = useMarketNow();
  const key = vendor.slug;
  return (
    <>
      <DialogActions>
        <FollowHeart vendor={vendor} />
        <ShareButton
          title={vendor.name}
          path={paths.vendor(key)}
          {...(vendor.heroImage ? { picture: vendor.heroImage.url } : {})}
        />
      </DialogActions>
      <DialogBody>
        <Stack gap={5}>
          <VendorHead vendor={vendor} />
          {failed && <ErrorState message={messages.vendorSearch} onRetry={onRetry} />}
          <VendorStats vendor={vendor} />
          <Grid min="half" gap={3}>
            <EndorseButton vendor={vendor} />
            <MessageButton vendor={vendor} wide />
          </Grid>
          <PopularProducts vendor={vendor} />
          <TheLatest vendor={vendor} now={now} />
        </Stack>
      </DialogBody>
    </>
  );
}

/** Opens the endorsement; a guest logs in first, and then it opens automatically. */
function EndorseButton({ vendor }: { vendor: Vendor }) {
  const { isRegistered } = useShopper();
  const { openModal } = useNavigation();
  const id = useId();
  const [waiting, setWaiting] = useState(false);
  const open = () => openModal({ kind: "endorse", vendor: vendor.slug, name: vendor.name }, id);
  const under = useNavigation(({ layers }) => topModal(layers) !== null);
  useEffect(() => {
    if (!waiting || under) return;
    // Login has closed: by success, or not.
    setWaiting(false);
    if (isRegistered) open();
    // oxlint-disable-next-line react/exhaustive-deps -- when the login layer closes, once
  }, [waiting, under, isRegistered]);
  return (
    <Button
      id={id}
      wide
      kind="outline"
      icon="star"
      onClick={() => {
        if (isRegistered) return open();
        setWaiting(true);
        openModal({ kind: "login" }, id);
      }}
    >
      Endorse
    </Button>
  );
}
