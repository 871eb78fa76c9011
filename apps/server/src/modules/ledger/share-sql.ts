import { type Conn, query, type Sql, sql } from "@marketday/db";
import { z } from "zod";

const ShareRow = z.object({
  vendor_id: z.number(),
  vendor_name: z.string(),
  hub_id: z.number(),
  hub_name: z.string(),
  day: z.string(),
  order_id: z.number(),
  items_cents: z.number(),
  commission_cents: z.number(),
  compensation_cents: z.number(),
  share_cents: z.number(),
});
/**
 * A vendor's part of one order, in cents: the lines as they are now (after edits and shortages), the commission frozen at the
 * sale, the compensation (what the market bore for the vendor; below zero: the vendor for the market), and the share: items minus
 * commission plus compensation. `day` is the delivery's date.
 */
export type VendorShare = z.infer<typeof ShareRow>;

interface ShareFilter {
  /** A condition on the order `o`, its delivery `d` and the cutoff's run `r` of it. */
  orders: Sql;
  /** A join or a condition, by the id of a vendor, the day `d.day` and its cutoff's run `d.closed_at`, that leaves the vendors whose shares are read. */
  vendors: (id: Sql) => Sql;
}

/** The vendors' shares by order: the sums of all orders are built at once, not order by order. */
export const vendorShares = ({ orders, vendors }: ShareFilter): Sql => sql`
        with chosen as materialized (
          select o.id, o.status, o.hub_id, d.day, r.started_at as closed_at from orders o join delivery d on d.id = o.delivery_id
          left join delivery_run r on r.delivery_id = d.id and r.step = 'cutoff'
          where ${orders} and o.status in ('pending', 'closed', 'cancelled')),
        lines as (
          select i.order_id, i.vendor_id, case when d.status = 'cancelled' then 0 else sum(i.quantity * i.unit_price_cents)::int end as cents
          from chosen d join order_item i on i.order_id = d.id ${vendors(sql`i.vendor_id`)} group by i.order_id, i.vendor_id, d.status),
        booked as (
          select t.order_id, e.vendor_id, sum(e.amount_cents)::int as cents, coalesce(sum(e.amount_cents) filter (where t.kind = 'compensation'), 0)::int as compensation
          from chosen d join ledger_transaction t on t.order_id = d.id join ledger_entry e on e.transaction_id = t.id and e.account = 'vendor'
          ${vendors(sql`e.vendor_id`)} group by t.order_id, e.vendor_id)
        select v.id as vendor_id, v.name as vendor_name, h.id as hub_id, h.name as hub_name, to_char(d.day, 'YYYY-MM-DD') as day, d.id as order_id,
          lines.cents as items_cents, lines.cents - (share.cents - share.compensation) as commission_cents,
          share.compensation as compensation_cents, share.cents as share_cents
        from chosen d
        join hub h on h.id = d.hub_id
        join lines on lines.order_id = d.id
        join vendor v on v.id = lines.vendor_id
        left join booked on booked.order_id = d.id and booked.vendor_id = v.id
        cross join lateral (select coalesce(booked.cents, 0) as cents, coalesce(booked.compensation, 0) as compensation) share
        where (d.status <> 'cancelled' or share.compensation <> 0) and (lines.cents > 0 or share.cents <> 0)`;

/**
 * The vendors' shares by order, for statements (docs/product.md §14 `ledger vendor`): delivery days from `from` to `to`, both
 * included, of one vendor and hub or of all. The share is the amount the ledger booked for the vendor. Cancelled orders have
 * none, unless there is a compensation. Only orders whose cutoff has passed, which no longer change except by shortages.
 */
export const findVendorShares = (
  db: Conn,
  which: { vendorId?: number; hubId?: number; from: string; to: string },
): Promise<VendorShare[]> =>
  query(
    db,
    sql`${vendorShares({
      orders: sql`d.day between ${which.from}::date and ${which.to}::date and (${which.hubId ?? null}::int is null or o.hub_id = ${which.hubId ?? null}::int)`,
      vendors: (id) => sql`where (${which.vendorId ?? null}::int is null or ${id} = ${which.vendorId ?? null}::int)`,
    })}
        order by v.name, v.id, d.day, d.id`,
    ShareRow,
  );
