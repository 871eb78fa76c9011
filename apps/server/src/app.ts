import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import { poolState } from "@marketday/db";
import { Minute, Second } from "@marketday/domain/time";
import Fastify, { type FastifyInstance, LogController, type RouteOptions } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";

import { adminApi } from "./admin-api.ts";
import type { Deps } from "./deps.ts";
import { createLimits } from "./lib/limits.ts";
import { lazyChild, pathForLog, requestLines } from "./lib/logger.ts";
import { newUuid } from "./lib/tokens.ts";
import { validatorCompiler } from "./lib/validate.ts";
import { accountRoutes } from "./modules/account/routes.ts";
import { answerRoutes } from "./modules/answers/routes.ts";
import { authRoutes } from "./modules/auth/routes.ts";
import { bundleRoutes } from "./modules/bundles/routes.ts";
import { cartRoutes } from "./modules/cart/routes.ts";
import { checkoutRoutes } from "./modules/checkout/routes.ts";
import { collectionRoutes } from "./modules/collections/routes.ts";
import { contentRoutes } from "./modules/content/routes.ts";
import { favoriteRoutes } from "./modules/favorites/routes.ts";
import { feedRoutes } from "./modules/feed/routes.ts";
import { giftCardRoutes } from "./modules/gift-cards/routes.ts";
import { harvestRoutes } from "./modules/harvest/routes.ts";
import { hubRoutes } from "./modules/hubs/routes.ts";
import type { Actor } from "./modules/identity/context.ts";
import { inboxRoutes } from "./modules/inbox/routes.ts";
import { leadRoutes } from "./modules/leads/routes.ts";
import { mailRoutes } from "./modules/mail/routes.ts";
import { orderRoutes } from "./modules/orders/routes.ts";
import { paymentRoutes } from "./modules/payments/routes.ts";
import { webhookRoutes } from "./modules/payments/webhook-routes.ts";
import { findPictureFile } from "./modules/pictures/file-store.ts";
import { picturesRoutes } from "./modules/pictures/routes.ts";
import { problemRoutes } from "./modules/problems/routes.ts";
import { forgetPersonal } from "./modules/products/personal.ts";
import { productRoutes } from "./modules/products/routes.ts";
import { questionRoutes } from "./modules/questions/routes.ts";
import { referralRoutes } from "./modules/referrals/routes.ts";
import { reviewRoutes } from "./modules/reviews/routes.ts";
import { searchRoutes } from "./modules/search/routes.ts";
import { subscriptionRoutes } from "./modules/subscriptions/routes.ts";
import { suggestionRoutes } from "./modules/suggestions/routes.ts";
import { surveyRoutes } from "./modules/surveys/routes.ts";
import { vendorRoutes } from "./modules/vendors/routes.ts";
import { wagonPassRoutes } from "./modules/wagon-pass/routes.ts";
import { totePage } from "./modules/week/tote-page.ts";
import adminApp, { ADMIN_DIST } from "./plugins/admin-app.ts";
import afterResponse from "./plugins/after-response.ts";
import device from "./plugins/device.ts";
import { docs } from "./plugins/docs.ts";
import errors, { refuseConnection, sendError } from "./plugins/errors.ts";
import health from "./plugins/health.ts";
import idempotency from "./plugins/idempotency.ts";
import json from "./plugins/json.ts";
import liveEvents from "./plugins/live-events.ts";
import metrics from "./plugins/metrics.ts";
import overload from "./plugins/overload.ts";
import security, { dataHeaders } from "./plugins/security.ts";
import session from "./plugins/session.ts";
import slowBodies from "./plugins/slow-bodies.ts";
import staffSession from "./plugins/staff-session.ts";
import web from "./plugins/web.ts";

/**
 * Builds the whole server without listening: plugins in order, then one line per module.
 * `webDist`, `adminDist`: folders of the built apps, when they are not the default ones; a server of another web app serves the admin
 * app only from a folder that is given. `onRoute` is called for every route.
 * `timeoutFactor` multiplies every timeout, for tests on a busy machine.
 * Timeouts and sizes are in docs/failures.md I: headers 8 s, a body 3 s, 64 KiB of JSON.
 */
