import {
  createGuest as createGuestCall,
  forgotPassword as forgotCall,
  getAuth,
  getBridge,
  homeDeliveryAt,
  login as loginCall,
  logout,
  register as registerCall,
  resetPassword as resetCall,
  updatePassword as updateCall,
  zipAt,
  zipPlace,
} from "@marketday/contracts/auth";
import { STATES } from "@marketday/contracts/common";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { AppError, notFound } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import { hubDirectory } from "../hubs/directory.ts";
import { homeDeliveryOf } from "../hubs/home-delivery.ts";
import { hubOf, requireCustomer, requireShopper } from "../identity/guards.ts";
import { endSession } from "../identity/session-store.ts";
import { loadProfile } from "../profile/load-profile.ts";
import { noteEvent } from "../sign-in-events/notify-due.ts";
import { makeBridge } from "./bridge.ts";
import { changePassword } from "./change-password.ts";
import { coverageOf, createGuest, notServed } from "./create-guest.ts";
import { forgotPassword } from "./forgot-password.ts";
import { login } from "./login.ts";
import { provePassword } from "./prove-password.ts";
import { register } from "./register.ts";
import { resetPassword } from "./reset-password.ts";

const EXPIRED = JSON.stringify("EXPIRED");

export const authRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...getAuth,
      handler: async ({ actor, sessionExpiresAt }) => ({
        customerId: actor.type === "customer" ? actor.customerId : actor.type === "guest" ? actor.guestId : null,
        hubId: actor.type === "customer" || actor.type === "guest" ? actor.hubId : null,
        isGuest: actor.type === "customer" ? false : actor.type === "guest" ? true : null,
        expiresAt: sessionExpiresAt?.toISOString() ?? null,
      }),
    });

    app.route({
      ...createGuestCall,
      config: { session: "lenient" },
      handler: async (request, reply) => {
        await limits.guest.take(request.ip);
        const ctx = app.contextOf(request);
        const { check, referredByCustomerId, zipCode, lat, lng, hubId, ...origin } = request.query;
        const place = { zipCode, lat, lng, hubId };
        if (check) {
          const hubs = await coverageOf(ctx, place);
          return {
            hubs: hubs.map((hub) => ({ id: hub.id, name: hub.name, deliveryDay: hub.delivery_day })),
            hubId: hubs[0]!.id,
          };
        }
        const { actor, started, profile } = await createGuest(
          ctx,
          place,
          origin,
          referredByCustomerId,
          request.headers["user-agent"] ?? "",
        );
        if (actor.type === "guest") {
          if (started) app.startSession(reply, actor.sessionId, "guest");
          else app.dropSession(actor.sessionId);
        }
        return profile;
      },
    });

    app.route({
      ...loginCall,
      config: { session: "lenient" },
      handler: async (request, reply) => {
        const account = request.body.username.toLowerCase();
        const attempt = { ip: request.ip, account, device: app.deviceOf(request, account) };
        await limits.login.check(attempt);
        const before = request.actor;
        const actor = await login(app.contextOf(request), request.body, request.headers["user-agent"] ?? "").catch(
          async (error: unknown) => {
            if (error instanceof AppError && error.status === 401) await limits.login.failed(attempt);
            throw error;
          },
        );
        await limits.login.succeeded(attempt);
        app.rememberDevice(request, reply, account);
        if ("sessionId" in before) app.dropSession(before.sessionId);
        if (actor.type === "customer") {
          app.startSession(reply, actor.sessionId, "customer");
          await noteEvent(deps, {
            event: "login",
            customerId: actor.customerId,
            cookie: app.parseCookie(request.headers.cookie ?? "")["mkt_as"],
            now: request.now,
          });
        }
        return loadProfile(deps, actor, request.now);
      },
    });

    app.route({
      ...registerCall,
      config: { session: "lenient" },
      handler: async (request, reply) => {
        await limits.register.take(request.ip);
        await limits.taken.check(request.ip);
        const before = request.actor;
        const { trk, utmSource, utmCampaign, playerId, os, ...input } = request.body;
        const actor = await register(
          app.contextOf(request),
          { ...input, origin: { trk, utmSource, utmCampaign, playerId, os } },
          request.headers["user-agent"] ?? "",
        ).catch(async (error: unknown) => {
          if (error instanceof AppError && error.status === 409) await limits.taken.found(request.ip);
          throw error;
        });
        app.rememberDevice(request, reply, input.email);
        if ("sessionId" in before) app.dropSession(before.sessionId);
        if (actor.type === "customer") {
          app.startSession(reply, actor.sessionId, "customer");
          await noteEvent(deps, {
            event: "sign_up",
            customerId: actor.customerId,
            cookie: app.parseCookie(request.headers.cookie ?? "")["mkt_as"],
            now: request.now,
          });
        }
        return loadProfile(deps, actor, request.now);
      },
    });

    app.route({
      ...logout,
      config: { session: "lenient" },
      handler: async ({ actor, now }, reply) => {
        if ("sessionId" in actor) {
          await endSession(deps.db, actor.sessionId, now);
          app.dropSession(actor.sessionId);
        }
        app.clearSession(reply);
        return { success: true as const };
      },
    });

    app.route({
      ...forgotCall,
      config: { session: "lenient" },
      handler: async (request) => {
        await limits.forgot.take(request.ip);
        app.afterResponse(forgotPassword(app.contextOf(request), limits, request.body.email));
        return { message: "Check your email for instructions." as const };
      },
    });

    app.route({
      ...resetCall,
      config: { session: "lenient" },
      handler: async (request, reply) => {
        const { token } = request.params;
        const done = await resetPassword(
          app.contextOf(request),
          { token, password: request.body.password },
          request.headers["user-agent"] ?? "",
        );
        // A string is sent as it is, so it is made JSON here.
        if (!done) return reply.type("application/json; charset=utf-8").send(EXPIRED as "EXPIRED");
        await limits.login.forgive(done.email);
        for (const ended of done.ended) app.dropSession(ended);
        if (done.sessionId !== null) app.startSession(reply, done.sessionId, "customer");
        return true as const;
      },
    });

    // spec §5: without a token the response is 400, although there is no such route.
    app.post("/auth/reset", { config: { session: "none" }, schema: { hide: true } }, async () => {
      throw new AppError(400, "The reset link is incomplete.", { code: "invalid", field: "token" });
    });

    app.route({
      ...updateCall,
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        const ctx = app.contextOf(request);
        const { oldPassword, newPassword } = request.body;
        const from = { ip: request.ip, deviceOf: (account: string) => app.deviceOf(request, account) };
        const owner = await provePassword(ctx, limits, customerId, oldPassword, from, "oldPassword");
        for (const ended of await changePassword(ctx, owner, newPassword)) app.dropSession(ended);
        return { success: true as const };
      },
    });

    app.route({
      ...getBridge,
      handler: async (request) => {
        const { sessionId } = requireShopper(request.actor);
        const { token, expiresAt } = await makeBridge(app.contextOf(request), sessionId);
        return { token, expiresAt: expiresAt.toISOString() };
      },
    });

    app.route({
      ...homeDeliveryAt,
      handler: async ({ actor, query, now }) => {
        const hubId = hubOf(actor);
        const directory = await hubDirectory(deps);
        const profile =
          hubId === null ? null : await loadProfile(deps, actor, now, { zipCode: query.zipCode, isAddress: true });
        if (profile?.homeDelivery) return profile.homeDelivery;
        const [hub] = directory.serving({ zipCode: query.zipCode });
        if (!hub) throw notServed();
        return homeDeliveryOf(directory, hub.id, { zipCode: query.zipCode, lat: null, lng: null, isAddress: true })!;
      },
    });

    app.route({
      ...zipPlace,
      config: { session: "none" },
      handler: async ({ params }) => {
        const place = deps.geocoder.place(params.zipCode);
        const state = STATES.find((code) => code === place?.state);
        if (!place || !state) throw notFound();
        return { city: place.city, state };
      },
    });

    app.route({
      ...zipAt,
      config: { session: "none" },
      handler: async ({ query }) => {
        const place = await deps.geocoder.zipAt(query.lat, query.lng);
        if (!place) throw notFound();
        return { zipCode: place.zipCode, city: place.city, state: place.state };
      },
    });
  };
