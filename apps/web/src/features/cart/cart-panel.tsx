import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { useMarketNow } from "@marketday/client/clock.ts";
import { whenIdle } from "@marketday/client/idle.ts";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import type { Cart } from "@marketday/contracts/cart";
import { calendarDate, dateInZone, formatWeekday, isCalendarDate } from "@marketday/domain/calendar-date";
import { deliveryRow, processingRow, taxRow, type TotalRow } from "@marketday/domain/fee-rows";
import { formatCloses, formatTimeLeft } from "@marketday/domain/order";
import { Button, ButtonLink } from "@marketday/ui/button.tsx";
import { CalendarLeaf } from "@marketday/ui/calendar-leaf.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useEffect, useState } from "react";

import { messages } from "../../lib/messages.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { isOfMarket } from "../banners/api.ts";
import { BannerList } from "../banners/banner-list.tsx";
import { useHub } from "../hubs/api.ts";
import { RowAmount } from "../orders/row-amount.tsx";
import { useShopper } from "../session/api.ts";
import { CartLines } from "./cart-lines.tsx";
import { estimateTotal } from "./estimate-total.ts";
import { useCart } from "./use-cart.ts";

import s from "./cart-panel.module.css";

const Usuals = lazyWithRetry(() => import("./usuals.tsx"));
const OtherMarketBanners = lazyWithRetry(() => import("./other-market-banners.tsx"));

interface CartPanelProps {
  /** Continue Shopping: leaves the modal; in the side panel the shop is already there. */
  onContinue?: () => void;
}

/** The cart: day and time left, banners, lines, and the receipt's foot, always in sight. */
export function CartPanel({ onContinue }: CartPanelProps) {
  const { hubId, isPending: shopperPending } = useShopper();
  const { data: cart, error, refetch } = useCart();
  const { openModal } = useNavigation();
  // The shop shows the market's own banners: in the side panel they would stand there twice.
  const isShop = useNavigation(({ layers }) => layers.page.pathname === paths.shop);
  const besideThem = onContinue === undefined && isShop;

  if (hubId === null && !shopperPending)
    return (
      <EmptyState
        icon="pin"
        title="Where should the wagon go?"
        action={
          <Button id="cart-set-address" onClick={() => openModal({ kind: "welcome" }, "cart-set-address")}>
            Set a delivery address
          </Button>
        }
      >
        Tell us your zip code, and you can fill your cart.
      </EmptyState>
    );
  if (!cart)
    return (
      <div className={s.scroll}>
        {error ? (
          <ErrorState message={error.message} onRetry={() => void refetch()} />
        ) : (
          <Skeleton label="cart">
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
          </Skeleton>
        )}
      </div>
    );
  const { otherMarket } = cart;
  const banners = besideThem ? cart.banners.filter((banner) => !isOfMarket(banner)) : cart.banners;
  const list = <BannerList banners={banners} />;
  return (
    <>
      <div className={s.scroll}>
        <CartDay cart={cart} />
        {otherMarket ? (
          <AsyncBoundary waiting={list} instead={list}>
            <OtherMarketBanners cart={cart} market={otherMarket} banners={banners} />
          </AsyncBoundary>
        ) : (
          list
        )}
        {cart.items.length === 0 && (
          <div className={s.empty}>
            <EmptyState
              icon="wagon"
              title={messages.cartEmpty}
              action={
                onContinue ? (
                  <Button onClick={onContinue}>{messages.continueShopping}</Button>
                ) : (
                  <ButtonLink to={paths.shop}>{messages.continueShopping}</ButtonLink>
                )
              }
            >
              Add something from the stalls.
            </EmptyState>
          </div>
        )}
        <CartLines items={cart.items} />
        <UsualsLater isEmpty={cart.items.length === 0} />
      </div>
      {cart.items.length > 0 && <CartFoot cart={cart} />}
    </>
  );
}

