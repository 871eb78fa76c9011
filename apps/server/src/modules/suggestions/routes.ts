import { listSuggestions } from "@marketday/contracts/suggestions";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { sendCached } from "../../lib/send-cached.ts";
import { loadSuggestions } from "./load-suggestions.ts";

export const suggestionRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listSuggestions,
      handler: (request, reply) => sendCached(request, reply, loadSuggestions(deps, request.actor, request.params.id)),
    });
  };
