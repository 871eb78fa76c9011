import type { Action } from "@marketday/client/forms/use-action.ts";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import { TIP_CHOICES, type TipPercentage } from "@marketday/domain/limits";
import { Controls } from "@marketday/ui/controls.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { useQueryClient } from "@tanstack/react-query";

import { orCartFull } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { useShopper } from "../session/api.ts";
import { setTip, type Status } from "./api.ts";
import { AutoCheckoutChoice } from "./auto-checkout-choice.tsx";

import s from "./order-settings.module.css";

/** With the forms of an address; it comes with the rest of the settings. */
const FulfillmentSection = lazyWithRetry(() => import("../account/fulfillment-section.tsx"));
void FulfillmentSection.load();

interface OrderSettingsProps {
  status: Status;
  tip: TipPercentage;
  saving: Action;
}

/** What is ordered automatically, where it goes, on which card, and the tip. */
export default function OrderSettings({ status, tip, saving }: OrderSettingsProps) {
  const { profile } = useShopper();
  return (
    <>
      <AutoCheckoutChoice status={status} saving={saving} />
      {profile && <FulfillmentSection profile={profile} isOpen={false} />}
      <DefaultTip percentage={tip} saving={saving} />
    </>
  );
}

const chips = TIP_CHOICES.map((value) => ({ value, label: value === 0 ? "No tip" : `${value}%` }));

/** What auto-checkout gives the driver (spec §2.4, §9 Money). */
function DefaultTip({ percentage, saving }: { percentage: TipPercentage; saving: Action }) {
  const client = useQueryClient();
  return (
    <section className={s.section} aria-labelledby="default-tip">
      <h3 id="default-tip">Default driver tip</h3>
      <p className={s.quiet}>Added to automatic orders. Drivers keep all of it.</p>
      <Controls label="Default driver tip" saving={saving.running !== null}>
        <RadioChips
          legend="Default driver tip"
          legendHidden
          chips={chips}
          value={saving.shown("tip", percentage)}
          onChange={(value) =>
            void saving.attempt("tip", () => setTip(client, value), orCartFull(messages.subscriptionPreferences), value)
          }
        />
      </Controls>
    </section>
  );
}
