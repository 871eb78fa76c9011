import type { Hub } from "@marketday/contracts/hubs";
import { weekOf } from "@marketday/domain/hub-week";
import { formatMoney } from "@marketday/ui/money.ts";
import { WeekLine } from "@marketday/ui/week-line.tsx";

import s from "./hub-week.module.css";

/** Until when, on which day, for how much: the sentence and the Week Line, the same on every screen. */
export function HubWeek({ hub, now }: { hub: Hub; now: Date }) {
  const week = weekOf(hub, now);
  if (!week)
    return <p className={s.words}>The next delivery day isn't set yet. Everything in your cart stays there.</p>;
  return (
    <div className={s.week}>
      <p className={s.words}>
        {week.isOpen ? (
          <>
            Fill the wagon by <strong>{week.orderBy}</strong>. It reaches your door {week.weekday},{" "}
          </>
        ) : (
          <>
            Orders closed at <strong>{week.orderBy}</strong>. The wagon is on its way for {week.weekday},{" "}
          </>
        )}
        {formatMoney(hub.deliveryFee)} flat.
      </p>
      <WeekLine now={now} zone={week.zone} cutoff={week.cutoff} deliveryDate={week.deliveryDate} />
    </div>
  );
}
