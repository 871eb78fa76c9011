import { getProduct } from "@marketday/contracts/products";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { answerCached, sendCached } from "../../lib/send-cached.ts";
import { loadProduct } from "./load-products.ts";
import { markThreadRead } from "./mark-thread-read.ts";

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
