import type { Db, Tx } from "@marketday/db";
import { Minute } from "@marketday/domain/time";

import { AppError } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";

/** How long a transaction over all orders of a day may take, ms. */
export const BATCH_MS = 5 * Minute.ms;

/** `withClientDryRun` for all orders of a day, with as much time to try it again after a deadlock. */
export const withBatchDryRun = <T>(db: Db, dryRun: boolean, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withClientDryRun(db, dryRun, work, { budgetMs: BATCH_MS, timeoutMs: BATCH_MS });

/** An order of a batch that was refused, with the reason. */
export interface RejectedOrder {
  orderId: number;
  message: string;
}

/** 409 `refused`: some orders of a batch were refused, so nothing changed. `right`: the orders that would have succeeded. */
export class OrdersRejected extends AppError {
  readonly refused: readonly RejectedOrder[];
  readonly right: readonly number[];

  constructor(refused: readonly RejectedOrder[], right: readonly number[]) {
    const lines = refused.map(({ orderId, message }) => `Order ${orderId}: ${message}`);
    super(409, `${lines.join("\n")}\nNothing was done.`, { code: "refused", refused, right });
    this.refused = refused;
    this.right = right;
  }
}

/**
 * Runs an operation on each order of a batch in the caller's transaction, all or nothing.
 * @throws AppError the original error for a single order; otherwise OrdersRejected
 */
export async function forEachOrder<T>(
  orderIds: readonly number[],
  work: (orderId: number) => Promise<T>,
): Promise<T[]> {
  const done: T[] = [];
  const right: number[] = [];
  const refused: RejectedOrder[] = [];
  for (const orderId of orderIds)
    try {
      done.push(await work(orderId));
      right.push(orderId);
    } catch (error) {
      if (!(error instanceof AppError) || orderIds.length === 1) throw error;
      refused.push({ orderId, message: error.message });
    }
  if (refused.length > 0) throw new OrdersRejected(refused, right);
  return done;
}
