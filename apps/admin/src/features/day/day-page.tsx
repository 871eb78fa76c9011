import { useMarketNow } from "@marketday/client/clock.ts";
import type { DaySheets } from "@marketday/contracts/admin/days";
import { timeLeft } from "@marketday/domain/order";
import { CommandHint } from "@marketday/ui/admin/command-hint.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";

import * as t from "#messages/day";

import { paths } from "../../lib/paths.ts";
import { hasPermission, useMe } from "../session/api.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { dayQuery } from "./api.ts";
import { ChangedSheets } from "./changed-sheets.tsx";
import { DayHead } from "./day-head.tsx";
import { DayVendors } from "./day-vendors.tsx";
import { findHub } from "./find-hub.ts";
import { formatTime } from "./format.ts";
import { NextCard } from "./next-card.tsx";
import { NoDay } from "./no-day.tsx";
import { SheetList } from "./sheet-list.tsx";
import { VersionList } from "./version-list.tsx";

import s from "./day.module.css";

/** A delivery day of a market: its state, its sheets by who needs them, what changed, and who brings what. */
export default function DayPage() {
  const { hub = "", date = "" } = useParams();
  const query = useQuery(dayQuery(hub, date));
  const { data: day, error, refetch } = query;
  if (day)
    return (
      <>
        <StaleNote query={query} zone={day.hub.timeZone} />
        {/* Typed drivers, a failure and a write on its way belong to one day. */}
        <Day key={`${hub} ${date}`} day={day} />
      </>
    );
  return (
    <NoDay
      view="day"
      hub={hub}
      date={date}
      error={error}
      onRetry={() => void refetch()}
      words={{ notAllowed: t.notAllowed, notAllowedHelp: t.notAllowedHelp }}
      instead={<ToBoxes />}
    />
  );
}

/** A way to the boxes of the day, for a person who reads its orders. */
function ToBoxes() {
  const { hub: key = "", date = "" } = useParams();
  const me = useMe();
  const hub = findHub(me, key);
  if (!hub || !hasPermission(me, "orders.read", hub.id)) return null;
  return <Link to={paths.boxes(key, date)}>{t.toBoxes}</Link>;
}

/** "Orders closed 1 AM Wednesday. Version 2 made 6:05 AM today." */
function stateLine({ hub, state, cutoffAt, closedAt, versions }: DaySheets, now: Date): string {
  const time = (instant: string) => formatTime(instant, hub.timeZone, now);
  if (state === "skipped") return t.skipped(hub.name);
  if (state === "open") {
    const left = timeLeft(now, new Date(cutoffAt), hub.timeZone);
    return [t.open(time(cutoffAt)), left && t.timeLeft(left.count, left.unit)].filter(Boolean).join(" ");
  }
  const closed = time(closedAt ?? cutoffAt);
  if (state === "closing") return t.closing(closed);
  if (state === "over") return t.over(closed);
  const [newest] = versions;
  return [t.closed(closed), newest?.madeAt ? t.made(newest.version, time(newest.madeAt)) : t.notMade].join(" ");
}

function Day({ day }: { day: DaySheets }) {
  const now = useMarketNow();
  const { hub, state, versions, isStale, boxes } = day;
  const [newest] = versions;
  const isMade = newest !== undefined && newest.madeAt !== null;
  const isEmpty = state === "frozen" && boxes === 0 && versions.length <= 1 && !isStale;
  return (
    <>
      <DayHead view="day" hub={hub.slug} date={day.day} note={stateLine(day, now)} />
      <Facts day={day} />
      {state === "open" && <p className={s.lead}>{t.canBeMadeLater}</p>}
      {state === "closing" && (
        <div className={s.lead}>
          <p>{t.waitForCutoff}</p>
          <CommandHint command="jobs run" />
        </div>
      )}
      {isEmpty && <p className={s.lead}>{t.nothingToPrint}</p>}
      {state === "frozen" && !isEmpty && <NextCard day={day} />}
      <div className={s.columns}>
        <div>
          {isMade && !isStale && <ChangedSheets day={day} />}
          {isMade && day.files.length > 0 && <SheetList day={day} version={newest.version} />}
          {state !== "skipped" && !isEmpty && <DayVendors day={day} />}
        </div>
        {versions.length > 0 && (
          <div className={s.side}>
            <VersionList day={day} />
          </div>
        )}
      </div>
      {state === "frozen" && (
        <p className={s.command}>
          <span>{t.onServer}</span>
          <CommandHint command={`sheets ${hub.slug} ${day.day}`} />
        </p>
      )}
    </>
  );
}

const Facts = ({ day }: { day: DaySheets }) => (
  <dl className={s.facts} aria-label={t.facts}>
    {[
      [t.boxes, day.boxes.toLocaleString("en-US")],
      [t.units, day.units.toLocaleString("en-US")],
      [t.toCollect, formatMoney(day.toCollect)],
      [t.vendors, day.vendors.length],
    ].map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
