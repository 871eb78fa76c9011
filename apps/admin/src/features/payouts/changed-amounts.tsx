import { calendarDate } from "@marketday/domain/calendar-date";
import { Button } from "@marketday/ui/button.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/payouts";

import { paths } from "../../lib/paths.ts";
import { AlertBox } from "../session/alert-box.tsx";
import type { DuePayout } from "./api.ts";
import { longDay } from "./format.ts";
import { useAddress } from "./use-address.ts";

import s from "./payouts.module.css";

/** The reading of what is owed now. */
export interface Reading {
  /** The last try failed. */
  isFailed: boolean;
  isRunning: boolean;
  retry: () => void;
}

interface ChangedAmountsProps {
  shown: DuePayout;
  newest: DuePayout;
  /** What was sent was refused because of it: nothing was booked. */
  isRefused: boolean;
  reading: Reading;
  onShow: () => void;
}

/** In place of what would be paid: why it is no longer that, and what is owed now. */
export function ChangedAmounts({ shown, newest, isRefused, reading, onShow }: ChangedAmountsProps) {
  const to = useAddress();
  if (isRefused && reading.isFailed)
    return (
      <>
        <AlertBox key="failed">{t.failedNew}</AlertBox>
        <Button wide busy={reading.isRunning && t.retrying} onClick={reading.retry}>
          {t.retry}
        </Button>
      </>
    );
  // A lower number: the last payout was reversed.
  const other = newest.last !== null && newest.last > (shown.last ?? 0) ? newest.last : null;
  return (
    <>
      <AlertBox key="changed">
        <p>{wordsOf(shown, newest, other)}</p>
        {isRefused && <p>{other === null ? t.nothingBooked : t.ownNotBooked}</p>}
        {other !== null && (
          <Link to={to(paths.payout(other))} className={s.link}>
            {t.openPayout(other)}
          </Link>
        )}
      </AlertBox>
      {newest.vendors > 0 && (
        <Button wide onClick={onShow}>
          {t.showNew}
        </Button>
      )}
    </>
  );
}

/** What changed. `other`: the payout that was booked meanwhile; null: none was. */
function wordsOf(shown: DuePayout, newest: DuePayout, other: number | null): string {
  const now = formatMoney(newest.total);
  if (other !== null) return t.bookedMeanwhile(other, now, newest.vendors);
  if (newest.to !== shown.to) return t.newDay(longDay(newest.to, calendarDate(newest.today)), now, newest.vendors);
  return t.changed(formatMoney(shown.total), now, newest.vendors);
}
