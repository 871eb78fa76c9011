import { getHub, getHubMap, listHubs as listHubsCall, postHubSwitch, putHubSwitch } from "@marketday/contracts/hubs";
import { sqlTransaction } from "@marketday/db";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { cachedOf, withoutInventory } from "../../lib/cache.ts";
import { answerCached, sendCached } from "../../lib/send-cached.ts";
import type { Context } from "../identity/context.ts";
import { requireShopper } from "../identity/guards.ts";
import { nextDelivery } from "./deliveries.ts";
import { chooseForCart, moveCustomer, moveGuest } from "./delivery-sql.ts";
import { findBoundaries } from "./directory-store.ts";
import { hubDirectory, listHubs } from "./directory.ts";
import { loadHubMap } from "./map.ts";
import { serializeHub } from "./serialize.ts";

export const hubRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listHubsCall,
      handler: (request, reply) => sendCached(request, reply, listHubs(deps, request.now)),
    });

    app.route({
      ...getHub,
      handler: async (request, reply) => {
        const { id } = request.params;
        const hub = (await hubDirectory(deps)).byId(id);
        if (!hub) throw notFound();
        const { value: boundaries } = await deps.cache.get(
          id,
          "boundaries",
          async () => (await findBoundaries(deps.db, id)) ?? [],
          { ...withoutInventory, dependsOn: ["listing"] },
        );
        return answerCached(
          request,
          reply,
          cachedOf({ ...serializeHub(hub, await nextDelivery(deps, id, request.now)), boundaries }),
        );
      },
    });

    app.route({
      ...getHubMap,
      handler: (request, reply) => sendCached(request, reply, loadHubMap(deps, request.params.id)),
    });

    const move = async (request: FastifyRequest, hubId: number) => {
      await switchHub(app.contextOf(request), hubId);
      if ("sessionId" in request.actor) app.dropSession(request.actor.sessionId);
    };
    app.route({
      ...putHubSwitch,
      handler: async (request): Promise<[number]> => {
        await move(request, request.params.id);
        return [request.params.id];
      },
    });
    app.route({
      ...postHubSwitch,
      handler: async (request) => {
        await move(request, request.params.id);
        return { success: true as const };
      },
    });
  };

/**
 * Switches a guest or customer to another hub, or confirms their own one. Cart lines stay, and each hub shows which of them it sells
 * (docs/product.md §3). Every server is notified. Unknown hub: 404.
 */
async function switchHub({ actor, deps }: Context, hubId: number): Promise<void> {
  const shopper = requireShopper(actor);
  const directory = await hubDirectory(deps);
  if (!directory.byId(hubId)) throw notFound();
  await sqlTransaction(deps.db, async (tx) => {
    await chooseForCart(tx, shopper, hubId);
    if (shopper.type === "guest") await moveGuest(tx, shopper.guestId, hubId);
    else await moveCustomer(tx, shopper.customerId, hubId);
  });
}
