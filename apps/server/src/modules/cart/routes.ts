import { getCart, putCart, putCartDiscount } from "@marketday/contracts/cart";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import type { Limits } from "../../lib/limits.ts";
import { hubOf } from "../../plugins/session.ts";
import { loadCartView } from "./load-view.ts";
import { ownerOf, putLines, setDiscount } from "./put-lines.ts";
import { emptyCart, serializeCart } from "./serialize.ts";

export const cartRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...getCart,
      handler: async (request) => {
        const { actor, now } = request;
        if (actor.type === "nobody") return emptyCart;
        const hubId = hubOf(actor);
        return serializeCart(await loadCartView(deps, ownerOf(app.contextOf(request)), hubId, now), hubId, now);
      },
    });
    app.route({
      ...putCart,
      handler: async (request) => {
        const { cart, capped } = await putLines(app.contextOf(request), request.body);
        return serializeCart(cart, hubOf(request.actor), request.now, capped);
      },
    });
    app.route({
      ...putCartDiscount,
      handler: async (request) => {
        const { actor, body, ip, now } = request;
        const set = () => setDiscount(app.contextOf(request), body.code);
        const who = actor.type === "customer" ? { customerId: actor.customerId } : { ip };
        return serializeCart(await (body.code ? limits.code.guard(who, "code", set) : set()), hubOf(actor), now);
      },
    });
  };
