import { listBanners } from "@marketday/contracts/cart";
import { orderBanners } from "@marketday/domain/cart";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { cachedOf } from "../../lib/cache.ts";
import { sendCached } from "../../lib/send-cached.ts";
import { hubOf } from "../../plugins/session.ts";
import { loadBanners } from "./load-banners.ts";

/** The hub's banners, warnings first (spec §2.4 Cart); `[]` without a session. */
export const bannerRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listBanners,
      handler: async (request, reply) => {
        const hubId = hubOf(request.actor);
        const banners = hubId === null ? [] : await loadBanners(deps, hubId, request.now);
        return sendCached(request, reply, cachedOf(orderBanners(banners)));
      },
    });
  };
