import { getProduct } from "@marketday/contracts/products";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { answerCached, sendCached } from "../../lib/send-cached.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { loadProduct } from "./load-products.ts";
import { markRead } from "./thread-store.ts";

/** Marks the thread as read whose email linked to the product. Any other `messageId` is ignored. */
async function markThreadRead({ deps, now }: Context, customerId: CustomerId, messageId: string): Promise<void> {
  if (/^[1-9]\d{0,8}$/.test(messageId)) await markRead(deps.db, customerId, Number(messageId), now);
}

export const productRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...getProduct,
      compress: false,
      handler: (request, reply) => {
        const { actor, query, params } = request;
        const product = loadProduct(deps, actor, params.id);
        if (actor.type !== "customer" || query.messageId === undefined) return sendCached(request, reply, product);
        return markThreadRead(app.contextOf(request), actor.customerId, query.messageId)
          .then(() => product)
          .then((ready) => answerCached(request, reply, ready));
      },
    });
  };
