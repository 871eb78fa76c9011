import { type Sql, sql } from "@marketday/db";
import { type PaymentState, paymentTransitions } from "@marketday/domain/checkout";
import { statesBefore } from "@marketday/domain/order";

/**
 * The condition that a `payment` may change its state to `to`: every statement that writes a state has it, so that a transition
 * that is not in the table cannot be written.
 * @param from narrows the states that the statement changes; the table still decides
 * @param table `offlineTransitions` for a statement that writes offline payments only
 */
export function mayBecome(to: PaymentState, from?: readonly PaymentState[], table = paymentTransitions): Sql {
  const states = statesBefore(table, to).filter((state) => from?.includes(state) ?? true);
  return sql`state = any(${states}::text[])`;
}
