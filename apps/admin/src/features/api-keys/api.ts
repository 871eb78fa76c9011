import type { ApiKey } from "@marketday/contracts/admin/api-keys";
import * as calls from "@marketday/contracts/admin/calls";
import type { Permission } from "@marketday/domain/staff";
import { queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

/** One's own API keys. */
export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: ({ signal }) => call(calls.listApiKeys, undefined, { signal }),
});

/** A call that a permission opens, for an example. */
const EXAMPLES: Partial<Record<Permission, string>> = {
  "orders.read": "/api/admin/orders",
  "people.read": "/api/admin/customers",
  "audit.read": "/api/admin/audit",
  "moderation.write": "/api/admin/actions",
};

/** A command that calls the admin API with a key; the path is one that the key opens, where there is one without parameters. */
export function exampleOf(secret: string, permissions: readonly Permission[], origin: string): string {
  const path = permissions.map((permission) => EXAMPLES[permission]).find((each) => each !== undefined);
  return `curl -H "Authorization: Bearer ${secret}" "${origin}${path ?? "/api/admin/…"}"`;
}

export type { ApiKey };
