import { cents, formatUsd, fromDollars } from "@marketday/domain/money";
import { type WagonPassPlan, wagonPassPrice } from "@marketday/domain/wagon-pass";
import { Chip } from "@marketday/ui/chip.tsx";
import { Price } from "@marketday/ui/price.tsx";
import { Radio } from "@marketday/ui/radio.tsx";
import { useId } from "react";

import { boot } from "../../lib/boot.ts";
import { breakEven, yearlySaving } from "./sums.ts";

import s from "./wagon-pass.module.css";

const fee = boot.hub ? fromDollars(boot.hub.deliveryFee) : null;
const choices: readonly WagonPassPlan[] = ["monthly", "yearly"];
const deliveries = (plan: WagonPassPlan) => breakEven(wagonPassPrice(plan), fee);
const plans: Record<WagonPassPlan, { title: string; per: string; note: string }> = {
  monthly: { title: "Monthly", per: "a month", note: `Pays off after ${deliveries("monthly")} deliveries a month` },
  yearly: { title: "Yearly", per: "a year", note: `Pays off after ${deliveries("yearly")} deliveries a year` },
};

interface PassOfferProps {
  /** With it the two cards are a choice. */
  plan?: WagonPassPlan;
  onPlan?: (plan: WagonPassPlan) => void;
}

/** What the pass gives, and its two prices as cards. */
export function PassOffer({ plan, onPlan }: PassOfferProps) {
  const name = useId();
  const face = (one: WagonPassPlan) => (
    <>
      <strong>{plans[one].title}</strong>
      <span className={s.price}>
        <Price price={wagonPassPrice(one) / 100} size="detail" />
        <span>{plans[one].per}</span>
      </span>
      <small>{plans[one].note}</small>
      {one === "yearly" && <Chip>Saves {formatUsd(cents(yearlySaving))} a year</Chip>}
    </>
  );
  return (
    <div className={s.offer}>
      <p>
        Home delivery is free while your pass is active, however small the box
        {boot.hub && fee ? `: ${formatUsd(fee)} less each time` : ""}. It renews automatically until you cancel.
      </p>
      {onPlan ? (
        <fieldset className={s.plans}>
          <legend className="sr">Plan</legend>
          {choices.map((one) => (
            <label key={one} className={s.plan}>
              <Radio name={name} value={one} checked={plan === one} onChange={() => onPlan(one)} />
              {face(one)}
            </label>
          ))}
        </fieldset>
      ) : (
        <ul className={s.plans} aria-label="Plans">
          {choices.map((one) => (
            <li key={one} className={s.plan}>
              {face(one)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
