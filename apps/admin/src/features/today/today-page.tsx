import { setClock, useMarketNow } from "@marketday/client/clock.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import * as t from "#messages/today";

import { useMe } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { PageHead } from "../shell/page-head.tsx";
import { StaleNote } from "../shell/stale-note.tsx";
import { todayQuery } from "./api.ts";
import { Board } from "./board.tsx";
import { BoardSkeleton, Failed, NoDays, NoMarkets } from "./states.tsx";

import s from "./today.module.css";

/** Every delivery day of one's markets as a row of ten steps, what is most urgent on top, and counts below. */
export default function TodayPage() {
  const me = useMe();
  const now = useMarketNow();
  const { hub } = useHubFilter();
  const zone = (hub ?? me.hubs[0])?.timeZone;
  const hasZones = new Set((hub ? [hub] : me.hubs).map(({ timeZone }) => timeZone)).size > 1;
  return (
    <>
      <PageHead title={t.title} isLive note={zone !== undefined && <Now now={now} zone={zone} hasZones={hasZones} />} />
      <Content now={now} zone={zone} />
    </>
  );
}

const Now = ({ now, zone, hasZones }: { now: Date; zone: string; hasZones: boolean }) => (
  <time dateTime={now.toISOString()}>
    <span className={s.nowLong}>{t.nowIn(now, zone, hasZones)}</span>
    <span className={s.nowShort}>{t.nowInShort(now, zone, hasZones)}</span>
  </time>
);

function Content({ now, zone }: { now: Date; zone: string | undefined }) {
  const me = useMe();
  const { hub } = useHubFilter();
  const query = useQuery(todayQuery(hub?.slug ?? null));
  const { data, error, refetch } = query;
  useEffect(() => {
    if (data) setClock(data.now);
  }, [data]);
  if (!data) return error ? <Failed message={error.message} onRetry={() => void refetch()} /> : <BoardSkeleton />;
  return (
    <>
      {zone !== undefined && <StaleNote query={query} zone={zone} />}
      {data.rows.length > 0 ? (
        <Board today={data} now={now} zone={zone} />
      ) : me.hubs.length === 0 ? (
        <NoMarkets counts={data.counts} now={now} />
      ) : (
        <NoDays hub={hub?.name ?? null} counts={data.counts} now={now} />
      )}
    </>
  );
}
