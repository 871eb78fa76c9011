import type { Vendor } from "@marketday/contracts/vendors";

import type { Context } from "../../lib/context.ts";
import type { Limits } from "../../lib/limits.ts";
import { requireCustomer } from "../../plugins/session.ts";
import { loadVendor } from "./load-vendors.ts";
import { type Endorsement, upsertEndorsement, type WhichVendor } from "./store.ts";

/** What a customer thinks of a vendor: one each, the newest replaces (spec §5 Endorsement). Unknown vendor: 404. */
export async function endorseVendor(
  { actor, deps, now }: Context,
  limits: Limits,
  which: WhichVendor,
  given: Endorsement,
): Promise<Vendor> {
  const customerId = requireCustomer(actor);
  const { value: vendor } = await loadVendor(deps, actor, which);
  await limits.endorsement.take(customerId);
  await upsertEndorsement(deps.db, customerId, vendor.id, given, now);
  return (await loadVendor(deps, actor, { id: vendor.id })).value;
}
