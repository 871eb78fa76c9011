import { z } from "zod";

import { httpFetch } from "../../lib/http-client.ts";

/** A zip with its centroid (degrees) and place name. */
export interface ZipPlace {
  zipCode: string;
  lat: number;
  lng: number;
  city: string;
  state: string;
}

/** Looks up the place of a zip and the zip at a point (spec §7.12). */
export interface Geocoder {
  /** Null when there is no such zip. */
  place(zipCode: string): ZipPlace | null;
  /** The nearest zip within 80 km; null farther out. */
  zipAt(lat: number, lng: number): Promise<ZipPlace | null>;
}

/** Supported responses of reverse geocoders: our short form, and that of Nominatim. */
const ZipResponse = z.union([
  z.object({ zipCode: z.string() }).transform(({ zipCode }) => zipCode),
  z.object({ address: z.object({ postcode: z.string() }) }).transform(({ address }) => address.postcode),
]);

/**
 * `GEOCODER_URL`: requested with `lat`, `lon`, `lng` and `format=json`. The built-in tables are the fallback when it is slow,
 * unavailable, or returns no US zip (failures.md E5), and the source of places and names.
 */
export const httpGeocoder = (url: string, tables: Geocoder, timeoutMs?: number): Geocoder => ({
  place: (zipCode) => tables.place(zipCode),
  async zipAt(lat, lng) {
    const requestUrl = new URL(url);
    for (const [name, value] of Object.entries({ lat, lon: lng, lng, format: "json" }))
      requestUrl.searchParams.set(name, String(value));
    const response = await httpFetch(
      requestUrl.href,
      { headers: { accept: "application/json" } },
      timeoutMs === undefined ? {} : { timeoutMs },
    ).catch(() => null);
    const parsed = response && response.status < 300 ? ZipResponse.safeParse(response.json) : null;
    // ZIP+4 is reduced to five digits.
    const place = parsed?.success ? tables.place(parsed.data.trim().slice(0, 5)) : null;
    return place ?? tables.zipAt(lat, lng);
  },
});
