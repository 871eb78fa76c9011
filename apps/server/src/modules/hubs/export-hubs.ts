import { parseWkt } from "@marketday/domain/geo";

import type { Context } from "../identity/context.ts";
import { findAllHubs } from "./hub-store.ts";

/** Every hub as a GeoJSON feature, as `importHubs` reads it. */
export async function exportHubs(
  ctx: Pick<Context, "deps">,
): Promise<{ type: "FeatureCollection"; features: object[] }> {
  const rows = await findAllHubs(ctx.deps.db);
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
