import type { Access } from "@marketday/contracts/admin/endpoint";
import { can, STAFF_SESSION } from "@marketday/domain/staff";
import { Minute } from "@marketday/domain/time";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { AppError } from "../lib/app-error.ts";
import type { Limits } from "../lib/limits.ts";
import { SECURE_STAFF_COOKIE, sha256, STAFF_COOKIE } from "../lib/tokens.ts";
import { writeAuditEntry } from "../modules/audit/write-audit-entry.ts";
import { getHubByKey } from "../modules/hubs/find-day.ts";
import { findAnyApiKey } from "../modules/identity/api-key-store.ts";
import { apiKeyIn, ApiKeys } from "../modules/identity/api-keys.ts";
import type { StaffActor, StaffId } from "../modules/identity/context.ts";
import { signInRequired } from "../modules/identity/guards.ts";
import { type StaffSession, StaffSessions } from "../modules/identity/staff-sessions.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The staff session of an admin request; null without one, and with an API key. */
    staffSession: StaffSession | null;
  }
  interface FastifyInstance {
    /** Sets the cookie of an existing row of `staff_session`. */
    startStaffSession(reply: FastifyReply, sessionId: string): void;
    clearStaffSession(reply: FastifyReply): void;
    /** Removes a person's sessions and keys, or (null) all, from this process's cache. */
    dropStaff(staffId: StaffId | null): void;
    /** The staff session of a request as it is now, without using it; null when it has ended. */
    recheckStaffSession(request: FastifyRequest): Promise<StaffSession | null>;
    /** The person of a request's API key; null without one. @throws AppError 400 with a session too; 401 for a key that does not work; 429 */
    findKeyOwner(request: FastifyRequest): Promise<StaffActor | null>;
  }
  interface FastifyContextConfig {
    /** Who may call a route of the admin API (`adminEndpoint`). */
    access?: Access;
    stepUp?: boolean;
  }
}

type Permitted = Exclude<Access, string>;

const forbidden = (permission: string, hub: string | null) =>
  new AppError(403, hub === null ? "You may not do that." : `You may not do that in ${hub}.`, {
    code: "forbidden",
    permission,
  });

const stepUpRequired = () => new AppError(403, "Confirm that it is you first.", { code: "step_up_required" });

const badKey = () =>
  new AppError(401, "This API key doesn't work: it is unknown, has expired or was revoked.", { code: "bad_api_key" });

const twoCredentials = () => new AppError(400, "Send an API key or a session, not both.", { code: "two_credentials" });

/** One's own security, and what needs a proof of identity. */
const notWithKey = () =>
  new AppError(403, "An API key can't do that. Sign in to the back office instead.", { code: "key_not_allowed" });

/** Whether a URL pattern is one of the admin API. */
const isAdmin = (url: string): boolean => url === "/api/admin" || url.startsWith("/api/admin/");

/** Whether an open page reads, without its person: by an event, by the clock, or by its stream of events. */
const isBackground = ({ method, headers }: FastifyRequest): boolean =>
  method === "GET" && (headers["x-background"] === "1" || headers.accept === "text/event-stream");

/** Time in which a second refusal of the same person, permission and market adds no audit entry: a page that repeats a call is one. */
const REFUSED_ONCE_MS = 1 * Minute.ms;
const REFUSED_MAX = 1000;

/**
 * Reads the staff session of each admin request and enforces the contract's access. A route of the admin API without one fails the
 * start.
 */
