import type { Order } from "@marketday/contracts/orders";
import { keepDates } from "@marketday/domain/calendar-date";
import { statusLabel } from "@marketday/domain/order-state";
import { Chip } from "@marketday/ui/chip.tsx";

import { explain } from "./format.ts";

import s from "./order-state.module.css";

/** The spec's word for an order's state. */
export const StateChip = ({ status }: Pick<Order, "status">) => (
  <Chip tone={status === "cancelled" ? "tomato" : status === "open" || status === "closed" ? "kale" : "plain"}>
    {statusLabel(status)}
  </Chip>
);

/**
 * What the word means for this order now, a line for each sentence. On paper only until when a later order can be changed, which
 * nothing else there says.
 */
export const StateNote = ({ order, now }: { order: Order; now: Date }) => (
  <span className={s.note} data-no-print={order.status === "future" ? undefined : ""}>
    {explain(order, now).map((sentence) => (
      <span key={sentence}>{keepDates(sentence)}</span>
    ))}
  </span>
);
