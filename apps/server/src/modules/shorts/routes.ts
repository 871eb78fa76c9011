import {
  countShort as countEndpoint,
  getShorts,
  planShort as planEndpoint,
  removeShort as removeEndpoint,
  settleShort as settleEndpoint,
} from "@marketday/contracts/admin/shorts";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { countShort, removeShort } from "./count-short.ts";
import { planShort } from "./plan-short.ts";
import { type DayKey, getShortDay, readShorts } from "./read-shorts.ts";
import { serializePlan, serializeShorts } from "./serialize.ts";
import { settleShort } from "./settle-short.ts";

const readDay = async (ctx: Context, key: DayKey) =>
  serializeShorts(await readShorts(ctx, key), key.date, requireStaff(ctx.actor));

/** The day after a change; a conflict has it as `current`. */
async function changed(ctx: Context, key: DayKey, change: Promise<void>) {
  try {
    await change;
  } catch (error) {
    if (!(error instanceof AppError) || !["conflict", "held"].includes(error.details.code)) throw error;
    throw new AppError(error.status, error.message, { ...error.details, current: await readDay(ctx, key) });
  }
  return readDay(ctx, key);
}

/** The shortages of a delivery day (docs/product.md §14 `short`, §18). */
export const shortRoutes = (): FastifyPluginAsyncZod => async (app) => {
  app.route({ ...getShorts, handler: async (request) => readDay(app.contextOf(request), request.params) });
  app.route({
    ...planEndpoint,
    handler: async (request) => {
      const ctx = app.contextOf(request);
      const day = await getShortDay(ctx, request.params);
      const planned = await planShort(ctx, request.params, day, request.body);
      return serializePlan(planned, request.body, requireStaff(ctx.actor), day.hub.id);
    },
  });
  app.route({
    ...countEndpoint,
    handler: async (request) => {
      const ctx = app.contextOf(request);
      const { params, body } = request;
      return changed(ctx, params, countShort(ctx, params, body));
    },
  });
  app.route({
    ...settleEndpoint,
    handler: async (request) => {
      const ctx = app.contextOf(request);
      const { params, body } = request;
      return changed(ctx, params, settleShort(ctx, { ...params, ...body }));
    },
  });
  app.route({
    ...removeEndpoint,
    handler: async (request) => {
      const ctx = app.contextOf(request);
      const { params, body } = request;
      return changed(ctx, params, removeShort(ctx, { ...params, ...body }));
    },
  });
};
