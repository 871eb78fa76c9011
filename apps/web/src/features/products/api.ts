import * as calls from "@marketday/contracts/calls";
import type { Product } from "@marketday/contracts/products";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { useShopper } from "../session/api.ts";

/** A page of a list of products. */
export interface ProductPage {
  products: Product[];
  /** Of all pages. */
  totalResults: number;
}

export const productKeys = {
  all: ["product"] as const,
  /** `key` is the slug or id of the address. */
  one: (hubId: number | null, key: string) => ["product", hubId, key] as const,
};

export const productQuery = (hubId: number | null, key: string, messageId?: string) =>
  queryOptions({
    queryKey: productKeys.one(hubId, key),
    queryFn: ({ signal }): Promise<Product> =>
      call(calls.getProduct, { params: { id: key }, querystring: { messageId } }, { signal }),
    staleTime: 60_000,
  });

export function seedProduct(client: QueryClient): void {
  if (boot.product)
    client.setQueryData(productKeys.one(boot.session?.hubId ?? null, boot.product.key), boot.product.product);
}

/** The same product out of any list that is there: the provisional one while the full data load (spec §4 Product detail). */
const provisionalProduct = (client: QueryClient, hubId: number | null, key: string): Product | undefined =>
  cachedProduct(client, hubId, ({ slug, id }) => slug === key || String(id) === key);

/** A product by slug or id, in the shopper's hub. When it cannot be read, what a list knew of it stays. */
export function useProduct(key: string, messageId?: string) {
  const { hubId } = useShopper();
  const client = useQueryClient();
  const query = useQuery({
    ...productQuery(hubId, key, messageId),
    placeholderData: () => provisionalProduct(client, hubId, key),
  });
  const known = query.data ?? (query.error ? provisionalProduct(client, hubId, key) : undefined);
  return { ...query, data: known, isPlaceholderData: query.isPlaceholderData || query.data === undefined };
}

/** Whatever a list calls its products, each of them has these. */
const isProduct = (value: object): value is Product => "slug" in value && "variants" in value && "isFavorite" in value;

/** The first product in an answer that fits. */
function findProduct(data: unknown, fits: (product: Product) => boolean): Product | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  if (isProduct(data)) return fits(data) ? data : undefined;
  for (const part of Object.values(data)) {
    const found = findProduct(part, fits);
    if (found) return found;
  }
  return undefined;
}

/** A response with a product replaced wherever it occurs; the same object when it does not occur. */
export function changeProduct<T>(data: T, id: number, change: Partial<Product>): T {
  if (typeof data !== "object" || data === null) return data;
  if (isProduct(data)) return data.id === id ? { ...data, ...change } : data;
  if (Array.isArray(data)) {
    const next = data.map((part) => changeProduct(part as unknown, id, change));
    return next.some((part, index) => part !== data[index]) ? (next as T) : data;
  }
  const entries = Object.entries(data).map(
    ([name, part]) => [name, changeProduct(part as unknown, id, change)] as const,
  );
  return entries.some(([name, part]) => part !== data[name as keyof T]) ? (Object.fromEntries(entries) as T) : data;
}

/** Puts what the server has answered about a product into every list that shows it. */
export function patchProduct(client: QueryClient, id: number, change: Partial<Product>): void {
  for (const query of client.getQueryCache().getAll()) {
    const { data, dataUpdatedAt } = query.state;
    const next = changeProduct(data, id, change);
    // Only this is newer than it was: the rest keeps its age.
    if (next !== data) client.setQueryData(query.queryKey, next, { updatedAt: dataUpdatedAt });
  }
}

/** A product out of any list of a hub that is here: keys are `[noun, hubId, …]`. */
export function cachedProduct(
  client: QueryClient,
  hubId: number | null,
  fits: (product: Product) => boolean,
): Product | undefined {
  for (const { queryKey, state } of client.getQueryCache().getAll()) {
    const found = queryKey[1] === hubId ? findProduct(state.data, fits) : undefined;
    if (found) return found;
  }
  return undefined;
}
