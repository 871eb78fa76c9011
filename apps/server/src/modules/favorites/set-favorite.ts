import { notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { idOrSlug } from "../products/load-products.ts";
import { requireAccount } from "./guard.ts";
import { setFavorite as write } from "./store.ts";

/** A customer gives a product a heart or takes it back (spec §7.6). Twice is once; unknown or unpublished: 404. */
export async function setFavorite({ actor, deps, now }: Context, text: string, isFavorite: boolean) {
  const customerId = requireAccount(actor);
  const which = idOrSlug(text);
  if (!which || !(await write(deps.db, customerId, which, isFavorite, now))) throw notFound();
  return { isFavorite };
}
