import { Day, Hour, Second } from "@marketday/domain/time";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { AppError, loginRequired, sessionExpired } from "../lib/app-error.ts";
import { type Actor, asCustomerId, asGuestId, type Context, type CustomerId } from "../lib/context.ts";
import { SECURE_SESSION_COOKIE, SESSION_COOKIE, type SessionPurpose, sessionTokens } from "../lib/tokens.ts";
import { findSession, type SessionRow, touchSession } from "../modules/auth/session-store.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor;
    /** One for the whole request. */
    now: Date;
    /** Expiry of this session without further requests; null without a session. */
    sessionExpiresAt: Date | null;
    /** The cookie is of an ended session. */
    sessionEnded: boolean;
  }
  interface FastifyInstance {
    /** Sets the cookie of an existing session row. */
    startSession(reply: FastifyReply, sessionId: string, purpose: SessionPurpose): void;
    clearSession(reply: FastifyReply): void;
    /** Removes a session, or (null) all sessions, from this process's cache. */
    dropSession(sessionId: string | null): void;
    contextOf(request: FastifyRequest): Context;
  }
  interface FastifyContextConfig {
    /** `lenient`: works the same with an ended session (login, register, pages); `none`: reads no session (files). */
    session?: "lenient" | "none";
  }
}

/** Time a session row is cached; notifications drop it sooner (docs/product.md §3). */
const CACHED_MS = 1 * Second.ms;
const TOUCH_EVERY_MS = 1 * Hour.ms;
const MAX_CACHED = 10_000;

interface CachedSession {
  row: SessionRow | null;
  /** The actor while the session is valid. */
  actor: Actor;
  purpose: SessionPurpose;
  /** Expiry of the token. */
  expiresAt: Date;
  /** Expiry of the session without further requests. */
  endsAt: Date | null;
  at: number;
}

const ANONYMOUS: Actor = { type: "nobody" };

function actorOf(row: SessionRow | null): Actor {
  if (row?.customer_id != null)
    return { type: "customer", customerId: asCustomerId(row.customer_id), hubId: row.hub_id, sessionId: row.id };
  if (row?.guest_id != null)
    return { type: "guest", guestId: asGuestId(row.guest_id), hubId: row.hub_id!, sessionId: row.id };
  return ANONYMOUS;
}

