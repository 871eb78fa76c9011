import { useMarketNow } from "@marketday/client/clock.ts";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { Leaf } from "@marketday/ui/admin/leaf.tsx";
import type { ReactNode } from "react";

import * as t from "#messages/day";

import { useMe } from "../session/api.ts";
import { PageHead } from "../shell/page-head.tsx";
import { DayTabs, type DayView } from "./day-tabs.tsx";
import { findHub } from "./find-hub.ts";

interface DayHeadProps {
  view: DayView;
  /** Slug or id, as in the address. */
  hub: string;
  /** `YYYY-MM-DD`, a date that there is. */
  date: string;
  /** What there is to say of the view, beside its name: "3 to settle". */
  note?: ReactNode;
  /** It follows the server. */
  isLive?: boolean;
  /** Buttons at the end. */
  children?: ReactNode;
}

/** The head of a delivery day's screen: its leaf, its market and date with what is shown of it, and the tabs of its other screens. */
export function DayHead({ view, hub: key, date, note, isLive = true, children }: DayHeadProps) {
  const now = useMarketNow();
  const hub = findHub(useMe(), key);
  const zone = hub?.timeZone ?? "UTC";
  const place = t.pageTitle(hub?.name ?? key, formatLong(calendarDate(date), dateInZone(now, zone)));
  return (
    <>
      <PageHead
        title={view === "day" ? place : t.viewNames[view]}
        documentTitle={view === "day" ? place : t.viewOf(t.viewNames[view], place)}
        mark={<Leaf date={date} size="lg" />}
        note={
          view === "day" ? (
            note
          ) : (
            <>
              {place}
              {note && t.separator}
              {note}
            </>
          )
        }
        isLive={isLive}
      >
        {children}
      </PageHead>
      <DayTabs hub={key} date={date} />
    </>
  );
}
