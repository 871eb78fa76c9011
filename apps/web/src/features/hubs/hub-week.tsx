import type { Hub } from "@marketday/contracts/hubs";
import { formatShopNote, weekOf } from "@marketday/domain/hub-week";
import { formatMoney } from "@marketday/ui/money.ts";
import { WeekLine } from "@marketday/ui/week-line.tsx";

import s from "./hub-week.module.css";

/** Until when, on which day, for how much: the sentence and the Week Line, the same on every screen. */
export function HubWeek({ hub, now }: { hub: Hub; now: Date }) {
  const week = weekOf(hub, now);
  if (!week)
    return <p className={s.words}>The next delivery day isn't set yet. Everything in your cart stays there.</p>;
  const [before, orderBy, after] = formatShopNote(week, hub.name, formatMoney(hub.deliveryFee)).sentence;
  return (
    <div className={s.week}>
      <p className={s.words}>
        {before}
        <strong>{orderBy}</strong>
        {after}
      </p>
      <WeekLine now={now} zone={week.zone} cutoff={week.cutoff} deliveryDate={week.deliveryDate} />
    </div>
  );
}
