import type { Permission } from "@marketday/domain/staff";

import type { EndpointSchema, Method } from "../endpoint.ts";

/**
 * Who may call an admin endpoint: "public" without a session (signing in), "signed_in" for a person's own things, else a permission.
 * `where` says in which market the permission is needed: that of the parameter `hub` (slug or id); "any": in at least one, and the use
 * case reads only `hubsWith` it; "all": in every market. `or`: another permission that is enough; not with "hub".
 */
export type Access = "public" | "signed_in" | { permission: Permission; or?: Permission; where: "hub" | "any" | "all" };

/** What the server reads of an admin endpoint besides its schema. */
interface AdminConfig {
  /** A shopper's cookie is never read. */
  session: "none";
  access: Access;
  /** Needs a proof of identity of the last five minutes: 403 `step_up_required` without one. */
  stepUp: boolean;
  /** The route honors `Idempotency-Key`. */
  idempotent?: true;
}

/** An endpoint of the admin API; `url` is below `/api/admin`. */
interface AdminEndpoint {
  url: string;
  access: Access;
  stepUp?: boolean;
  /** Of a write that sends something out (a mail, money): a repeated request with its `Idempotency-Key` gets the first response. */
  idempotent?: true;
}

/** Declares an endpoint of the admin API. Who may call it is a part of the contract, so that none is without. */
export const adminEndpoint = <const M extends Method, const U extends string, S extends EndpointSchema>({
  access,
  stepUp = false,
  idempotent,
  ...definition
}: AdminEndpoint & { method: M; url: U; schema: S }) => ({
  ...definition,
  config: { session: "none", access, stepUp, ...(idempotent && { idempotent }) } satisfies AdminConfig,
});
