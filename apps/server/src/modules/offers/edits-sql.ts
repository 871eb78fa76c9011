import { type Db, query, sql } from "@marketday/db";
import { isOfMarket, OFFER_FIELDS } from "@marketday/domain/offer-fields";
import { z } from "zod";

const Edit = z.object({ place: z.number(), by: z.string(), at: z.date() });

/** Of a variant, and of a product: the same in all markets, so that they may have been set at any of its offers. */
const VARIANT_FIELDS = ["unit"];
const PRODUCT_FIELDS = OFFER_FIELDS.filter((field) => !isOfMarket(field) && !VARIANT_FIELDS.includes(field));

/** A cell with its value of now. */
export interface EditedCell {
  offerId: number;
  variantId: number;
  productId: number;
  field: string;
  value: string;
}

/**
 * Who set cells to their values by the grid, and when, in the order of the cells; undefined where no one of the staff has in the last 30
 * days: it was sold from, refilled or imported.
 */
export async function findLastEdits(
  db: Db,
  cells: readonly EditedCell[],
  now: Date,
): Promise<({ by: string; at: Date } | undefined)[]> {
  const rows = await query(
    db,
    sql`with cell as (
          select * from unnest(${cells.map(({ offerId }) => offerId)}::int[], ${cells.map(({ variantId }) => variantId)}::int[],
            ${cells.map(({ productId }) => productId)}::int[], ${cells.map(({ field }) => field)}::text[], ${cells.map(({ value }) => value)}::text[])
            with ordinality c(offer_id, variant_id, product_id, field, value, place)),
        edit as materialized (
          select a.id, a.staff_id, a.created_at, e.* from staff_action a
          cross join lateral jsonb_to_recordset(a.input->'cells')
            as e("offerId" int, "variantId" int, "productId" int, field text, "to" text)
          where a.kind = 'edit_offers' and a.state = 'done' and a.created_at > ${now}::timestamptz - interval '30 days')
        select distinct on (c.place) c.place::int as place, t.name as by, e.created_at as at
        from cell c join edit e on e.field = c.field and e."to" = c.value
          and (e."offerId" = c.offer_id or (c.field = any(${VARIANT_FIELDS}::text[]) and e."variantId" = c.variant_id)
            or (c.field = any(${PRODUCT_FIELDS}::text[]) and e."productId" = c.product_id))
        join staff t on t.id = e.staff_id order by c.place, e.id desc`,
    Edit,
  );
  const byPlace = new Map(rows.map(({ place, by, at }) => [place - 1, { by, at }]));
  return cells.map((_, place) => byPlace.get(place));
}
