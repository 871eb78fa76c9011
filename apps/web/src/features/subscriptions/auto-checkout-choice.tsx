import { useMarketNow } from "@marketday/client/clock.ts";
import type { Action } from "@marketday/client/forms/use-action.ts";
import { AUTO_CHECKOUT, type AutoCheckoutStatus } from "@marketday/domain/subscription";
import { Controls } from "@marketday/ui/controls.tsx";
import { RadioRows } from "@marketday/ui/radio-rows.tsx";
import { useQueryClient } from "@tanstack/react-query";

import { orCartFull } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { useHub } from "../hubs/api.ts";
import { setStatus, type Status } from "./api.ts";
import { formatMoment } from "./format.ts";

import s from "./order-settings.module.css";

/** Off, Full Cart or Only Subscribed Items, each with what it means and when it will run (spec §4, §9 Timing). */
export function AutoCheckoutChoice({ status, saving }: { status: Status; saving: Action }) {
  const client = useQueryClient();
  const hub = useHub();
  const now = useMarketNow();
  const runs = status.runsAt && hub ? `on ${formatMoment(new Date(status.runsAt), hub.timeZone, now)}` : null;
  const when = runs ? `${runs}, 36 hours before orders close` : "36 hours before orders close";
  return (
    <section className={s.section} aria-labelledby="auto-checkout">
      <h3 id="auto-checkout">Automatic checkout</h3>
      <Controls label="Automatic checkout" saving={saving.running !== null}>
        <RadioRows<AutoCheckoutStatus>
          legend="Automatic checkout"
          legendHidden
          value={saving.shown("status", status.status)}
          onChange={(value) =>
            void saving.attempt(
              "status",
              () => setStatus(client, value),
              orCartFull(messages.subscriptionPreferences),
              value,
            )
          }
          rows={[
            {
              value: AUTO_CHECKOUT.off,
              label: "Off",
              note: "Nothing is ordered automatically. Your subscriptions wait in your cart until you check out.",
            },
            {
              value: AUTO_CHECKOUT.fullCart,
              label: "Full Cart",
              note: `Everything in your cart is ordered ${when}.`,
            },
            {
              value: AUTO_CHECKOUT.subscribedOnly,
              label: "Only Subscribed Items",
              note: `Only what you subscribe to is ordered ${when}. The rest of your cart waits.`,
            },
          ]}
        />
      </Controls>
    </section>
  );
}
