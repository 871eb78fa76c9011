import { ApiError } from "@marketday/client/transport.ts";
import type { Bundle } from "@marketday/contracts/bundles";
import { pictureSizes } from "@marketday/domain/picture";
import { Chip } from "@marketday/ui/chip.tsx";
import { Detail, DetailTitle } from "@marketday/ui/detail.tsx";
import { DialogActions, DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Cluster } from "@marketday/ui/layout.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { Price } from "@marketday/ui/price.tsx";
import { RichText } from "@marketday/ui/rich-text.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { Navigate, useParams } from "react-router";

import { useTitle } from "../../lib/use-title.ts";
import { paths } from "../../navigation/paths.ts";
import { useShopper } from "../session/api.ts";
import { ShareButton } from "../share/share-button.tsx";
import { useBundle } from "./api.ts";
import { BundleBar } from "./bundle-bar.tsx";
import { BundleContents } from "./bundle-contents.tsx";
import { BundlePicture } from "./bundle-picture.tsx";
import { BundleSubscribe } from "./bundle-subscribe.tsx";
import { hasBundles } from "./has-bundles.ts";

/** A bundle over the page it was opened from (spec §2.1 /bundles/{id or slug}). The special hub has none. */
export default function BundlePanel() {
  const { slug = "" } = useParams();
  const { hubId } = useShopper();
  const { data: bundle, error, refetch } = useBundle(slug);
  useTitle(bundle?.title ?? null);

  if (!hasBundles(hubId) || (error instanceof ApiError && error.status === 404))
    return <Navigate to={paths.notFound} replace />;
  if (bundle) return <Details bundle={bundle} error={error} onRetry={() => void refetch()} />;
  return (
    <Detail picture={!error && <SkeletonPart kind="square" />}>
      {error ? (
        <>
          <DialogTitle>Bundle</DialogTitle>
          <ErrorState message={error.message} onRetry={() => void refetch()} />
        </>
      ) : (
        <Skeleton label="bundle">
          <SkeletonPart kind="title" />
          <SkeletonPart kind="title" width="third" />
          <SkeletonPart kind="line" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
    </Detail>
  );
}

interface DetailsProps {
  bundle: Bundle;
  /** Why what is here is only what the list knew. */
  error: Error | null;
  onRetry: () => void;
}

function Details({ bundle, error, onRetry }: DetailsProps) {
  const { slug, title, description, total, saving, image } = bundle;
  return (
    <>
      <DialogActions>
        <ShareButton title={title} path={paths.bundle(slug)} {...(image ? { picture: image.url } : {})} />
      </DialogActions>
      <Detail picture={<BundlePicture bundle={bundle} sizes={pictureSizes.product} first />}>
        <DetailTitle>{title}</DetailTitle>
        <Cluster as="p" gap={3}>
          <Price price={total} size="detail" />
          {saving > 0 && <Chip tone="squash">{`You save ${formatMoney(saving)}`}</Chip>}
        </Cluster>
        {error && <ErrorState message={error.message} onRetry={onRetry} />}
        {description && <RichText html={description} />}
        <BundleContents bundle={bundle} />
        <BundleSubscribe key={bundle.id} bundle={bundle} />
      </Detail>
      <BundleBar bundle={bundle} />
    </>
  );
}
