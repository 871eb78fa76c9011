import type { Env } from "../../env.ts";
import type { Geocoder } from "./geocoder.ts";
import { httpGeocoder } from "./http-geocoder.ts";
import { zipTables } from "./zip-tables.ts";

/** The tables, or the service of `GEOCODER_URL` with the tables behind it (docs/product.md §12). */
export function createGeocoder(env: Pick<Env, "geocoderUrl">): Geocoder {
  const tables = zipTables();
  return env.geocoderUrl === null ? tables : httpGeocoder(env.geocoderUrl, tables);
}
