import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { marketNow } from "@marketday/client/clock.ts";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import type { Customer } from "@marketday/contracts/account";
import type { Cart } from "@marketday/contracts/cart";
import type { Quote } from "@marketday/contracts/checkout";
import { fromDollars } from "@marketday/domain/money";
import { SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { type ReactNode, useEffect, useEffectEvent, useReducer, useRef, useState } from "react";

import { withPlace } from "../../features/account/address.ts";
import { addressLine } from "../../features/account/fulfillment.ts";
import { useZipPlace } from "../../features/account/zip-place.ts";
import type { PlaceOutcome } from "../../features/checkout/place.ts";
import { boot, config } from "../../lib/boot.ts";
import { messages } from "../../lib/messages.ts";
import { keptOrigin } from "../../navigation/entry-params.ts";
import { cardToken, usesStripe } from "../payment/stripe-session.ts";
import { usePaying } from "../shell/host.ts";
import { emptyCard } from "./card.ts";
import { canPlace, checkoutReducer, openCheckout, resumeCheckout, stepState } from "./checkout-state.ts";
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
import { AlreadyBought, BankPage, BankQuestion, MarketChanged, Placed, SoldOut } from "./panels.tsx";
import { PaymentStep } from "./payment-step.tsx";
import { failureOf, type Refusal } from "./refusal.ts";
import { Review } from "./review.tsx";
import { Step } from "./step.tsx";
import { boughtItems, Summary } from "./summary.tsx";
import { usePlacing } from "./use-placing.ts";
import { useQuote } from "./use-quote.ts";

import s from "./checkout-frame.module.css";

/** Opened after the first step; on its way before. */
const ExtrasStep = lazyWithRetry(() => import("./extras-step.tsx"));
void ExtrasStep.load();

/** Of the extras, what a first order offers at the payment too: delivery leads there. */
const TipChoice = lazyWithRetry(async () => ({ default: (await import("./extras-step.tsx")).TipChoice }));
void TipChoice.load();

/** It compares with what is stored, and comes later than the steps. */
const NextTime = lazyWithRetry(() => import("./next-time.tsx"));
void NextTime.load();

interface CheckoutStepsProps {
  customer: Customer;
  /** They come from the login on this page: the first step takes the focus. */
  isNew: boolean;
  cart: Cart;
  /** How an earlier try ended that was left while it paid. */
  earlier: PlaceOutcome | null;
  onCartChanged: () => Promise<unknown>;
  /** The account changed: a gift card became credit. */
  onCustomer: (customer: Customer) => void;
  /** Above the steps: that some of the cart is from another market. */
  notice: ReactNode;
}

/** Delivery, extras, payment, review: one page, one step open at a time, one price that follows every change. */
export function CheckoutSteps({
  customer,
  isNew,
  cart,
  earlier,
  onCartChanged,
  onCustomer,
  notice,
}: CheckoutStepsProps) {
  const account: CheckoutAccount = {
    customer,
    cartCode: cart.discounts.find(({ code }) => code)?.code ?? "",
    hubId: customer.hubId,
  };
  const [changes, setChanges] = useState(() => recallDraft(customer));
  /** The newest, also for what began before the last change. */
  const newest = useRef(changes);
  const [card, setCard] = useState(emptyCard);
  const typed = draftOf(account, changes, card);
  // A stored address has no field that its ZIP code fills in.
  const zipPlace = useZipPlace(typed.address.auto?.length ? typed.address.zipCode : "");
  const draft = { ...typed, address: withPlace(typed.address, zipPlace) };
  const [state, dispatch] = useReducer(checkoutReducer, null, () =>
    resumeCheckout(
      openCheckout({ isReady: isDeliverable(draft, customer) && !customer.fulfillment?.problem, isNew }),
      earlier,
      cart.items,
    ),
  );
  const { phase, refusal } = state;
  usePaying(phase.kind === "placing" || phase.kind === "challenge");
  const refuse = (next: Refusal | null) => dispatch({ type: "refused", refusal: next });
  const change = (next: Partial<Choices>) => {
    newest.current = changeDraft(account, newest.current, next);
    setChanges(newest.current);
    keepDraft(customer, newest.current);
  };
  const { quote, error: quoteError, stale, refresh, accept } = useQuote(quoteBody(draft));
  const { place, complete } = usePlacing(dispatch, (outcome) => {
    const refused = failureOf(outcome, cart.items);
    if (refused.kind === "total_changed") {
      void onCartChanged();
      if (refused.quote) accept(refused.quote);
      else refresh();
    }
    if (refused.kind === "sold_out") void onCartChanged().then(refresh);
    // The day is closed: what the page shows next is the next one's price and date.
    if (outcome.kind !== "unknown" && outcome.error.code === "past_cutoff") refresh();
    refuse(refused);
  });

  // Credit redeemed or spent elsewhere: the same choice has another price.
  const [pricedCredit, setPricedCredit] = useState(customer.credit);
  if (pricedCredit !== customer.credit) {
    setPricedCredit(customer.credit);
    refresh();
  }
  const badCode = quoteError?.code === "bad_code" || quoteError?.code === "code_limit" ? quoteError.message : null;
  const onBadCode = useEffectEvent((message: string) => {
    dispatch({ type: "codeRejected", message });
    change({ code: null });
  });
  useEffect(() => {
    if (badCode !== null) onBadCode(badCode);
  }, [badCode]);

  const put = ({ card: next, ...choices }: Partial<Draft>) => {
    if (next) setCard(next);
    if (Object.keys(choices).length > 0) change(choices);
    dispatch({ type: "changed", hasCode: Boolean(choices.code) });
  };

  const nothingDue = quote !== null && quote.amountDue === 0 && quote.orders.length > 0;
  const mustSave = mustSaveCard(quote, marketNow());
  const paying: Paying = {
    asksForCard: config.payments !== "offline" && !nothingDue,
    ownFields: config.payments !== "stripe",
    method: methodOf(draft, quote),
    saves: mustSave || draft.save,
  };

  const nextTime = useRef<HTMLDivElement>(null);
  const order = () => {
    if (stale || !quote || quoteError) return;
    const isReady = isDeliverable(draft, quote);
    const problems = isReady ? paymentProblems(draft, paying, marketNow()) : [];
    dispatch({ type: "submitted", isReady, problems });
    if (!isReady || problems.length > 0) return;
    const seen = {
      expectedTotal: quote.orderTotal,
      expectedDeliveryDate: quote.deliveryDate,
      expectedHubId: customer.hubId ?? undefined,
      expectedItems: boughtItems(cart).map(({ product, fromBundleId, quantity }) => ({
        variantId: product.variant.id,
        bundleId: fromBundleId,
        quantity,
      })),
    };
    const { trk, utmSource, utmCampaign } = keptOrigin();
    const origin = { trk, utmSource, utmCampaign };
    // Only what the shopper was shown: the line may not have loaded.
    const chosen = { ...draft, useNextTime: draft.useNextTime && nextTime.current !== null };
    const needsToken = usesStripe && paying.asksForCard && paying.method === "new";
    void place(async () => {
      const typed = needsToken ? await cardToken() : { token: null };
      if ("problem" in typed) return typed;
      return { body: { ...choiceOf(chosen, paying, typed.token), ...seen, origin } };
    });
  };

  const pickupPoints = quote?.pickupPoints ?? boot.hub?.pickupPoints ?? [];
  const refused = refusal?.kind === "field" ? [{ field: refusal.field, message: refusal.message }] : [];

  return (
    <div className={s.columns}>
      <div className={s.summary}>
        <Summary cart={cart} quote={quote} type={draft.type} />
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
        ) : refusal?.kind === "market_changed" ? (
          <MarketChanged message={refusal.message} />
        ) : refusal?.kind === "sold_out" ? (
          <SoldOut
            message={refusal.message}
            items={refusal.items}
            onGoOn={boughtItems(cart).length > 0 ? () => refuse(null) : null}
          />
        ) : (
          <>
            {notice}
            <Step
              number={1}
              title="Delivery or pickup"
              state={stepState(state, "delivery")}
              focuses={state.moved}
              onChange={() => dispatch({ type: "opened", step: "delivery" })}
              summary={whereWords(draft, pickupPoints)}
            >
              <DeliveryStep
                draft={draft}
                put={put}
                hub={boot.hub ?? null}
                isFree={customer.isWagonPassActive}
                pickupPoints={pickupPoints}
                saved={customer.deliveryAddress}
                problem={customer.fulfillment?.problem}
                refused={refused}
                onNext={() => {
                  // Kept as it was seen: a reload finds a whole address.
                  put({ address: draft.address });
                  dispatch({ type: "deliveryDone" });
                }}
              />
            </Step>
            <Step
              number={2}
              title="Tip and notes"
              state={stepState(state, "extras")}
              focuses={state.moved}
              onChange={() => dispatch({ type: "opened", step: "extras" })}
              summary={extrasWords(draft)}
            >
              <AsyncBoundary waiting={<SkeletonPart kind="row" />} failed={messages.network}>
                <ExtrasStep
                  draft={draft}
                  put={put}
                  credit={customer.credit}
                  onRedeemed={onCustomer}
                  codeError={state.codeError}
                  onNext={() => dispatch({ type: "extrasDone" })}
                />
              </AsyncBoundary>
            </Step>
            <Step number={3} title="Payment" state={stepState(state, "payment")} focuses={state.moved}>
              {!state.hasSeenExtras && draft.type === "delivery" && (
                <AsyncBoundary waiting={<SkeletonPart kind="row" />}>
                  <TipChoice value={draft.tip} onChange={(tip) => put({ tip })} />
                </AsyncBoundary>
              )}
              <PaymentStep
                draft={draft}
                put={put}
                paying={paying}
                methods={quote?.paymentMethods ?? []}
                mustSave={mustSave}
                dueCents={fromDollars(quote?.amountDue ?? 0)}
                nothingDue={nothingDue}
                problems={state.problems}
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
          quoteError={quoteError && badCode === null ? quoteError.message : null}
          onRetryQuote={refresh}
          ready={canPlace(state)}
          phase={phase}
          refusal={refusal}
          charges={paying.asksForCard}
          onPlace={order}
        >
          <AsyncBoundary>
            <NextTime ref={nextTime} customer={customer} draft={draft} put={put} paying={paying} quote={quote} />
          </AsyncBoundary>
        </Review>
      </div>
    </div>
  );
}

/** Whether the choice says where the order goes, and the market delivers there as far as `known` says. */
const isDeliverable = (draft: Draft, known: Pick<Quote, "homeDelivery">): boolean =>
  deliveryProblems(draft).length === 0 &&
  (draft.type === "pickup" || known.homeDelivery?.zipCode !== draft.address.zipCode || known.homeDelivery.isPossible);

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