export async function buildApp(
  deps: Deps,
  options: {
    webDist?: string;
    adminDist?: string;
    onRoute?: (route: RouteOptions) => void;
    timeoutFactor?: number;
  } = {},
): Promise<FastifyInstance> {
  const { env } = deps;
  const { timeoutFactor = 1 } = options;
  const app = Fastify({
    loggerInstance: deps.log,
    childLoggerFactory: lazyChild,
    genReqId: () => newUuid(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: env.trustProxy.length > 0 ? env.trustProxy : false,
    bodyLimit: 64 * 1024,
    // Bodies have separate timeouts, by route (`slowBodies`).
    requestTimeout: 0,
    keepAliveTimeout: timeoutFactor * 10 * Second.ms,
    // Only ends a start that hangs: a limit that a slow disk reaches would fail the start.
    pluginTimeout: timeoutFactor * 2 * Minute.ms,
    routerOptions: { maxParamLength: 16 * 1024, ignoreTrailingSlash: true },
    http: {
      // From the accepted connection on: a process that gets no CPU for seconds does not refuse prompt requests.
      headersTimeout: timeoutFactor * 8 * Second.ms,
      connectionsCheckingInterval: Second.ms,
      maxHeaderSize: 16 * 1024,
    },
    forceCloseConnections: "idle",
    clientErrorHandler: refuseConnection,
    // A URL that cannot be parsed has no route, so no hook runs for it.
    frameworkErrors: (error, request, reply) => {
      void reply.headers(dataHeaders(env.publicUrl?.startsWith("https:") ?? false));
      sendError(error, request, reply);
    },
  });
  app.server.maxConnections = 2000;
  if (options.onRoute) app.addHook("onRoute", options.onRoute);

  await app.register(errors);
  await app.register(json);
  await app.register(slowBodies, { timeoutFactor });
  await app.register(health, { deps });
  await app.register(metrics, { deps });
  await app.register(overload, { deps, timeoutFactor });
  await app.register(compress, { encodings: ["br", "gzip"], threshold: 1024, globalDecompression: false });
  await app.register(cookie, { hook: false });
  await app.register(security, { deps });
  await app.register(session, { deps });
  const limits = createLimits(deps.db, env, deps.log);
  await app.register(staffSession, { deps, limits });
  await app.register(liveEvents, { deps });
  await app.register(device, { deps });
  await app.register(idempotency, { deps });
  await app.register(afterResponse);
  // Before the response of a write: the next read of the same customer may come before the database's notification.
  app.addHook("onSend", (request, _reply, _payload, done) => {
    // None when the request was refused before its session was read.
    const actor: Actor | undefined = request.actor;
    if (request.method !== "GET" && actor?.type === "customer") forgetPersonal(deps, actor.customerId);
    done();
  });

  await app.register(
    async (api) => {
      api.setValidatorCompiler(validatorCompiler);
      api.setSerializerCompiler(serializerCompiler);
      await docs(api);
      await api.register(authRoutes(deps, limits));
      await api.register(accountRoutes(deps, limits));
      await api.register(hubRoutes(deps));
      await api.register(feedRoutes(deps));
      await api.register(productRoutes(deps));
      await api.register(collectionRoutes(deps));
      await api.register(vendorRoutes(deps, limits));
      await api.register(searchRoutes(deps));
      await api.register(favoriteRoutes(deps));
      await api.register(reviewRoutes(deps, limits));
      await api.register(questionRoutes(deps, limits));
      await api.register(suggestionRoutes(deps));
      await api.register(bundleRoutes(deps));
      await api.register(contentRoutes(deps));
      await api.register(cartRoutes(deps, limits));
      await api.register(checkoutRoutes(deps, limits));
      await api.register(orderRoutes(deps));
      await api.register(subscriptionRoutes(deps));
      await api.register(surveyRoutes(deps));
      await api.register(paymentRoutes(deps, limits));
      await api.register(webhookRoutes(deps));
      await api.register(giftCardRoutes(deps, limits));
      await api.register(wagonPassRoutes(deps, limits));
      await api.register(referralRoutes(deps));
      await api.register(problemRoutes(deps, limits));
      await api.register(leadRoutes(limits));
      await api.register(inboxRoutes(deps, limits));
    },
    { prefix: "/api" },
  );
  await app.register(adminApi, { prefix: "/api/admin", deps, limits });
  await app.register(picturesRoutes, {
    find: (id: string) => findPictureFile(deps.db, id),
    dir: `${env.dataDir}/pictures`,
    onWriteError: (error: unknown) => deps.log.warn({ err: error }, "a picture's size could not be stored"),
  });
  await app.register(mailRoutes(deps));
  await app.register(answerRoutes(deps));
  await app.register(harvestRoutes(deps));
  await app.register(totePage(deps));
  await app.register(adminApp, {
    deps,
    dist: options.adminDist ?? (options.webDist === undefined ? ADMIN_DIST : null),
  });
  await app.register(web, { deps, dist: options.webDist });
  const writeLine = requestLines(deps.log);
  app.addHook("onResponse", (request, reply, done) => {
    if (request.isRepeatedCheck) return done();
    writeLine({
      reqId: request.id,
      method: request.method,
      path: pathForLog(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      db: poolState(deps.db).waiting || undefined,
    });
    done();
  });
  return app;
}
