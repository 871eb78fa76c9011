import { useMarketNow } from "@marketday/client/clock.ts";
import type { Order } from "@marketday/contracts/orders";
import { addDollars, subtractDollars } from "@marketday/domain/money";
import { formatOrderBy, timeLeft } from "@marketday/domain/order";
import { WAIVED_LINE } from "@marketday/domain/waived";
import { CalendarLeaf } from "@marketday/ui/calendar-leaf.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { WeekLine } from "@marketday/ui/week-line.tsx";
import type { ReactNode } from "react";

import * as t from "#messages/orders";

import { addressLine } from "../account/fulfillment.ts";
import { formatAdded, formatDay } from "./format.ts";
import { ItemLines, itemsTotal } from "./item-lines.tsx";
import { Totals } from "./totals.tsx";

import s from "./receipt.module.css";

/** Day, countdown, Week Line, place and notes of an order. */
export function DeliveryCard({ order }: { order: Order }) {
  return (
    <section className={s.card} aria-label="Delivery">
      <EntryRedirect order={order} />
      <dl className={s.facts}>
        <Place order={order} />
        {order.deliveryNotes && (
          <div>
            <dt>Notes</dt>
            <dd>{order.deliveryNotes}</dd>
          </div>
        )}
        {order.marketNotes && (
          <div>
            <dt>{t.fromMarket}</dt>
            <dd>{order.marketNotes}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** Items, every part of the total, what was added later, and the sum of the box. `lines` replaces all items while they are edited. */
export function ReceiptCard({ order, lines }: { order: Order; lines?: ReactNode }) {
  const now = useMarketNow();
  const { items, addOns, addOnOrders, orderTotal, amountDue } = order;
  return (
    <section className={s.card} aria-label="Receipt">
      <h2>Receipt</h2>
      {lines ?? <ItemLines items={items} label="Items" />}
      <div className={s.sums}>
        <Totals parts={{ ...order, items: itemsTotal(items), credit: subtractDollars(orderTotal, amountDue) }} />
      </div>
      {addOnOrders.map((addOn) => {
        const added = formatAdded(order, addOn.id, now);
        const addedItems = addOns?.items.filter(({ orderId }) => orderId === addOn.id) ?? [];
        return (
          <div key={addOn.id} className={s.sums}>
            <h3>{added}</h3>
            {lines === undefined && <ItemLines items={addedItems} label={`Items. ${added}`} />}
            {addOn.waived > 0 && (
              <p className={s.addOns}>
                <span>{WAIVED_LINE}</span>
                <span>{formatMoney(-addOn.waived)}</span>
              </p>
            )}
            <p className={s.addOns}>
              <span>Total with tip, tax, and processing</span>
              <strong>{formatMoney(addOn.orderTotal)}</strong>
            </p>
          </div>
        );
      })}
      {addOns && (
        <div className={s.sums}>
          <p className={s.addOns}>
            <strong>Everything in this box</strong>
            <strong>{formatMoney(addDollars(orderTotal, addOns.orderTotal))}</strong>
          </p>
        </div>
      )}
      {lines !== undefined && <p className={s.note}>We'll recalculate the total when you save.</p>}
    </section>
  );
}

/** The leaf, the words and the Week Line: until when it can be added to, and when it comes. */
function EntryRedirect({ order }: { order: Order }) {
  const { deliveryDate, cutoff, timeZone, status } = order;
  const now = useMarketNow();
  const until = new Date(cutoff);
  const left = status === "open" ? timeLeft(now, until, timeZone) : null;
  return (
    <>
      <div className={s.day}>
        <CalendarLeaf date={deliveryDate} />
        <div>
          <h2>{formatDay(order, now)}</h2>
          {left && (
            <p>
              Add until <strong>{formatOrderBy(until, timeZone, now)}</strong>, {left.count} {left.unit}
              {left.count === 1 ? "" : "s"} left
            </p>
          )}
        </div>
      </div>
      {status !== "closed" && status !== "cancelled" && (
        <div data-no-print="">
          <WeekLine now={now} zone={timeZone} cutoff={until} deliveryDate={deliveryDate} />
        </div>
      )}
    </>
  );
}

function Place({ order: { deliveryAddress, pickupAddress } }: { order: Order }) {
  if (deliveryAddress)
    return (
      <div>
        <dt>To your door</dt>
        <dd>
          <span translate="no">{addressLine(deliveryAddress)}</span>
          {deliveryAddress.instructions && <small>{deliveryAddress.instructions}</small>}
        </dd>
      </div>
    );
  if (!pickupAddress) return null;
  const { name, address, city, state, zipCode, hours } = pickupAddress;
  return (
    <div>
      <dt>Pickup</dt>
      <dd>
        <span translate="no">
          {name}, {address}, {city}, {state} {zipCode}
        </span>
        {hours && <small>{hours}</small>}
      </dd>
    </div>
  );
}
