import type { Access } from "@marketday/contracts/admin/endpoint";
import { can, STAFF_SESSION } from "@marketday/domain/staff";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { AppError } from "../lib/app-error.ts";
import { SECURE_STAFF_COOKIE, STAFF_COOKIE } from "../lib/tokens.ts";
import { getHubByKey } from "../modules/hubs/find-day.ts";
import type { StaffActor, StaffId } from "../modules/identity/context.ts";
import { signInRequired } from "../modules/identity/guards.ts";
import { type StaffSession, StaffSessions } from "../modules/identity/staff-sessions.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The staff session of an admin request; null without one. */
    staffSession: StaffSession | null;
  }
  interface FastifyInstance {
    /** Sets the cookie of an existing row of `staff_session`. */
    startStaffSession(reply: FastifyReply, sessionId: string): void;
    clearStaffSession(reply: FastifyReply): void;
    /** Removes a person's sessions, or (null) all, from this process's cache. */
    dropStaff(staffId: StaffId | null): void;
  }
  interface FastifyContextConfig {
    /** Who may call a route of the admin API (`adminEndpoint`). */
    access?: Access;
    stepUp?: boolean;
  }
}

const forbidden = (permission: string, hub: string | null) =>
  new AppError(403, hub === null ? "You may not do that." : `You may not do that in ${hub}.`, {
    code: "forbidden",
    permission,
  });

const stepUpRequired = () => new AppError(403, "Confirm that it is you first.", { code: "step_up_required" });

/** Reads the staff session of each admin request and enforces the contract's access: without one, nothing is answered. */
export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }) => {
    const https = deps.env.publicUrl?.startsWith("https:") ?? false;
    const name = https ? SECURE_STAFF_COOKIE : STAFF_COOKIE;
    const flags = { path: "/", httpOnly: true, sameSite: "strict", secure: https } as const;
    const sessions = new StaffSessions(deps);

    app.decorate("startStaffSession", (reply: FastifyReply, sessionId: string) => {
      void reply.setCookie(name, sessions.sign(sessionId), { ...flags, maxAge: STAFF_SESSION.absoluteMs / 1000 });
    });
    app.decorate("clearStaffSession", (reply: FastifyReply) => void reply.clearCookie(name, flags));
    app.decorate("dropStaff", (staffId: StaffId | null) => sessions.drop(staffId));
    app.decorateRequest("staffSession", null);

    const allow = async (request: FastifyRequest, actor: StaffActor, access: Access): Promise<void> => {
      if (typeof access === "string") return;
      const { permission, where } = access;
      if (where !== "hub") {
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
      const token = app.parseCookie(request.headers.cookie ?? "")[name];
      const session = token === undefined ? null : await sessions.find(token, request.now);
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
