import { type Sql, sql } from "@marketday/db";
import { type PaymentState, paymentTransitions } from "@marketday/domain/checkout";
import { statesBefore } from "@marketday/domain/order";

/**
 * The states from which a `payment` may change to `to`: every write of a state has them in its condition, so that a transition that
 * is not in the table cannot be written.
 * @param from narrows the states that the write changes; the table still decides
 * @param table `offlineTransitions` for a write of offline payments only
 */
export const statesTo = (
  to: PaymentState,
  from?: readonly PaymentState[],
  table = paymentTransitions,
): PaymentState[] => statesBefore(table, to).filter((state) => from?.includes(state) ?? true);

/** The same as a condition of SQL. */
export const mayBecome = (to: PaymentState, from?: readonly PaymentState[], table = paymentTransitions): Sql =>
  sql`state = any(${statesTo(to, from, table)}::text[])`;
