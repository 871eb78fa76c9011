import {
  acceptInviteWithPasskey,
  acceptInviteWithPassword,
  getInvite,
  getSession,
  signInWithPasskey,
  signInWithPassword,
  signInWithRecoveryCode,
  signOut as signOutCall,
  startInvitePasskey,
  startInvitePassword,
  startPasskeySignIn,
} from "@marketday/contracts/admin/session";
import type { Role } from "@marketday/domain/staff";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import type { Limits } from "../../lib/limits.ts";
import type { LoginAttempt } from "../../lib/login-limits.ts";
import { newToken, SECURE_STAFF_BROWSER_COOKIE, STAFF_BROWSER_COOKIE } from "../../lib/tokens.ts";
import type { StaffSession } from "../identity/staff-sessions.ts";
import { findLink } from "../staff/link-store.ts";
import { acceptWithPasskey, acceptWithPassword, invitedPerson } from "./accept-invite.ts";
import { limited, recordingRefusals } from "./attempts.ts";
import { loadMe } from "./load-me.ts";
import { signOut } from "./own-security.ts";
import { startNewPasskey, startProof } from "./passkeys.ts";
import { type RelyingParty, relyingPartyOf, requireRelyingParty } from "./relying-party.ts";
import { signInByPasskey, signInByPassword, signInByRecoveryCode } from "./sign-in.ts";
import type { Browser } from "./start-session.ts";
import { newAppSecret } from "./totp.ts";

/** Reads and sets the cookie to which a challenge is bound before there is a session. */
function browserCookie(app: FastifyInstance, publicUrl: string | null) {
  const secure = publicUrl?.startsWith("https:") ?? false;
  const name = secure ? SECURE_STAFF_BROWSER_COOKIE : STAFF_BROWSER_COOKIE;
  const flags = { path: "/", httpOnly: true, sameSite: "strict", secure } as const;
  /** "" without one: no challenge is bound to it. */
  const read = (request: FastifyRequest): string => app.parseCookie(request.headers.cookie ?? "")[name] ?? "";
  return {
    read,
    /** The browser's token, a new one when it has none. */
    ensure(request: FastifyRequest, reply: FastifyReply): string {
      const token = read(request) || newToken();
      void reply.setCookie(name, token, flags);
      return token;
    },
    clear: (reply: FastifyReply) => void reply.clearCookie(name, flags),
  };
}

