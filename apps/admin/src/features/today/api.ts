import * as calls from "@marketday/contracts/admin/calls";
import { queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

/** The board, of one market (its slug) or of all that one may see (null), with the counts and the health. Needs `orders.read`. */
export const todayQuery = (hub: string | null) =>
  queryOptions({
    queryKey: ["today", hub],
    queryFn: ({ signal }) => call(calls.getToday, { querystring: { hub: hub ?? undefined } }, { signal }),
  });
