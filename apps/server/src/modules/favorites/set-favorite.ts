import { notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { requireFavoritesAccount } from "../../plugins/session.ts";
import { idOrSlug } from "../products/load-products.ts";
import { setFavorite as write } from "./store.ts";

/** Adds a product to a customer's favorites or removes it (spec §7.6). A second time changes nothing; unknown or unpublished: 404. */
export async function setFavorite({ actor, deps, now }: Context, text: string, isFavorite: boolean) {
  const customerId = requireFavoritesAccount(actor);
  const which = idOrSlug(text);
  if (!which || !(await write(deps.db, customerId, which, isFavorite, now))) throw notFound();
  return { isFavorite };
}
