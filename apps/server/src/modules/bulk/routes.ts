import * as endpoints from "@marketday/contracts/admin/bulk";
import type { BulkDone } from "@marketday/contracts/admin/bulk";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { AppError } from "../../lib/app-error.ts";
import { html, multiline } from "../../lib/html.ts";
import { sendPlainPage } from "../../lib/plain-page.ts";
import type { Actor } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { toStaffAction } from "../staff-actions/serialize.ts";
import { findAction } from "../staff-actions/store.ts";
import { SheetFolders } from "../week/sheet-folders.ts";
import { BOX_PRINTS } from "../week/sheets/box-prints.ts";
import { bulkCancel, bulkCharge, bulkMessage } from "./hold.ts";
import { bulkPlace } from "./place.ts";
import { readPoints } from "./points.ts";
import { planPrint, printJob } from "./print.ts";
import { bulkDeliver, bulkPaid, type BulkResult } from "./write-at-once.ts";

/** What the staff do with many orders at once (docs/product.md §18). */
export const bulkRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = deps;
    const folders = new SheetFolders(deps);
    const answer = async (actor: Actor, { plan, actionIds }: BulkResult): Promise<BulkDone> => {
      const staff = requireStaff(actor);
      const actions = await Promise.all(actionIds.map((id) => findAction(db, id)));
      return { plan, actions: actions.flatMap((action) => (action ? [toStaffAction(action, staff)] : [])) };
    };
    app.route({
      ...endpoints.bulkPaid,
      handler: async (request) => answer(request.actor, await bulkPaid(app.contextOf(request), request.body)),
    });
    app.route({
      ...endpoints.bulkDeliver,
      handler: async (request) => answer(request.actor, await bulkDeliver(app.contextOf(request), request.body)),
    });
    app.route({
      ...endpoints.bulkPlace,
      handler: async (request) => answer(request.actor, await bulkPlace(app.contextOf(request), request.body)),
    });
    app.route({
      ...endpoints.findBulkPoints,
      handler: (request) => readPoints(app.contextOf(request), request.body.orderIds),
    });
    app.route({
      ...endpoints.bulkCancel,
      handler: async (request) => answer(request.actor, await bulkCancel(app.contextOf(request), request.body)),
    });
    app.route({
      ...endpoints.bulkCharge,
      handler: async (request) => answer(request.actor, await bulkCharge(app.contextOf(request), request.body)),
    });
    app.route({
      ...endpoints.bulkMessage,
      handler: async (request) => answer(request.actor, await bulkMessage(app.contextOf(request), request.body)),
    });
    app.route({
      ...endpoints.planBulkPrint,
      handler: (request) => planPrint(app.contextOf(request), request.body.kind, request.body.orderIds),
    });
    app.route({
      ...endpoints.getBulkPrint,
      handler: async (request, reply) => {
        const { kind } = request.params;
        const job = await printJob(app.contextOf(request), kind, request.query.orderIds);
        const { file, size } = await folders.open(job, BOX_PRINTS);
        return reply
          .type("application/pdf")
          .headers({
            "content-length": size,
            "content-disposition": `inline; filename="${kind}.pdf"`,
            "cache-control": "no-store",
            // The policy of data forbids what the browser's viewer of PDF is made of.
            "content-security-policy": "frame-ancestors 'none'",
          })
          .send(file.createReadStream());
      },
      // A file opens in a tab, where a person reads what went wrong.
      errorHandler: (error, request, reply) => {
        if (!(error instanceof AppError) || request.headers["sec-fetch-dest"] !== "document") throw error;
        void sendPlainPage(reply, error.status, "This can’t be printed", html`<p>${multiline(error.message)}</p>`);
      },
    });
  };
