import { Day, Second } from "@marketday/domain/time";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { loginRequired, sessionExpired } from "../lib/app-error.ts";
import { SECURE_SESSION_COOKIE, SESSION_COOKIE, type SessionPurpose } from "../lib/tokens.ts";
import type { Actor, Context } from "../modules/identity/context.ts";
import { ANONYMOUS, type Session, Sessions, sessionState } from "../modules/identity/sessions.ts";

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

/** Reads the session of each request from its cookie, and sets and clears the cookie. */
export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }) => {
    const { env, clock } = deps;
    const https = env.publicUrl?.startsWith("https:") ?? false;
    const name = https ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
    const flags = { path: "/", httpOnly: true, sameSite: "lax", secure: https } as const;
    const sessions = new Sessions(deps);

    const tokenOf = (header: string | undefined): string | undefined =>
      header === undefined ? undefined : app.parseCookie(header)[name];

    app.decorate("startSession", (reply: FastifyReply, sessionId: string, purpose: SessionPurpose) => {
      void reply.setCookie(name, sessions.sign(sessionId, purpose), {
        ...flags,
        maxAge: (env.sessionAbsoluteDays * Day.ms) / Second.ms,
      });
    });
    app.decorate("clearSession", (reply: FastifyReply) => void reply.clearCookie(name, flags));
    app.decorate("dropSession", (sessionId: string | null) => sessions.drop(sessionId));
    app.decorate("contextOf", (request: FastifyRequest): Context => ({ now: request.now, actor: request.actor, deps }));
    app.decorateRequest("actor");
    app.decorateRequest("now");
    app.decorateRequest("sessionExpiresAt", null);
    app.decorateRequest("sessionEnded", false);

    const admit = (request: FastifyRequest, reply: FastifyReply, session: Session | null): void => {
      const state = sessionState(session, request.now);
      // A guest's session that expired is replaced silently; one that was ended on purpose is rejected (F1).
      if (state === "expired") return app.clearSession(reply);
      if (state !== "open" || !session) {
        request.sessionEnded = true;
        // A page keeps the cookie: the app calls `GET /auth` next and shows the message.
        if (request.routeOptions.config.session === "lenient") return;
        // A request that was sent before the login's response must not clear the new cookie or log the app out: it is
        // rejected, and only `GET /auth` clears the cookie.
        if (state !== "replaced" || request.routeOptions.url === "/api/auth") app.clearSession(reply);
        throw state === "replaced" ? loginRequired() : sessionExpired();
      }
      sessions
        .touch(session, request.now)
        .catch((error: unknown) => request.log.warn({ err: error }, "the last use of a session could not be stored"));
      request.sessionExpiresAt = session.endsAt;
      request.actor = session.actor;
    };

    // A callback and not a promise: most sessions are cached, and then nothing is awaited.
    app.addHook("onRequest", (request, reply, done) => {
      request.now = clock.now();
      request.actor = ANONYMOUS;
      const token = tokenOf(request.headers.cookie);
      if (token === undefined || request.routeOptions.config.session === "none") return done();
      const cached = sessions.peek(token);
      if (!cached) {
        sessions
          .find(token)
          .then((session) => admit(request, reply, session))
          .then(() => done(), done);
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
