import type { Action } from "@marketday/client/forms/use-action.ts";
import type { Cart } from "@marketday/contracts/cart";
import type { NextBox, Subscription } from "@marketday/contracts/subscriptions";
import { dateInZone } from "@marketday/domain/calendar-date";
import { Button } from "@marketday/ui/button.tsx";
import { CalendarLeaf } from "@marketday/ui/calendar-leaf.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { Controls } from "@marketday/ui/controls.tsx";
import { Panel } from "@marketday/ui/panel.tsx";
import { WeekLine } from "@marketday/ui/week-line.tsx";
import { useId } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { BoxLine } from "./box-line.tsx";
import { BoxPlace } from "./box-place.tsx";
import { BoxTotals } from "./box-totals.tsx";
import { formatBox, formatChange, formatDay } from "./format.ts";

import s from "./next-box-card.module.css";

interface NextBoxCardProps {
  box: NextBox;
  /** The one the cart is for: its lines are changed for this week only. */
  isFirst: boolean;
  /** Automatic checkout is off. */
  isOff: boolean;
  now: Date;
  cart: Cart | undefined;
  list: Subscription[];
  saving: Action;
  /** Its totals are being refetched. */
  isRecalculating: boolean;
  onSkip: (on: boolean) => void;
}

/** One delivery: when it is ordered, what is in it and why, what it comes to, and the way to skip it. */
export function NextBoxCard(props: NextBoxCardProps) {
  const { box, isFirst, isOff, now, cart, list, saving, isRecalculating, onSkip } = props;
  const { openModal } = useNavigation();
  const id = useId();
  const { deliveryDate, state, lines, orderIds, timeZone } = box;
  const day = formatDay(deliveryDate, dateInZone(now, timeZone));
  const cutoff = new Date(box.cutoff);
  const left = formatChange(box, isOff, now);
  const isSkipped = saving.shown(`skip ${deliveryDate}`, state === "skipped");
  return (
    <Panel as="article">
      <div className={s.box}>
        <header className={s.head}>
          <CalendarLeaf date={deliveryDate} />
          <div className={s.words}>
            <h2>{day}</h2>
            <p>{formatBox(box, isOff, now)}</p>
          </div>
          {left && <Chip tone="squash">{left}</Chip>}
        </header>
        {isFirst && <WeekLine now={now} zone={timeZone} cutoff={cutoff} deliveryDate={deliveryDate} />}
        {orderIds.map((order) => (
          <Button
            key={order}
            id={`${id}-${order}`}
            kind="link"
            onClick={() => openModal({ kind: "order", id: order }, `${id}-${order}`)}
          >
            See order #{order}
          </Button>
        ))}
        {state === "planned" && lines.length > 0 && (
          <Controls label={day} saving={saving.running !== null}>
            <ul className={s.lines}>
              {lines.map((line) => (
                <li key={`${line.variantId} ${line.fromBundleId}`}>
                  <BoxLine line={line} isFirst={isFirst} cart={cart} list={list} saving={saving} />
                </li>
              ))}
            </ul>
            <BoxTotals box={box} dim={isRecalculating} />
          </Controls>
        )}
        {state !== "skipped" && (lines.length > 0 || state === "ordered") && <BoxPlace box={box} />}
        {(state === "planned" || state === "skipped") && (
          <Controls label={`Skip ${day}`} saving={saving.running !== null}>
            <Button kind={isSkipped ? "primary" : "outline"} onClick={() => onSkip(!isSkipped)}>
              {isSkipped ? "Don't skip" : "Skip this delivery"}
            </Button>
          </Controls>
        )}
      </div>
    </Panel>
  );
}
