import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { CellConflict, CellProblem, LargeChange, OfferList } from "@marketday/contracts/admin/offers";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

export interface OfferFilter {
  q: string;
  /** Slug of the market of the frame; null: all. */
  hub: string | null;
}

export const queryOf = ({ q, hub }: OfferFilter) => ({ q, ...(hub !== null && { hub }) });

/** The offers that match. Those of the filter before stay until they have arrived. */
export const offersQuery = (filter: OfferFilter) =>
  queryOptions({
    queryKey: ["offers", filter],
    queryFn: ({ signal }) => call(calls.listOffers, { querystring: queryOf(filter) }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Puts saved rows into every list that has them. */
export function cacheOffers(client: QueryClient, offers: OfferList["offers"]): void {
  const byId = new Map(offers.map((offer) => [offer.id, offer]));
  client.setQueriesData<OfferList>(
    { queryKey: ["offers"] },
    (list) => list && { ...list, offers: list.offers.map((offer) => byId.get(offer.id) ?? offer) },
  );
}

/** Why cells were not saved. */
export type Refusal =
  | { kind: "conflict"; cells: CellConflict[] }
  | { kind: "invalid"; cells: CellProblem[] }
  | { kind: "large"; cells: LargeChange[]; fingerprint: string }
  | { kind: "other"; error: unknown };

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError)) return { kind: "other", error };
  const { details } = error;
  const cells: unknown = details["cells"];
  switch (error.code) {
    case "conflict":
      return { kind: "conflict", cells: cells as CellConflict[] };
    case "invalid_cells":
      return { kind: "invalid", cells: cells as CellProblem[] };
    case "large_changes":
      return { kind: "large", cells: cells as LargeChange[], fingerprint: String(details["fingerprint"]) };
    default:
      return { kind: "other", error };
  }
}
