import { notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { requireAccount } from "../favorites/guard.ts";
import { setFollow, type WhichVendor } from "./store.ts";

/** A customer follows a vendor, or does not any more (spec §7.7). Twice is once; unknown: 404. */
export async function followVendor({ actor, deps, now }: Context, which: WhichVendor, isFollowed: boolean) {
  const followed = await setFollow(deps.db, requireAccount(actor), which, isFollowed, now);
  if (!followed) throw notFound();
  return { isFollowed, followers: followed.followers };
}
