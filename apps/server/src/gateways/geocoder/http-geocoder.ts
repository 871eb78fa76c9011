import { z } from "zod";

import { httpFetch } from "../../lib/http-client.ts";
import type { Geocoder } from "./geocoder.ts";

/** The two ways reverse geocoders say a zip: our own short one, and that of Nominatim and its kin. */
const Found = z.union([
  z.object({ zipCode: z.string() }).transform(({ zipCode }) => zipCode),
  z.object({ address: z.object({ postcode: z.string() }) }).transform(({ address }) => address.postcode),
]);

/**
 * `GEOCODER_URL`: asked with `lat`, `lon`, `lng` and `format=json`. Where it is slow, away, or answers with no zip of this
 * country, the tables that come along answer in its place (failures.md E5); they know places and names in any case.
 */
export const httpGeocoder = (url: string, tables: Geocoder, timeoutMs?: number): Geocoder => ({
  place: (zipCode) => tables.place(zipCode),
  async zipAt(lat, lng) {
    const asked = new URL(url);
    for (const [name, value] of Object.entries({ lat, lon: lng, lng, format: "json" }))
      asked.searchParams.set(name, String(value));
    const answer = await httpFetch(
      asked.href,
      { headers: { accept: "application/json" } },
      timeoutMs === undefined ? {} : { timeoutMs },
    ).catch(() => null);
    const found = answer && answer.status < 300 ? Found.safeParse(answer.json) : null;
    // Nine digits name a house; the market knows fives.
    const place = found?.success ? tables.place(found.data.trim().slice(0, 5)) : null;
    return place ?? tables.zipAt(lat, lng);
  },
});
