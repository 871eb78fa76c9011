import { getBundle, listBundles, listSubscribedBundles } from "@marketday/contracts/bundles";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { sendCached } from "../../lib/send-cached.ts";
import { loadBundle, loadBundles, loadSubscribedBundles, whichBundle } from "./load-bundles.ts";

export const bundleRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listBundles,
      handler: (request, reply) => sendCached(request, reply, loadBundles(deps, request.actor)),
    });
    app.route({ ...listSubscribedBundles, handler: async (request) => loadSubscribedBundles(deps, request.actor) });
    app.route({
      ...getBundle,
      handler: (request, reply) =>
        sendCached(request, reply, loadBundle(deps, request.actor, whichBundle(request.params.id))),
    });
  };
