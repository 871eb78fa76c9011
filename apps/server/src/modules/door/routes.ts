import {
  getDoor,
  recordDoorPayments as recordEndpoint,
  undoDoorPayment as undoEndpoint,
} from "@marketday/contracts/admin/door";
import { fromDollars } from "@marketday/domain/money";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { requireStaff } from "../identity/guards.ts";
import { toStaffAction } from "../staff-actions/serialize.ts";
import { findAction } from "../staff-actions/store.ts";
import { readDoor } from "./read-door.ts";
import { recordDoorPayments } from "./record-door-payments.ts";
import { serializeDoor } from "./serialize.ts";
import { undoDoorPayment } from "./undo-door-payment.ts";

/** Money at the door of a delivery day: what is to be collected and was, recording it, and undoing that for one box. */
export const doorRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...getDoor,
      handler: async (request) => {
        const { hub, date } = request.params;
        return serializeDoor(await readDoor(app.contextOf(request), hub, date), date);
      },
    });

    app.route({
      ...recordEndpoint,
      handler: async (request) => {
        const ctx = app.contextOf(request);
        const { hub, date } = request.params;
        const { orderIds, amount } = request.body;
        const id = await recordDoorPayments(ctx, { hub, day: date, orderIds, amount: fromDollars(amount) });
        const action = await findAction(deps.db, id);
        return {
          door: serializeDoor(await readDoor(ctx, hub, date), date),
          action: action && toStaffAction(action, requireStaff(request.actor)),
        };
      },
    });

    app.route({
      ...undoEndpoint,
      handler: async (request) => {
        const ctx = app.contextOf(request);
        const { hub, date } = request.params;
        await undoDoorPayment(ctx, { hub, day: date, orderId: request.body.orderId });
        return serializeDoor(await readDoor(ctx, hub, date), date);
      },
    });
  };
