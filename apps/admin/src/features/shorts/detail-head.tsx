import { useMarketNow } from "@marketday/client/clock.ts";
import { Pips } from "@marketday/ui/admin/pips.tsx";
import { VendorMark } from "@marketday/ui/admin/vendor-mark.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import type { ReactNode } from "react";

import * as t from "#messages/shorts";

import type { DayItem, DayShorts, Shortage } from "./api.ts";
import { formatTime } from "./format.ts";

import s from "./short-detail.module.css";

/** The ids of the field in which the number is typed, and of the item's name. */
export const CAME_ID = "short-came";
export const TITLE_ID = "short-title";

interface HeadProps {
  item: DayItem;
  /** The number, as it is typed or as it is. */
  number: ReactNode;
  came: number;
  of: number;
  note?: ReactNode;
  back: ReactNode;
}

/** The number that came, the item and its vendor, and the same drawn. */
export const DetailHead = ({ item, number, came, of, note, back }: HeadProps) => (
  <>
    {back}
    <div className={s.head}>
      {number}
      <div className={s.words}>
        <h2 id={TITLE_ID} tabIndex={-1}>
          {item.title}
        </h2>
        <p>
          <VendorMark id={item.vendor.id} name={item.vendor.name} />
          {t.eachInBoxes(formatMoney(item.each), item.boxes)}
        </p>
        {note}
      </div>
      <div className={s.tally}>
        <Pips of={of} came={came} size="lg" />
        <small>{t.shortBy(of - came)}</small>
      </div>
    </div>
  </>
);

/** The number, where it cannot be changed. */
export const Came = ({ came, of }: { came: number; of: number }) => (
  <p className={s.number}>
    <b>{came}</b>
    <span>{t.ofOrdered(of)}</span>
  </p>
);

/** "Counted by Luis, 2:31 PM: “Short days, fewer eggs.”" */
export function CountedNote({ day, shortage }: { day: DayShorts; shortage: Shortage }) {
  const now = useMarketNow();
  const { countedBy, countedAt, reason } = shortage;
  const by = t.countedBy(countedBy, formatTime(countedAt, day.hub.timeZone, now));
  return <p>{reason === "" ? by : t.withReason(by, reason)}</p>;
}
