import { useMarketNow } from "@marketday/client/clock.ts";
import { formatOrderBy } from "@marketday/domain/order";

import * as t from "#messages/shorts";

import type { DayShorts } from "./api.ts";

import s from "./short-detail.module.css";

/** Before the orders are closed: when a count can be settled. */
export function CutoffNote({ day: { isFrozen, cutoffAt, hub } }: { day: DayShorts }) {
  const now = useMarketNow();
  if (isFrozen) return null;
  const cutoff = new Date(cutoffAt);
  return (
    <p className={s.note}>
      {cutoff > now
        ? t.openUntil(formatOrderBy(cutoff, hub.timeZone, now).replace(/[AP]M/, "\u00A0$&"))
        : t.beingClosed}
    </p>
  );
}
