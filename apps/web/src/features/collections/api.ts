import * as calls from "@marketday/contracts/calls";
import type { Collection } from "@marketday/contracts/collections";
import { COLLECTION_ROWS } from "@marketday/domain/limits";
import { queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { type ProductPage, withProducts } from "../products/api.ts";
import { useShopper } from "../session/api.ts";

/** A child of a collection has all its fields but children. */
export type AnyCollection = Omit<Collection, "children">;

const collectionKeys = {
  list: (hubId: number | null) => ["collections", hubId] as const,
  page: (hubId: number | null, slug: string, page: number) => ["collection-page", hubId, slug, page] as const,
};

const listQuery = (hubId: number | null) =>
  queryOptions({
    queryKey: collectionKeys.list(hubId),
    queryFn: ({ signal }): Promise<Collection[]> => call(calls.listCollections, undefined, { signal }),
    enabled: hubId !== null,
    staleTime: 5 * 60_000,
  });

export function seedCollections(client: QueryClient): void {
  if (boot.collections && boot.session) client.setQueryData(collectionKeys.list(boot.session.hubId), boot.collections);
}

/** The hub's collections; undefined until they are known. */
export function useCollections() {
  const { hubId } = useShopper();
  return useQuery(listQuery(hubId));
}

/** A collection or a child by slug or id, with the parent it belongs to. */
export function findCollection(
  all: Collection[] | undefined,
  key: string,
): { collection: AnyCollection; parent: Collection } | null {
  const is = (one: AnyCollection) => one.slug === key || String(one.id) === key;
  for (const parent of all ?? []) {
    if (is(parent)) return { collection: parent, parent };
    const child = parent.children.find(is);
    if (child) return { collection: child, parent };
  }
  return null;
}

export const collectionPageQuery = (hubId: number | null, slug: string, page: number) =>
  queryOptions({
    queryKey: collectionKeys.page(hubId, slug, page),
    queryFn: async ({ signal }): Promise<ProductPage> => {
      const { payload, totalRows } = await call(
        calls.listCollectionProducts,
        { params: { id: slug }, querystring: { page, perPage: COLLECTION_ROWS } },
        { signal },
      );
      return { products: payload, totalResults: totalRows };
    },
    staleTime: 60_000,
    meta: withProducts,
  });
