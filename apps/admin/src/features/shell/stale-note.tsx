import { marketTimeAt, useMarketNow } from "@marketday/client/clock.ts";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";

import * as t from "#messages/shell";

import { useLive } from "../../lib/live.ts";

import s from "./stale-note.module.css";

interface StaleNoteProps {
  query: {
    data: unknown;
    error: Error | null;
    /** When what is shown arrived, by the device, ms. */
    dataUpdatedAt: number;
    refetch: () => unknown;
  };
  /** The time zone in which times of the screen are. */
  zone: string;
}

/** From when a screen is that could not be read again, and a way to try it. While nothing can be read, the frame says so of every screen. */
export function StaleNote({ query: { data, error, dataUpdatedAt, refetch }, zone }: StaleNoteProps) {
  const { status } = useLive();
  const now = useMarketNow();
  if (!error || data === undefined || status === "offline") return null;
  return (
    <div className={s.stale} role="status">
      <Icon name="clock" size="sm" />
      <p>{`${t.asOf(t.time(marketTimeAt(dataUpdatedAt), zone, now))} ${t.noAnswer}`}</p>
      <Compact size="sm">
        <Button kind="outline" onClick={() => void refetch()}>
          {t.tryAgain}
        </Button>
      </Compact>
    </div>
  );
}
