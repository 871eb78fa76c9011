import {
  endorseVendor as endorseCall,
  followVendor as followCall,
  getVendor,
  listVendorPosts,
  listVendorProducts,
  listVendors,
  unfollowVendor as unfollowCall,
} from "@marketday/contracts/vendors";
import { ROWS_DEFAULT, VENDOR_POSTS_ROWS, VENDOR_PRODUCTS_ROWS } from "@marketday/domain/limits";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { cachedOf } from "../../lib/cache.ts";
import type { Limits } from "../../lib/limits.ts";
import { isPaged, pageOf, setPageHeaders } from "../../lib/paging.ts";
import { answerCached, sendCached } from "../../lib/send-cached.ts";
import { endorseVendor, followVendor } from "./follow-and-endorse.ts";
import { loadVendorPosts, loadVendorProducts } from "./load-store.ts";
import { loadVendor, loadVendors, whichVendor } from "./load-vendors.ts";

export const vendorRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listVendors,
      handler: async (request, reply) => {
        const { actor, query, now } = request;
        const page = isPaged(request, query) ? pageOf(request, query, ROWS_DEFAULT) : null;
        const { cached, total } = await loadVendors(
          deps,
          actor,
          query.sort,
          now,
          page && ((all) => all.slice(page.offset, page.offset + page.rows)),
        );
        setPageHeaders(reply, page ?? { page: 1, rows: total, offset: 0 }, total);
        return answerCached(request, reply, cached);
      },
    });

    app.route({
      ...getVendor,
      handler: (request, reply) =>
        sendCached(
          request,
          reply,
          loadVendor(deps, request.actor, whichVendor(request.params.id, request.query.hashed)),
        ),
    });

    app.route({
      ...listVendorProducts,
      handler: async (request, reply) => {
        const page = pageOf(request, request.query, VENDOR_PRODUCTS_ROWS);
        const cached = await loadVendorProducts(deps, request.actor, whichVendor(request.params.id), page, request.now);
        setPageHeaders(reply, page, cached.value.totalResults);
        return answerCached(request, reply, cached);
      },
    });

    app.route({
      ...listVendorPosts,
      handler: async (request, reply) => {
        const page = pageOf(request, request.query, VENDOR_POSTS_ROWS);
        const { cards, total } = await loadVendorPosts(
          deps,
          request.actor,
          whichVendor(request.params.id),
          page,
          request.now,
        );
        setPageHeaders(reply, page, total);
        return answerCached(request, reply, cachedOf(cards));
      },
    });

    app.route({
      ...followCall,
      handler: async (request) => followVendor(app.contextOf(request), whichVendor(request.params.id), true),
    });
    app.route({
      ...unfollowCall,
      handler: async (request) => followVendor(app.contextOf(request), whichVendor(request.params.id), false),
    });

    app.route({
      ...endorseCall,
      handler: async (request) => {
        const { comment, hasVisited, visitRating, wouldVisitAgain, ...rest } = request.body;
        return endorseVendor(app.contextOf(request), limits, whichVendor(request.params.id), {
          ...rest,
          comment: comment || null,
          hasVisited: hasVisited ?? null,
          visitRating: visitRating ?? null,
          wouldVisitAgain: wouldVisitAgain ?? null,
        });
      },
    });
  };
