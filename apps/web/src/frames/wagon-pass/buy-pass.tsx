import * as calls from "@marketday/contracts/calls";
import type { WagonPass } from "@marketday/contracts/wagon-pass";
import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { formatUsd } from "@marketday/domain/money";
import { type WagonPassPlan, wagonPassPrice } from "@marketday/domain/wagon-pass";
import { useState } from "react";

import { call } from "../../lib/api.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Form, type FormProblem } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast-store.ts";
import { emptyPaying, meansOf, payingProblems, PayWith, takesCards } from "../payment/pay-with.tsx";
import { forgetToken } from "../payment/stripe-session.ts";
import { BANK_UNDECIDED, useBank } from "../payment/use-bank.tsx";
import { useCall } from "../payment/use-call.ts";
import { useMethods } from "../payment/use-methods.ts";
import { PassOffer } from "./pass-offer.tsx";

/** Choose a plan, pay with a saved card or a new one; the card is kept for the renewals. */
export function BuyPass({ pass, onChanged }: { pass: WagonPass; onChanged: (pass: WagonPass) => void }) {
  const [plan, setPlan] = useState<WagonPassPlan>(pass.plan ?? "monthly");
  const [paying, setPaying] = useState(emptyPaying);
  const [problems, setProblems] = useState<FormProblem[]>([]);
  const { methods, error: unread, load } = useMethods();
  const { running, error, run } = useCall();
  const bank = useBank();
  const price = formatUsd(wagonPassPrice(plan));

  const submit = async () => {
    if (!methods) return;
    const found = payingProblems(paying, methods);
    setProblems(found);
    if (found.length > 0) return;
    const bought = await run("buy", { plan, paying }, async (idempotencyKey) => {
      const body = { plan, ...(await meansOf(paying, methods)) };
      const answer = await call(calls.buyWagonPass, { body }, { idempotencyKey });
      if (!("challenge" in answer)) return answer;
      const { paymentId, clientSecret } = answer.challenge;
      const approve = await bank.ask(clientSecret, wagonPassPrice(plan) / 100);
      const done = await call(
        calls.completePurchase,
        { params: { paymentId }, body: { approve } },
        { idempotencyKey: `${idempotencyKey}-bank` },
      );
      if ("challenge" in done) throw new Error(BANK_UNDECIDED);
      return call(calls.getWagonPass);
    });
    forgetToken();
    if (!bought) return;
    toast({ text: "Your wagon pass is active" });
    onChanged(bought);
  };
  if (bank.question) return bank.question;
  return (
    <>
      {pass.status !== null && pass.endsOn && (
        <Banner tone={pass.status === "lapsed" ? "warning" : "information"}>
          {pass.status === "lapsed"
            ? `Your pass ended on ${formatLong(calendarDate(pass.endsOn))}: the card could not be charged.`
            : `You cancelled your pass. Home delivery stays free until ${formatLong(calendarDate(pass.endsOn))}. A new pass bought before then starts on that day.`}
        </Banner>
      )}
      <PassOffer plan={plan} onPlan={setPlan} />
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
            <Button type="submit" size="lg" wide disabled={!methods} busy={running !== null && "Paying…"}>
              Buy the pass · {price}
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