export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }) => {
    const { env, db, clock } = deps;
    const https = env.publicUrl?.startsWith("https:") ?? false;
    const name = https ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
    const flags = { path: "/", httpOnly: true, sameSite: "lax", secure: https } as const;
    const tokens = sessionTokens(env.sessionSecrets, env.sessionAbsoluteDays);
    const cache = new Map<string, CachedSession>();

    const tokenOf = (header: string | undefined): string | undefined =>
      header === undefined ? undefined : app.parseCookie(header)[name];

    const expiryOf = (row: SessionRow, tokenExpiresAt: Date) =>
      new Date(
        Math.min(
          row.last_seen_at.getTime() + env.sessionIdleDays * Day.ms,
          row.created_at.getTime() + env.sessionAbsoluteDays * Day.ms,
          tokenExpiresAt.getTime(),
        ),
      );

    const lookups = new Map<string, Promise<CachedSession | null>>();
    const lookUp = async (token: string): Promise<CachedSession | null> => {
      const claim = tokens.read(token);
      if (!claim) return null;
      const row = await findSession(db, claim.sessionId);
      const endsAt = row && expiryOf(row, claim.expiresAt);
      const entry: CachedSession = {
        row,
        actor: actorOf(row),
        purpose: claim.purpose,
        expiresAt: claim.expiresAt,
        endsAt,
        at: clock.elapsed(),
      };
      cache.delete(token);
      cache.set(token, entry);
      if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
      return entry;
    };

    app.decorate("startSession", (reply: FastifyReply, sessionId: string, purpose: SessionPurpose) => {
      void reply.setCookie(name, tokens.sign({ sessionId, purpose }), {
        ...flags,
        maxAge: (env.sessionAbsoluteDays * Day.ms) / Second.ms,
      });
    });
    app.decorate("clearSession", (reply: FastifyReply) => void reply.clearCookie(name, flags));
    app.decorate("dropSession", (sessionId: string | null) => {
      if (sessionId === null) return cache.clear();
      for (const [token, entry] of cache) if (entry.row?.id === sessionId) cache.delete(token);
    });
    app.decorate("contextOf", (request: FastifyRequest): Context => ({ now: request.now, actor: request.actor, deps }));
    app.decorateRequest("actor");
    app.decorateRequest("now");
    app.decorateRequest("sessionExpiresAt", null);
    app.decorateRequest("sessionEnded", false);

    const admit = (request: FastifyRequest, reply: FastifyReply, found: CachedSession | null): void => {
      const reject = () => {
        request.sessionEnded = true;
        // A page keeps the cookie: the app calls `GET /auth` next and shows the message.
        if (request.routeOptions.config.session === "lenient") return;
        // A guest's session ends at login. A request that was sent before the login's response must not clear the new
        // cookie or log the app out: it is rejected, and only `GET /auth` clears the cookie.
        const wasGuest = found?.purpose === "guest" && found.row !== null && found.row.ended_at !== null;
        if (!wasGuest || request.routeOptions.url === "/api/auth") app.clearSession(reply);
        throw wasGuest ? loginRequired() : sessionExpired();
      };
      if (!found) return reject();
      const { row, purpose, endsAt } = found;
      const isAlive = row !== null && row.ended_at === null && endsAt !== null && request.now < endsAt;
      if (!isAlive) {
        // An expired guest session is replaced silently; one that was ended on purpose is rejected (F1).
        if (purpose === "guest" && row?.ended_at == null) return app.clearSession(reply);
        return reject();
      }
      if (request.now.getTime() - row.last_seen_at.getTime() > TOUCH_EVERY_MS) {
        row.last_seen_at = request.now;
        found.endsAt = expiryOf(row, found.expiresAt);
        touchSession(db, row.id, request.now).catch((error: unknown) =>
          request.log.warn({ err: error }, "the last use of a session could not be stored"),
        );
      }
      request.sessionExpiresAt = found.endsAt;
      request.actor = found.actor;
    };

    // A callback and not a promise: most sessions are cached, and then nothing is awaited.
    app.addHook("onRequest", (request, reply, done) => {
      request.now = clock.now();
      request.actor = ANONYMOUS;
      const token = tokenOf(request.headers.cookie);
      if (token === undefined || request.routeOptions.config.session === "none") return done();
      const cached = cache.get(token);
      if (!cached || clock.elapsed() - cached.at >= CACHED_MS) {
        let found = lookups.get(token);
        if (!found) lookups.set(token, (found = lookUp(token).finally(() => lookups.delete(token))));
        found.then((session) => admit(request, reply, session)).then(() => done(), done);
        return undefined;
      }
      try {
        admit(request, reply, cached);
      } catch (error) {
        return done(error as Error);
      }
      return done();
    });
  },
  { name: "session", dependencies: ["@fastify/cookie"] },
);

/** The shopper's hub; null without a session. */
export const hubOf = (actor: Actor): number | null =>
  actor.type === "guest" || actor.type === "customer" ? actor.hubId : null;

/** Guard: a registered customer. 401 `login_required` for guests and without a session. */
export function requireCustomer(actor: Actor, message?: string): CustomerId {
  if (actor.type !== "customer") throw loginRequired(message);
  return actor.customerId;
}

/** Guard of favorites and follows: the same with the spec's sentence (spec §8 Guest favorites). */
export const requireFavoritesAccount = (actor: Actor): CustomerId =>
  requireCustomer(actor, "Favorites requires the creation of an account.");

/** Guard: a guest or a customer. */
export function requireShopper(actor: Actor): Extract<Actor, { type: "guest" | "customer" }> {
  if (actor.type !== "guest" && actor.type !== "customer") throw loginRequired();
  return actor;
}

/** Guard: a shopper with a hub. */
export function requireHub(actor: Actor): number {
  const hubId = hubOf(actor);
  if (hubId === null) throw new AppError(422, "Choose a market first.", { code: "no_hub" });
  return hubId;
}
