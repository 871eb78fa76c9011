import { useAction } from "@marketday/client/forms/use-action.ts";
import * as calls from "@marketday/contracts/calls";
import type { WagonPass } from "@marketday/contracts/wagon-pass";
import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { formatUsd } from "@marketday/domain/money";
import { wagonPassPrice } from "@marketday/domain/wagon-pass";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { CalendarLeaf } from "@marketday/ui/calendar-leaf.tsx";
import { Panel } from "@marketday/ui/panel.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useEffect, useRef, useState } from "react";

import { call } from "../../lib/api.ts";
import { marketToday } from "../../lib/today.ts";
import { closeFrame } from "../shell/host.ts";

import s from "./wagon-pass.module.css";

/** An active pass: when it renews, for how much, and how to cancel, after a confirmation. */
export function ActivePass({ pass, onChanged }: { pass: WagonPass; onChanged: (pass: WagonPass) => void }) {
  const { running, error, attempt } = useAction();
  const [asking, setAsking] = useState(false);
  const question = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (asking) question.current?.focus();
  }, [asking]);
  const { plan, renewsOn } = pass;
  // A renewal that waits for the notice of its reminder, or for another try, has no day yet.
  const today = marketToday();
  const isLate = renewsOn !== null && renewsOn < today;
  const day = renewsOn && !isLate ? formatLong(calendarDate(renewsOn), today) : null;
  const cancel = async () => {
    const cancelled = await attempt("cancel", () => call(calls.cancelWagonPass));
    if (!cancelled) return;
    toast({ text: "Your wagon pass will not renew" });
    onChanged(cancelled);
  };
  return (
    <Panel as="section" label="Your wagon pass">
      <div className={s.active}>
        <div className={s.day}>
          {renewsOn && <CalendarLeaf date={renewsOn} />}
          <div>
            <h2>Your pass is active</h2>
            <p>
              Home delivery is free.
              {isLate && plan && ` Its renewal for ${formatUsd(wagonPassPrice(plan))} is due. See our email about it.`}
              {day && plan && ` It renews on ${day} for ${formatUsd(wagonPassPrice(plan))}, on your default card.`}
            </p>
          </div>
        </div>
        {error && (
          <Banner tone="error" role="alert">
            {error}
          </Banner>
        )}
        {asking ? (
          <div className={s.ask} role="group" aria-label="Cancel the pass?">
            <h3 ref={question} tabIndex={-1}>
              Cancel your wagon pass?
            </h3>
            <p>
              {day ? `Home delivery stays free until ${day}, then it costs what it did before.` : "It won't renew."}
            </p>
            <div className={s.buttons}>
              <Button kind="outline" onClick={() => setAsking(false)}>
                Keep my pass
              </Button>
              <Button kind="danger" busy={running !== null && "Cancelling…"} onClick={() => void cancel()}>
                Cancel the pass
              </Button>
            </div>
          </div>
        ) : (
          <div className={s.buttons}>
            <Button onClick={() => closeFrame(true)}>Back to the market</Button>
            <Button kind="quiet" onClick={() => setAsking(true)}>
              Cancel the pass
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}
