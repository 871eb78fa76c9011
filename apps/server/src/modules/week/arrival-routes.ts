import { putAllArrived, putArrival } from "@marketday/contracts/admin/arrivals";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { readDay } from "./read-day.ts";
import { serializeDay } from "./serialize-day.ts";
import { type ArrivalRequest, setArrivals } from "./set-arrivals.ts";

/** The day after a change, or in a conflict. */
async function setAndRead(ctx: Context, request: ArrivalRequest) {
  const { hub, day } = request;
  const readCurrent = async () => serializeDay(await readDay(ctx, hub, day), day, ctx.now);
  await setArrivals(ctx, request).catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.details.code !== "conflict") throw error;
    throw new AppError(error.status, error.message, { ...error.details, current: await readCurrent() });
  });
  return readCurrent();
}

/** What of a delivery day the vendors have confirmed and brought. */
export const arrivalRoutes = (): FastifyPluginAsyncZod => async (app) => {
  app.route({
    ...putArrival,
    handler: (request) => {
      const { hub, date, vendor } = request.params;
      return setAndRead(app.contextOf(request), { hub, day: date, vendors: [vendor], ...request.body });
    },
  });
  app.route({
    ...putAllArrived,
    handler: (request) => {
      const { hub, date } = request.params;
      const { vendorIds: vendors, hasArrived } = request.body;
      return setAndRead(app.contextOf(request), { hub, day: date, vendors, hasArrived });
    },
  });
};
