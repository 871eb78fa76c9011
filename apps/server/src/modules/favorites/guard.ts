import type { Actor, CustomerId } from "../../lib/context.ts";
import { requireCustomer } from "../../plugins/session.ts";

/** Requires a registered customer for favorites and follows, else 401 with the spec's sentence (spec §8 Guest favorites). */
export const requireAccount = (actor: Actor): CustomerId =>
  requireCustomer(actor, "Favorites requires the creation of an account.");
