import type { Customer } from "@marketday/contracts/account";
import type { Cart } from "@marketday/contracts/cart";
import { useEffect, useEffectEvent, useState } from "react";

import { addressLine } from "../../features/account/address.ts";
import { boot, config } from "../../lib/boot.ts";
import { marketNow } from "../../lib/clock.ts";
import { messages } from "../../lib/messages.ts";
import { keptOrigin } from "../../navigation/entry-params.ts";
import type { FormProblem } from "../../ui/form.tsx";
import { cardToken, usesStripe } from "../payment/stripe-session.ts";
import { emptyCard } from "./card.ts";
import { DeliveryStep } from "./delivery-step.tsx";
import {
  changeDraft,
  type CheckoutAccount,
  choiceOf,
  type Choices,
  deliveryProblems,
  type Draft,
  draftOf,
  keepDraft,
  methodOf,
  mustSaveCard,
  type Paying,
  paymentProblems,
  quoteBody,
  recallDraft,
} from "./draft.ts";
import { ExtrasStep } from "./extras-step.tsx";
import { AlreadyBought, BankPage, BankQuestion, Placed, SoldOut } from "./panels.tsx";
import { PaymentStep } from "./payment-step.tsx";
import { type Refusal, refusalOf } from "./refusal.ts";
import { Review } from "./review.tsx";
import { Step } from "./step.tsx";
import { boughtItems, Summary } from "./summary.tsx";
import { usePlacing } from "./use-placing.ts";
import { useQuote } from "./use-quote.ts";

import s from "./checkout-frame.module.css";

type StepId = "delivery" | "extras" | "payment";

interface CheckoutStepsProps {
  customer: Customer;
  /** They come from the login on this page: the first step takes the focus. */
  isNew: boolean;
  cart: Cart;
  onCartChanged: () => Promise<void>;
  /** The account changed: a gift card became credit. */
  onCustomer: (customer: Customer) => void;
  onExpired: () => void;
}

