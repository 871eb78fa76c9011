import type { Bundle } from "@marketday/contracts/bundles";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { type Cached, cachedOf, PRODUCT_CHANGES, sharedOf } from "../../lib/cache.ts";
import type { Actor, CustomerId } from "../identity/context.ts";
import { hubOf, requireCustomer } from "../identity/guards.ts";
import { idOrSlug, idsOf, loadProducts } from "../products/load-products.ts";
import { personalize } from "../products/personal.ts";
import { serializeBundle } from "./serialize.ts";
import { type BundleRow, findBundle, findBundles, findIntervals, findSubscribed, type WhichBundle } from "./store.ts";

/** The special hub has no bundles (spec §2.3, docs/product.md §4). */
export const hasBundles = (deps: Deps, hubId: number | null): boolean => hubId !== deps.env.specialHubId;

export function whichBundle(text: string): WhichBundle {
  const which = idOrSlug(text);
  if (!which) throw notFound();
  return which;
}

/** Rows → bundles as guests of the hub see them, in one statement for any number. */
export async function withProducts(deps: Deps, hubId: number | null, rows: readonly BundleRow[]): Promise<Bundle[]> {
  const products = await loadProducts(deps.readDb, hubId, [
    ...new Set(rows.flatMap(({ items }) => items.map(({ variant }) => variant.product_id))),
  ]);
  const byId = new Map(products.map((product) => [product.id, product]));
  return rows.map((row) => serializeBundle(row, byId));
}

/** Adds the customer's subscriptions and favorites to bundles. Two statements for any number. */
export async function personalizeBundles(
  deps: Deps,
  customerId: CustomerId,
  bundles: readonly Bundle[],
): Promise<Bundle[]> {
  if (bundles.length === 0) return [];
  const intervals = await findIntervals(deps.db, customerId);
  const own = await personalize(
    deps,
    customerId,
    bundles.flatMap(({ products }) => products),
  );
  const byId = new Map(own.map((product) => [product.id, product]));
  return bundles.map((bundle) => {
    const interval = intervals.get(bundle.id) ?? null;
    return {
      ...bundle,
      subscriptionInterval: interval,
      subscriptionStatus: interval === null ? "unsubscribed" : "subscribed",
      products: bundle.products.map(({ ingredients, quantity, variantId, available, ...product }) => ({
        ...(byId.get(product.id) ?? product),
        ingredients,
        quantity,
        variantId,
        available,
      })),
    };
  });
}

const BUNDLE_CHANGES = [...PRODUCT_CHANGES, "bundle"] as const;

const nothing: Cached<Bundle[]> = sharedOf<Bundle[]>([]);

/** The bundles of the shopper's hub (spec §7.8); `[]` without a session and in the special hub. */
export async function loadBundles(deps: Deps, actor: Actor): Promise<Cached<Bundle[]>> {
  const hubId = hubOf(actor);
  if (hubId === null || !hasBundles(deps, hubId)) return nothing;
  const cached = await deps.cache.get(
    hubId,
    "bundles",
    async () => withProducts(deps, hubId, await findBundles(deps.readDb, hubId)),
    { dependsOn: BUNDLE_CHANGES, productsOf: (bundles) => bundles.flatMap(({ products }) => idsOf(products)) },
  );
  return actor.type === "customer" ? cachedOf(await personalizeBundles(deps, actor.customerId, cached.value)) : cached;
}

/** One bundle of the shopper's hub, of any hub without a session; 404 when there is none, and in the special hub. */
export async function loadBundle(deps: Deps, actor: Actor, which: WhichBundle): Promise<Cached<Bundle>> {
  const hubId = hubOf(actor);
  if (!hasBundles(deps, hubId)) throw notFound();
  const cached = await deps.cache.get(
    hubId,
    `bundle:${Object.values(which)[0]}`,
    async () => {
      const row = await findBundle(deps.readDb, hubId, which);
      if (!row) throw notFound();
      return (await withProducts(deps, hubId, [row]))[0]!;
    },
    { dependsOn: BUNDLE_CHANGES, productsOf: ({ products }) => idsOf(products) },
  );
  if (actor.type !== "customer") return cached;
  return cachedOf((await personalizeBundles(deps, actor.customerId, [cached.value]))[0]!);
}

/** The bundles a customer subscribes to in any hub, so that each can be ended from anywhere. */
export async function loadSubscribedBundles(deps: Deps, actor: Actor): Promise<Bundle[]> {
  const customerId = requireCustomer(actor);
  const bundles = await withProducts(deps, hubOf(actor), await findSubscribed(deps.db, customerId));
  return personalizeBundles(deps, customerId, bundles);
}
