import type { Hub } from "@marketday/contracts/hubs";
import { formatShopNote, type Week, weekOf } from "@marketday/domain/hub-week";
import { formatCloses, formatTimeLeft } from "@marketday/domain/order";
import { formatMoney } from "@marketday/ui/money.ts";
import { WeekLine } from "@marketday/ui/week-line.tsx";

import s from "./hub-week.module.css";

interface HubWeekProps {
  hub: Hub;
  now: Date;
  /** The rules of day, cutoff and fee are beside it already: how this week stands, with its dates. */
  brief?: boolean;
}

/** Until when, on which day, for how much: the sentence and the Week Line, the same on every screen. */
export function HubWeek({ hub, now, brief = false }: HubWeekProps) {
  const week = weekOf(hub, now);
  if (!week)
    return <p className={s.words}>The next delivery day isn't set yet. Everything in your cart stays there.</p>;
  return (
    <div className={s.week}>
      <p className={s.words}>{brief ? <Standing week={week} now={now} /> : <Sentence hub={hub} week={week} />}</p>
      <WeekLine now={now} zone={week.zone} cutoff={week.cutoff} deliveryDate={week.deliveryDate} />
    </div>
  );
}

function Sentence({ hub, week }: { hub: Hub; week: Week }) {
  const [before, orderBy, after] = formatShopNote(week, hub.name, formatMoney(hub.deliveryFee)).sentence;
  return (
    <>
      {before}
      <strong>{orderBy}</strong>
      {after}
    </>
  );
}

function Standing({ week: { arrival, cutoff, zone }, now }: { week: Week; now: Date }) {
  const left = formatTimeLeft(now, cutoff, zone);
  if (!left) return <>Orders for this week are closed. The wagon is on its way for {arrival}.</>;
  return (
    <>
      The market is open for {arrival}: <strong>{left}</strong>, {formatCloses(now, cutoff, zone)}.
    </>
  );
}
