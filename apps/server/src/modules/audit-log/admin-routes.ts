import {
  exportAudit as exportEndpoint,
  getAuditEntry,
  listAudit,
  listAuditChoices,
} from "@marketday/contracts/admin/audit";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import { requireStaff } from "../identity/guards.ts";
import { exportAudit } from "./export-audit.ts";
import { readAudit, readChoices, readEntry } from "./read-audit.ts";

/** The audit log in the admin app. */
export const auditRoutes = (): FastifyPluginAsyncZod => async (app) => {
  app.route({
    ...listAudit,
    handler: async (request) => readAudit(app.contextOf(request), requireStaff(request.actor), request.query),
  });
  app.route({
    ...listAuditChoices,
    handler: async (request) => readChoices(app.contextOf(request), requireStaff(request.actor)),
  });
  app.route({
    ...getAuditEntry,
    handler: async (request) => readEntry(app.contextOf(request), requireStaff(request.actor), request.params.id),
  });
  app.route({
    ...exportEndpoint,
    // Its head alone would be an export in the log.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const csv = await exportAudit(app.contextOf(request), requireStaff(request.actor), request.query);
      return reply
        .type("text/csv; charset=utf-8")
        .headers({
          "content-disposition": `attachment; filename="audit-log-${dateFromUtc(request.now)}.csv"`,
          "cache-control": "no-store",
        })
        .send(csv);
    },
  });
};
