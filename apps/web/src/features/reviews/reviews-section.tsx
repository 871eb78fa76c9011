import { useMarketNow } from "@marketday/client/clock.ts";
import { StaleNotice } from "@marketday/client/stale-notice.tsx";
import type { Product } from "@marketday/contracts/products";
import type { Review } from "@marketday/contracts/reviews";
import { showStars } from "@marketday/domain/review";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { Entries, EntryList, EntryMeta, EntryWords } from "@marketday/ui/entries.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { Stars } from "@marketday/ui/stars.tsx";
import { useId, useState } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { useShopper } from "../session/api.ts";
import { ago } from "../shop/ago.ts";
import { useReviews } from "./api.ts";
import { ReviewAverage } from "./review-average.tsx";
import { ReviewForm } from "./review-form.tsx";

import s from "./reviews.module.css";

/** How many reviews show at once. */
const SHOWN = 5;

/** What shoppers say about a product, and the way to say it (spec §2.4 Reviews). */
export default function ReviewsSection({ product }: { product: Product }) {
  const query = useReviews(product.id);
  const { data, error, refetch } = query;
  const [shown, setShown] = useState(SHOWN);
  if (!data)
    return error ? (
      <ErrorState message={error.message} onRetry={() => void refetch()} />
    ) : (
      <Skeleton label="reviews">
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
      </Skeleton>
    );
  const { rows, paging } = data;
  const left = rows.length - shown;
  return (
    <Entries>
      <StaleNotice query={query} />
      {rows.length > 0 && showStars(product.ratingCount, product.avgRating) && (
        <ReviewAverage
          average={product.avgRating}
          count={product.ratingCount}
          ratings={rows.map(({ rating }) => rating)}
        />
      )}
      <Write product={product} isFirst={rows.length === 0} />
      {rows.length > 0 && (
        <EntryList
          label="Reviews"
          entries={rows.slice(0, shown).map((review) => ({ id: review.id, entry: <ReviewRow review={review} /> }))}
        />
      )}
      {left > 0 && (
        <Button kind="outline" onClick={() => setShown(shown + SHOWN)}>
          Show {Math.min(left, SHOWN)} more
        </Button>
      )}
      {left <= 0 && paging.total > rows.length && <EntryMeta>The newest {rows.length} are shown.</EntryMeta>}
    </Entries>
  );
}

/** Opens the review form; a guest gets an account first, and finds the form open afterwards. */
function Write({ product, isFirst }: { product: Product; isFirst: boolean }) {
  const { isRegistered } = useShopper();
  const { openModal } = useNavigation();
  const [isWriting, setWriting] = useState(false);
  const [isPosted, setPosted] = useState(false);
  const id = useId();
  if (isWriting && isRegistered)
    return (
      <ReviewForm
        productId={product.id}
        id={id}
        onCancel={() => setWriting(false)}
        onPosted={() => {
          setWriting(false);
          setPosted(true);
        }}
      />
    );
  const write = () => {
    setWriting(true);
    setPosted(false);
    if (!isRegistered) openModal({ kind: "need-account", why: "review" }, id);
  };
  const button = (
    <Button id={id} kind="outline" onClick={write}>
      Write a review
    </Button>
  );
  return (
    <>
      {isPosted && (
        <Banner tone="other" role="status">
          Thanks! Your review is up.
        </Banner>
      )}
      {isFirst ? <EmptyState icon="star" title="Be the first to review it" action={button} /> : <div>{button}</div>}
    </>
  );
}

function ReviewRow({ review }: { review: Review }) {
  const now = useMarketNow();
  const { rater, rating, comment, created, verified } = review;
  return (
    <article className={s.review}>
      <div className={s.who}>
        <strong>{rater}</strong>
        {verified && <Chip>Bought it</Chip>}
        <div className={s.when}>
          <EntryMeta>{ago(created, now)}</EntryMeta>
        </div>
      </div>
      <Stars rating={rating} />
      <EntryWords>{comment}</EntryWords>
    </article>
  );
}
