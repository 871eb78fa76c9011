import { createApiKey, listApiKeys, revokeApiKey } from "@marketday/contracts/admin/api-keys";
import {
  addPasskey as addPasskeyCall,
  endStaffSession,
  getSecurity,
  removePasskey as removePasskeyCall,
  renewRecoveryCodes as renewCodesCall,
  startPasskey,
  startStepUp as startStepUpCall,
  stepUp,
} from "@marketday/contracts/admin/session";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import type { Limits } from "../../lib/limits.ts";
import { requireStaff } from "../identity/guards.ts";
import { limited, recordingRefusals } from "./attempts.ts";
import { loadMe } from "./load-me.ts";
import { createOwnKey, listOwnKeys, revokeOwnKey } from "./own-keys.ts";
import { addPasskey, endSessions, loadSecurity, removePasskey, renewRecoveryCodes } from "./own-security.ts";
import { startNewPasskey } from "./passkeys.ts";
import { relyingPartyOf, requireRelyingParty } from "./relying-party.ts";
import { startStepUp, stepUpByPasskey, stepUpByPassword } from "./step-up.ts";

/** Step-up, and a person's own passkeys, codes, sessions and API keys. */
export const securityRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    const partyOf = (request: FastifyRequest) => relyingPartyOf(deps.env.publicUrl, request);

    app.route({
      ...startStepUpCall,
      handler: async (request) => startStepUp(app.contextOf(request), requireStaff(request.actor), partyOf(request)),
    });

    app.route({
      ...stepUp,
      handler: async (request, reply) => {
        const ctx = app.contextOf(request);
        const actor = requireStaff(request.actor);
        const { body } = request;
        const session = await recordingRefusals(app, request, "staff step-up refused", () => {
          if ("proof" in body) return stepUpByPasskey(ctx, actor, requireRelyingParty(partyOf(request)), body.proof);
          // Tries of this session alone: wrong ones elsewhere do not keep its person from acting.
          const attempt = { ip: request.ip, account: actor.email, device: `session ${actor.sessionId}` };
          return limited(limits, attempt, () => stepUpByPassword(ctx, actor, body));
        });
        app.dropStaff(actor.staffId);
        app.startStaffSession(reply, session.actor.sessionId);
        return loadMe(deps, session, request.now);
      },
    });

    app.route({
      ...getSecurity,
      handler: async (request) => loadSecurity(app.contextOf(request), requireStaff(request.actor)),
    });

    app.route({
      ...startPasskey,
      handler: async (request) => {
        const { staffId, email, name, sessionId } = requireStaff(request.actor);
        const party = requireRelyingParty(partyOf(request));
        const person = { id: staffId, email, name };
        return startNewPasskey(app.contextOf(request), party, person, { purpose: "add_passkey", browser: sessionId });
      },
    });

    app.route({
      ...addPasskeyCall,
      handler: async (request) => {
        const actor = requireStaff(request.actor);
        const party = requireRelyingParty(partyOf(request));
        await recordingRefusals(app, request, "staff set-up refused", () =>
          addPasskey(app.contextOf(request), actor, party, request.body),
        );
        return { success: true as const };
      },
    });

    app.route({
      ...removePasskeyCall,
      handler: async (request) => {
        const actor = requireStaff(request.actor);
        await removePasskey(app.contextOf(request), actor, request.params.id);
        app.dropStaff(actor.staffId);
        return { success: true as const };
      },
    });

    app.route({
      ...renewCodesCall,
      handler: async (request) => ({
        recoveryCodes: await renewRecoveryCodes(app.contextOf(request), requireStaff(request.actor)),
      }),
    });

    app.route({
      ...endStaffSession,
      handler: async (request, reply) => {
        const actor = requireStaff(request.actor);
        await endSessions(app.contextOf(request), actor, request.params.id);
        app.dropStaff(actor.staffId);
        if (request.params.id === actor.sessionId) app.clearStaffSession(reply);
        return { success: true as const };
      },
    });

    app.route({
      ...listApiKeys,
      handler: async (request) => listOwnKeys(app.contextOf(request), requireStaff(request.actor)),
    });

    app.route({
      ...createApiKey,
      handler: async (request, reply) =>
        reply.code(201).send(await createOwnKey(app.contextOf(request), requireStaff(request.actor), request.body)),
    });

    app.route({
      ...revokeApiKey,
      handler: async (request) => {
        const actor = requireStaff(request.actor);
        await revokeOwnKey(app.contextOf(request), actor, request.params.id);
        app.dropStaff(actor.staffId);
        return { success: true as const };
      },
    });
  };
