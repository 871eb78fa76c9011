import { messageOf } from "@marketday/client/messages.ts";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Leaf } from "@marketday/ui/admin/leaf.tsx";
import { SidePanel } from "@marketday/ui/admin/side-panel.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { ToteTag } from "@marketday/ui/admin/tote-tag.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useLocation } from "react-router";

import * as t from "#messages/orders";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { paths } from "../../lib/paths.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { ActionNotes } from "./action-notes.tsx";
import { type DayBox, isForbidden, isMissing, orderQuery } from "./api.ts";
import { BoxLines } from "./box-lines.tsx";
import { CustomerFacts } from "./customer-facts.tsx";
import { boxStatus, nameOf } from "./format.ts";
import { HistoryList } from "./history-list.tsx";
import { LedgerTable } from "./ledger-table.tsx";
import { MoneySteps } from "./money-steps.tsx";
import { OrderVerbs } from "./order-verbs.tsx";
import { panelTitleId } from "./panel-title.ts";

import s from "./orders.module.css";

interface OrderPanelProps {
  /** The order number of the address. */
  id: string;
  /** The day of the list beside it. */
  hub: string;
  date: string;
  /** Its row, from which its head is known before it has loaded. */
  box: DayBox | undefined;
  place: string | undefined;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
  isWhole: boolean;
}

/** Where a box goes: "Carmel, door delivery, Westfield, driver 1 stop 9". */
function destination(order: OrderBox): string {
  const { hub, place, isPickup, driver, stop } = order;
  const to = isPickup ? t.goesTo.pickup(hub.name, place) : t.goesTo.door(hub.name, place);
  return driver === null || stop === null ? to : `${to}, ${t.goesTo.route(driver, stop)}`;
}

/** An order beside the list of its day: the box, its money, its customer, what happened, and what can be done. */
export function OrderPanel({ id, hub, date, box, ...panel }: OrderPanelProps) {
  const { search } = useLocation();
  const isNumber = /^\d{1,9}$/.test(id);
  const query = useQuery({ ...orderQuery(id), enabled: isNumber });
  const { data: order, error, refetch } = query;
  // An add-on is in the box of its order, and a box may be of another day than the address says.
  if (order && (String(order.id) !== id || order.day !== date || ![order.hub.slug, String(order.hub.id)].includes(hub)))
    return <Navigate replace to={`${paths.boxes(order.hub.slug, order.day, order.id)}${search}`} />;
  const isGone = !isNumber || (!order && (isMissing(error) || isForbidden(error)));
  const head = order
    ? { tote: order.tote, name: order.customer?.name ?? "", status: order.status }
    : box && { tote: box.tote, name: box.name, status: box.status };
  const status = head && boxStatus(head.status);
  return (
    <div className={s.panel} data-order-panel="">
      <SidePanel
        {...panel}
        label={t.orderNumber(isNumber ? formatOrderNumber(Number(id)) : id)}
        link={paths.order(id)}
        titleId={panelTitleId(id)}
        title={isGone ? t.noOrder : head ? nameOf(head.name) : t.orderTitle}
        mark={head && head.tote !== null && <ToteTag number={head.tote} size="lg" />}
        note={order && <p>{destination(order)}</p>}
        end={
          status && (
            <>
              <StatusMark shape={status.shape} pill>
                {status.word}
              </StatusMark>
              <Leaf date={date} />
            </>
          )
        }
        side={
          order && (
            <>
              <CustomerFacts order={order} />
              <HistoryList order={order} />
            </>
          )
        }
        foot={order && <OrderVerbs key={id} order={order} />}
      >
        {order ? (
          <>
            <StaleNote query={query} zone={order.hub.timeZone} />
            <ActionNotes order={order} />
            <BoxLines order={order} />
            <MoneySteps order={order} />
            <LedgerTable order={order} />
          </>
        ) : isGone ? (
          <p>{isForbidden(error) ? t.notAllowedHelp : t.noOrderHelp}</p>
        ) : error ? (
          <ErrorState message={t.failedOrder} onRetry={() => void refetch()}>
            {messageOf(error)}
          </ErrorState>
        ) : (
          <Skeleton label={t.loadingOrder}>
            <SkeletonPart kind="title" width="third" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
          </Skeleton>
        )}
      </SidePanel>
    </div>
  );
}
