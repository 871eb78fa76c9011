import { createLead as createCall, type NewLead } from "@marketday/contracts/leads";
import { transaction } from "@marketday/db";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Limits } from "../../lib/limits.ts";
import type { Context } from "../identity/context.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { insertLead, type Lead } from "./store.ts";

export const leadRoutes =
  (limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...createCall,
      handler: async (request) => {
        await createLead(app.contextOf(request), limits, request.ip, request.body);
        return { success: true as const };
      },
    });
  };

/** Splits a form into columns and `data`. */
function leadOf({ kind, email, ...rest }: NewLead): Lead {
  const { zipCode, name, ...data } = { zipCode: null, name: "", ...rest };
  return { kind, email, name, zipCode: zipCode ?? "", data };
}

/**
 * Stores an address or an application (docs/product.md §11). An application is mailed to the operators and confirmed to its
 * sender: once per day and address, so that the form cannot flood someone else's inbox.
 */
async function createLead({ deps, now }: Context, limits: Limits, ip: string, form: NewLead): Promise<void> {
  await limits.lead.take(ip);
  const lead = leadOf(form);
  await transaction(deps.db, async (tx) => {
    const id = await insertLead(tx, lead, now);
    if (id === null || lead.kind === "email" || lead.kind === "zip") return;
    const mail = { notBefore: null, isSecret: false, now };
    await enqueueMailTo(tx, {
      ...mail,
      key: `application:${id}`,
      template: "application",
      to: deps.env.supportEmail,
      data: { leadId: id },
    });
    await enqueueMailTo(tx, {
      ...mail,
      key: `application-received:${lead.kind}:${lead.email}:${now.toISOString().slice(0, 10)}`,
      template: "application-received",
      to: lead.email,
      data: { kind: lead.kind },
    });
  });
}
