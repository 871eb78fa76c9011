import type { Hub } from "@marketday/contracts/hubs";
import { formatShopNote, weekOf } from "@marketday/domain/hub-week";
import { formatMoney } from "@marketday/ui/money.ts";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { WeekLine } from "@marketday/ui/week-line.tsx";

import s from "./week-card.module.css";

/**
 * The first thing on the shop: whose market it is, until when, and the Week Line. Carries the page's h1, also while the
 * hub is still on its way, so that a focus put on it stays.
 */
export function WeekCard({ hub, now }: { hub: Hub | null; now: Date }) {
  const week = hub && weekOf(hub, now);
  const words = week && formatShopNote(week, hub.name, formatMoney(hub.deliveryFee));
  return (
    <section className={s.week} aria-label="This week">
      <div>
        <h1 className={hub ? undefined : "sr"}>{words?.heading ?? hub?.name ?? "Shop"}</h1>
        {hub ? <p className={s.words}>{words ? <Sentence parts={words.sentence} /> : noDay}</p> : <WeekBones />}
      </div>
      {week && <WeekLine now={now} zone={week.zone} cutoff={week.cutoff} deliveryDate={week.deliveryDate} />}
    </section>
  );
}

const noDay = "The next delivery day isn't set yet. Everything in your cart stays there.";

const Sentence = ({ parts: [before, orderBy, after] }: { parts: [string, string, string] }) => (
  <>
    {before}
    <strong>{orderBy}</strong>
    {after}
  </>
);

const WeekBones = () => (
  <Skeleton label="market">
    <div className={s.bones}>
      <SkeletonPart kind="title" />
      <SkeletonPart kind="title" width="half" />
      <SkeletonPart kind="line" />
    </div>
  </Skeleton>
);
