import { type AnyTx, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

/** Units that a count took off sale, and the stock adjustment that did. */
export interface Withheld {
  units: number;
  /** Null: none were. */
  mark: number | null;
}

/** What limits the sales of a variant for a delivery day of a hub. */
interface Limit {
  hubId: number;
  deliveryId: number;
  variantId: number;
  /** Units that come; null: no limit, all that were withheld go back. */
  came: number | null;
  /** What the count has withheld so far. */
  before: Withheld;
  reason: string;
  now: Date;
}

const OfferRow = z.object({ id: z.number(), inventory: z.number(), taken: z.number(), is_set: z.boolean() });
const Id = z.object({ id: z.number() });

/**
 * Takes units of a hub's offer off sale, so that no more than `came` are ordered for the day, reserved by checkouts or on sale, and puts
 * those back that were withheld before and are not any more. Once the stock was set, refilled or imported after that, nothing goes back:
 * the number that was set is what there is (docs/product.md §14 `short`).
 * @returns what is withheld now. A hub that does not sell the variant: `before`
 */
export async function limitSales(tx: AnyTx, limit: Limit): Promise<Withheld> {
  const { hubId, deliveryId, variantId, came, before, reason, now } = limit;
  // A separate statement, so that the next one reads the result of a checkout before it.
  await query(
    tx,
    sql`select id from offer where variant_id = ${variantId}::int and hub_id = ${hubId}::int for update`,
    Id,
  );
  const offer = await queryOne(
    tx,
    sql`select f.id, f.inventory,
          (coalesce((select sum(h.quantity) from stock_hold h where h.offer_id = f.id), 0)
            + coalesce((select sum(i.quantity) from orders o join order_item i on i.order_id = o.id and i.variant_id = f.variant_id
                where o.delivery_id = ${deliveryId}::int and o.status <> 'cancelled'), 0))::int as taken,
          exists (select 1 from stock_adjustment a where a.offer_id = f.id and a.stock_mark is null and a.id > ${before.mark}::int) as is_set
        from offer f where f.variant_id = ${variantId}::int and f.hub_id = ${hubId}::int`,
    OfferRow,
  );
  if (!offer) return before;
  const without = offer.inventory + (offer.is_set ? 0 : before.units);
  const inventory = came === null ? without : Math.min(without, Math.max(0, came - offer.taken));
  const units = without - inventory;
  const change = inventory - offer.inventory;
  if (change === 0) return { units, mark: units > 0 ? before.mark : null };
  const written = await queryOne(
    tx,
    sql`with changed as (
          update offer set inventory = ${inventory}::int, sold_out_at = case when ${inventory}::int = 0 then ${now}::timestamptz end
          where id = ${offer.id}::int)
        insert into stock_adjustment (offer_id, amount, reason, created_at) values (${offer.id}::int, ${change}::int, ${reason}, ${now}) returning id`,
    Id,
  );
  return { units, mark: units > 0 ? written!.id : null };
}
