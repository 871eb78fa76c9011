import { listBanners } from "@marketday/contracts/banners";
import type { Banner } from "@marketday/contracts/cart";
import { orderBanners } from "@marketday/domain/cart";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { cachedOf } from "../../lib/cache.ts";
import { sendCached } from "../../lib/send-cached.ts";
import { hubOf } from "../../plugins/session.ts";
import { findBanners } from "./store.ts";

/** The hub's banners, warnings first (spec §2.4 Cart); `[]` without a session. They start and end by the clock, so they are never cached. */
export const bannerRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listBanners,
      handler: async (request, reply) => {
        const hubId = hubOf(request.actor);
        const rows = hubId === null ? [] : await findBanners(deps.db, hubId, request.now);
        // The same ids as in the cart, so that a banner that was closed there stays closed.
        const banners = rows.map(({ id, ...banner }): Banner => ({ id: `banner-${id}`, ...banner }));
        return sendCached(request, reply, cachedOf(orderBanners(banners)));
      },
    });
  };
