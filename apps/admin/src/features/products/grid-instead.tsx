import { messageOf } from "@marketday/client/messages.ts";
import type { OfferList } from "@marketday/contracts/admin/offers";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";

import * as t from "#messages/products";

import s from "./products.module.css";

interface GridInsteadProps {
  /** It has no offers; undefined: it is not there yet. */
  list: OfferList | undefined;
  error: Error | null;
  /** Why the filter was refused. */
  refusal: string | null;
  /** What is looked for; empty: everything. */
  words: string;
  /** The address without a filter. */
  clear: string;
  onRetry: () => void;
}

/** In place of the grid while it loads, when it did not, and when nothing is in it. */
export function GridInstead({ list, error, refusal, words, clear, onRetry }: GridInsteadProps) {
  if (list === undefined && error)
    return (
      <div className={s.instead}>
        <ErrorState message={refusal === null ? t.failedOffers : t.badFilter} onRetry={onRetry}>
          {refusal ?? `${messageOf(error)} ${t.filtersKept}`}
        </ErrorState>
      </div>
    );
  if (list === undefined)
    return (
      <div className={s.bones}>
        <Skeleton label={t.loadingOffers}>
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      </div>
    );
  const hasNone = list.all === 0 || words === "";
  return (
    <div className={s.instead}>
      <b>{hasNone ? t.noOffers : t.nothingFound(words)}</b>
      <p className={s.quiet}>{hasNone ? t.noOffersHelp : t.inAll(list.all)}</p>
      {words !== "" && (
        <Link to={clear} className={s.link}>
          {t.clearFilter}
        </Link>
      )}
    </div>
  );
}
