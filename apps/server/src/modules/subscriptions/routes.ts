import {
  subscribeBundle as subscribeBundleCall,
  unsubscribeBundle as unsubscribeBundleCall,
} from "@marketday/contracts/bundles";
import {
  getDefaultTip,
  getSubscriptionStatus,
  listNextBoxes,
  listRecommendations,
  listSubscriptions,
  pauseSubscription,
  putDefaultTip,
  putSubscriptionStatus,
  skipDelivery,
  subscribe as subscribeCall,
  unsubscribe as unsubscribeCall,
} from "@marketday/contracts/subscriptions";
import { RECOMMENDATIONS_ROWS, type TipPercentage } from "@marketday/domain/limits";
import { AUTO_CHECKOUT, type AutoCheckoutStatus } from "@marketday/domain/subscription";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { AppError, loginRequired } from "../../lib/app-error.ts";
import { pageOf, setPageHeaders } from "../../lib/paging.ts";
import { whichBundle } from "../bundles/load-bundles.ts";
import { findOpenDays } from "../hubs/day-sql.ts";
import { hubOf, requireCustomer, requireHub } from "../identity/guards.ts";
import { loadProducts } from "../products/load-products.ts";
import { personalize } from "../products/personal.ts";
import { chooseStatus, pause, skip, subscribe, unsubscribe } from "./change.ts";
import { nextBoxes } from "./next-boxes.ts";
import { findRecommended } from "./recommended-sql.ts";
import { serializeSubscription } from "./serialize.ts";
import { findSettings, findSubscriber, setTip } from "./store.ts";
import { subscribeBundle, unsubscribeBundle } from "./subscribe-bundle.ts";

export const subscriptionRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const settingsOf = async ({ actor }: FastifyRequest) => {
      const settings = await findSettings(deps.db, requireCustomer(actor));
      if (!settings) throw loginRequired();
      return settings;
    };
    const list = async ({ actor, now }: FastifyRequest) => {
      const customerId = requireCustomer(actor);
      const hubId = hubOf(actor);
      const subscriber = await findSubscriber(deps.db, customerId, hubId);
      if (!subscriber || subscriber.subscriptions.length === 0) return [];
      const deliveries = await findOpenDays(deps.db, hubId, now);
      return subscriber.subscriptions.map((row) => serializeSubscription(row, subscriber, deliveries));
    };
    const status = async (request: FastifyRequest) => {
      const { auto_checkout_status } = await settingsOf(request);
      const open = await findOpenDays(deps.db, hubOf(request.actor), request.now);
      const next = open.find((delivery) => delivery.auto_checkout_at > request.now);
      return {
        enabled: auto_checkout_status !== AUTO_CHECKOUT.off,
        status: auto_checkout_status as AutoCheckoutStatus,
        runsAt: next?.auto_checkout_at.toISOString() ?? null,
      };
    };
    const tip = async (request: FastifyRequest) => ({
      percentage: (await settingsOf(request)).default_tip as TipPercentage,
    });
    const changeAndList = async (
      request: FastifyRequest,
      change: (who: Parameters<typeof skip>[1], hubId: number) => unknown,
    ) => {
      const customerId = requireCustomer(request.actor);
      await change(customerId, requireHub(request.actor));
      return list(request);
    };

    app.route({ ...listSubscriptions, handler: list });
    app.route({
      ...subscribeCall,
      handler: (request) =>
        changeAndList(request, (who, hubId) => subscribe(app.contextOf(request), who, hubId, request.body)),
    });
    app.route({
      ...unsubscribeCall,
      handler: (request) => {
        requireCustomer(request.actor);
        const variantId = request.body?.variantId ?? request.query.variantId;
        if (variantId === undefined)
          throw new AppError(400, "variantId is missing.", { code: "invalid", field: "variantId" });
        return changeAndList(request, (who, hubId) => unsubscribe(app.contextOf(request), who, hubId, variantId));
      },
    });
    app.route({
      ...skipDelivery,
      handler: (request) =>
        changeAndList(request, (who, hubId) =>
          skip(app.contextOf(request), who, hubId, request.body.deliveryDate, request.body.skip),
        ),
    });
    app.route({
      ...pauseSubscription,
      handler: (request) =>
        changeAndList(request, (who, hubId) =>
          pause(app.contextOf(request), who, hubId, request.body.variantId, request.body.until),
        ),
    });
    app.route({ ...getSubscriptionStatus, handler: status });
    app.route({
      ...putSubscriptionStatus,
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        const { enabled, status: newStatus } = request.body;
        if (enabled !== (newStatus !== AUTO_CHECKOUT.off))
          throw new AppError(400, "enabled and status contradict each other.", { code: "invalid", field: "enabled" });
        await chooseStatus(app.contextOf(request), customerId, newStatus);
        return status(request);
      },
    });
    app.route({ ...getDefaultTip, handler: tip });
    app.route({
      ...putDefaultTip,
      handler: async (request) => {
        await setTip(deps.db, requireCustomer(request.actor), request.body.percentage);
        return tip(request);
      },
    });
    app.route({
      ...listRecommendations,
      handler: async (request, reply) => {
        const customerId = requireCustomer(request.actor);
        const hubId = requireHub(request.actor);
        const page = pageOf(request, request.query, RECOMMENDATIONS_ROWS);
        const { ids, total } = await findRecommended(deps.db, customerId, hubId, page);
        setPageHeaders(reply, page, total);
        return personalize(deps, customerId, await loadProducts(deps.db, hubId, ids));
      },
    });
    app.route({
      ...listNextBoxes,
      handler: (request) =>
        nextBoxes(app.contextOf(request), requireCustomer(request.actor), requireHub(request.actor)),
    });
    app.route({
      ...subscribeBundleCall,
      handler: async (request) =>
        subscribeBundle(app.contextOf(request), whichBundle(request.params.id), request.body.subscription_interval),
    });
    app.route({
      ...unsubscribeBundleCall,
      handler: async (request) => unsubscribeBundle(app.contextOf(request), whichBundle(request.params.id)),
    });
  };
