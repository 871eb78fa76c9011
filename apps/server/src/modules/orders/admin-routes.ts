import { getDayBoxes, getOrderBox } from "@marketday/contracts/admin/orders";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { requireStaff } from "../identity/guards.ts";
import { readDayBoxes } from "./read-day-boxes.ts";
import { readOrderBox } from "./read-order-box.ts";

/** Boxes in the admin app: those of a day, and one with everything about it. */
export const orderAdminRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...getDayBoxes,
      handler: async (request) => {
        const { hub, date } = request.params;
        return readDayBoxes(app.contextOf(request), hub, date);
      },
    });
    app.route({
      ...getOrderBox,
      handler: async (request) => readOrderBox(deps.db, requireStaff(request.actor), request.params.id),
    });
  };
