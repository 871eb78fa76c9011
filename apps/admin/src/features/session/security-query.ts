import * as calls from "@marketday/contracts/admin/calls";
import type { getSecurity } from "@marketday/contracts/admin/session";
import type { Output } from "@marketday/contracts/endpoint";
import { queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

/** One's own passkeys, recovery codes and sessions. */
export const securityQuery = queryOptions({
  queryKey: ["security"],
  queryFn: ({ signal }) => call(calls.getSecurity, undefined, { signal }),
});

export type Security = Output<typeof getSecurity>;
