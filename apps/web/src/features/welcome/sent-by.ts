import * as calls from "@marketday/contracts/calls";
import { queryOptions, useQuery } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { keptOrigin } from "../../navigation/entry-params.ts";

/** Who sent a newcomer here (spec §2.2): a friend, a vendor's own link or flyer, or no one. */
export type SentBy = { by: "friend" } | { by: "vendor"; trk: string; name: string | null } | { by: "none" };

const vendorNamed = (trk: string) =>
  queryOptions({
    queryKey: ["sent-by", trk],
    queryFn: async ({ signal }) => {
      const vendor = await call(calls.getVendor, { params: { id: trk }, querystring: {} }, { signal }).catch(
        () => null,
      );
      return vendor?.name ?? null;
    },
    enabled: trk !== "",
    staleTime: Infinity,
  });

/** A friend's link counts before a vendor's: it is worth something. A source that names no vendor stays without a name. */
export function useSentBy(): SentBy {
  const { trk, referredByCustomerId } = keptOrigin();
  const isFriend = referredByCustomerId !== undefined;
  const { data } = useQuery(vendorNamed(isFriend ? "" : (trk ?? "")));
  if (isFriend) return { by: "friend" };
  return trk === undefined ? { by: "none" } : { by: "vendor", trk, name: data ?? null };
}
