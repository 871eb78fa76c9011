import {
  addCustomerNote,
  deleteCustomer as deleteEndpoint,
  exportCustomer as exportEndpoint,
  getCustomer,
  grantCredit,
  listCustomerBoxes,
  listCustomers as listEndpoint,
  putCustomerPause,
  putCustomerSkip,
  removeCustomerNote,
} from "@marketday/contracts/admin/customers";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { pageOf, setPageHeaders } from "../../lib/paging.ts";
import type { Actor } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { toStaffAction } from "../staff-actions/serialize.ts";
import { findAction } from "../staff-actions/store.ts";
import { deleteCustomer, exportCustomer } from "./delete-customer.ts";
import { giveCredit } from "./give-credit.ts";
import { addNote, takeNoteAway } from "./notes.ts";
import { setAutoCheckout } from "./pause-orders.ts";
import { listCustomers, readBoxes, readCustomer } from "./read-customers.ts";
import { skipFor } from "./skip-delivery.ts";

const ROWS = 50;

/** People in the admin app: find them, read one, and act for them (docs/product.md §18). */
export const customerRoutes =
  ({ db }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const readAction = async (actor: Actor, id: number) =>
      toStaffAction((await findAction(db, id))!, requireStaff(actor));

    app.route({
      ...listEndpoint,
      handler: async (request, reply) => {
        const { q, hub = null } = request.query;
        const page = pageOf(request, request.query, ROWS);
        const list = await listCustomers(app.contextOf(request), { q, hub }, page);
        setPageHeaders(reply, page, list.total);
        return list;
      },
    });
    app.route({ ...getCustomer, handler: (request) => readCustomer(app.contextOf(request), request.params.id) });
    app.route({ ...listCustomerBoxes, handler: (request) => readBoxes(app.contextOf(request), request.params.id) });
    app.route({
      ...grantCredit,
      handler: async (request) => {
        const key = request.idempotency?.key ?? null;
        const ctx = app.contextOf(request);
        return readAction(request.actor, await giveCredit(ctx, request.params.id, request.body, key));
      },
    });
    app.route({
      ...putCustomerSkip,
      handler: async (request) => {
        const { id, delivery } = request.params;
        const ctx = app.contextOf(request);
        return readAction(request.actor, await skipFor(ctx, id, delivery, request.body.isSkipped));
      },
    });
    app.route({
      ...putCustomerPause,
      handler: async (request) =>
        readAction(request.actor, await setAutoCheckout(app.contextOf(request), request.params.id, request.body)),
    });
    app.route({
      ...addCustomerNote,
      handler: async (request) =>
        readAction(request.actor, await addNote(app.contextOf(request), request.params.id, request.body.text)),
    });
    app.route({
      ...removeCustomerNote,
      handler: async (request) => {
        const { id, note } = request.params;
        return readAction(request.actor, await takeNoteAway(app.contextOf(request), id, note));
      },
    });
    app.route({ ...exportEndpoint, handler: (request) => exportCustomer(app.contextOf(request), request.params.id) });
    app.route({
      ...deleteEndpoint,
      handler: async (request, reply) => {
        const ended = await deleteCustomer(app.contextOf(request), request.params.id, request.body);
        for (const session of ended) app.dropSession(session);
        return reply.code(204).send();
      },
    });
  };
