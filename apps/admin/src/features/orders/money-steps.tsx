import { useMarketNow } from "@marketday/client/clock.ts";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Mark, type MarkShape } from "@marketday/ui/admin/mark.tsx";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/orders";

import { formatTime } from "../day/format.ts";

import s from "./orders.module.css";

type Step = OrderBox["steps"][number];

const shapes: Record<Step["step"], MarkShape> = {
  held: "done",
  charged: "done",
  collected: "done",
  declined: "late",
  refund: "back",
  credit: "back",
  written_off: "off",
  to_charge: "ahead",
  due: "due",
};

/** The mark of a step: what is on its way is not done. */
function shapeOf({ step, at, refund }: Step): MarkShape {
  if (refund?.state === "failed") return "late";
  if (refund?.state === "by_hand") return "due";
  if (refund?.state === "underway") return "now";
  return at === null && !AHEAD.has(step) ? "now" : shapes[step];
}
/** Steps that are still to come. */
const AHEAD: ReadonlySet<Step["step"]> = new Set(["to_charge", "due", "declined"]);

const nameOf = ({ step, amount, refund }: Step): string =>
  refund?.to === "credit" ? t.refundToCredit(formatMoney(amount)) : t.steps[step](formatMoney(amount));

function noteOf({ step, at, refund }: Step, zone: string, now: Date): string {
  const time = at === null ? null : formatTime(at, zone, now);
  if (refund) return [time, t.refundStates[refund.state]].filter(Boolean).join(", ") || t.notYet;
  if (step === "due") return t.atTheDoor;
  return time ?? (step === "to_charge" ? t.atCutoff : t.notYet);
}

/** How the money of a box moved, step by step; what is not done yet is last. */
export function MoneySteps({ order: { steps, hub } }: { order: OrderBox }) {
  const now = useMarketNow();
  const card = steps.find((step) => step.card !== null)?.card;
  return (
    <section className={s.section} aria-labelledby="order-money">
      <div className={s.sectionHead}>
        <h3 id="order-money">{t.money}</h3>
        {card && <span>{card}</span>}
      </div>
      {steps.length === 0 ? (
        <p className={s.quiet}>{t.noSteps}</p>
      ) : (
        <ol className={s.steps}>
          {steps.map((step, place) => (
            <li
              // oxlint-disable-next-line react/no-array-index-key -- Two refunds of one amount may be at one time.
              key={`${step.step} ${step.at} ${place}`}
              className={s.step}
              data-ahead={AHEAD.has(step.step) || step.refund?.state === "underway" ? "" : undefined}
            >
              <Mark shape={shapeOf(step)} size="lg" />
              <b>{nameOf(step)}</b>
              <small>{noteOf(step, hub.timeZone, now)}</small>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
