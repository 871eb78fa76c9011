import { StaleNotice } from "@marketday/client/stale-notice.tsx";
import { useLatch } from "@marketday/client/use-latch.ts";
import type { Vendor } from "@marketday/contracts/vendors";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useId } from "react";

import { screenMessages } from "../../lib/screen-messages.ts";
import { CardGuard, FeedCard } from "../shop/feed-card.tsx";
import { useVendorPosts, useVendorRail } from "./api.ts";

import s from "./vendor-section.module.css";

/**
 * The stall's own words and news, newest first (spec §2.4: "No recent activity" when empty). Rendered once the height of the
 * products above it is known, so that it does not move, or their first request has failed.
 */
export function TheLatest({ vendor, now }: { vendor: Vendor; now: Date }) {
  const query = useVendorPosts(vendor.slug);
  const { data: posts, error, refetch } = query;
  const { isPending, failureCount } = useVendorRail(vendor.slug);
  const id = useId();
  if (!useLatch(!isPending || failureCount > 0)) return null;
  return (
    <section className={s.section} aria-labelledby={id}>
      <h3 id={id}>The Latest</h3>
      <StaleNotice query={query} />
      {posts?.map((card) => (
        <CardGuard key={card.id}>
          <FeedCard card={card} now={now} heading="h4" />
        </CardGuard>
      ))}
      {posts?.length === 0 && <p className={s.none}>{screenMessages.noActivity}</p>}
      {!posts && error && <ErrorState message={error.message} onRetry={() => void refetch()} />}
      {!posts && !error && (
        <Skeleton label="posts">
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
    </section>
  );
}
