import { query, sql } from "@marketday/db";
import { parseWkt } from "@marketday/domain/geo";
import { z } from "zod";

import type { Context } from "../../lib/context.ts";
import { HubColumns, hubColumns } from "./store.ts";

const Row = HubColumns.extend({
  is_published: z.boolean(),
  pack_unpaid: z.boolean(),
  pickup_points: z.array(z.record(z.string(), z.unknown())),
  closures: z.array(z.record(z.string(), z.unknown())),
});

/** Every hub as a GeoJSON feature, as `importHubs` reads it. */
export async function exportHubs(
  ctx: Pick<Context, "deps">,
): Promise<{ type: "FeatureCollection"; features: object[] }> {
  const rows = await query(
    ctx.deps.db,
    sql`select ${hubColumns}, h.is_published, h.pack_unpaid,
          coalesce((select json_agg(json_build_object('name', p.name, 'address', p.address, 'city', p.city, 'state', p.state, 'zipCode', p.zip_code, 'hours', p.hours, 'active', p.is_active) order by p.id)
            from pickup_point p where p.hub_id = h.id), '[]') as pickup_points,
          coalesce((select json_agg(json_build_object('day', to_char(c.day, 'YYYY-MM-DD'), 'reason', c.reason) order by c.day) from hub_closure c where c.hub_id = h.id), '[]') as closures
        from hub h order by h.id`,
    Row,
  );
  const features = rows.map((row) => {
    const polygons = row.boundaries.map((wkt) => parseWkt(wkt).coordinates);
    const geometry =
      polygons.length === 0
        ? null
        : polygons.length === 1
          ? { type: "Polygon", coordinates: polygons[0] }
          : { type: "MultiPolygon", coordinates: polygons };
    return {
      type: "Feature",
      properties: {
        slug: row.slug,
        name: row.name,
        description: row.description,
        deliveryDay: row.delivery_day,
        timeZone: row.time_zone,
        deliveryFee: row.delivery_fee_cents === null ? null : row.delivery_fee_cents / 100,
        taxRate: row.tax_rate_ppm / 10_000,
        processingPercent: row.processing_ppm / 10_000,
        processingFixed: row.processing_fixed_cents / 100,
        commission: row.commission_ppm / 10_000,
        zipCode: row.zip_code,
        city: row.city,
        state: row.state,
        lat: row.lat,
        lng: row.lng,
        zips: row.zips,
        pickupPoints: row.pickup_points,
        closures: row.closures,
        published: row.is_published,
        packUnpaid: row.pack_unpaid,
      },
      geometry,
    };
  });
  return { type: "FeatureCollection", features };
}
