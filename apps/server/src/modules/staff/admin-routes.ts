import { revokeKeysOfStaff } from "@marketday/contracts/admin/api-keys";
import {
  disableStaff,
  endSessionsOfStaff,
  getStaffAccess,
  inviteStaff,
  listStaff,
  putStaffRoles,
  resetStaff,
} from "@marketday/contracts/admin/staff";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { asStaffId } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { changeRoles } from "./change-roles.ts";
import { disableMember } from "./disable-member.ts";
import { inviteMember } from "./invite-member.ts";
import { endMemberSessions, loadMemberAccess, revokeMemberKeys } from "./member-access.ts";
import { resetMember } from "./reset-member.ts";
import { toStaffMember } from "./serialize.ts";
import { findMembers } from "./store.ts";

/** Who runs the market (docs/product.md §18). Links are only mailed, so that no owner can set up the sign-in of someone else. */
export const staffRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listStaff,
      handler: async (request) => (await findMembers(deps.db, request.now)).map(toStaffMember),
    });
    app.route({
      ...inviteStaff,
      handler: async (request, reply) => {
        const { member } = await inviteMember(app.contextOf(request), request.body);
        return reply.code(201).send(toStaffMember(member));
      },
    });
    app.route({
      ...putStaffRoles,
      handler: async (request) =>
        toStaffMember(await changeRoles(app.contextOf(request), { id: request.params.id, ...request.body })),
    });
    app.route({
      ...disableStaff,
      handler: async (request) =>
        toStaffMember(await disableMember(app.contextOf(request), { id: request.params.id, ...request.body })),
    });
    app.route({
      ...resetStaff,
      handler: async (request) => {
        const { member } = await resetMember(app.contextOf(request), { id: request.params.id, ...request.body });
        return toStaffMember(member);
      },
    });
    app.route({
      ...getStaffAccess,
      handler: async (request) =>
        loadMemberAccess(app.contextOf(request), requireStaff(request.actor), request.params.id),
    });
    app.route({
      ...endSessionsOfStaff,
      handler: async (request) => {
        const { id, session } = request.params;
        const ended = await endMemberSessions(app.contextOf(request), requireStaff(request.actor), id, session);
        app.dropStaff(asStaffId(id));
        return { ended };
      },
    });
    app.route({
      ...revokeKeysOfStaff,
      handler: async (request) => {
        const { id, key } = request.params;
        const revoked = await revokeMemberKeys(app.contextOf(request), id, key);
        app.dropStaff(asStaffId(id));
        return { revoked };
      },
    });
  };
