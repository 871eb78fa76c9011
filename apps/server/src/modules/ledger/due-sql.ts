import { type Conn, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { isReversed, lastPayout } from "./payout-sql.ts";
import { vendorShares } from "./share-sql.ts";

const Parts = z.object({
  vendorId: z.number(),
  until: z.string().nullable(),
  salesCents: z.number(),
  commissionCents: z.number(),
  compensationCents: z.number(),
});
/**
 * What a vendor sold in the delivery days that no payout of theirs included. `until`: the last day of the payout that reached furthest and
 * was not reversed; null: they had none.
 */
export type DueParts = z.infer<typeof Parts>;

const DueState = z.object({ parts: z.array(Parts), openDays: z.number(), last: z.number().nullable() });

/**
 * The `parts` of these vendors in payouts, that were not reversed: the last day, and when it was booked; `paid` has the one that reached
 * furthest.
 */
const paidDays = (vendorIds: readonly number[]): Sql => sql`
        parts as materialized (
          select e.vendor_id, (x.data->>'to')::date as until, t.created_at as booked_at
          from ledger_entry e join ledger_transaction t on t.id = e.transaction_id
          join audit_entry x on x.subject = 'payout:' || e.transaction_id and x.action = 'ledger payouts'
          where e.account = 'payouts' and e.amount_cents > 0 and e.vendor_id = any(${[...vendorIds]}::int[])
            and not ${isReversed(sql`e.transaction_id`, sql`e.vendor_id`)}),
        paid as materialized (
          select w.vendor_id, p.until, coalesce(p.until, '-infinity') as day, coalesce(p.booked_at, '-infinity') as booked_at
          from unnest(${[...vendorIds]}::int[]) as w(vendor_id) left join (
            select distinct on (vendor_id) * from parts order by vendor_id, until desc, booked_at desc) p on p.vendor_id = w.vendor_id)`;

/** Leaves the vendors of whom no payout included the day: it is later, or closed after the booking (`findCoveringPayout`). */
const isUnpaid = (vendor: Sql, closedAt: Sql): Sql =>
  sql`join paid p on p.vendor_id = ${vendor} and (d.day > p.day or ${closedAt} > p.booked_at)
            and not exists (select 1 from parts x where x.vendor_id = p.vendor_id and x.until >= d.day and x.booked_at >= ${closedAt})`;

/**
 * For these vendors the sums of their shares (`findVendorShares`) in the delivery days up to `to` that were not paid; the delivery days
 * up to `to` that still have orders before their cutoff; and the number of the last payout.
 */
export async function findDueParts(
  db: Conn,
  vendorIds: readonly number[],
  to: string,
): Promise<z.infer<typeof DueState>> {
  const found = await queryOne(
    db,
    sql`with ${paidDays(vendorIds)},
        sums as (
          select s.vendor_id, sum(s.items_cents) as sales, sum(s.commission_cents) as commission, sum(s.compensation_cents) as compensation
          from (${vendorShares({
            orders: sql`d.day <= ${to}::date and (d.day > (select min(day) from paid) or r.started_at > (select min(booked_at) from paid))`,
            vendors: (id) => isUnpaid(id, sql`d.closed_at`),
          })}) s
          group by s.vendor_id)
        select coalesce((select json_agg(json_build_object('vendorId', p.vendor_id, 'until', to_char(p.until, 'YYYY-MM-DD'),
              'salesCents', coalesce(s.sales, 0), 'commissionCents', coalesce(s.commission, 0), 'compensationCents', coalesce(s.compensation, 0)))
            from paid p left join sums s on s.vendor_id = p.vendor_id), '[]') as parts,
          (select count(*)::int from delivery d where d.day <= ${to}::date
            and not exists (select 1 from delivery_run r where r.delivery_id = d.id and r.step = 'cutoff' and r.state = 'done')
            and exists (select 1 from orders o where o.delivery_id = d.id and o.status not in ('pending', 'closed', 'cancelled'))) as "openDays",
          ${lastPayout} as last`,
    DueState,
  );
  return found!;
}

const Sold = z.object({
  orders: z.number(),
  items: z.array(z.object({ title: z.string(), variant: z.string(), quantity: z.number(), amountCents: z.number() })),
});

/**
 * What a vendor sold in the same days by variant, under the name that it had in the newest order, the largest amount first; and in how many
 * orders. Their sum is the `salesCents` of `findDueParts`.
 */
export async function findSold(db: Conn, vendorId: number, to: string): Promise<z.infer<typeof Sold>> {
  const found = await queryOne(
    db,
    sql`with ${paidDays([vendorId])},
        sold as materialized (
          select i.variant_id, i.order_id, i.product_title, i.variant_title, i.quantity, i.quantity * i.unit_price_cents as cents
          from order_item i join orders o on o.id = i.order_id join delivery d on d.id = o.delivery_id
          left join delivery_run r on r.delivery_id = d.id and r.step = 'cutoff' ${isUnpaid(sql`i.vendor_id`, sql`r.started_at`)}
          where i.vendor_id = ${vendorId}::int and i.quantity > 0 and o.status in ('pending', 'closed') and d.day <= ${to}::date)
        select (select count(distinct order_id)::int from sold) as orders,
          coalesce((select json_agg(json_build_object('title', s.title, 'variant', s.variant, 'quantity', s.quantity, 'amountCents', s.cents)
              order by s.cents desc, s.title, s.variant_id)
            from (select variant_id, (array_agg(product_title order by order_id desc))[1] as title,
                (array_agg(variant_title order by order_id desc))[1] as variant, sum(quantity) as quantity, sum(cents) as cents
              from sold group by variant_id) s), '[]') as items`,
    Sold,
  );
  return found!;
}
