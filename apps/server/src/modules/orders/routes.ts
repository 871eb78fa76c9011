import { editOrder as editOrderCall, getOrder, listOrders as listOrdersCall } from "@marketday/contracts/orders";
import { ORDER_ROWS } from "@marketday/domain/limits";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { pageOf, setPageHeaders } from "../../lib/paging.ts";
import { requireCustomer } from "../identity/guards.ts";
import { editOrder } from "./edit-order.ts";
import { loadOrder, loadOrders } from "./load-orders.ts";

export const orderRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listOrdersCall,
      handler: async (request, reply) => {
        const page = pageOf(request, request.query, ORDER_ROWS);
        const { orders, total } = await loadOrders(
          deps.db,
          requireCustomer(request.actor),
          request.query.cutoffDate ?? null,
          page,
        );
        setPageHeaders(reply, page, total);
        return { payload: orders };
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
        // Null: a concurrent edit has emptied the rest of the box.
        return (await loadOrder(deps.db, customerId, id)) ?? { deleted: true as const };
      },
    });
    app.route({
      ...getOrder,
      handler: async (request) => {
        const order = await loadOrder(deps.db, requireCustomer(request.actor), request.params.id);
        if (!order) throw notFound();
        return order;
      },
    });
  };
