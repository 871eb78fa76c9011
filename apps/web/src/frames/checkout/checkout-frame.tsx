import type { Cart } from "@marketday/contracts/cart";
import { useEffect, useRef } from "react";

import { boot, config } from "../../lib/boot.ts";
import { messages } from "../../lib/messages.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { formatMoney } from "../../ui/money.ts";
import { Panel } from "../../ui/panel.tsx";
import { SkeletonPart, Skeleton } from "../../ui/skeleton.tsx";
import { closeFrame } from "../host.ts";
import { AccountStep } from "./account-step.tsx";
import { CheckoutSteps } from "./checkout-steps.tsx";
import { boughtItems, Summary } from "./summary.tsx";
import { useVisitor } from "./use-visitor.ts";

import s from "./checkout-frame.module.css";

/** Checkout (docs/product.md §7): our own page in a frame, without the shop's header. */
export default function CheckoutFrame() {
  const { customer, isNew, guestZip, cart, failed, notice, reloadCart, update, adopt, expire } = useVisitor();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `Checkout · ${config.marketName}`;
    heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <main className={s.frame} aria-labelledby="checkout">
      <div className={s.bar}>
        <span className={s.brand}>
          <Icon name="wagon" size="lg" />
          {config.marketName}
        </span>
        <IconButton icon="close" label="Close checkout" onClick={() => closeFrame(customer !== null)} />
      </div>
      <div className={s.main}>
        <h1 id="checkout" ref={heading} tabIndex={-1} className={s.title}>
          Checkout
        </h1>
        {!cart ? (
          failed ? (
            <ErrorState message={messages.network} onRetry={() => void reloadCart()} />
          ) : (
            <Skeleton label="checkout">
              <SkeletonPart kind="row" />
              <SkeletonPart kind="row" />
              <SkeletonPart kind="row" />
            </Skeleton>
          )
        ) : cart.items.length === 0 ? (
          <EmptyState
            icon="wagon"
            title={messages.cartEmpty}
            action={<Button onClick={() => closeFrame(true)}>{messages.continueShopping}</Button>}
          >
            Add something from the stalls, then come back.
          </EmptyState>
        ) : boughtItems(cart).length === 0 && customer ? (
          <EmptyState
            icon="wagon"
            title="Nothing in your cart can be bought right now"
            action={<Button onClick={() => closeFrame(true)}>Back to the cart</Button>}
          >
            Items you watch come back automatically when they're in stock again.
          </EmptyState>
        ) : customer ? (
          <CheckoutSteps
            key={customer.id}
            customer={customer}
            isNew={isNew}
            cart={cart}
            onCartChanged={reloadCart}
            onCustomer={update}
            onExpired={expire}
          />
        ) : (
          <div className={s.columns}>
            <div className={s.summary}>
              <Summary cart={cart} quote={null} />
            </div>
            <div className={s.steps}>
              <AccountStep zipCode={guestZip} notice={notice} onDone={adopt} />
            </div>
            <div className={s.review}>
              <GuestSums cart={cart} />
            </div>
          </div>
        )}
      </div>
    </main>
  );
}

/** What is known before there is an account to price for. */
const GuestSums = ({ cart }: { cart: Cart }) => (
  <Panel as="section" label="Order total">
    <dl className={s.sums}>
      <div>
        <dt>Subtotal</dt>
        <dd>{formatMoney(cart.subtotal)}</dd>
      </div>
      {boot.hub && (
        <div>
          <dt>Home delivery, flat</dt>
          <dd>{formatMoney(boot.hub.deliveryFee)}</dd>
        </div>
      )}
    </dl>
  </Panel>
);
