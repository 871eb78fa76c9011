import type { Vendor } from "@marketday/contracts/vendors";

import { notFound } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import type { Context } from "../identity/context.ts";
import { requireCustomer, requireFavoritesAccount } from "../identity/guards.ts";
import { loadVendor } from "./load-vendors.ts";
import { type Endorsement, setFollow, upsertEndorsement } from "./social-store.ts";
import type { WhichVendor } from "./store.ts";

/** Follows or unfollows a vendor (spec §7.7). Idempotent. @throws AppError 404 for an unknown vendor */
export async function followVendor({ actor, deps, now }: Context, which: WhichVendor, isFollowed: boolean) {
  const vendor = await setFollow(deps.db, requireFavoritesAccount(actor), which, isFollowed, now);
  if (!vendor) throw notFound();
  return { isFollowed, followers: vendor.followers };
}

/** Stores a customer's endorsement of a vendor; it replaces an earlier one (spec §5 Endorsement). @throws AppError 404 */
export async function endorseVendor(
  { actor, deps, now }: Context,
  limits: Limits,
  which: WhichVendor,
  endorsement: Endorsement,
): Promise<Vendor> {
  const customerId = requireCustomer(actor);
  const { value: vendor } = await loadVendor(deps, actor, which);
  await limits.endorsement.take(customerId);
  await upsertEndorsement(deps.db, customerId, vendor.id, endorsement, now);
  return (await loadVendor(deps, actor, { id: vendor.id })).value;
}
