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
    /** When this session ends if nothing more happens; null without one. */
    sessionExpiresAt: Date | null;
    /** The cookie named a session that is no more. */
    sessionEnded: boolean;
  }
  interface FastifyInstance {
    /** Sets the cookie for a session row that exists already. */
    startSession(reply: FastifyReply, sessionId: string, purpose: SessionPurpose): void;
    clearSession(reply: FastifyReply): void;
    /** Forgets what this process knows of a session, or (null) of all. */
    dropSession(sessionId: string | null): void;
    contextOf(request: FastifyRequest): Context;
  }
  interface FastifyContextConfig {
    /** `lenient`: works the same with an ended session (login, register, pages); `none`: reads no session (files). */
    session?: "lenient" | "none";
  }
}

/** A row is believed this long without asking again; notices drop it sooner (docs/product.md §3). */
const BELIEVED_MS = 1 * Second.ms;
const TOUCH_EVERY_MS = 1 * Hour.ms;
const MOST_KNOWN = 10_000;

interface Known {
  row: SessionRow | null;
  /** Whose session it is while it lives. */
  actor: Actor;
  purpose: SessionPurpose;
  /** When the token runs out. */
  expiresAt: Date;
  /** When the session does, if nothing more happens. */
  endsAt: Date | null;
  at: number;
}

const NOBODY: Actor = { type: "nobody" };

function actorOf(row: SessionRow | null): Actor {
  if (row?.customer_id != null)
    return { type: "customer", customerId: asCustomerId(row.customer_id), hubId: row.hub_id, sessionId: row.id };
  if (row?.guest_id != null)
    return { type: "guest", guestId: asGuestId(row.guest_id), hubId: row.hub_id!, sessionId: row.id };
  return NOBODY;
}

export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }) => {
    const { env, db, clock } = deps;
    const https = env.publicUrl?.startsWith("https:") ?? false;
    const name = https ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
    const flags = { path: "/", httpOnly: true, sameSite: "lax", secure: https } as const;
    const tokens = sessionTokens(env.sessionSecrets, env.sessionAbsoluteDays);
    const known = new Map<string, Known>();

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

    const looking = new Map<string, Promise<Known | null>>();
    const lookUp = async (token: string): Promise<Known | null> => {
      const claim = tokens.read(token);
      if (!claim) return null;
      const row = await findSession(db, claim.sessionId);
      const endsAt = row && expiryOf(row, claim.expiresAt);
      const entry: Known = {
        row,
        actor: actorOf(row),
        purpose: claim.purpose,
        expiresAt: claim.expiresAt,
        endsAt,
        at: clock.elapsed(),
      };
      known.delete(token);
      known.set(token, entry);
      if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!);
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
      if (sessionId === null) return known.clear();
      for (const [token, entry] of known) if (entry.row?.id === sessionId) known.delete(token);
    });
    app.decorate("contextOf", (request: FastifyRequest): Context => ({ now: request.now, actor: request.actor, deps }));
    app.decorateRequest("actor");
    app.decorateRequest("now");
    app.decorateRequest("sessionExpiresAt", null);
    app.decorateRequest("sessionEnded", false);

    const admit = (request: FastifyRequest, reply: FastifyReply, found: Known | null): void => {
      const refuse = () => {
        request.sessionEnded = true;
        // A page keeps the cookie: the app asks `GET /auth` next and says the sentence.
        if (request.routeOptions.config.session === "lenient") return;
        // A guest's session ends when its guest logs in. A request that left before the answer must not take the new
        // cookie away with the old one, nor log the app out: it is refused, and only `GET /auth` clears.
        const wasGuest = found?.purpose === "guest" && found.row !== null && found.row.ended_at !== null;
        if (!wasGuest || request.routeOptions.url === "/api/auth") app.clearSession(reply);
        throw wasGuest ? loginRequired() : sessionExpired();
      };
      if (!found) return refuse();
      const { row, purpose, endsAt } = found;
      const alive = row !== null && row.ended_at === null && endsAt !== null && request.now < endsAt;
      if (!alive) {
        // A guest who was away too long simply starts again; one whose session was ended on purpose is refused (F1).
        if (purpose === "guest" && row?.ended_at == null) return app.clearSession(reply);
        return refuse();
      }
      if (request.now.getTime() - row.last_seen_at.getTime() > TOUCH_EVERY_MS) {
        row.last_seen_at = request.now;
        found.endsAt = expiryOf(row, found.expiresAt);
        touchSession(db, row.id, request.now).catch((error: unknown) =>
          request.log.warn({ err: error }, "session not touched"),
        );
      }
      request.sessionExpiresAt = found.endsAt;
      request.actor = found.actor;
    };

    // Calls back instead of promising: a session that is known is most of them, and costs nothing to wait for.
    app.addHook("onRequest", (request, reply, done) => {
      request.now = clock.now();
      request.actor = NOBODY;
      const token = tokenOf(request.headers.cookie);
      if (token === undefined || request.routeOptions.config.session === "none") return done();
      const before = known.get(token);
      if (!before || clock.elapsed() - before.at >= BELIEVED_MS) {
        let found = looking.get(token);
        if (!found) looking.set(token, (found = lookUp(token).finally(() => looking.delete(token))));
        found.then((session) => admit(request, reply, session)).then(() => done(), done);
        return undefined;
      }
      try {
        admit(request, reply, before);
      } catch (error) {
        return done(error as Error);
      }
      return done();
    });
  },
  { name: "session", dependencies: ["@fastify/cookie"] },
);

/** The hub the shopper shops in; null without a session. */
export const hubOf = (actor: Actor): number | null =>
  actor.type === "guest" || actor.type === "customer" ? actor.hubId : null;

/** Guard: a registered customer. Guests and nobody: 401 `login_required`. */
export function requireCustomer(actor: Actor, message?: string): CustomerId {
  if (actor.type !== "customer") throw loginRequired(message);
  return actor.customerId;
}

/** Guard: anybody with a session. */
export function requireShopper(actor: Actor): Extract<Actor, { type: "guest" | "customer" }> {
  if (actor.type !== "guest" && actor.type !== "customer") throw loginRequired();
  return actor;
}

/** Guard: a shopper in a hub. */
export function requireHub(actor: Actor): number {
  const hubId = hubOf(actor);
  if (hubId === null) throw new AppError(422, "Choose a market first.", { code: "no_hub" });
  return hubId;
}
