import type { Boot, MarketConfig } from "@marketday/contracts/boot";
import type { FastifyRequest } from "fastify";

import type { Deps } from "../../deps.ts";
import { loginRequired } from "../../lib/app-error.ts";
import { loadGuest } from "../cart/cart-sql.ts";
import { loadCartView, viewCart } from "../cart/load-view.ts";
import { emptyCart, serializeCart } from "../cart/serialize.ts";
import { loadCollections } from "../collections/load-collections.ts";
import { loadFeed } from "../feed/load-feed.ts";
import { nextDelivery } from "../hubs/deliveries.ts";
import { hubDirectory } from "../hubs/directory.ts";
import { serializeHub } from "../hubs/serialize.ts";
import type { Actor } from "../identity/context.ts";
import { hubOf } from "../identity/guards.ts";
import { loadProfile, serializeProfile } from "../profile/load-profile.ts";

type Shopper = Extract<Actor, { type: "guest" | "customer" }>;

const marketConfig = ({ env, payments }: Deps, build: string): MarketConfig => ({
  marketName: env.marketName,
  supportEmail: env.supportEmail,
  supportPhone: env.supportPhone,
  specialHubId: env.specialHubId,
  specialHubText: env.specialHubText ?? "",
  payments: payments.name,
  turnstileSiteKey: env.botCheck === "turnstile" ? (env.turnstile?.siteKey ?? null) : null,
  mapTiles: env.mapTilesUrl === null ? null : { url: env.mapTilesUrl, credit: env.mapTilesCredit },
  tagManagerId: env.tagManagerId,
  stripeKey: payments.name === "stripe" ? (env.stripe?.publishableKey ?? null) : null,
  build,
});

/** The profile and the cart; of a guest in one statement. */
async function loadShopper(deps: Deps, actor: Shopper, now: Date) {
  if (actor.type === "customer") {
    const [profile, cart] = await Promise.all([
      loadProfile(deps, actor, now),
      loadCartView(deps, { customerId: actor.customerId }, actor.hubId, now),
    ]);
    return { profile, cart };
  }
  const guest = await loadGuest(deps.db, actor.guestId);
  if (!guest) throw loginRequired();
  const [profile, cart] = await Promise.all([
    serializeProfile(deps, guest.profile, now),
    viewCart(deps, { guestId: actor.guestId }, guest.cart, actor.hubId, now),
  ]);
  return { profile, cart };
}

/**
 * The preloaded state: the responses that the app would fetch first (`GET /auth`, profile, hub, cart, collections, feed).
 * `withFeed` false: a page without the shop (a frame, an order).
 */
export async function loadBoot(deps: Deps, request: FastifyRequest, build: string, withFeed: boolean): Promise<Boot> {
  const { actor, now, sessionExpiresAt } = request;
  const config = marketConfig(deps, build);
  if (actor.type !== "guest" && actor.type !== "customer")
    return {
      config,
      now: now.toISOString(),
      // `GET /auth` reports an ended session.
      session: request.sessionEnded ? null : { customerId: null, hubId: null, isGuest: null, expiresAt: null },
      profile: null,
      hub: null,
      cart: request.sessionEnded ? null : emptyCart,
      collections: null,
      feed: null,
      product: null,
      words: null,
    };
  const hubId = hubOf(actor);
  const [directory, { profile, cart }, collections, feed] = await Promise.all([
    hubDirectory(deps),
    loadShopper(deps, actor, now),
    withFeed ? loadCollections(deps, actor, now) : null,
    withFeed ? loadFeed(deps, actor, now) : null,
  ]);
  const hub = hubId === null ? undefined : directory.byId(hubId);
  return {
    config,
    now: now.toISOString(),
    session: {
      customerId: actor.type === "customer" ? actor.customerId : actor.guestId,
      hubId,
      isGuest: actor.type === "guest",
      expiresAt: sessionExpiresAt?.toISOString() ?? null,
    },
    profile,
    hub: hub ? serializeHub(hub, await nextDelivery(deps, hub.id, now)) : null,
    cart: serializeCart(cart, hubId, now),
    collections: collections?.value ?? null,
    feed: feed?.value ?? null,
    product: null,
    words: null,
  };
}
