import { Readable } from "node:stream";

import {
  createView as createEndpoint,
  deleteView as deleteEndpoint,
  exportOrders as exportEndpoint,
  listOrderIds,
  listOrders,
  listViews,
  putView,
  suggestOrderTokens,
} from "@marketday/contracts/admin/order-list";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { type Page, setPageHeaders } from "../../lib/paging.ts";
import { requireStaff } from "../identity/guards.ts";
import { exportOrders } from "./export-orders.ts";
import { readOrderIds, readOrders } from "./read-orders.ts";
import { suggestValues } from "./suggest.ts";
import { changeView, createView, deleteView, readViews } from "./views.ts";

const ROWS = 50;
const ROWS_MAX = 200;

/** The requested page of a list of the staff; more rows than 200 are 200. */
function pageOf({ page = 1, perPage = ROWS }: { page?: number | undefined; perPage?: number | undefined }): Page {
  const rows = Math.min(perPage, ROWS_MAX);
  return { page, rows, offset: (page - 1) * rows };
}

const staffOf = ({ actor }: FastifyRequest) => requireStaff(actor);

/** The list of all orders, its export and its saved views (docs/product.md §18). */
export const orderListRoutes =
  ({ db }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listOrders,
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const list = await readOrders(db, staffOf(request), request.query, page);
        setPageHeaders(reply, page, list.sums.orders);
        return list;
      },
    });
    app.route({
      ...listOrderIds,
      handler: async (request) => ({ ids: await readOrderIds(db, staffOf(request), request.query) }),
    });
    app.route({
      ...exportEndpoint,
      // It would be an export too.
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const lines = await exportOrders(app.contextOf(request), staffOf(request), request.query);
        return reply
          .type("text/csv; charset=utf-8")
          .headers({
            "content-disposition": `attachment; filename="orders-${dateFromUtc(request.now)}.csv"`,
            "cache-control": "no-store",
          })
          .send(Readable.from(lines));
      },
    });
    app.route({
      ...suggestOrderTokens,
      handler: async (request) => suggestValues(app.contextOf(request), staffOf(request), request.query),
    });
    app.route({
      ...listViews,
      handler: async (request) => readViews(app.contextOf(request), staffOf(request), request.params.screen),
    });
    app.route({
      ...createEndpoint,
      handler: async (request, reply) =>
        reply
          .code(201)
          .send(await createView(app.contextOf(request), staffOf(request), request.params.screen, request.body)),
    });
    app.route({
      ...putView,
      handler: async (request) => changeView(app.contextOf(request), staffOf(request), request.params, request.body),
    });
    app.route({
      ...deleteEndpoint,
      handler: async (request, reply) => {
        await deleteView(app.contextOf(request), staffOf(request), request.params);
        return reply.code(204).send();
      },
    });
  };
