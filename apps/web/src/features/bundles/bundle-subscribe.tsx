import { useAction } from "@marketday/client/forms/use-action.ts";
import type { Bundle } from "@marketday/contracts/bundles";
import { INTERVAL_WEEKS, type IntervalWeeks } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { Select } from "@marketday/ui/text-input.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { orCartFull } from "../../lib/api.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { useShopper } from "../session/api.ts";
import { formatInterval } from "../subscriptions/format.ts";
import { subscribe, unsubscribe } from "./api.ts";

import s from "./bundle-subscribe.module.css";

/** Every so many weeks, or not (spec §4 Subscribe flow): for customers, hidden for guests (spec §6). */
export function BundleSubscribe({ bundle }: { bundle: Bundle }) {
  const client = useQueryClient();
  const { isRegistered } = useShopper();
  const { running, error, attempt } = useAction();
  const isOn = bundle.subscriptionStatus === "subscribed";
  const [chosen, setChosen] = useState<IntervalWeeks>(1);
  const interval = bundle.subscriptionInterval ?? chosen;
  if (!isRegistered) return null;

  const on = (weeks: IntervalWeeks) =>
    attempt(
      "subscribe",
      async () => {
        await subscribe(client, bundle, weeks);
        announce(`Subscribed to ${bundle.title}, ${formatInterval(weeks).toLowerCase()}`);
      },
      orCartFull(screenMessages.bundleSubscribe),
    );
  const off = () =>
    attempt(
      "unsubscribe",
      async () => {
        await unsubscribe(client, bundle);
        announce(`No longer subscribed to ${bundle.title}`);
      },
      () => screenMessages.bundleUnsubscribe,
    );
  return (
    <div className={s.subscribe}>
      <Field label="How often">
        <Select
          value={interval}
          disabled={running !== null}
          onChange={({ target }) => {
            const weeks = INTERVAL_WEEKS.find((one) => String(one) === target.value) ?? 1;
            setChosen(weeks);
            if (isOn) void on(weeks);
          }}
        >
          {INTERVAL_WEEKS.map((weeks) => (
            <option key={weeks} value={weeks}>
              {formatInterval(weeks)}
            </option>
          ))}
        </Select>
      </Field>
      <Button
        kind="outline"
        size="lg"
        aria-pressed={isOn}
        busy={running !== null && "Saving…"}
        {...(isOn ? { icon: "check" as const } : {})}
        onClick={() => void (isOn ? off() : on(interval as IntervalWeeks))}
      >
        {isOn ? "Subscribed" : "Subscribe"}
      </Button>
      {error && (
        <div className={s.error}>
          <AlertBox>{error}</AlertBox>
        </div>
      )}
    </div>
  );
}