export default fp<{ deps: Deps; limits: Limits }>(
  async (app: FastifyInstance, { deps, limits }) => {
    const https = deps.env.publicUrl?.startsWith("https:") ?? false;
    const name = https ? SECURE_STAFF_COOKIE : STAFF_COOKIE;
    const flags = { path: "/", httpOnly: true, sameSite: "strict", secure: https } as const;
    const sessions = new StaffSessions(deps);
    const keys = new ApiKeys(deps);

    app.decorate("startStaffSession", (reply: FastifyReply, sessionId: string) => {
      void reply.setCookie(name, sessions.sign(sessionId), { ...flags, maxAge: STAFF_SESSION.absoluteMs / 1000 });
    });
    app.decorate("clearStaffSession", (reply: FastifyReply) => void reply.clearCookie(name, flags));
    app.decorate("dropStaff", (staffId: StaffId | null) => {
      sessions.drop(staffId);
      keys.drop(staffId);
    });
    const tokenOf = ({ headers }: FastifyRequest): string | undefined => app.parseCookie(headers.cookie ?? "")[name];
    app.decorate("recheckStaffSession", async (request: FastifyRequest) => {
      const token = tokenOf(request);
      return token === undefined ? null : sessions.recheck(token, deps.clock.now());
    });
    app.decorateRequest("staffSession", null);

    app.addHook("onRoute", ({ url, method, config }) => {
      if (isAdmin(url) && config?.access === undefined)
        throw new Error(`${String(method)} ${url} does not say who may call it: declare it with adminEndpoint.`);
    });

    /** When refusals were last written, by person, permission and hub, the oldest first. */
    const refused = new Map<string, number>();
    /** Whether a refusal of this kind is the first for a minute. */
    const isFirst = (key: string, now: number): boolean => {
      if (now - (refused.get(key) ?? -Infinity) < REFUSED_ONCE_MS) return false;
      refused.delete(key);
      refused.set(key, now);
      for (const first of refused.keys()) if (refused.size > REFUSED_MAX) refused.delete(first);
      return true;
    };
    const noteRefusal = async (
      request: FastifyRequest,
      actor: StaffActor,
      { permission }: Permitted,
    ): Promise<void> => {
      const { hub } = (request.params ?? {}) as { hub?: string };
      // Hubs that do not exist count as one: their names are without number.
      const found = hub === undefined ? null : await getHubByKey(app.contextOf(request), hub).catch(() => null);
      const key = `${actor.staffId} ${permission} ${found?.id ?? "none"}`;
      if (!isFirst(key, request.now.getTime())) return;
      await writeAuditEntry(deps.db, request, {
        action: "staff refused",
        subject: `staff:${actor.email}`,
        reason: `${request.method} ${request.routeOptions.url}`,
        data: { permission, ...(hub !== undefined && { hub: hub.slice(0, 200) }) },
      });
    };

    /** Writes that a key which worked once was refused: it may have leaked. */
    const noteRefusedKey = async (request: FastifyRequest, key: string): Promise<void> => {
      const known = await findAnyApiKey(deps.db, sha256(key));
      if (!known || !isFirst(`key ${known.id}`, request.now.getTime())) return;
      const isExpired = known.expires_at <= request.now;
      await writeAuditEntry(deps.db, request, {
        action: "staff api-key refused",
        subject: `staff:${known.staff.email}`,
        reason: known.revoked_at ? "revoked" : isExpired ? "expired" : "person cannot sign in",
        data: { name: known.name },
      });
    };
    const findKeyOwner = async (request: FastifyRequest): Promise<StaffActor | null> => {
      const key = apiKeyIn(request.headers);
      if (key === null) return null;
      if (tokenOf(request) !== undefined) throw twoCredentials();
      const actor = await keys.find(key, request.now);
      if (actor) return actor;
      await limits.staffKey.take(request.ip);
      await noteRefusedKey(request, key).catch((failure: unknown) =>
        request.log.warn({ err: failure }, "a refused API key could not be written to the audit log"),
      );
      throw badKey();
    };
    app.decorate("findKeyOwner", findKeyOwner);

    const allow = async (request: FastifyRequest, actor: StaffActor, access: Access): Promise<void> => {
      if (typeof access === "string") return;
      try {
        await checkPermission(request, actor, access);
      } catch (error) {
        // The refusal stands when it cannot be written.
        if (error instanceof AppError && error.status === 403)
          await noteRefusal(request, actor, access).catch((failure: unknown) =>
            request.log.warn({ err: failure }, "a refusal could not be written to the audit log"),
          );
        throw error;
      }
    };
    const checkPermission = async (request: FastifyRequest, actor: StaffActor, access: Permitted): Promise<void> => {
      const { permission, or, where } = access;
      if (where !== "hub") {
        if (or !== undefined && can(actor.grants, or, where)) return;
        if (!can(actor.grants, permission, where)) throw forbidden(permission, null);
        return;
      }
      const { hub: key } = request.params as { hub: string };
      // A person who has the permission nowhere learns nothing about which hubs there are.
      if (!can(actor.grants, permission, "any")) throw forbidden(permission, null);
      const hub = await getHubByKey(app.contextOf(request), key);
      if (!can(actor.grants, permission, hub.id)) throw forbidden(permission, hub.name);
    };

    app.addHook("onRequest", async (request) => {
      const { access, stepUp } = request.routeOptions.config;
      if (access === undefined) return;
      const owner = access === "public" ? null : await findKeyOwner(request);
      if (owner) {
        request.actor = owner;
        if (access === "signed_in") throw notWithKey();
        await allow(request, owner, access);
        if (stepUp) throw notWithKey();
        return;
      }
      const token = tokenOf(request);
      const read = isBackground(request) ? "recheck" : "find";
      const session = token === undefined ? null : await sessions[read](token, request.now);
      request.staffSession = session;
      if (session) request.actor = session.actor;
      if (access === "public") return;
      if (!session) throw signInRequired();
      await allow(request, session.actor, access);
      const { steppedUpAt } = session.actor;
      if (stepUp && (!steppedUpAt || request.now.getTime() - steppedUpAt.getTime() > STAFF_SESSION.stepUpMs))
        throw stepUpRequired();
    });
  },
  { name: "staff-session", dependencies: ["session"] },
);