/** Signing in, signing out and setting up: the routes that need no session. */
export const signInRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    const cookie = browserCookie(app, deps.env.publicUrl);
    const partyOf = (request: FastifyRequest): RelyingParty | null => relyingPartyOf(deps.env.publicUrl, request);
    const browserOf = (request: FastifyRequest): Browser => ({
      userAgent: request.headers["user-agent"] ?? "",
      session: request.staffSession,
    });
    /** A browser in which the person has signed in before has separate tries. */
    const attemptOf = (request: FastifyRequest, account: string): LoginAttempt => ({
      ip: request.ip,
      account,
      device: app.deviceOf(request, account, "staff"),
    });
    /** Sets the cookie of a session that has begun, drops the browser's earlier one, and remembers who has signed in here. */
    const opened = async (request: FastifyRequest, reply: FastifyReply, session: StaffSession) => {
      const before = request.staffSession?.actor;
      if (before) app.dropStaff(before.staffId);
      app.dropStaff(session.actor.staffId);
      app.startStaffSession(reply, session.actor.sessionId);
      app.rememberDevice(request, reply, session.actor.email, "staff");
      cookie.clear(reply);
      return loadMe(deps, session, request.now);
    };

    app.route({
      ...getSession,
      handler: async (request) => ({
        me: request.staffSession && (await loadMe(deps, request.staffSession, request.now)),
        marketName: deps.env.marketName,
        passkeysWork: partyOf(request) !== null,
        now: request.now.toISOString(),
      }),
    });

    app.route({
      ...startPasskeySignIn,
      handler: async (request, reply) => {
        await limits.staffPasskey.take(request.ip);
        const party = requireRelyingParty(partyOf(request));
        const browser = cookie.ensure(request, reply);
        return startProof(app.contextOf(request), party, { purpose: "sign_in", browser, staffId: null });
      },
    });

    app.route({
      ...signInWithPasskey,
      handler: async (request, reply) => {
        await limits.staffPasskey.take(request.ip);
        const party = requireRelyingParty(partyOf(request));
        const session = await recordingRefusals(app, request, "staff sign-in refused", () =>
          signInByPasskey(app.contextOf(request), party, request.body.proof, cookie.read(request), browserOf(request)),
        );
        return opened(request, reply, session);
      },
    });

    app.route({
      ...signInWithPassword,
      handler: async (request, reply) => {
        const session = await recordingRefusals(app, request, "staff sign-in refused", () =>
          limited(limits, attemptOf(request, request.body.email), () =>
            signInByPassword(app.contextOf(request), request.body, browserOf(request)),
          ),
        );
        return opened(request, reply, session);
      },
    });

    app.route({
      ...signInWithRecoveryCode,
      handler: async (request, reply) => {
        const session = await recordingRefusals(app, request, "staff sign-in refused", () =>
          limited(limits, attemptOf(request, request.body.email), () =>
            signInByRecoveryCode(app.contextOf(request), request.body, browserOf(request)),
          ),
        );
        return opened(request, reply, session);
      },
    });

    app.route({
      ...signOutCall,
      handler: async (request, reply) => {
        if (request.staffSession) {
          await signOut(app.contextOf(request), request.staffSession.actor);
          app.dropStaff(request.staffSession.actor.staffId);
        }
        app.clearStaffSession(reply);
        return { success: true as const };
      },
    });

    app.route({
      ...getInvite,
      handler: async ({ params, now }) => {
        const { staff, purpose, expires_at } = await findLink(deps.db, params.token, now);
        return {
          name: staff.name,
          email: staff.email,
          // A check of the database holds the roles.
          roles: staff.grants.map(({ role, hub }) => ({ role: role as Role, hub })),
          isReset: purpose === "reset",
          expiresAt: expires_at.toISOString(),
        };
      },
    });

    app.route({
      ...startInvitePasskey,
      handler: async (request, reply) => {
        await limits.staffPasskey.take(request.ip);
        const party = requireRelyingParty(partyOf(request));
        const ctx = app.contextOf(request);
        const person = await invitedPerson(ctx, request.params.token);
        const browser = cookie.ensure(request, reply);
        return startNewPasskey(ctx, party, { ...person, name: request.body.name }, { purpose: "invite", browser });
      },
    });

    app.route({
      ...acceptInviteWithPasskey,
      handler: async (request, reply) => {
        await limits.staffPasskey.take(request.ip);
        const party = requireRelyingParty(partyOf(request));
        const { session, recoveryCodes } = await recordingRefusals(app, request, "staff set-up refused", () =>
          acceptWithPasskey(
            app.contextOf(request),
            party,
            { ...request.body, token: request.params.token },
            cookie.read(request),
            browserOf(request),
          ),
        );
        await limits.staffLogin.forgive(session.actor.email);
        return { me: await opened(request, reply, session), recoveryCodes };
      },
    });

    app.route({
      ...startInvitePassword,
      handler: async (request) => {
        const { email } = await invitedPerson(app.contextOf(request), request.params.token);
        return newAppSecret(email, deps.env.marketName);
      },
    });

    app.route({
      ...acceptInviteWithPassword,
      handler: async (request, reply) => {
        await limits.staffPasskey.take(request.ip);
        const { session, recoveryCodes } = await recordingRefusals(app, request, "staff set-up refused", () =>
          acceptWithPassword(
            app.contextOf(request),
            { ...request.body, token: request.params.token },
            browserOf(request),
          ),
        );
        await limits.staffLogin.forgive(session.actor.email);
        return { me: await opened(request, reply, session), recoveryCodes };
      },
    });
  };
