import {
  completeCheckout as completeCall,
  placeOrder as placeCall,
  quoteCheckout,
} from "@marketday/contracts/checkout";
import { editOrder as editOrderCall, getOrder, listOrders as listOrdersCall } from "@marketday/contracts/orders";
import { ORDER_ROWS } from "@marketday/domain/limits";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { AppError, notFound } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import { pageOf, setPageHeaders } from "../../plugins/paging.ts";
import { requireCustomer, requireHub } from "../../plugins/session.ts";
import { paymentTries } from "../payments/payment-tries.ts";
import { editOrder } from "./edit-order.ts";
import { completeCheckout, type PlaceResult, placeOrder } from "./place-order.ts";
import { prepareCheckout } from "./prepare-checkout.ts";
import { serializeQuote } from "./serialize-quote.ts";
import { serializeOrder } from "./serialize.ts";
import { findOrder, findOrders } from "./store.ts";

const sendPlaced = (reply: FastifyReply, placed: PlaceResult) =>
  placed.kind === "placed"
    ? reply.code(201).send({ orderId: placed.orderIds[0]!, orderIds: placed.orderIds })
    : reply.code(202).send({ challenge: { attemptId: placed.attemptId, clientSecret: placed.clientSecret } });

const keyOf = ({ idempotency }: FastifyRequest) => (idempotency ? `${idempotency.actor} ${idempotency.key}` : null);

export const orderRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...quoteCheckout,
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        const hubId = requireHub(request.actor);
        const prepare = () => prepareCheckout(app.contextOf(request), deps.db, customerId, hubId, request.body);
        const prepared = await (request.body.discountCode
          ? limits.code.guard({ customerId }, "discountCode", prepare)
          : prepare());
        const quote = serializeQuote(prepared);
        if (!quote) throw new AppError(409, "This market has no delivery day planned.", { code: "no_delivery" });
        return quote;
      },
    });
    app.route({
      ...placeCall,
      config: { idempotent: true },
      handler: async (request, reply) => {
        const customerId = requireCustomer(request.actor);
        const { expectedTotal, expectedDeliveryDate: expectedDay = null, ...choice } = request.body;
        return sendPlaced(
          reply,
          await placeOrder(app.contextOf(request), customerId, requireHub(request.actor), {
            choice,
            expectedTotal,
            expectedDay,
            source: "checkout",
            idempotencyKey: keyOf(request),
            tries: paymentTries(app.contextOf(request), limits, customerId, request.ip),
            guardCode: (work) => limits.code.guard({ customerId }, "discountCode", work),
          }),
        );
      },
    });
    app.route({
      ...completeCall,
      config: { idempotent: true },
      handler: async (request, reply) => {
        const customerId = requireCustomer(request.actor);
        return sendPlaced(
          reply,
          await completeCheckout(
            app.contextOf(request),
            customerId,
            request.params.attemptId,
            request.body.approve ?? true,
          ),
        );
      },
    });
    app.route({
      ...listOrdersCall,
      handler: async (request, reply) => {
        const page = pageOf(request, request.query, ORDER_ROWS);
        const { orders, total } = await findOrders(
          deps.db,
          requireCustomer(request.actor),
          request.query.cutoffDate ?? null,
          page,
        );
        setPageHeaders(reply, page, total);
        return { payload: orders.map(serializeOrder) };
      },
    });
    app.route({
      ...editOrderCall,
      config: { idempotent: true },
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        const { id, items } = request.body.order;
        const wanted = items.map(({ quantity, product }) => ({ variantId: product.variant.id, quantity }));
        if ((await editOrder(app.contextOf(request), customerId, id, wanted)) === "deleted")
          return { deleted: true as const };
        const order = await findOrder(deps.db, customerId, id);
        // A concurrent edit has emptied the rest of the box.
        return order ? serializeOrder(order) : { deleted: true as const };
      },
    });
    app.route({
      ...getOrder,
      handler: async (request) => {
        const order = await findOrder(deps.db, requireCustomer(request.actor), request.params.id);
        if (!order) throw notFound();
        return serializeOrder(order);
      },
    });
  };
