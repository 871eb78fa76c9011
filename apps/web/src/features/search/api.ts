import * as calls from "@marketday/contracts/calls";
import type { Suggestion } from "@marketday/contracts/search";
import { SEARCH_ROWS } from "@marketday/domain/limits";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { type ProductPage, withProducts } from "../products/api.ts";
import { useShopper } from "../session/api.ts";
import { isLongEnough, type SearchMode } from "./term.ts";

const searchKeys = {
  suggestions: (hubId: number | null, mode: SearchMode, term: string) => ["suggest", hubId, mode, term] as const,
  page: (hubId: number | null, term: string, page: number) => ["search", hubId, term, page] as const,
  vendors: (hubId: number | null, term: string) => ["search-vendors", hubId, term] as const,
};

const vendorsQuery = (hubId: number | null, term: string) =>
  queryOptions({
    queryKey: searchKeys.vendors(hubId, term),
    queryFn: ({ signal }) => call(calls.searchHubVendors, { params: { q: term } }, { signal }),
  });

const suggestionsQuery = (hubId: number | null, mode: SearchMode, term: string) =>
  queryOptions({
    queryKey: searchKeys.suggestions(hubId, mode, term),
    queryFn: async ({ signal, client }): Promise<Suggestion[]> => {
      if (mode === "items") return call(calls.autoComplete, { params: { q: term } }, { signal });
      const vendors = await client.fetchQuery(vendorsQuery(hubId, term));
      return vendors.map(({ id, slug, name, avatar }) => ({
        type: "vendor",
        id,
        slug,
        title: name,
        image: avatar,
        vendor: null,
        price: null,
        size: "",
      }));
    },
  });

/** What a term may become while it is typed. The last answer stays in sight until the next one is there. */
export function useSuggestions(mode: SearchMode, term: string) {
  const { hubId } = useShopper();
  return useQuery({
    ...suggestionsQuery(hubId, mode, term),
    enabled: isLongEnough(term),
    placeholderData: keepPreviousData,
  });
}

/** This hub's vendors for a term, at most 25. */
export function useVendorSearch(term: string) {
  const { hubId } = useShopper();
  return useQuery({ ...vendorsQuery(hubId, term), enabled: isLongEnough(term) });
}

/** A page of the products for a term. */
export const searchPageQuery = (hubId: number | null, term: string, page: number) =>
  queryOptions({
    queryKey: searchKeys.page(hubId, term, page),
    queryFn: ({ signal }): Promise<ProductPage> =>
      call(calls.searchProducts, { params: { q: term }, querystring: { page, perPage: SEARCH_ROWS } }, { signal }),
    meta: withProducts,
  });
