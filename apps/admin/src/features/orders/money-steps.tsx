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
  due: "due",
};

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
          {steps.map(({ step, amount, at }, place) => (
            // A step has no key; two refunds of one amount may be at one time.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={place} className={s.step} data-ahead={at === null ? "" : undefined}>
              <Mark shape={at === null && step !== "due" && step !== "declined" ? "now" : shapes[step]} size="lg" />
              <b>{t.steps[step](formatMoney(amount))}</b>
              <small>
                {at === null ? (step === "due" ? t.atTheDoor : t.notYet) : formatTime(at, hub.timeZone, now)}
              </small>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
