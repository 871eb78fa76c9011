import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { calendarDate, dateInZone, formatShort } from "@marketday/domain/calendar-date";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Leaf } from "@marketday/ui/admin/leaf.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";

import * as t from "#messages/customers";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { paths } from "../../lib/paths.ts";
import { formatTime } from "../day/format.ts";
import { Section } from "../orders/section.tsx";
import { boxesQuery, type Customer, type CustomerBox } from "./api.ts";
import { CellLink } from "./cell-link.tsx";
import { useSkip } from "./use-skip.ts";

import s from "./customers.module.css";

/** The next delivery days of their market: what comes automatically, until when it can be changed, and Skip. */
export function NextBoxes({ customer, zone }: { customer: Customer; zone: string }) {
  const { data: boxes, error, refetch } = useQuery(boxesQuery(customer.id));
  return (
    <Section id="customer-boxes" title={t.boxesTitle}>
      {!boxes && error && (
        <ErrorState message={t.failedBoxes} onRetry={() => void refetch()}>
          {messageOf(error)}
        </ErrorState>
      )}
      {!boxes && !error && (
        <Skeleton label={t.loadingBoxes}>
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
      {boxes?.length === 0 && <p className={s.quiet}>{t.noBoxes}</p>}
      {boxes && boxes.length > 0 && (
        <ul className={s.boxes}>
          {boxes.map((box) => (
            <Box key={box.deliveryId} box={box} customer={customer} zone={zone} />
          ))}
        </ul>
      )}
    </Section>
  );
}

interface BoxProps {
  box: CustomerBox;
  customer: Customer;
  zone: string;
}

function Box({ box, customer, zone }: BoxProps) {
  const now = useMarketNow();
  const { day, cutoffAt, autoCheckoutAt, state, isSkipped, isOpen, orderId, items, total } = box;
  const { skip, isPending, failure } = useSkip(customer, box.deliveryId);
  const name = formatShort(calendarDate(day), dateInZone(now, zone));
  const time = formatTime(cutoffAt, zone, now);
  const isPlanned = state === "planned" && items.length > 0;
  return (
    <li className={s.box} data-skipped={isSkipped ? "" : undefined}>
      <Leaf date={day} size="sm" />
      <div className={s.boxWords}>
        <div className={s.boxName}>
          <b>{name}</b>
          {isSkipped && (
            <StatusMark shape="off" quiet>
              {t.skipped}
            </StatusMark>
          )}
          {orderId !== null && (
            <span>
              {`${t.ordered} `}
              <CellLink to={paths.order(orderId)}>{formatOrderNumber(orderId)}</CellLink>
            </span>
          )}
        </div>
        <span className={s.boxItems}>{contentOf(box)}</span>
        <small>
          {[
            isPlanned && t.orderedAt(formatMoney(total), formatTime(autoCheckoutAt, zone, now)),
            isOpen ? t.ordersClose(time) : t.ordersClosed(time),
          ]
            .filter(Boolean)
            .join(". ")}
        </small>
        {failure !== null && (
          <p className={s.failure} role="alert">
            {failure}
          </p>
        )}
      </div>
      {customer.can.skip && isOpen && (
        <Compact size="sm">
          <Button
            kind="outline"
            aria-label={isSkipped ? t.dontSkipLabel(name) : t.skipLabel(name)}
            busy={isPending && (isSkipped ? t.unskipping : t.skipping)}
            onClick={() => skip(!isSkipped)}
          >
            {isSkipped ? t.dontSkip : t.skip}
          </Button>
        </Compact>
      )}
    </li>
  );
}

function contentOf({ state, items }: CustomerBox): string {
  if (items.length > 0) return items.join(", ");
  return state === "closed" ? t.nothingOrdered : t.nothingComes;
}
