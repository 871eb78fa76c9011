import { getFeed } from "@marketday/contracts/feed";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { sendCached } from "../../lib/send-cached.ts";
import { loadFeed } from "./load-feed.ts";

export const feedRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...getFeed,
      compress: false,
      handler: (request, reply) => sendCached(request, reply, loadFeed(deps, request.actor, request.now)),
    });
  };
