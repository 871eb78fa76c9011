import * as calls from "@marketday/contracts/calls";
import type { FeedCard } from "@marketday/contracts/feed";
import type { Product } from "@marketday/contracts/products";
import { type Query, type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { useShopper } from "../session/api.ts";

/** A page of a list of products. */
export interface ProductPage {
  products: Product[];
  /** Of all pages. */
  totalResults: number;
}

// A query whose answer has products gives a way to them in its `meta`, so that they are found in any list.
declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { productsOf?: (data: never) => Product[] };
  }
}

export const listOfProducts = { productsOf: (products: Product[]) => products };
/** Of a page, a bundle, or whatever else has a list of them. */
export const withProducts = { productsOf: ({ products }: { products: Product[] }) => products };
export const cardsWithProducts = {
  productsOf: (cards: FeedCard[]) => cards.flatMap(({ product }) => product ?? []),
};

/** The products in the answer of a query; none without an answer, or where it is about something else. */
export const productsIn = ({ meta, state: { data } }: Query): Product[] =>
  (data !== undefined && meta?.productsOf?.(data as never)) || [];

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
    meta: { productsOf: (product: Product) => [product] },
  });

export function seedProduct(client: QueryClient): void {
  if (boot.product)
    client.setQueryData(productKeys.one(boot.session?.hubId ?? null, boot.product.key), boot.product.product);
}

/**
 * The same product out of any list of the hub that is there: the provisional one while the full data load (spec §4 Product
 * detail). Keys of lists are `[noun, hubId, …]`.
 */
const provisionalProduct = (client: QueryClient, hubId: number | null, key: string): Product | undefined =>
  client
    .getQueryCache()
    .getAll()
    .flatMap((query) => (query.queryKey[1] === hubId ? productsIn(query) : []))
    .find(({ slug, id }) => slug === key || String(id) === key);

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
