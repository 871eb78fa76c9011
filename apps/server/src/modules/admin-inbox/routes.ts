import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

import * as calls from "@marketday/contracts/admin/inbox";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { pageOf, setPageHeaders } from "../../lib/paging.ts";
import type { Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { photoPath } from "../problems/photos.ts";
import { toStaffAction } from "../staff-actions/serialize.ts";
import { findAction } from "../staff-actions/store.ts";
import { assignItem, listPeople } from "./assign.ts";
import { closeItem } from "./close.ts";
import { hideText } from "./hide.ts";
import { readInbox, readItem } from "./read-inbox.ts";
import { holdReply } from "./reply.ts";
import { getItem, type ItemRef } from "./scopes.ts";
import { findPhotoFile, findTemplates } from "./store.ts";
import { createTemplate, deleteTemplate, putTemplate } from "./templates.ts";

const ROWS = 50;

/** The inbox of the staff: what shoppers write, its answers, and what is hidden (docs/product.md §18). */
export const adminInboxRoutes =
  ({ db, env }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const written = async (ctx: Context, which: ItemRef, actionId: number | null) => {
      const action = actionId === null ? null : await findAction(db, actionId);
      return { item: await readItem(ctx, which), action: action && toStaffAction(action, requireStaff(ctx.actor)) };
    };

    app.route({
      ...calls.listInbox,
      handler: async (request, reply) => {
        const page = pageOf(request, request.query, ROWS);
        const inbox = await readInbox(app.contextOf(request), request.query, page);
        setPageHeaders(reply, page, inbox.total);
        return inbox;
      },
    });
    app.route({ ...calls.getInboxItem, handler: (request) => readItem(app.contextOf(request), request.params) });
    app.route({
      ...calls.getProblemPhoto,
      handler: async (request, reply) => {
        const { id, photo } = request.params;
        await getItem(db, app.contextOf(request), { kind: "problem", id }, "inbox.reply");
        const file = await findPhotoFile(db, id, photo);
        const path = file === null ? null : photoPath(env.dataDir, file);
        const size =
          path === null
            ? null
            : await stat(path).then(
                ({ size: bytes }) => bytes,
                () => null,
              );
        if (path === null || size === null) throw notFound();
        return reply
          .type("image/jpeg")
          .headers({ "content-length": size, "cache-control": "no-store", "x-content-type-options": "nosniff" })
          .send(createReadStream(path));
      },
    });
    app.route({
      ...calls.replyInbox,
      handler: async (request) => {
        const ctx = app.contextOf(request);
        return written(ctx, request.params, await holdReply(ctx, request.params, request.body));
      },
    });
    app.route({
      ...calls.closeInbox,
      handler: async (request) => {
        const ctx = app.contextOf(request);
        return written(ctx, request.params, await closeItem(ctx, request.params, request.body));
      },
    });
    app.route({
      ...calls.hideInbox,
      handler: async (request) => {
        const ctx = app.contextOf(request);
        return written(ctx, request.params, await hideText(ctx, request.params, request.body));
      },
    });
    app.route({
      ...calls.assignInbox,
      handler: async (request) => {
        const ctx = app.contextOf(request);
        await assignItem(ctx, request.params, request.body.staffId);
        return readItem(ctx, request.params);
      },
    });
    app.route({ ...calls.listInboxPeople, handler: (request) => listPeople(app.contextOf(request)) });

    app.route({ ...calls.listTemplates, handler: () => findTemplates(db) });
    app.route({
      ...calls.createTemplate,
      handler: (request) => createTemplate(app.contextOf(request), request.body),
    });
    app.route({
      ...calls.putTemplate,
      handler: (request) => putTemplate(app.contextOf(request), request.params.id, request.body),
    });
    app.route({
      ...calls.deleteTemplate,
      handler: async (request) => {
        await deleteTemplate(app.contextOf(request), request.params.id, request.body);
        return { success: true as const };
      },
    });
  };
