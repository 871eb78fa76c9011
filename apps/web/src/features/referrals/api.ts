import * as calls from "@marketday/contracts/calls";
import { queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

/** One's own link, the credit there is, and how far each friend got. Guests: ApiError 401. */
export const referralsQuery = queryOptions({
  queryKey: ["referrals"],
  queryFn: ({ signal }) => call(calls.getReferrals, undefined, { signal }),
});
