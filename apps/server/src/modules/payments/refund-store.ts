import { type Conn, execute, queryOne, type Sql, sql } from "@marketday/db";
import type { RefundDestination } from "@marketday/domain/ledger";
import { z } from "zod";

export interface NewRefund {
  id: string;
  paymentId: string | null;
  orderId: number;
  kind: "goodwill" | "short" | "cancel";
  destination: RefundDestination;
  amountCents: number;
  reason: string;
  key: string | null;
  now: Date;
}

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
          insert into refund (id, payment_id, order_id, kind, destination, amount_cents, reason, key, state, created_at, done_at)
          values (${refund.id}::uuid, ${refund.paymentId}::uuid, ${refund.orderId}::int, ${storedKind(refund)}, ${refund.destination}, ${refund.amountCents}::int,
            ${refund.reason}, ${refund.key}, ${isDone ? "done" : "created"}, ${refund.now}, ${isDone ? refund.now : null}::timestamptz)
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
});
export type RefundRow = z.infer<typeof RefundRow>;
const refundColumns = sql`id::text as id, order_id, amount_cents, destination, state`;

export const findRefundByKey = (db: Conn, key: string): Promise<RefundRow | null> =>
  queryOne(db, sql`select ${refundColumns} from refund where key = ${key}`, RefundRow);

export const findRefund = (db: Conn, id: string): Promise<RefundRow | null> =>
  queryOne(db, sql`select ${refundColumns} from refund where id = ${id}::uuid`, RefundRow);
