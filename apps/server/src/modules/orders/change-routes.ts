import {
  addNote as addNoteEndpoint,
  changePlace as changePlaceEndpoint,
  chargeOrder,
  getOrderMoves,
  moveOrder,
  planMove as planMoveEndpoint,
  planPlace as planPlaceEndpoint,
  planRefund as planRefundEndpoint,
  planShortLine as planShortEndpoint,
  putNote,
  refundOrder,
  removeNote as removeNoteEndpoint,
  sendNote as sendNoteEndpoint,
  shortLine,
} from "@marketday/contracts/admin/order-changes";
import { cents, fromDollars, toDollars } from "@marketday/domain/money";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import type { Actor } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { toStaffAction } from "../staff-actions/serialize.ts";
import { findAction } from "../staff-actions/store.ts";
import { changePlace, planPlace } from "./change-place.ts";
import { chargeBox } from "./charge-box.ts";
import { holdMove, planMove } from "./hold-move.ts";
import { holdRefund, planRefund } from "./hold-refund.ts";
import { holdShortLine, planShortLine } from "./hold-short.ts";
import { readMoves } from "./read-moves.ts";
import { readOrderBox } from "./read-order-box.ts";
import { addNote, editNote, removeNote, sendNote } from "./write-note.ts";

/** What the staff change of an order, with its plan (docs/product.md §18). */
export const orderChangeRoutes =
  ({ db }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const readAction = async (actor: Actor, id: number) =>
      toStaffAction((await findAction(db, id))!, requireStaff(actor));
    const readBox = (actor: Actor, orderId: number) => readOrderBox(db, requireStaff(actor), orderId);

    app.route({
      ...getOrderMoves,
      handler: (request) => readMoves(app.contextOf(request), request.params.id),
    });
    app.route({
      ...planPlaceEndpoint,
      handler: (request) => planPlace(app.contextOf(request), request.params.id, request.body.place),
    });
    app.route({
      ...changePlaceEndpoint,
      handler: async (request) => {
        const id = await changePlace(app.contextOf(request), request.params.id, request.body);
        return {
          action: await readAction(request.actor, id),
          box: await readBox(request.actor, request.params.id),
        };
      },
    });
    app.route({
      ...chargeOrder,
      handler: async (request) => {
        const charged = await chargeBox(app.contextOf(request), request.params.id, request.body);
        return { charged: toDollars(cents(charged)), box: await readBox(request.actor, request.params.id) };
      },
    });

    app.route({
      ...planRefundEndpoint,
      handler: (request) => {
        const { amount, ...body } = request.body;
        const plan = { ...body, amountCents: fromDollars(amount), reason: "" };
        return planRefund(app.contextOf(request), request.params.id, plan);
      },
    });
    app.route({
      ...refundOrder,
      handler: async (request) => {
        const { amount, ...body } = request.body;
        const refund = { ...body, amountCents: fromDollars(amount) };
        return readAction(request.actor, await holdRefund(app.contextOf(request), request.params.id, refund));
      },
    });
    app.route({
      ...planShortEndpoint,
      handler: (request) => planShortLine(app.contextOf(request), request.params.id, { ...request.body, reason: "" }),
    });
    app.route({
      ...shortLine,
      handler: async (request) =>
        readAction(request.actor, await holdShortLine(app.contextOf(request), request.params.id, request.body)),
    });
    app.route({
      ...planMoveEndpoint,
      handler: (request) => planMove(app.contextOf(request), request.params.id, request.body.to),
    });
    app.route({
      ...moveOrder,
      handler: async (request) =>
        readAction(request.actor, await holdMove(app.contextOf(request), request.params.id, request.body)),
    });

    const noted = async (actor: Actor, orderId: number, actionIds: readonly number[]) => ({
      actions: await Promise.all(actionIds.map((id) => readAction(actor, id))),
      box: await readBox(actor, orderId),
    });
    app.route({
      ...addNoteEndpoint,
      handler: async (request) => {
        const { id } = request.params;
        return noted(request.actor, id, await addNote(app.contextOf(request), id, request.body));
      },
    });
    app.route({
      ...putNote,
      handler: async (request) => {
        const { id, note } = request.params;
        return noted(request.actor, id, [await editNote(app.contextOf(request), id, note, request.body)]);
      },
    });
    app.route({
      ...removeNoteEndpoint,
      handler: async (request) => {
        const { id, note } = request.params;
        return noted(request.actor, id, [await removeNote(app.contextOf(request), id, note, request.body)]);
      },
    });
    app.route({
      ...sendNoteEndpoint,
      handler: async (request) => {
        const { id, note } = request.params;
        return noted(request.actor, id, [await sendNote(app.contextOf(request), id, note, request.body)]);
      },
    });
  };
