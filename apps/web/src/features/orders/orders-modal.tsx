import { useMarketNow } from "@marketday/client/clock.ts";
import type { Order } from "@marketday/contracts/orders";
import { addDollars } from "@marketday/domain/money";
import { canEdit } from "@marketday/domain/order-state";
import { Button } from "@marketday/ui/button.tsx";
import { CalendarLeaf } from "@marketday/ui/calendar-leaf.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Picture } from "@marketday/ui/picture.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";

import { messages } from "../../lib/messages.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { orderPagesQuery } from "./api.ts";
import { changedOrders, editLines } from "./edit.ts";
import { formatAddOn, formatItemCount, formatDay, groupOrders } from "./format.ts";
import { keptChanges, onKeptChanges } from "./kept-edits.ts";
import { StateChip, StateNote } from "./order-state.tsx";
import { allItems } from "./reorder.ts";

import s from "./orders-modal.module.css";

/** "My orders" (spec §2.4): open and pending, future, completed; each opens its receipt. */
export default function OrdersModal({ onDone }: { onDone: () => void }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useInfiniteQuery(orderPagesQuery);
  // An order placed between two pages moves the others on by one.
  const orders = data && [
    ...new Map(data.pages.flatMap((page) => page.orders).map((order) => [order.id, order])).values(),
  ];
  const list = useRef<HTMLDivElement>(null);
  // The order that the focus goes to when the next page is there.
  const focusAfter = useRef<number | null>(null);
  const shown = orders?.length ?? 0;
  useEffect(() => {
    if (focusAfter.current === null || shown <= focusAfter.current) return;
    list.current?.querySelectorAll<HTMLElement>("li > button")[focusAfter.current]?.focus();
    focusAfter.current = null;
  }, [shown]);
  const showMore = () => {
    focusAfter.current = shown;
    void fetchNextPage();
  };
  return (
    <DialogBody>
      <div className={s.orders} ref={list}>
        <DialogTitle>My orders</DialogTitle>
        {orders ? (
          <>
            {orders.length === 0 && (
              <EmptyState
                icon="wagon"
                title="Your first order will show up here"
                action={<Button onClick={onDone}>Fill the wagon</Button>}
              >
                What you bought, how long you can add to it, and when it arrives.
              </EmptyState>
            )}
            {groupOrders(orders).map(({ title, orders: group }) => (
              <section key={title} aria-label={title} className={s.group}>
                <h3>{title}</h3>
                <ul className={s.list}>
                  {group.map((order) => (
                    <li key={order.id}>
                      <OrderRow order={order} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            {isFetchNextPageError && <ErrorState message={messages.ordersFetch} onRetry={showMore} />}
            {hasNextPage && !isFetchNextPageError && (
              <Button kind="outline" busy={isFetchingNextPage && "Loading…"} onClick={showMore}>
                Show more orders
              </Button>
            )}
          </>
        ) : error ? (
          <ErrorState message={messages.ordersFetch} onRetry={() => void refetch()} />
        ) : (
          <Skeleton label="your orders">
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
          </Skeleton>
        )}
      </div>
    </DialogBody>
  );
}

/** The day it comes, what it is, what it costs, and, while it is open, how long it can be added to. */
function OrderRow({ order }: { order: Order }) {
  const { openModal } = useNavigation();
  const now = useMarketNow();
  const { id, deliveryDate, status, hub, orderTotal, addOns } = order;
  const left = formatAddOn(order, now);
  const isUnsaved =
    useSyncExternalStore(onKeptChanges, () => changedOrders(order, editLines(order, keptChanges())).length > 0) &&
    canEdit(status, new Date(order.cutoff), now);
  const opener = `order-${id}`;
  // A variant may be in the order and in its add-ons.
  const items = allItems(order);
  const pictured = [...new Map(items.map((item) => [item.product.id, item.product])).values()].slice(0, 3);
  return (
    <button type="button" id={opener} className={s.row} onClick={() => openModal({ kind: "order", id }, opener)}>
      <CalendarLeaf date={deliveryDate} />
      <span className={s.words}>
        <strong>{formatDay(order, now)}</strong>
        <small>
          #{id} · {hub.name} · {formatItemCount(items)} ·{" "}
          <Money amount={addDollars(orderTotal, addOns?.orderTotal ?? 0)} />
        </small>
        <span className={s.chips}>
          <StateChip status={status} />
          {left && <Chip tone="squash">{left}</Chip>}
          {isUnsaved && <Chip tone="tomato">Unsaved changes</Chip>}
        </span>
        <StateNote order={order} now={now} />
      </span>
      <span className={s.pictures} aria-hidden="true">
        {pictured.map(({ id: productId, images }) => (
          <span key={productId} className={s.picture}>
            <Picture picture={images[0]} sizes="44px" alt="" />
          </span>
        ))}
      </span>
      <Icon name="next" size="sm" />
    </button>
  );
}
