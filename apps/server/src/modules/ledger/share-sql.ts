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

/** The vendors' shares by order, of the orders `o`, deliveries `d`, hubs `h` and vendors `v` that meet the condition. */
export const vendorShares = (condition: Sql): Sql => sql`
        select v.id as vendor_id, v.name as vendor_name, h.id as hub_id, h.name as hub_name, to_char(d.day, 'YYYY-MM-DD') as day, o.id as order_id,
          lines.cents as items_cents, lines.cents - (share.cents - share.compensation) as commission_cents,
          share.compensation as compensation_cents, share.cents as share_cents
        from orders o
        join delivery d on d.id = o.delivery_id
        join hub h on h.id = o.hub_id
        join lateral (select i.vendor_id, case when o.status = 'cancelled' then 0 else sum(i.quantity * i.unit_price_cents)::int end as cents from order_item i where i.order_id = o.id group by i.vendor_id) lines on true
        join vendor v on v.id = lines.vendor_id
        join lateral (
          select coalesce(sum(e.amount_cents), 0)::int as cents, coalesce(sum(e.amount_cents) filter (where t.kind = 'compensation'), 0)::int as compensation
          from ledger_entry e join ledger_transaction t on t.id = e.transaction_id
          where t.order_id = o.id and e.account = 'vendor' and e.vendor_id = v.id) share on true
        where ${condition} and (o.status <> 'cancelled' or share.compensation <> 0)
          and o.status in ('pending', 'closed', 'cancelled')
          and (lines.cents > 0 or share.cents <> 0)`;

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
    sql`${vendorShares(sql`d.day between ${which.from}::date and ${which.to}::date
          and (${which.vendorId ?? null}::int is null or v.id = ${which.vendorId ?? null}::int)
          and (${which.hubId ?? null}::int is null or h.id = ${which.hubId ?? null}::int)`)}
        order by v.name, v.id, d.day, o.id`,
    ShareRow,
  );
