import { notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { requireShopper } from "../../plugins/session.ts";
import { hubDirectory } from "./directory.ts";
import { moveCustomer, moveGuest } from "./store.ts";

/**
 * Switches a guest or customer to another hub. Cart lines stay, and each hub shows which of them it sells
 * (docs/product.md §3). Every server is notified. Unknown hub: 404.
 */
export async function switchHub({ actor, deps }: Context, hubId: number): Promise<void> {
  const shopper = requireShopper(actor);
  const directory = await hubDirectory(deps);
  if (!directory.byId(hubId)) throw notFound();
  if (shopper.type === "guest") await moveGuest(deps.db, shopper.guestId, hubId);
  else await moveCustomer(deps.db, shopper.customerId, hubId);
}
