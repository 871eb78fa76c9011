import { type Conn, execute, queryOne, type Sql, sql } from "@marketday/db";
import type { RefundDestination } from "@marketday/domain/ledger";
import { z } from "zod";

import type { RefundFailure } from "../../gateways/payments/payments.ts";

export interface NewRefund {
  id: string;
  paymentId: string | null;
  orderId: number | null;
  kind: "goodwill" | "short" | "cancel" | "orphaned_charge";
  destination: RefundDestination;
  amountCents: number;
  reason: string;
  key: string | null;
  /** The vendor who bears goodwill; null: the market. */
  bearerId: number | null;
  now: Date;
}

/** Whether refund `r` has gone back, or will. One that failed without a reason became store credit in an older version. */
export const isGiven = (r: Sql): Sql => sql`(${r}.state <> 'failed' or ${r}.failure is null)`;

/** Whether refund `r` failed and its money is still due: operators give it otherwise, or close it. */
export const isUnresolved = (r: Sql): Sql =>
  sql`(${r}.state = 'failed' and ${r}.failure is not null and ${r}.resolved_at is null)`;

/** Whether refund `r` is goodwill. Its old name is `care`. */
export const isGoodwill = (r: Sql): Sql => sql`${r}.kind in ('goodwill', 'care')`;

/**
 * Servers of the version before know goodwill only as `care`: this release writes that and reads both. The next one writes
 * `goodwill` (docs/decisions/0001).
 */
const storedKind = ({ kind }: NewRefund): string => (kind === "goodwill" ? "care" : kind);

/** Inserts a refund. One to a card is `created` until the provider confirms it. */
export async function insertRefund(tx: Conn, refund: NewRefund): Promise<void> {
  const isDone = refund.destination === "credit";
  await execute(
    tx,
    sql`with given as (
          insert into refund (id, payment_id, order_id, kind, destination, amount_cents, reason, key, bearer_id, state, created_at, done_at)
          values (${refund.id}::uuid, ${refund.paymentId}::uuid, ${refund.orderId}::int, ${storedKind(refund)}, ${refund.destination}, ${refund.amountCents}::int,
            ${refund.reason}, ${refund.key}, ${refund.bearerId}::int, ${isDone ? "done" : "created"}, ${refund.now}, ${isDone ? refund.now : null}::timestamptz)
          returning payment_id, destination, amount_cents)
        update payment p set refunded_cents = p.refunded_cents + given.amount_cents from given where p.id = given.payment_id and given.destination = 'card'`,
  );
}

const RefundRow = z.object({
  id: z.string(),
  order_id: z.number().nullable(),
  amount_cents: z.number(),
  destination: z.enum(["card", "credit"]),
  state: z.enum(["created", "done", "failed"]),
  failure: z.string().nullable(),
});
export type RefundRow = z.infer<typeof RefundRow>;
const refundColumns = sql`id::text as id, order_id, amount_cents, destination, state, failure`;

export const findRefundByKey = (db: Conn, key: string): Promise<RefundRow | null> =>
  queryOne(db, sql`select ${refundColumns} from refund where key = ${key}`, RefundRow);

export const findRefund = (db: Conn, id: string): Promise<RefundRow | null> =>
  queryOne(db, sql`select ${refundColumns} from refund where id = ${id}::uuid`, RefundRow);

/** The provider has accepted a refund. */
export const markDone = (db: Conn, id: string, ref: string, now: Date) =>
  execute(
    db,
    sql`update refund set state = 'done', failure = null, provider_ref = ${ref}, done_at = ${now} where id = ${id}::uuid and state = 'created'`,
  );

/** The provider refuses a refund for now: it is requested again later, as a new request. */
export const postponeRefund = (db: Conn, id: string, failure: RefundFailure, now: Date) =>
  execute(
    db,
    sql`update refund set failure = ${failure}, refused_at = ${now} where id = ${id}::uuid and state = 'created'`,
  );

const FailedRow = z.object({
  payment_id: z.string(),
  order_id: z.number().nullable(),
  amount_cents: z.number(),
  customer_id: z.number().nullable(),
});

/** Marks a refund to the card failed, and takes it off what its payment has refunded. Null: it failed before. */
export const markFailed = (tx: Conn, refundId: string, failure: RefundFailure, now: Date) =>
  queryOne(
    tx,
    sql`with failed as (
          update refund set state = 'failed', failure = ${failure}, done_at = ${now}
          where id = ${refundId}::uuid and state <> 'failed' and destination = 'card'
          returning payment_id, order_id, amount_cents)
        update payment p set refunded_cents = p.refunded_cents - f.amount_cents from failed f where p.id = f.payment_id
        returning f.payment_id::text as payment_id, f.order_id, f.amount_cents, p.customer_id`,
    FailedRow,
  );

const StateRow = z.object({ state: z.enum(["created", "done", "failed"]) });

/** A refund of this payment; null: it has none with this id. */
export const findRefundOfPayment = (tx: Conn, refundId: string, paymentId: string) =>
  queryOne(
    tx,
    sql`select state from refund where id = ${refundId}::uuid and payment_id = ${paymentId}::uuid`,
    StateRow,
  );
