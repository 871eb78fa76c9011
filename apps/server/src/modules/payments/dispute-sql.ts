import { type Conn, execute, sql } from "@marketday/db";

export interface NewDispute {
  provider: string;
  ref: string;
  paymentId: string;
  amountCents: number;
  status: string;
  reason: string;
  dueBy: Date | null;
  createdAt: Date;
  seenAt: Date;
  /** Null: it is open. */
  closedAt: Date | null;
}

/** Inserts a dispute or replaces its state. */
export const saveDispute = (tx: Conn, dispute: NewDispute): Promise<number> =>
  execute(
    tx,
    sql`insert into dispute as d (provider, provider_ref, payment_id, amount_cents, status, reason, due_by, created_at, seen_at, closed_at)
        values (${dispute.provider}, ${dispute.ref}, ${dispute.paymentId}::uuid, ${dispute.amountCents}::int, ${dispute.status}, ${dispute.reason},
          ${dispute.dueBy}::timestamptz, ${dispute.createdAt}, ${dispute.seenAt}, ${dispute.closedAt}::timestamptz)
        on conflict (provider, provider_ref) do update set amount_cents = excluded.amount_cents, status = excluded.status, reason = excluded.reason,
          due_by = coalesce(excluded.due_by, d.due_by), seen_at = greatest(d.seen_at, excluded.seen_at),
          closed_at = case when excluded.closed_at is not null then coalesce(d.closed_at, excluded.closed_at) end`,
  );
