import {
  getThread,
  listThreads,
  messageVendor as messageCall,
  readThread,
  replyToThread as replyCall,
} from "@marketday/contracts/inbox";
import { INBOX_ROWS } from "@marketday/domain/limits";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import { pageOf, setPageHeaders } from "../../lib/paging.ts";
import { requireCustomer } from "../identity/guards.ts";
import { whichVendor } from "../vendors/load-vendors.ts";
import { loadThread, messageVendor, replyToThread } from "./message-vendor.ts";
import { serializeThreadSummary } from "./serialize.ts";
import { findThreads, markThreadRead } from "./store.ts";

export const inboxRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = deps;
    app.route({
      ...listThreads,
      handler: async (request, reply) => {
        const customerId = requireCustomer(request.actor);
        const page = pageOf(request, request.query, INBOX_ROWS);
        const { threads, total } = await findThreads(db, customerId, page);
        setPageHeaders(reply, page, total);
        return threads.map(serializeThreadSummary);
      },
    });

    app.route({
      ...getThread,
      handler: async (request) => loadThread(db, requireCustomer(request.actor), request.params.id),
    });

    app.route({
      ...replyCall,
      // A reply is retried when its response was lost.
      config: { idempotent: true },
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        return replyToThread(app.contextOf(request), limits, customerId, request.params.id, request.body.reply);
      },
    });

    app.route({
      ...readThread,
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        if (!(await markThreadRead(db, customerId, request.params.id, request.now))) throw notFound();
        return loadThread(db, customerId, request.params.id);
      },
    });

    app.route({
      ...messageCall,
      handler: async (request) =>
        messageVendor(app.contextOf(request), limits, whichVendor(request.params.id), request.body.message),
    });
  };
