import { Readable } from "node:stream";

import {
  exportOffers as exportEndpoint,
  listOffers,
  saveOffers,
  suggestOfferTokens,
} from "@marketday/contracts/admin/offers";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { requireStaff } from "../identity/guards.ts";
import { toStaffAction } from "../staff-actions/serialize.ts";
import { findAction } from "../staff-actions/store.ts";
import { exportOffers } from "./export-offers.ts";
import { readOffers } from "./read-offers.ts";
import { saveCells } from "./save-cells.ts";
import { suggestOffers } from "./suggest.ts";

const staffOf = ({ actor }: FastifyRequest) => requireStaff(actor);

/** The grid of products: its rows, its export, and the saving of its cells (docs/product.md §18). */
export const offerRoutes =
  ({ db }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listOffers,
      handler: async (request) => readOffers(app.contextOf(request), staffOf(request), request.query),
    });
    app.route({
      ...exportEndpoint,
      // It would be an export too.
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const lines = await exportOffers(app.contextOf(request), staffOf(request), request.query);
        return reply
          .type("text/csv; charset=utf-8")
          .headers({
            "content-disposition": `attachment; filename="products-${dateFromUtc(request.now)}.csv"`,
            "cache-control": "no-store",
          })
          .send(Readable.from(lines));
      },
    });
    app.route({
      ...suggestOfferTokens,
      handler: async (request) => suggestOffers(app.contextOf(request), staffOf(request), request.query),
    });
    app.route({
      ...saveOffers,
      // Every row of the grid in one column.
      bodyLimit: 1024 * 1024,
      handler: async (request) => {
        const actor = staffOf(request);
        const { actionId, offers } = await saveCells(app.contextOf(request), actor, request.body);
        const action = actionId === null ? null : await findAction(db, actionId);
        return { action: action && toStaffAction(action, actor), offers };
      },
    });
  };
