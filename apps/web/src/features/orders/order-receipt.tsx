import { useMarketNow } from "@marketday/client/clock.ts";
import type { Order } from "@marketday/contracts/orders";
import { ButtonLink } from "@marketday/ui/button.tsx";

import { paths } from "../../navigation/paths.ts";
import { CalendarButton } from "./calendar-button.tsx";
import { StateChip, StateNote } from "./order-state.tsx";
import { DeliveryCard, ReceiptCard } from "./receipt.tsx";

import s from "./order-complete-page.module.css";

/** The confirmation as a till receipt: day, place, items, every part of the total. Prints on one page. */
export function OrderReceipt({ order, email }: { order: Order; email: string | null }) {
  const { id, status, hub } = order;
  const now = useMarketNow();
  return (
    <article className={s.page}>
      <header className={s.head}>
        <h1>{status === "cancelled" ? "This order was cancelled" : "Your order is in"}</h1>
        <p>
          Order <strong>#{id}</strong>, {hub.name} <StateChip status={status} />
        </p>
        <StateNote order={order} now={now} />
        {email && status !== "cancelled" && <p className={s.quiet}>The confirmation is on its way to {email}.</p>}
      </header>
      <div className={s.columns}>
        <DeliveryCard order={order} />
        <ReceiptCard order={order} />
      </div>
      <div className={s.next} data-no-print="">
        <ButtonLink to={paths.shop} size="lg">
          Back to the market
        </ButtonLink>
        {status !== "cancelled" && <CalendarButton order={order} size="lg" />}
      </div>
    </article>
  );
}
