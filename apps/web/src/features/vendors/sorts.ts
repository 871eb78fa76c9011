import { toSearch } from "@marketday/client/to-search.ts";
import type { VENDOR_SORTS } from "@marketday/contracts/vendors";

export type VendorSort = (typeof VENDOR_SORTS)[number];

/** spec §2.1 /vendors: the sorts with their words, in the order of the spec. */
export const vendorSorts: { value: VendorSort; label: string }[] = [
  { value: "az-asc", label: "A-Z" },
  { value: "popular", label: "Popular" },
  { value: "desc", label: "Z-A" },
];

/** The sort an address asks for; anything else is A-Z. */
export function sortOf(search: string): VendorSort {
  const sort = new URLSearchParams(search).get("sort");
  return vendorSorts.find(({ value }) => value === sort)?.value ?? "az-asc";
}

/** The address' query with another sort; A-Z needs none. */
export function withSort(search: string, sort: VendorSort): string {
  const query = new URLSearchParams(search);
  query.delete("sort");
  if (sort !== "az-asc") query.set("sort", sort);
  return toSearch(query);
}
