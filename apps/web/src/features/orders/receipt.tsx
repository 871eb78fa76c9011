import type { Order } from "@marketday/contracts/orders";
import { orderByWords, timeLeft } from "@marketday/domain/order";
import type { ReactNode } from "react";

import { useMarketNow } from "../../lib/clock.ts";
import { CalendarLeaf } from "../../ui/calendar-leaf.tsx";
import { formatMoney } from "../../ui/money.ts";
import { WeekLine } from "../../ui/week-line.tsx";
import { addressLine } from "../account/address.ts";
import { ItemLines, itemsTotal } from "./item-lines.tsx";
import { Totals } from "./totals.tsx";
import { dayWords } from "./words.ts";

import s from "./receipt.module.css";

/** Day, countdown, Week Line, place and notes of an order. */
export function DeliveryCard({ order }: { order: Order }) {
  return (
    <section className={s.card} aria-label="Delivery">
      <Arrival order={order} />
      <dl className={s.facts}>
        <Place order={order} />
        {order.deliveryNotes && (
          <div>
            <dt>Notes</dt>
            <dd>{order.deliveryNotes}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** Items, every part of the total, and what was added later. `lines` stands in the place of the items while they are edited. */
export function ReceiptCard({ order, lines }: { order: Order; lines?: ReactNode }) {
  const { items, addOns } = order;
  return (
    <section className={s.card} aria-label="Receipt">
      <h2>Receipt</h2>
      {lines ?? <ItemLines items={items} label="Items" />}
      <div className={s.sums}>
        <Totals
          parts={{ ...order, items: itemsTotal(items), credit: differenceOf(order.orderTotal, order.amountDue) }}
        />
      </div>
      {lines !== undefined && <p className={s.note}>The total is worked out again when you save.</p>}
      {addOns && (
        <div className={s.sums}>
          <h3>Added later</h3>
          <ItemLines items={addOns.items} label="Items added later" />
          <p className={s.addOns}>
            <span>Add-ons in all</span>
            <strong>{formatMoney(addOns.orderTotal)}</strong>
          </p>
        </div>
      )}
    </section>
  );
}

/** Dollars, to the cent. */
const differenceOf = (a: number, b: number) => (Math.round(a * 100) - Math.round(b * 100)) / 100;

/** The leaf, the words and the Week Line: until when it can be added to, and when it comes. */
function Arrival({ order }: { order: Order }) {
  const { deliveryDate, cutoff, timeZone, status } = order;
  const now = useMarketNow();
  const until = new Date(cutoff);
  const left = status === "open" || status === "future" ? timeLeft(now, until, timeZone) : null;
  return (
    <>
      <div className={s.day}>
        <CalendarLeaf date={deliveryDate} />
        <div>
          <h2>{dayWords(order)}</h2>
          {left && (
            <p>
              Add until <strong>{orderByWords(until, timeZone)}</strong>, {left.count} {left.unit}
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
          {addressLine(deliveryAddress)}
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
        {name}, {address}, {city}, {state} {zipCode}
        {hours && <small>{hours}</small>}
      </dd>
    </div>
  );
}
