import * as contracts from "@marketday/contracts/admin/payouts";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import { pageOf, setPageHeaders } from "../../lib/paging.ts";
import { bookPayout, reversePart } from "./book-payout.ts";
import { listPayouts, readBankFile, readPayout } from "./read-booked.ts";
import { readDuePayout, readDueStatement } from "./read-due.ts";

const ROWS = 50;

/** Payouts in the admin app: what is due, what was booked, the bank's file, reversals (docs/product.md §18). */
export const payoutRoutes = (): FastifyPluginAsyncZod => async (app) => {
  app.route({
    ...contracts.getDuePayout,
    handler: (request) => readDuePayout(app.contextOf(request), request.query.to),
  });
  app.route({
    ...contracts.getDueStatement,
    handler: (request) => readDueStatement(app.contextOf(request), request.params.id, request.query.to),
  });
  app.route({
    ...contracts.bookPayout,
    handler: (request) => bookPayout(app.contextOf(request), request.body, request.idempotency?.key ?? null),
  });
  app.route({
    ...contracts.listPayouts,
    handler: async (request, reply) => {
      const page = pageOf(request, request.query, ROWS);
      const { payouts, total } = await listPayouts(app.contextOf(request), page);
      setPageHeaders(reply, page, total);
      return payouts;
    },
  });
  app.route({
    ...contracts.getPayout,
    handler: (request) => readPayout(app.contextOf(request), request.params.id),
  });
  app.route({
    ...contracts.getBankFile,
    // Its head alone would be a file in the audit log.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { id } = request.params;
      const csv = await readBankFile(app.contextOf(request), id);
      return reply
        .type("text/csv; charset=utf-8")
        .headers({
          "content-disposition": `attachment; filename="payout-${id}.csv"`,
          "cache-control": "no-store",
        })
        .send(csv);
    },
  });
  app.route({
    ...contracts.reversePayout,
    handler: async (request) => {
      const { id: payout, vendor: vendorId } = request.params;
      const { reason } = request.body;
      return { amount: await reversePart(app.contextOf(request), { payout, vendorId, reason }) };
    },
  });
};
