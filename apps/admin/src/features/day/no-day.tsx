import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import { calendarDate, dateInZone, formatLong, isCalendarDate } from "@marketday/domain/calendar-date";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import type { ReactNode } from "react";

import * as t from "#messages/day";

import { paths } from "../../lib/paths.ts";
import { useMe } from "../session/api.ts";
import { PageHead } from "../shell/page-head.tsx";
import { DayHead } from "./day-head.tsx";
import type { DayView } from "./day-tabs.tsx";
import { findHub } from "./find-hub.ts";

import s from "./no-day.module.css";

interface NoDayProps {
  view: DayView;
  /** As in the address. */
  hub: string;
  date: string;
  /** Null: it is loading, or the date is none. */
  error: Error | null;
  onRetry: () => void;
  words: {
    /** What is loading: "the shortages"; default: the delivery day. */
    loading?: string;
    /** Heading and sentence for a person who may not see it. */
    notAllowed: string;
    notAllowedHelp: string;
    /** Before the reason why it did not load. */
    failed?: string;
  };
  /** Where a person can go who may not see it. */
  instead?: ReactNode;
}

/** In place of a screen of a delivery day: loading, not allowed, no such day with the days near it, or why it did not load. */
export function NoDay({ view, hub, date, error, onRetry, words, instead }: NoDayProps) {
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 403)
    return (
      <Refused heading={words.notAllowed}>
        <p>{words.notAllowedHelp}</p>
        {instead}
      </Refused>
    );
  if (status === 404 || status === 400 || !isCalendarDate(date))
    return (
      <Refused heading={t.notFound}>
        <NearDays view={view} hub={hub} near={error instanceof ApiError ? error.details["near"] : undefined} />
      </Refused>
    );
  return (
    <>
      <DayHead view={view} hub={hub} date={date} isLive={false} />
      <div className={s.state}>
        {error === null ? (
          <Skeleton label={words.loading ?? t.loading}>
            <SkeletonPart kind="title" width="half" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
          </Skeleton>
        ) : (
          <ErrorState message={words.failed ?? messageOf(error)} retryLabel={t.tryAgain} onRetry={onRetry}>
            {words.failed && messageOf(error)}
          </ErrorState>
        )}
      </div>
    </>
  );
}

const Refused = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <>
    <PageHead title={heading} />
    <div className={s.state}>
      {children}
      <Link to={paths.today}>{t.toToday}</Link>
    </div>
  </>
);

/** Why there is no such day, and the market's days near it. */
function NearDays({ view, hub: key, near }: { view: DayView; hub: string; near: unknown }) {
  const hub = findHub(useMe(), key);
  const now = useMarketNow();
  if (!Array.isArray(near)) return <p>{hub ? t.noDelivery : t.noMarket}</p>;
  const today = dateInZone(now, hub?.timeZone ?? "UTC");
  const days = near.filter((day): day is string => typeof day === "string");
  return (
    <>
      <p>{t.noDelivery}</p>
      {days.length > 0 && (
        <>
          <h2>{t.daysNear}</h2>
          <ul>
            {days.map((day) => (
              <li key={day}>
                <Link to={paths[view](key, day)}>{formatLong(calendarDate(day), today)}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