/** Delivery, extras, payment, review: one page, one step open at a time, one price that follows every change. */
export function CheckoutSteps({ customer, isNew, cart, onCartChanged, onCustomer, onExpired }: CheckoutStepsProps) {
  const account: CheckoutAccount = {
    customer,
    cartCode: cart.discounts.find(({ code }) => code)?.code ?? "",
    hubId: customer.hubId,
  };
  const [changes, setChanges] = useState(() => recallDraft(customer));
  const [card, setCard] = useState(emptyCard);
  const draft = draftOf(account, changes, card);
  const [open, setOpen] = useState<StepId>(() => (deliveryProblems(draft).length > 0 ? "delivery" : "payment"));
  const [moved, setMoved] = useState(isNew);
  const [skipsExtras, setSkipsExtras] = useState(open === "payment");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [problems, setProblems] = useState<FormProblem[]>([]);
  const [codeError, setCodeError] = useState<string | null>(null);
  const change = (next: Partial<Choices>) => {
    const all = changeDraft(account, changes, next);
    setChanges(all);
    keepDraft(customer, all);
  };
  const { quote, error: quoteError, stale, refresh, accept } = useQuote(quoteBody(draft));
  const goTo = (step: StepId) => {
    setMoved(true);
    setOpen(step);
  };
  const { phase, place, complete } = usePlacing((outcome) => {
    const refused: Refusal =
      outcome.kind === "unknown"
        ? { kind: "error", title: null, message: `${messages.network} Your order is placed and charged at most once.` }
        : refusalOf(outcome.error, cart.items);
    if (refused.kind === "session_ended") return onExpired();
    if (refused.kind === "total_changed") {
      if (refused.quote) accept(refused.quote);
      else refresh();
    }
    if (refused.kind === "sold_out") void onCartChanged().then(refresh);
    if (refused.kind === "field") goTo(refused.step);
    // The day is closed: what the page shows next is the next one's price and date.
    if (outcome.kind !== "unknown" && outcome.error.code === "past_cutoff") refresh();
    setRefusal(refused);
  });

  // Credit redeemed or spent elsewhere: the same choice has another price.
  const [pricedCredit, setPricedCredit] = useState(customer.credit);
  if (pricedCredit !== customer.credit) {
    setPricedCredit(customer.credit);
    refresh();
  }
  const badCode = quoteError?.code === "bad_code" || quoteError?.code === "code_limit" ? quoteError.message : null;
  const onBadCode = useEffectEvent((message: string) => {
    setCodeError(message);
    change({ code: null });
  });
  useEffect(() => {
    if (badCode !== null) onBadCode(badCode);
  }, [badCode]);
  const ended = quoteError?.status === 401;
  useEffect(() => {
    if (ended) onExpired();
  }, [ended, onExpired]);

  const put = ({ card: typed, ...choices }: Partial<Draft>) => {
    if (typed) setCard(typed);
    if (Object.keys(choices).length > 0) change(choices);
    setProblems([]);
    if (choices.code) setCodeError(null);
    if (refusal?.kind === "error" || refusal?.kind === "field") setRefusal(null);
  };

  const nothingDue = quote !== null && quote.amountDue === 0 && quote.orders.length > 0;
  const mustSave = mustSaveCard(quote, marketNow());
  const paying: Paying = {
    asksForCard: config.payments !== "offline" && !nothingDue,
    ownFields: config.payments !== "stripe",
    method: methodOf(draft, quote),
    saves: mustSave || draft.save,
  };

  const order = () => {
    if (stale || !quote) return;
    setRefusal(null);
    if (deliveryProblems(draft).length > 0) return goTo("delivery");
    const wrong = paymentProblems(draft, paying, marketNow());
    setProblems(wrong);
    if (wrong.length > 0) return setOpen("payment");
    const seen = { expectedTotal: quote.orderTotal, expectedDeliveryDate: quote.deliveryDate };
    const { trk, utmSource, utmCampaign } = keptOrigin();
    const origin = { trk, utmSource, utmCampaign };
    if (!usesStripe || !paying.asksForCard || paying.method !== "new")
      return void place({ ...choiceOf(draft, paying), ...seen, origin });
    return void cardToken().then((typed) => {
      if ("problem" in typed) return setRefusal({ kind: "error", title: null, message: typed.problem });
      return place({ ...choiceOf(draft, paying, typed.token), ...seen, origin });
    });
  };

  const pickupPoints = quote?.pickupPoints ?? boot.hub?.pickupPoints ?? [];
  const stateOf = (step: StepId) => {
    const steps: StepId[] = ["delivery", "extras", "payment"];
    if (step === open) return "open";
    return steps.indexOf(step) < steps.indexOf(open) || (step === "extras" && skipsExtras) ? "done" : "ahead";
  };
  const refused = refusal?.kind === "field" ? [{ field: refusal.field, message: refusal.message }] : [];

  return (
    <div className={s.columns}>
      <div className={s.summary}>
        <Summary cart={cart} quote={quote} />
      </div>
      <div className={s.steps}>
        {phase.kind === "placed" ? (
          <Placed orderId={phase.orderId} />
        ) : phase.kind === "challenge" && usesStripe ? (
          <BankPage
            key={phase.clientSecret}
            clientSecret={phase.clientSecret}
            onAnswered={() => void complete(phase.attemptId, true)}
          />
        ) : phase.kind === "challenge" ? (
          <BankQuestion
            amount={quote?.amountDue ?? 0}
            busy={false}
            onAnswer={(approve) => void complete(phase.attemptId, approve)}
          />
        ) : refusal?.kind === "cart_empty" ? (
          <AlreadyBought message={refusal.message} orderId={refusal.orderId} />
        ) : refusal?.kind === "sold_out" ? (
          <SoldOut
            message={refusal.message}
            items={refusal.items}
            onGoOn={boughtItems(cart).length > 0 ? () => setRefusal(null) : null}
          />
        ) : (
          <>
            <Step
              number={1}
              title="Delivery or pickup"
              state={stateOf("delivery")}
              focuses={moved}
              onChange={() => goTo("delivery")}
              summary={whereWords(draft, pickupPoints)}
            >
              <DeliveryStep
                // A refusal of the server is a new beginning for the form.
                key={refused[0]?.message ?? "form"}
                draft={draft}
                put={put}
                hub={boot.hub ?? null}
                isFree={customer.isWagonPassActive}
                pickupPoints={pickupPoints}
                saved={customer.deliveryAddress}
                refused={refused}
                onNext={() => goTo(skipsExtras ? "payment" : "extras")}
              />
            </Step>
            <Step
              number={2}
              title="Tip and notes"
              state={stateOf("extras")}
              focuses={moved}
              onChange={() => goTo("extras")}
              summary={extrasWords(draft)}
            >
              <ExtrasStep
                draft={draft}
                put={put}
                credit={customer.credit}
                onRedeemed={onCustomer}
                codeError={codeError}
                onNext={() => {
                  setSkipsExtras(true);
                  goTo("payment");
                }}
              />
            </Step>
            <Step number={3} title="Payment" state={stateOf("payment")} focuses={moved}>
              <PaymentStep
                draft={draft}
                put={put}
                paying={paying}
                methods={quote?.paymentMethods ?? []}
                mustSave={mustSave}
                dueCents={Math.round((quote?.amountDue ?? 0) * 100)}
                nothingDue={nothingDue}
                problems={problems}
                onSubmit={order}
              />
            </Step>
          </>
        )}
      </div>
      <div className={s.review}>
        <Review
          type={draft.type}
          quote={quote}
          stale={stale}
          quoteError={quoteError && badCode === null && !ended ? quoteError.message : null}
          onRetryQuote={refresh}
          ready={
            open === "payment" &&
            (phase.kind === "idle" || phase.kind === "placing") &&
            refusal?.kind !== "sold_out" &&
            refusal?.kind !== "cart_empty"
          }
          phase={phase}
          refusal={refusal}
          charges={paying.asksForCard}
          onPlace={order}
        />
      </div>
    </div>
  );
}

function whereWords(
  { type, address, pickupPointId }: Draft,
  points: { id: number; name: string; city: string }[],
): string {
  if (type === "delivery") return addressLine(address);
  const point = points.find(({ id }) => id === pickupPointId);
  return point ? `Pickup at ${point.name}, ${point.city}` : "Pickup";
}

function extrasWords({ type, tip, notes, code, useCredit }: Draft): string {
  const parts = [
    type === "delivery" && (tip === 0 ? "No tip" : `${tip}% tip`),
    notes.trim() || "no notes",
    code && `code ${code}`,
    useCredit && "store credit first",
  ];
  const words = parts.filter(Boolean).join(", ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
