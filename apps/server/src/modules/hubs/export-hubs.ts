import { parseWkt } from "@marketday/domain/geo";

import { escapeNone } from "../../lib/none.ts";
import type { Context } from "../identity/context.ts";
import { findWholeHubs, type WholeHub } from "./hub-store.ts";

/** A hub as a GeoJSON feature, with the values it has. */
export function toFeature(row: WholeHub) {
  const polygons = row.boundaries.map((wkt) => parseWkt(wkt).coordinates);
  const geometry =
    polygons.length === 0
      ? null
      : polygons.length === 1
        ? { type: "Polygon" as const, coordinates: polygons[0]! }
        : { type: "MultiPolygon" as const, coordinates: polygons };
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
      pickupPoints: row.pickup_points.map(({ zip_code: zipCode, is_active: active, hours, ...point }) => ({
        ...point,
        zipCode,
        hours,
        active,
      })),
      closures: row.closures,
      published: row.is_published,
      packUnpaid: row.pack_unpaid,
    },
    geometry,
  };
}
export type HubFeature = ReturnType<typeof toFeature>;

/** Texts that are the word `none` do not empty a value when the file is imported. */
const escapeTexts = (_name: string, value: unknown): unknown => (typeof value === "string" ? escapeNone(value) : value);

/** Every hub as a GeoJSON feature, as `importHubs` reads it. */
export async function exportHubs(
  ctx: Pick<Context, "deps">,
): Promise<{ type: "FeatureCollection"; features: object[] }> {
  const features = (await findWholeHubs(ctx.deps.db, null)).map(toFeature);
  return JSON.parse(JSON.stringify({ type: "FeatureCollection", features }, escapeTexts)) as {
    type: "FeatureCollection";
    features: object[];
  };
}
