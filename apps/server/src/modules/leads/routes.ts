import { createLead as createCall } from "@marketday/contracts/leads";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Limits } from "../../lib/limits.ts";
import { createLead } from "./create-lead.ts";

export const leadRoutes =
  (limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...createCall,
      handler: async (request) => {
        await createLead(app.contextOf(request), limits, request.ip, request.body);
        return { success: true as const };
      },
    });
  };
