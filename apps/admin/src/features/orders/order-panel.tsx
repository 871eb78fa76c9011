import { messageOf } from "@marketday/client/messages.ts";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Leaf } from "@marketday/ui/admin/leaf.tsx";
import { SidePanel } from "@marketday/ui/admin/side-panel.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { ToteTag } from "@marketday/ui/admin/tote-tag.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
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
import { noteForm, type OpenForm } from "./open-form.ts";
import { OrderVerbs } from "./order-verbs.tsx";
import { panelTitleId } from "./panel-title.ts";
import { StaffNotes } from "./staff-notes.tsx";

import s from "./orders.module.css";

export interface OrderPanelProps {
  /** The order number of the address. */
  id: string;
  /** Where the order is shown instead of here: an add-on is in the box of its order, and a box may be of another day than the list. */
  redirectOf: (order: OrderBox) => string | null;
  /** Its row, from which its head is known before it has loaded. */
  box: (Pick<DayBox, "tote" | "name" | "status"> & { day: string }) | undefined;
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

/** An order beside its list: the box, its money, its customer, what happened, and what can be done. */
export default function OrderPanel({ id, redirectOf, box, ...panel }: OrderPanelProps) {
  const { search } = useLocation();
  // The verb whose form is open, of this order.
  const [open, setOpen] = useState<{ id: string; form: OpenForm } | null>(null);
  const form = open?.id === id ? open.form : null;
  const setForm = (next: OpenForm | null) => setOpen(next && { id, form: next });
  const isNumber = /^\d{1,9}$/.test(id);
  const query = useQuery({ ...orderQuery(id), enabled: isNumber });
  const { data: order, error, refetch } = query;
  const elsewhere = order ? redirectOf(order) : null;
  if (elsewhere !== null) return <Navigate replace to={`${elsewhere}${search}`} />;
  const isGone = !isNumber || (!order && (isMissing(error) || isForbidden(error)));
  const head = order
    ? { tote: order.tote, name: order.customer?.name ?? "", status: order.status, day: order.day }
    : box && { tote: box.tote, name: box.name, status: box.status, day: box.day };
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
          head &&
          status && (
            <>
              <StatusMark shape={status.shape} pill>
                {status.word}
              </StatusMark>
              <Leaf date={head.day} />
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
        foot={order && <OrderVerbs key={id} order={order} form={form} onForm={setForm} />}
      >
        {order ? (
          <>
            <StaleNote query={query} zone={order.hub.timeZone} />
            <ActionNotes order={order} />
            <StaffNotes order={order} onEdit={(note) => setForm(noteForm(note))} />
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
