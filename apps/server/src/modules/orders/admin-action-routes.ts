import { cancelOrder, planCancel as planEndpoint, resendMail } from "@marketday/contracts/admin/orders";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import type { Actor } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { toStaffAction } from "../staff-actions/serialize.ts";
import { findAction } from "../staff-actions/store.ts";
import { holdCancel, planCancel } from "./hold-cancel.ts";
import { holdResend } from "./hold-resend.ts";

/** What the staff do with an order, held before it leaves the market (docs/product.md §18). */
export const orderActionRoutes =
  ({ db }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const readAction = async (actor: Actor, id: number) =>
      toStaffAction((await findAction(db, id))!, requireStaff(actor));

    app.route({
      ...planEndpoint,
      handler: (request) => planCancel(app.contextOf(request), request.params.id, request.body.refundTo),
    });
    app.route({
      ...cancelOrder,
      handler: async (request) =>
        readAction(request.actor, await holdCancel(app.contextOf(request), request.params.id, request.body)),
    });
    app.route({
      ...resendMail,
      handler: async (request) =>
        readAction(request.actor, await holdResend(app.contextOf(request), request.params.id, request.params.mail)),
    });
  };