/** What an empty cart offers, when the page has loaded and the browser is idle: no part of the first view. */
function UsualsLater({ isEmpty }: { isEmpty: boolean }) {
  const [isIdle, setIdle] = useState(false);
  const [wasEmpty, setWasEmpty] = useState(isEmpty);
  if (isEmpty && !wasEmpty) setWasEmpty(true);
  useEffect(() => {
    const show = () => setIdle(true);
    if (document.readyState === "complete") return whenIdle(show);
    addEventListener("load", show, { once: true });
    return () => removeEventListener("load", show);
  }, []);
  return (
    isIdle &&
    wasEmpty && (
      <AsyncBoundary>
        <Usuals isEmpty={isEmpty} />
      </AsyncBoundary>
    )
  );
}

function CartDay({ cart }: { cart: Cart }) {
  const now = useMarketNow();
  const { deliveryDate, cutoff, timeZone } = cart;
  if (!deliveryDate || !isCalendarDate(deliveryDate) || !cutoff || !timeZone) return null;
  const until = new Date(cutoff);
  const left = formatTimeLeft(now, until, timeZone);
  return (
    <div className={s.day}>
      <CalendarLeaf date={deliveryDate} />
      <p>
        <strong>Arrives {formatWeekday(calendarDate(deliveryDate), dateInZone(now, timeZone))}</strong>
        <small>{left ? `${left}, ${formatCloses(now, until, timeZone) ?? ""}` : "Closed for this week"}</small>
      </p>
    </div>
  );
}

function CartFoot({ cart }: { cart: Cart }) {
  const hub = useHub();
  const { profile } = useShopper();
  const { hasModal, openModal } = useNavigation();
  const { subtotal, subtotalBeforeDiscounts, discounts } = cart;
  const hasPass = profile?.isWagonPassActive ?? false;
  // docs/product.md §17: shown here, before a guest registers for a checkout that has nothing to sell.
  const hasOwn = cart.items.some(({ watching, isPublished }) => isPublished && !watching);
  const estimate = hasOwn && hub && estimateTotal(cart, hub, hasPass);
  const delivery = hub && deliveryRow({ type: "delivery", delivery: hasPass ? 0 : hub.deliveryFee });
  const fees: (TotalRow & { note?: string })[] = [
    ...(delivery ? [{ ...delivery, note: "once a box" }] : []),
    ...(estimate ? [processingRow(estimate), taxRow(estimate)] : []),
  ];
  return (
    <div className={s.foot}>
      <dl className={s.sums}>
        {discounts.map(({ code, reason, amount, forCartItemId }) => (
          <div key={`${code}-${forCartItemId ?? ""}`}>
            <dt>{reason || "Discount"}</dt>
            <dd>
              <Money amount={-amount} />
            </dd>
          </div>
        ))}
        <div className={estimate ? undefined : s.total}>
          <dt>Subtotal</dt>
          <dd>
            <Money amount={subtotal} was={subtotalBeforeDiscounts} />
          </dd>
        </div>
        {fees.map((row) => (
          <div key={row.label}>
            <dt>{row.note ? `${row.label}, ${row.note}` : row.label}</dt>
            <dd>
              <RowAmount row={row} />
            </dd>
          </div>
        ))}
        {estimate && (
          <div className={s.total}>
            <dt>Estimated total</dt>
            <dd>
              <Money amount={estimate.total} />
            </dd>
          </div>
        )}
      </dl>
      {hasModal("checkout") && (
        <Button
          id="cart-checkout"
          size="lg"
          wide
          disabled={!hasOwn}
          aria-describedby={hasOwn ? undefined : "cart-not-buyable"}
          onClick={() => openModal({ kind: "checkout" }, "cart-checkout")}
        >
          Checkout
        </Button>
      )}
      {hasOwn ? (
        <p className={s.note}>If something sells out we refund it.</p>
      ) : (
        <p id="cart-not-buyable" className={s.note}>
          {cart.otherMarket?.title ??
            "Everything in your cart is sold out or not sold in your market. Add something to check out."}
        </p>
      )}
    </div>
  );
}
