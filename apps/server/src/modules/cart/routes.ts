import { getCart, listBanners, putCart, putCartDiscount } from "@marketday/contracts/cart";
import { orderBanners } from "@marketday/domain/cart";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { cachedOf } from "../../lib/cache.ts";
import { compiledSerializer } from "../../lib/compiled-serializer.ts";
import type { Limits } from "../../lib/limits.ts";
import { sendCached } from "../../lib/send-cached.ts";
import { loadBanners } from "../banners/load-banners.ts";
import { assertShopper, hubOf } from "../identity/guards.ts";
import { loadCartView } from "./load-view.ts";
import { ownerOf, putLines, setDiscount } from "./put-lines.ts";
import { emptyCart, serializeCart } from "./serialize.ts";

export const cartRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    // The hub's banners, warnings first (spec §2.4 Cart); `[]` without a session.
    app.route({
      ...listBanners,
      handler: async (request, reply) => {
        const hubId = hubOf(request.actor);
        const banners = hubId === null ? [] : await loadBanners(deps, hubId, request.now);
        return sendCached(request, reply, cachedOf(orderBanners(banners)));
      },
    });
    app.route({
      ...getCart,
      serializerCompiler: compiledSerializer,
      handler: async (request) => {
        const { actor, now } = request;
        if (actor.type === "anonymous") return emptyCart;
        const hubId = hubOf(actor);
        return serializeCart(await loadCartView(deps, ownerOf(app.contextOf(request)), hubId, now), hubId, now);
      },
    });
    app.route({
      ...putCart,
      serializerCompiler: compiledSerializer,
      handler: async (request) => {
        const { customerId, cart: id, revision } = request.query;
        assertShopper(request.actor, customerId);
        const seen = id === undefined || revision === undefined ? null : { id, revision };
        const { cart, capped } = await putLines(app.contextOf(request), request.body, seen);
        return serializeCart(cart, hubOf(request.actor), request.now, capped);
      },
    });
    app.route({
      ...putCartDiscount,
      serializerCompiler: compiledSerializer,
      handler: async (request) => {
        const { actor, body, ip, now } = request;
        const set = () => setDiscount(app.contextOf(request), body.code);
        const who = actor.type === "customer" ? { customerId: actor.customerId } : { ip };
        return serializeCart(await (body.code ? limits.code.guard(who, "code", set) : set()), hubOf(actor), now);
      },
    });
  };
