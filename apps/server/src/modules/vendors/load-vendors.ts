import type { Vendor, VENDOR_SORTS } from "@marketday/contracts/vendors";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { type Cached, cachedOf, sharedOf, withoutInventory } from "../../lib/cache.ts";
import type { Actor, CustomerId } from "../identity/context.ts";
import { hubOf } from "../identity/guards.ts";
import { serializePictureOrNull } from "../pictures/picture-row.ts";
import { idOrSlug } from "../products/load-products.ts";
import { popularityOf } from "./popularity.ts";
import { findFollowed, findSocial } from "./social-store.ts";
import type { WhichVendor } from "./store.ts";
import { findVendor, findVendorsOfHub, type VendorRow } from "./vendor-sql.ts";

export type VendorSort = (typeof VENDOR_SORTS)[number];

/** An average of scores with two decimals; 0 without any (spec §3 endorsementScore). */
const roundScore = (score: number | null): number => (score === null ? 0 : Math.round(score * 100) / 100);

/** A vendor as a guest sees it. */
export const serializeVendor = (row: VendorRow): Vendor => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  city: row.city,
  state: row.state,
  avatar: serializePictureOrNull(row.avatar),
  heroImage: serializePictureOrNull(row.hero),
  isFollowed: false,
  endorsementScore: roundScore(row.score),
  description: row.description,
  followers: row.followers,
  products: row.products,
});

const byName = (a: Vendor, b: Vendor) => a.name.localeCompare(b.name, "en") || a.id - b.id;

async function readVendors(deps: Deps, hubId: number, sort: VendorSort, now: Date): Promise<Vendor[]> {
  const vendors = (await findVendorsOfHub(deps.readDb, hubId)).map(serializeVendor);
  if (sort === "az-asc") return vendors.toSorted(byName);
  if (sort === "desc") return vendors.toSorted((a, b) => byName(b, a));
  const { vendors: orders } = await popularityOf(deps, hubId, now);
  const ordersOf = ({ id }: Vendor) => orders.get(id) ?? 0;
  return vendors.toSorted((a, b) => ordersOf(b) - ordersOf(a) || b.followers - a.followers || byName(a, b));
}

const noVendors: Cached<Vendor[]> = sharedOf<Vendor[]>([]);

/** Adds to vendors whether the customer follows them. One statement for any number of vendors. */
export async function personalizeVendors(
  deps: Deps,
  customerId: CustomerId,
  vendors: readonly Vendor[],
): Promise<Vendor[]> {
  if (vendors.length === 0) return [];
  const followed = new Set(await findFollowed(deps.db, customerId));
  return vendors.map((vendor) => (followed.has(vendor.id) ? { ...vendor, isFollowed: true } : vendor));
}

/** All vendors of the shopper's hub (spec §7.7); `[]` without a session. `part` selects a page. */
export async function loadVendors(
  deps: Deps,
  actor: Actor,
  sort: VendorSort,
  now: Date,
  part: ((vendors: Vendor[]) => Vendor[]) | null,
): Promise<{ cached: Cached<Vendor[]>; total: number }> {
  const hubId = hubOf(actor);
  if (hubId === null) return { cached: noVendors, total: 0 };
  const all = await deps.cache.get(hubId, `vendors:${sort}`, () => readVendors(deps, hubId, sort, now), {
    ...withoutInventory,
    dependsOn: ["listing", "picture"],
  });
  const total = all.value.length;
  const selected = part ? part(all.value) : all.value;
  if (actor.type === "customer")
    return { cached: cachedOf(await personalizeVendors(deps, actor.customerId, selected)), total };
  return { cached: part ? cachedOf(selected) : all, total };
}

/**
 * Parses the `id` of `/vendors/{id}`: an id or slug, with `hashed=true` the 16 hex digits of a printed link.
 * @throws AppError 404 when it is none of these
 */
export function whichVendor(text: string, hashed = false): WhichVendor {
  if (hashed) {
    if (!/^[0-9a-f]{16}$/i.test(text)) throw notFound();
    return { hash: text.toLowerCase() };
  }
  const which = idOrSlug(text);
  if (!which) throw notFound();
  return which;
}

export const vendorKey = (which: WhichVendor) => Object.entries(which).flat().join("=");

/**
 * A published vendor as this shopper sees it, from the hub's cache. Followers and score may be a minute old for guests and are
 * current for customers.
 * @throws AppError 404 for an unknown or unpublished vendor
 */
export async function loadVendor(deps: Deps, actor: Actor, which: WhichVendor): Promise<Cached<Vendor>> {
  const hubId = hubOf(actor);
  const cached = await deps.cache.get(
    hubId,
    `vendor:${vendorKey(which)}`,
    async () => {
      const row = await findVendor(deps.readDb, hubId, which);
      if (!row) throw notFound();
      return serializeVendor(row);
    },
    { ...withoutInventory, dependsOn: ["listing", "picture"], showsOtherHubs: true },
  );
  if (actor.type !== "customer") return cached;
  const social = await findSocial(deps.db, actor.customerId, cached.value.id);
  return cachedOf({
    ...cached.value,
    isFollowed: social.is_followed,
    followers: social.followers,
    endorsementScore: roundScore(social.score),
  });
}
