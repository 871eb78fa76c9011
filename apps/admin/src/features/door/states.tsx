import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import { calendarDate, dateInZone, formatLong, isCalendarDate } from "@marketday/domain/calendar-date";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import type { ReactNode } from "react";

import * as t from "#messages/door";

import { paths } from "../../lib/paths.ts";
import { DayHead } from "../day/day-head.tsx";
import { findHub } from "../day/find-hub.ts";
import { useMe } from "../session/api.ts";
import { PageHead } from "../shell/page-head.tsx";

import s from "./door.module.css";

interface NoDoorProps {
  /** As in the address. */
  hub: string;
  date: string;
  /** Null: it is loading. */
  error: Error | null;
  onRetry: () => void;
}

/** In place of the lists: loading, not allowed, no such day, or why it did not load. */
export function NoDoor({ hub, date, error, onRetry }: NoDoorProps) {
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 403)
    return (
      <Refused heading={t.notAllowed}>
        <p>{t.notAllowedHelp}</p>
      </Refused>
    );
  if (status === 404 || status === 400)
    return (
      <Refused heading={t.notFound}>
        <NearDays hub={hub} near={(error as ApiError).details["near"]} />
      </Refused>
    );
  return (
    <>
      {isCalendarDate(date) ? (
        <DayHead view="door" hub={hub} date={date} isLive={false} />
      ) : (
        <PageHead title={t.title} />
      )}
      <div className={s.instead}>
        {error === null ? (
          <Skeleton label={t.loading}>
            <SkeletonPart kind="title" width="third" />
            {BONES.map((bone) => (
              <SkeletonPart key={bone} kind="row" />
            ))}
          </Skeleton>
        ) : (
          <ErrorState message={t.failed} retryLabel={t.tryAgain} onRetry={onRetry}>
            {messageOf(error)}
          </ErrorState>
        )}
      </div>
    </>
  );
}

const BONES = [0, 1, 2, 3, 4, 5, 6, 7];

const Refused = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <>
    <PageHead title={heading} />
    <div className={s.instead}>
      {children}
      <Link to={paths.today} className={s.link}>
        {t.toToday}
      </Link>
    </div>
  </>
);

/** Why there is no such day, and the market's days near it. */
function NearDays({ hub: key, near }: { hub: string; near: unknown }) {
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
                <Link to={paths.door(key, day)} className={s.link}>
                  {formatLong(calendarDate(day), today)}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
