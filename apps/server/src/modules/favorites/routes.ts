import {
  favoriteProduct,
  listAllFavoriteVendors,
  listFavoriteProducts,
  listFavoriteVendors,
  listMostOrdered,
  listUsuals,
  unfavoriteProduct,
} from "@marketday/contracts/favorites";
import { FAVORITES_ROWS, MOST_ORDERED_ROWS } from "@marketday/domain/limits";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { type Page, pageOf, setPageHeaders } from "../../lib/paging.ts";
import type { Context } from "../identity/context.ts";
import { requireFavoritesAccount } from "../identity/guards.ts";
import { idOrSlug } from "../products/load-products.ts";
import { loadFavoriteProducts, loadFavoriteVendors, loadMostOrdered, loadUsuals, type Part } from "./load-favorites.ts";
import { setFavorite as write } from "./store.ts";

export const favoriteRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const paged = async <T>(
      request: FastifyRequest,
      reply: FastifyReply,
      defaultRows: number,
      load: (page: Page) => Promise<Part<T>>,
    ): Promise<T[]> => {
      const page = pageOf(request, request.query as { page?: number; perPage?: number }, defaultRows);
      const { rows, total } = await load(page);
      setPageHeaders(reply, page, total);
      return rows;
    };

    app.route({
      ...favoriteProduct,
      handler: async (request) => setFavorite(app.contextOf(request), request.params.id, true),
    });
    app.route({
      ...unfavoriteProduct,
      handler: async (request) => setFavorite(app.contextOf(request), request.params.id, false),
    });
    app.route({
      ...listFavoriteProducts,
      handler: async (request, reply) =>
        paged(request, reply, FAVORITES_ROWS, (page) => loadFavoriteProducts(deps, request.actor, page)),
    });
    app.route({
      ...listMostOrdered,
      handler: async (request, reply) =>
        paged(request, reply, MOST_ORDERED_ROWS, (page) => loadMostOrdered(deps, request.actor, page)),
    });
    app.route({
      ...listUsuals,
      handler: async (request) => loadUsuals(deps, request.actor, app.contextOf(request).now),
    });
    app.route({
      ...listFavoriteVendors,
      handler: async (request, reply) =>
        paged(request, reply, FAVORITES_ROWS, (page) => loadFavoriteVendors(deps, request.actor, page, "hub")),
    });
    app.route({
      ...listAllFavoriteVendors,
      handler: async (request, reply) =>
        paged(request, reply, FAVORITES_ROWS, (page) => loadFavoriteVendors(deps, request.actor, page, "all")),
    });
  };

/** Adds a product to a customer's favorites or removes it (spec §7.6). A second time changes nothing; unknown or unpublished: 404. */
async function setFavorite({ actor, deps, now }: Context, text: string, isFavorite: boolean) {
  const customerId = requireFavoritesAccount(actor);
  const which = idOrSlug(text);
  if (!which || !(await write(deps.db, customerId, which, isFavorite, now))) throw notFound();
  return { isFavorite };
}
