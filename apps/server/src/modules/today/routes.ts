import { getToday as getTodayCall } from "@marketday/contracts/admin/today";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import { requireStaff } from "../identity/guards.ts";
import { getToday } from "./get-today.ts";
import { toTodayResponse } from "./serialize.ts";

export const todayRoutes = (): FastifyPluginAsyncZod => async (app) => {
  app.route({
    ...getTodayCall,
    handler: async (request) =>
      toTodayResponse(await getToday(app.contextOf(request), requireStaff(request.actor), request.query.hub ?? null)),
  });
};
