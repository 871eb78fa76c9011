import {
  deleteAccount as deleteCall,
  endOtherSessions,
  endSession as endSessionCall,
  exportAccount as exportCall,
  getProfile,
  listSessions as listSessionsCall,
  putProfile,
} from "@marketday/contracts/account";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { AppError, notFound } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import { findPasswordOwner, type PasswordOwner } from "../auth/password-store.ts";
import { provePassword } from "../auth/prove-password.ts";
import { requireCustomer } from "../identity/guards.ts";
import { endCustomerSessions } from "../identity/session-sql.ts";
import { endOwnSession } from "../identity/session-store.ts";
import { loadProfile } from "../profile/load-profile.ts";
import { changeProfile, passwordRequired } from "./change-profile.ts";
import { deleteAccount } from "./delete-account.ts";
import { exportAccount } from "./export-account.ts";
import { listSessions } from "./list-sessions.ts";

export const accountRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    const prove = async (request: FastifyRequest, password: string, field?: string) => {
      const from = { ip: request.ip, deviceOf: (account: string) => app.deviceOf(request, account) };
      return provePassword(app.contextOf(request), limits, requireCustomer(request.actor), password, from, field);
    };

    app.route({ ...getProfile, handler: (request) => loadProfile(deps, request.actor, request.now) });
    app.route({
      ...putProfile,
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        const { currentPassword, ...change } = request.body;
        let proven: PasswordOwner | null = null;
        if (change.email !== undefined) {
          const owner = await findPasswordOwner(deps.db, customerId);
          if (owner && owner.email !== change.email) {
            if (!currentPassword) throw passwordRequired();
            await limits.taken.check(request.ip);
            proven = await prove(request, currentPassword, "currentPassword");
          }
        }
        await changeProfile(app.contextOf(request), customerId, change, proven).catch(async (error: unknown) => {
          if (error instanceof AppError && error.status === 409) await limits.taken.found(request.ip);
          throw error;
        });
        const { deliveryAddress } = change;
        const zipCode = deliveryAddress?.zipCode ?? change.zipCode;
        const about = zipCode === undefined ? null : { zipCode, isAddress: deliveryAddress !== undefined };
        return loadProfile(deps, request.actor, request.now, about);
      },
    });

    app.route({
      ...exportCall,
      handler: async (request) => {
        const { id } = await prove(request, request.body.password);
        await exportAccount(app.contextOf(request), id);
        return { success: true as const };
      },
    });
    app.route({
      ...deleteCall,
      handler: async (request, reply) => {
        const { id } = await prove(request, request.body.password);
        for (const ended of await deleteAccount(app.contextOf(request), id)) app.dropSession(ended);
        app.clearSession(reply);
        return { success: true as const };
      },
    });

    app.route({ ...listSessionsCall, handler: (request) => listSessions(app.contextOf(request)) });
    app.route({
      ...endSessionCall,
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        if (!(await endOwnSession(deps.db, customerId, request.params.id, request.now))) throw notFound();
        app.dropSession(request.params.id);
        return listSessions(app.contextOf(request));
      },
    });
    app.route({
      ...endOtherSessions,
      handler: async (request) => {
        const { actor, now } = request;
        const customerId = requireCustomer(actor);
        const but = actor.type === "customer" ? actor.sessionId : null;
        for (const id of await endCustomerSessions(deps.db, customerId, but, now)) app.dropSession(id);
        return listSessions(app.contextOf(request));
      },
    });
  };
