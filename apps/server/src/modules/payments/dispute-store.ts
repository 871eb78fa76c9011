import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

const Stored = z.object({ status: z.string(), amount_cents: z.number(), seen_at: z.date() });

export const findStoredDispute = (db: Conn, provider: string, ref: string) =>
  queryOne(
    db,
    sql`select status, amount_cents, seen_at from dispute where provider = ${provider} and provider_ref = ${ref}`,
    Stored,
  );

/** The provider's ids of the disputes that are open here. */
export const findOpenRefs = async (db: Conn, provider: string): Promise<string[]> =>
  (
    await query(
      db,
      sql`select provider_ref as ref from dispute where provider = ${provider} and closed_at is null order by created_at`,
      z.object({ ref: z.string() }),
    )
  ).map(({ ref }) => ref);

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

const DisputeRow = z.object({
  ref: z.string(),
  payment_id: z.string(),
  amount_cents: z.number(),
  status: z.string(),
  reason: z.string(),
  due_by: z.date().nullable(),
  created_at: z.date(),
  closed_at: z.date().nullable(),
  /** The orders that its charge pays for; empty: a purchase. */
  order_ids: z.array(z.number()),
  /** Of its purchase: gift-card | wagon-pass. */
  purchase: z.string().nullable(),
  customer_id: z.number().nullable(),
  /** Whether an order of it is not delivered yet. */
  is_undelivered: z.boolean(),
});
export type DisputeRow = z.infer<typeof DisputeRow>;

/** Disputes, the one to answer first before the others: the open ones, or with `closed` all. */
export const findDisputes = (
  db: Conn,
  which: { closed: boolean; orderId?: number } = { closed: false },
): Promise<DisputeRow[]> =>
  query(
    db,
    sql`select d.provider_ref as ref, d.payment_id::text as payment_id, d.amount_cents, d.status, d.reason, d.due_by, d.created_at, d.closed_at,
          array(select o.id from orders o where o.payment_id = p.id order by o.id) as order_ids, p.purpose->>'kind' as purchase, p.customer_id,
          exists (select 1 from orders o where o.payment_id = p.id and o.status in ('future', 'open', 'pending')) as is_undelivered
        from dispute d join payment p on p.id = d.payment_id
        where (${which.closed} or d.closed_at is null)
          and (${which.orderId ?? null}::int is null or exists (select 1 from orders o where o.payment_id = p.id and o.id = ${which.orderId ?? null}::int))
        order by d.closed_at desc nulls first, d.due_by nulls last, d.created_at, d.provider_ref`,
    DisputeRow,
  );
