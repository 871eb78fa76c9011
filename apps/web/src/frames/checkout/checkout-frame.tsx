import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import * as calls from "@marketday/contracts/calls";
import type { Cart } from "@marketday/contracts/cart";
import { Button } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";

import { call } from "../../lib/api.ts";
import { boot, config } from "../../lib/boot.ts";
import { messages } from "../../lib/messages.ts";
import { closeFrame, useEscape } from "../shell/host.ts";
import { type Account, useAccount } from "../shell/use-account.ts";
import { AccountStep } from "./account-step.tsx";
import { CheckoutSteps } from "./checkout-steps.tsx";
import type { QuoteBody } from "./draft.ts";
import { Placed } from "./panels.tsx";
import { Review } from "./review.tsx";
import { boughtItems, Summary } from "./summary.tsx";
import { useEarlier } from "./use-earlier.ts";
import { useQuote } from "./use-quote.ts";

import s from "./checkout-frame.module.css";

const MarketChoice = lazyWithRetry(() => import("./market-choice.tsx"));

/** The cart that is bought; first the one the page was rendered with. */
const cartQuery = queryOptions({
  queryKey: ["cart"],
  queryFn: ({ signal }) => call(calls.getCart, undefined, { signal }),
  initialData: boot.cart ?? undefined,
  staleTime: Infinity,
  retry: false,
});

/** Checkout (docs/product.md §7): our own page in a frame, without the shop's header. */
export default function CheckoutFrame() {
  const client = useQueryClient();
  const reloadCart = () => client.refetchQueries({ queryKey: cartQuery.queryKey });
  const account = useAccount({ reload: reloadCart, isOfMarket: true });
  const { customer } = account;
  const { data: cart, isError } = useQuery({ ...cartQuery, enabled: customer !== undefined });
  const earlier = useEarlier(customer?.customerId ?? null);
  useEscape(Boolean(customer));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `Checkout · ${config.marketName}`;
    heading.current?.focus({ preventScroll: true });
  }, []);

  const market = cart?.otherMarket && (
    <AsyncBoundary failed="The markets to choose from didn’t load.">
      <MarketChoice market={cart.otherMarket} hubId={account.hubId} hasOwn={boughtItems(cart).length > 0} />
    </AsyncBoundary>
  );
  return (
    <main className={s.frame} aria-labelledby="checkout">
      <div className={s.bar}>
        <span className={s.brand}>
          <Icon name="wagon" size="lg" />
          {config.marketName}
        </span>
        <IconButton icon="close" label="Close checkout" onClick={() => closeFrame(Boolean(customer))} />
      </div>
      <div className={s.main}>
        <h1 id="checkout" ref={heading} tabIndex={-1} className={s.title}>
          Checkout
        </h1>
        {earlier.outcome?.kind === "placed" ? (
          <Placed orderId={earlier.outcome.orderId} />
        ) : earlier.isChecking || (!cart && !isError) ? (
          <Skeleton label="checkout">
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
          </Skeleton>
        ) : !cart ? (
          <ErrorState message={messages.network} onRetry={() => void reloadCart()} />
        ) : cart.items.length === 0 ? (
          <EmptyState
            icon="wagon"
            title={messages.cartEmpty}
            action={<Button onClick={() => closeFrame(true)}>{messages.continueShopping}</Button>}
          >
            Add something from the stalls, then come back.
          </EmptyState>
        ) : cart.otherMarket && (cart.otherMarket.isUndecided || boughtItems(cart).length === 0) ? (
          market
        ) : boughtItems(cart).length === 0 && customer ? (
          <EmptyState
            icon="wagon"
            title="Nothing in your cart can be bought right now"
            action={<Button onClick={() => closeFrame(true)}>Back to the cart</Button>}
          >
            {cart.items.some(({ watching }) => watching) &&
              "Items you watch come back automatically when they're in stock again."}
          </EmptyState>
        ) : customer ? (
          <CheckoutSteps
            key={customer.id}
            customer={customer}
            isNew={account.isNew}
            cart={cart}
            earlier={earlier.outcome}
            onCartChanged={reloadCart}
            onCustomer={account.update}
            notice={market}
          />
        ) : (
          <GuestSteps account={account} cart={cart} notice={market} />
        )}
      </div>
    </main>
  );
}

/** Of a guest: home delivery, as the steps begin with it. */
const guestChoice: QuoteBody = { type: "delivery" };

/** Before there is an account: the first step, and the total that a new customer of the market pays. */
function GuestSteps({ account, cart, notice }: { account: Account; cart: Cart; notice: ReactNode }) {
  const { quote, error, stale, refresh } = useQuote(guestChoice);
  // A guest's cart that changes in another tab has another price.
  const [pricedCart, setPricedCart] = useState(cart);
  if (pricedCart !== cart) {
    setPricedCart(cart);
    refresh();
  }
  return (
    <div className={s.columns}>
      <div className={s.summary}>
        <Summary cart={cart} quote={quote} type="delivery" />
      </div>
      <div className={s.steps}>
        {notice}
        <AccountStep account={account} />
      </div>
      <div className={s.review}>
        {/* A session that ended has no price: the first step says what to do. */}
        {error?.status !== 401 && (
          <Review
            type="delivery"
            quote={quote}
            stale={stale}
            quoteError={error && error.message}
            onRetryQuote={refresh}
          />
        )}
      </div>
    </div>
  );
}
