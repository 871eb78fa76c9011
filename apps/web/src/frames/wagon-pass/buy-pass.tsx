import { useForm } from "@marketday/client/forms/use-form.ts";
import * as calls from "@marketday/contracts/calls";
import type { WagonPass } from "@marketday/contracts/wagon-pass";
import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { formatUsd } from "@marketday/domain/money";
import { type WagonPassPlan, wagonPassPrice } from "@marketday/domain/wagon-pass";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { Panel } from "@marketday/ui/panel.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useState } from "react";

import { call } from "../../lib/api.ts";
import { marketToday } from "../../lib/today.ts";
import { emptyPaying, meansOf, payingProblems, PayWith, takesCards } from "../payment/pay-with.tsx";
import { useMethods } from "../payment/use-methods.ts";
import { CHECKING, usePurchase } from "../payment/use-purchase.tsx";
import { PassOffer } from "./pass-offer.tsx";

/** Choose a plan, pay with a saved card or a new one; the card is kept for the renewals. */
export function BuyPass({ pass, onChanged }: { pass: WagonPass; onChanged: (pass: WagonPass) => void }) {
  const [plan, setPlan] = useState<WagonPassPlan>(pass.plan ?? "monthly");
  const [paying, setPaying] = useState(emptyPaying);
  const { methods, error: unread, load } = useMethods();
  const { problems, check } = useForm({ ids: {}, problems: payingProblems(paying, methods ?? []) });
  const adopt = (next: WagonPass) => {
    if (next.status === "active" && !next.isOverdue) toast({ text: "Your wagon pass is active" });
    onChanged(next);
  };
  const { running, error, question, purchase } = usePurchase({
    name: "wagon-pass",
    onFound: async () => adopt(await call(calls.getWagonPass)),
  });
  const price = formatUsd(wagonPassPrice(plan));

  const submit = async () => {
    if (!methods || !check()) return;
    const bought = await purchase<WagonPass>({
      amount: wagonPassPrice(plan) / 100,
      send: async (idempotencyKey) =>
        call(calls.buyWagonPass, { body: { plan, ...(await meansOf(paying, methods)) } }, { idempotencyKey }),
      load: () => call(calls.getWagonPass),
    });
    if (bought) adopt(bought);
  };
  if (question) return question;
  return (
    <>
      {pass.status !== null && pass.endsOn && (
        <Banner tone={pass.status === "lapsed" ? "warning" : "information"}>
          {pass.status === "lapsed"
            ? `Your pass ended on ${formatLong(calendarDate(pass.endsOn), marketToday())}: the card could not be charged.`
            : `You cancelled your pass. Home delivery stays free until ${formatLong(calendarDate(pass.endsOn), marketToday())}. A new pass bought before then starts on that day.`}
        </Banner>
      )}
      {pass.isOverdue ? (
        <Banner tone="warning" title="Your pass is due for renewal">
          We couldn't charge it while you were away. Pay it here; your bank may ask you to confirm it.
        </Banner>
      ) : (
        <PassOffer plan={plan} onPlan={setPlan} />
      )}
      {takesCards ? (
        <Panel as="section" label="Payment">
          <Form onSubmit={() => void submit()} problems={problems}>
            <h2>Payment</h2>
            {unread ? (
              <ErrorState message={unread} onRetry={() => void load()} />
            ) : (
              methods && (
                <PayWith
                  methods={methods}
                  paying={paying}
                  problems={problems}
                  onChange={setPaying}
                  use={{ kind: "payment", cents: wagonPassPrice(plan), saves: true }}
                />
              )
            )}
            <p>
              The card is kept and charged {price} again each {plan === "monthly" ? "month" : "year"}, until you cancel.
            </p>
            {error && (
              <Banner tone="error" role="alert">
                {error}
              </Banner>
            )}
            <Button
              type="submit"
              size="lg"
              wide
              disabled={!methods}
              busy={running !== null && (running === "resume" ? CHECKING : "Paying…")}
            >
              {pass.isOverdue ? "Renew the pass" : "Buy the pass"} · {price}
            </Button>
          </Form>
        </Panel>
      ) : (
        <Banner tone="information" title="Not available here yet">
          This market is paid at pickup or at the door, so there is no card the pass could renew on.
        </Banner>
      )}
    </>
  );
}
