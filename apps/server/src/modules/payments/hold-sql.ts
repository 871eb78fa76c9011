import { type Conn, query, sql } from "@marketday/db";
import { CARD_MINIMUM, HOLD_RENEW_BEFORE_MS, SAVED_CARD_AFTER_MS } from "@marketday/domain/limits";
import { addMs, Day } from "@marketday/domain/time";
import { z } from "zod";

const DueHold = z.object({
  payment_id: z.string(),
  customer_id: z.number(),
  charge_key: z.string(),
  provider_ref: z.string().nullable(),
  next_key: z.string().nullable(),
  hold_lost_at: z.date().nullable(),
  /** The provider's reference of the card; null: it is removed, and only a renewal that was interrupted can be finished. */
  method_ref: z.string().nullable(),
  order_id: z.number(),
  due_cents: z.number(),
});
export type DueHold = z.infer<typeof DueHold>;

/**
 * Authorizations that would lapse before their cutoff: made more than 6 days before it, with the cutoff now at most 4 days
 * away; and lost ones. A declined renewal is retried a day later. A renewal that was interrupted is always due: between the
 * void of the old charge and the swap, only `next_key` names the new one.
 */
export const findDueHolds = (db: Conn, provider: string, now: Date): Promise<DueHold[]> =>
  query(
    db,
    sql`with interrupted as (
          select id from payment where next_key is not null and state = 'authorized' and provider = ${provider} and customer_id is not null),
        lapsing as (
          select p.id
          from payment p
          join orders o on o.payment_id = p.id and o.status in ('open', 'future')
          join delivery d on d.id = o.delivery_id
          join payment_method m on m.id = p.payment_method_id and m.deleted_at is null
          where p.state = 'authorized' and p.provider = ${provider} and p.purpose is null and p.unconfirmed_at is null
            and (p.authorized_at < ${addMs(now, HOLD_RENEW_BEFORE_MS - SAVED_CARD_AFTER_MS)} or p.hold_lost_at is not null)
          group by p.id
          having min(d.cutoff_at) > ${now} and min(d.cutoff_at) <= ${addMs(now, HOLD_RENEW_BEFORE_MS)}
            and sum(o.order_total_cents - o.credit_cents) >= ${CARD_MINIMUM}::int
            and (p.authorized_at < min(d.cutoff_at) - make_interval(secs => ${SAVED_CARD_AFTER_MS / 1000}) or p.hold_lost_at is not null)
            and (p.hold_lost_at is null or p.hold_lost_at <= ${addMs(now, -Day.ms)}))
        select p.id::text as payment_id, p.customer_id, p.charge_key::text as charge_key, p.provider_ref, p.next_key::text as next_key,
          p.hold_lost_at, m.provider_ref as method_ref, min(o.id) as order_id, sum(o.order_total_cents - o.credit_cents)::int as due_cents
        from payment p
        join orders o on o.payment_id = p.id and o.status in ('open', 'future')
        join delivery d on d.id = o.delivery_id
        left join payment_method m on m.id = p.payment_method_id and m.deleted_at is null
        where p.id in (select id from interrupted union select id from lapsing)
        group by p.id, m.provider_ref
        order by min(d.cutoff_at), p.id`,
    DueHold,
  );
