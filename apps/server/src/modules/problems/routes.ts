import { contactUs, getChallenge } from "@marketday/contracts/problems";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import type { Limits } from "../../lib/limits.ts";
import { reportRoutes } from "./report-routes.ts";
import { sendContact } from "./send-contact.ts";

export const problemRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(reportRoutes(deps, limits));
    app.route({
      ...getChallenge,
      config: { session: "none" },
      handler: async (request) => {
        await limits.challenge.take(request.ip);
        return { challenge: await deps.botCheck.challenge(request.now) };
      },
    });

    app.route({
      ...contactUs,
      handler: async (request) => {
        await sendContact(app.contextOf(request), limits, request.ip, request.body);
        return { success: true as const };
      },
    });
  };
