import { useMarketNow } from "@marketday/client/clock.ts";
import { useMedia } from "@marketday/client/use-media.ts";
import type { Cart } from "@marketday/contracts/cart";
import type { Quote } from "@marketday/contracts/checkout";
import { calendarDate, dateInZone, formatLong, formatWeekday, isCalendarDate } from "@marketday/domain/calendar-date";
import { formatCloses, formatTimeLeft } from "@marketday/domain/order";
import { CalendarLeaf } from "@marketday/ui/calendar-leaf.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { formatMoney } from "@marketday/ui/money.ts";

import { ItemLines } from "../../features/orders/item-lines.tsx";
import type { Draft } from "./draft.ts";

import s from "./summary.module.css";

/** What is being bought: folded above the steps on a phone, with the total; open beside them on a desktop. */
export function Summary({ cart, quote, type }: { cart: Cart; quote: Quote | null; type: Draft["type"] }) {
  const wide = useMedia("(min-width: 900px)");
  const items = boughtItems(cart);
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const words = `${count} item${count === 1 ? "" : "s"}`;
  if (wide)
    return (
      <section className={s.summary} aria-label="Your order">
        <Day
          deliveryDate={quote?.deliveryDate ?? cart.deliveryDate}
          cutoff={quote?.cutoff ?? cart.cutoff}
          timeZone={quote?.timeZone ?? cart.timeZone}
        />
        <ItemLines items={items} label="Items" />
        <LaterOrders quote={quote} />
      </section>
    );
  return (
    <section className={s.summary} aria-label="Your order">
      <Day
        deliveryDate={quote?.deliveryDate ?? cart.deliveryDate}
        cutoff={quote?.cutoff ?? cart.cutoff}
        timeZone={quote?.timeZone ?? cart.timeZone}
      />
      <details className={s.fold}>
        <summary className={s.folded}>
          <span>
            Your order, {words} <Icon name="down" size="sm" />
          </span>
          {quote && <strong className={s.amount}>{formatMoney(quote.orderTotal)}</strong>}
        </summary>
        <ItemLines items={items} label="Items" />
      </details>
      {quote && <p className={s.parts}>{partsOf(quote, type)}</p>}
      <LaterOrders quote={quote} />
    </section>
  );
}

/** What the total has besides the items: why it is another one than the cart's, and why it changes. */
function partsOf({ fees, tip, tax, discountAmount, credit }: Quote, type: Draft["type"]): string {
  const place = type === "pickup" ? "pickup" : "home delivery";
  const parts = [
    fees.delivery > 0 ? `${place} ${formatMoney(fees.delivery)}` : `free ${place}`,
    fees.card > 0 && `processing ${formatMoney(fees.card)}`,
    tip > 0 && `tip ${formatMoney(tip)}`,
    tax > 0 && `tax ${formatMoney(tax)}`,
    discountAmount > 0 && `${formatMoney(discountAmount)} off`,
    credit > 0 && `store credit pays ${formatMoney(credit)}`,
  ];
  return `With ${parts.filter(Boolean).join(", ")}`;
}

/** What will be bought: the watched and what this market does not sell stay in the cart. */
export const boughtItems = (cart: Cart) => cart.items.filter(({ watching, isPublished }) => !watching && isPublished);

function Day({
  deliveryDate,
  cutoff,
  timeZone,
}: {
  deliveryDate: string | null;
  cutoff: string | null;
  timeZone: string | null;
}) {
  const now = useMarketNow();
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

/** A box that joins an open order, and pre-orders with a day of their own. */
function LaterOrders({ quote }: { quote: Quote | null }) {
  const now = useMarketNow();
  const lines = (quote?.orders ?? []).flatMap(({ isPreOrder, deliveryDate, joinsOrderId, orderTotal }) => {
    if (isPreOrder && quote)
      return [
        `Pre-order, arrives ${formatLong(calendarDate(deliveryDate), dateInZone(now, quote.timeZone))}: ${formatMoney(orderTotal)}`,
      ];
    return joinsOrderId === null ? [] : [`Joins your open order #${joinsOrderId}: one box, no second delivery fee`];
  });
  if (lines.length === 0) return null;
  return (
    <ul className={s.later}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
