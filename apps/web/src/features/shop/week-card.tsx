import type { Hub } from "@marketday/contracts/hubs";

import { formatMoney } from "../../ui/money.ts";
import { Bone, Skeleton } from "../../ui/skeleton.tsx";
import { WeekLine } from "../../ui/week-line.tsx";
import { type Week, weekOf } from "../hubs/week.ts";

import s from "./week-card.module.css";

/**
 * The first thing on the shop: whose market it is, until when, and the Week Line. Carries the page's h1, also while the
 * hub is still on its way, so that a focus put on it stays.
 */
export function WeekCard({ hub, now }: { hub: Hub | null; now: Date }) {
  const week = hub && weekOf(hub, now);
  return (
    <section className={s.week} aria-label="This week">
      <div>
        <h1 className={hub ? undefined : "sr"}>
          {week?.isOpen ? `${week.weekday}’s market is open` : (hub?.name ?? "Shop")}
        </h1>
        {hub ? <p className={s.words}>{sentence(hub, week)}</p> : <WeekBones />}
      </div>
      {week && <WeekLine now={now} zone={week.zone} cutoff={week.cutoff} deliveryDate={week.deliveryDate} />}
    </section>
  );
}

function sentence(hub: Hub, week: Week | null) {
  if (!week) return "The next delivery day is not set yet. What you put into the wagon stays there.";
  if (!week.isOpen)
    return (
      <>
        Orders closed at <strong>{week.orderBy}</strong>. The wagon is on its way for {week.weekday}.
      </>
    );
  return (
    <>
      Fill the wagon by <strong>{week.orderBy}</strong>. It reaches your door {week.weekday},{" "}
      {formatMoney(hub.deliveryFee)} flat.
    </>
  );
}

const WeekBones = () => (
  <Skeleton label="market">
    <div className={s.bones}>
      <Bone kind="title" />
      <Bone kind="title" width="half" />
      <Bone kind="line" />
    </div>
  </Skeleton>
);
