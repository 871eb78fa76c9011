import { type Conn, execute, query, sql } from "@marketday/db";
import { CART_LINES_MAX } from "@marketday/domain/limits";
import { z } from "zod";

const SubscribedLine = z.object({
  customer_id: z.number(),
  variant_id: z.number(),
  bundle_id: z.number().nullable(),
  quantity: z.number(),
  interval_weeks: z.number(),
  last_day: z.string().nullable(),
  paused_until: z.string().nullable(),
  skips: z.array(z.string()),
});
export type SubscribedLine = z.infer<typeof SubscribedLine>;

/** All lines of these customers' subscriptions to products and bundles that the hub sells, without pre-orders. */
export const findSubscribedLines = (
  db: Conn,
  hubId: number,
  customerIds: readonly number[],
): Promise<SubscribedLine[]> =>
  query(
    db,
    sql`with who as (
          select id from customer where id = any(${[...customerIds]}::int[]) and hub_id = ${hubId}::int and deleted_at is null),
        subscribed as (
          select s.customer_id, s.variant_id, null::int as bundle_id, s.quantity, s.interval_weeks, s.last_day, s.paused_until, 0 as position
          from subscription s join who on who.id = s.customer_id
          union all
          select s.customer_id, bi.variant_id, s.bundle_id, bi.quantity, s.interval_weeks, s.last_day, s.paused_until, bi.position
          from bundle_subscription s join who on who.id = s.customer_id join bundle b on b.id = s.bundle_id and b.is_published
          join bundle_hub bh on bh.bundle_id = b.id and bh.hub_id = ${hubId}::int join bundle_item bi on bi.bundle_id = b.id)
        select w.customer_id, w.variant_id, w.bundle_id, w.quantity, w.interval_weeks, to_char(w.last_day, 'YYYY-MM-DD') as last_day,
          to_char(w.paused_until, 'YYYY-MM-DD') as paused_until,
          coalesce((select array_agg(to_char(d.day, 'YYYY-MM-DD') order by d.day) from subscription_skip k join delivery d on d.id = k.delivery_id
            where k.customer_id = w.customer_id), '{}') as skips
        from subscribed w join variant v on v.id = w.variant_id and v.pre_order_date is null
        join product p on p.id = v.product_id and p.is_published join vendor ve on ve.id = p.vendor_id and ve.is_published
        join offer o on o.variant_id = v.id and o.hub_id = ${hubId}::int and o.is_published
        order by w.customer_id, w.bundle_id nulls first, w.position, w.variant_id`,
    SubscribedLine,
  );

/** The carts and lines to fill. */
export interface FillScope {
  hubId: number;
  /** Customers of the hub. */
  customerIds: readonly number[];
  /** One product subscription's line, or one bundle's lines; null: all subscribed lines. */
  only: { variantId: number } | { bundleId: number } | null;
  /** The delivery day the carts are filled for, `YYYY-MM-DD`. */
  day: string;
  now: Date;
}

/** Counts up the carts whose subscribed lines may go. Carts are locked before their lines, as every writer does. */
export const touchSubscribedCarts = (tx: Conn, customerIds: readonly number[]): Promise<number> =>
  execute(
    tx,
    sql`with changing as (
          select c.id from cart c where c.customer_id = any(${[...customerIds]}::int[])
            and exists (select 1 from cart_item ci where ci.cart_id = c.id and ci.subscription_interval is not null)
          order by c.customer_id for update)
        update cart set version = version + 1 from changing where cart.id = changing.id`,
  );

const OmittedLine = z.object({ customer_id: z.number(), variant_id: z.number() });

export type OmittedLine = z.infer<typeof OmittedLine>;

/**
 * Replaces the carts' subscribed lines by `due`, while there is room. A quantity that was chosen in another market is not one of
 * this hub: the subscription's replaces it. @returns the lines that did not fit
 */
export async function writeDueLines(
  tx: Conn,
  { hubId, customerIds, only, now }: FillScope,
  due: readonly SubscribedLine[],
): Promise<OmittedLine[]> {
  const variantId = only && "variantId" in only ? only.variantId : null;
  const bundleId = only && "bundleId" in only ? only.bundleId : null;
  return query(
    tx,
    sql`with due as (
          select * from jsonb_to_recordset(${JSON.stringify(due.map((row, place) => ({ ...row, place })))}::jsonb)
            as d (customer_id int, variant_id int, bundle_id int, quantity int, interval_weeks int, place int)),
        filled as (
          insert into cart (customer_id, updated_at) select distinct customer_id, ${now}::timestamptz from due order by customer_id
          on conflict (customer_id) do update set version = cart.version + 1, updated_at = excluded.updated_at
          returning id, customer_id),
        gone as (
          delete from cart_item ci using cart c, customer cu
          where c.id = ci.cart_id and cu.id = c.customer_id and ci.subscription_interval is not null
            and cu.hub_id = ${hubId}::int and cu.id = any(${[...customerIds]}::int[])
            and (${variantId}::int is null or (ci.variant_id = ${variantId}::int and ci.bundle_id is null))
            and (${bundleId}::int is null or ci.bundle_id = ${bundleId}::int)
            and not exists (select 1 from due d where d.customer_id = cu.id and d.variant_id = ci.variant_id and d.bundle_id is not distinct from ci.bundle_id)
          returning ci.cart_id),
        placed as (
          select d.*, f.id as cart_id, old.id is not null as is_there,
            count(*) filter (where old.id is null) over (partition by f.id order by d.place) as new_lines
          from due d join filled f on f.customer_id = d.customer_id
          left join cart_item old on old.cart_id = f.id and old.variant_id = d.variant_id and old.bundle_id is not distinct from d.bundle_id),
        room as (
          select f.id, ${CART_LINES_MAX}::int - (select count(*) from cart_item ci where ci.cart_id = f.id)
            + (select count(*) from gone where gone.cart_id = f.id) as lines from filled f),
        fitting as (
          select p.*, p.is_there or p.new_lines <= r.lines as fits from placed p join room r on r.id = p.cart_id),
        written as (
        insert into cart_item (cart_id, variant_id, bundle_id, quantity, subscription_interval, seen_price_cents, hub_id, created_at)
        select d.cart_id, d.variant_id, d.bundle_id, d.quantity, d.interval_weeks, coalesce(o.sale_price_cents, o.price_cents), ${hubId}::int, ${now}
        from fitting d join offer o on o.variant_id = d.variant_id and o.hub_id = ${hubId}::int
        where d.fits
        order by d.place
        on conflict (cart_id, variant_id, bundle_id) do update set subscription_interval = excluded.subscription_interval, hub_id = excluded.hub_id,
          quantity = case when cart_item.hub_id <> excluded.hub_id
              or (${only !== null} and cart_item.subscription_interval is not null) then excluded.quantity
            else greatest(cart_item.quantity, excluded.quantity) end)
        select customer_id, variant_id from fitting where not fits order by place`,
    OmittedLine,
  );
}
