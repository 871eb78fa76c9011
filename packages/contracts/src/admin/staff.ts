import { ROLES } from "@marketday/domain/staff";
import { z } from "zod";

import { BodyId, Email, Id, Instant, line } from "../common.ts";
import { ApiKey } from "./api-keys.ts";
import { adminEndpoint } from "./endpoint.ts";
import { OpenSession, StaffRole } from "./session.ts";

const access = { permission: "staff.write", where: "all" } as const;

/** A person of the staff. `invited`: the link is not used yet (24 h); `expired`: it was not used in time. */
export const StaffMember = z
  .object({
    id: z.number().int(),
    name: z.string(),
    email: z.string(),
    state: z.enum(["active", "invited", "expired", "disabled"]),
    roles: z.array(StaffRole),
    passkeys: z.number().int(),
    hasPassword: z.boolean(),
    recoveryCodesLeft: z.number().int(),
    /** The last use of the admin app, to the minute; null: never signed in. */
    lastSeenAt: Instant.nullable(),
    /** Raised by every change: `expectedVersion` of the writes below. */
    version: z.number().int(),
  })
  .meta({ id: "StaffMember" });
export type StaffMember = z.infer<typeof StaffMember>;

export const listStaff = adminEndpoint({
  method: "GET",
  url: "/staff",
  access,
  schema: { response: { 200: z.array(StaffMember) } },
});

/** A role to grant; `hubId` null: in every market. */
const GrantInput = z.object({ role: z.enum(ROLES), hubId: BodyId.nullable() });
const Roles = z.array(GrantInput).min(1, "Choose at least one role").max(50);
/**
 * Sends an invitation, a link of 24 hours. 409 `already_staff` for the address of a person who has not been disabled; 400 `invalid` for a
 * hub that does not exist, or an owner of one hub.
 */
export const inviteStaff = adminEndpoint({
  method: "POST",
  url: "/staff",
  access,
  stepUp: true,
  idempotent: true,
  schema: {
    body: z.object({ email: Email, name: line(100, "Enter a name"), roles: Roles }),
    response: { 201: StaffMember },
  },
});

const params = z.object({ id: Id });
const Expected = z.object({ expectedVersion: z.number().int() });
/** 409 `conflict` with `current` when someone else changed the person; 409 `last_owner` when no owner would be left. */
export const putStaffRoles = adminEndpoint({
  method: "PUT",
  url: "/staff/:id/roles",
  access,
  stepUp: true,
  idempotent: true,
  schema: { params, body: Expected.extend({ roles: Roles }), response: { 200: StaffMember } },
});
/** Ends every session at once. 409 `last_owner`, `conflict`. */
export const disableStaff = adminEndpoint({
  method: "POST",
  url: "/staff/:id/disable",
  access,
  stepUp: true,
  idempotent: true,
  schema: { params, body: Expected, response: { 200: StaffMember } },
});
/**
 * Passkeys, password and codes are deleted, every session ends, and a new link is mailed. Also for people who were disabled or whose
 * invitation has expired. 409 `last_owner` (the last one is reset at the machine), `conflict`.
 */
export const resetStaff = adminEndpoint({
  method: "POST",
  url: "/staff/:id/reset",
  access,
  stepUp: true,
  idempotent: true,
  schema: { params, body: Expected, response: { 200: StaffMember } },
});

/** Where a person is signed in, last used first, and their API keys, the newest first. */
export const getStaffAccess = adminEndpoint({
  method: "GET",
  url: "/staff/:id/access",
  access,
  schema: { params, response: { 200: z.object({ sessions: z.array(OpenSession), keys: z.array(ApiKey) }) } },
});
/**
 * Ends one session of a person, or (`all`) all of them except the one that calls. 404 when it is not theirs or has ended; 409
 * `own_session` for the one that calls.
 */
export const endSessionsOfStaff = adminEndpoint({
  method: "DELETE",
  url: "/staff/:id/sessions/:session",
  access,
  stepUp: true,
  schema: {
    params: z.object({ id: Id, session: z.union([z.uuid(), z.literal("all")]) }),
    response: { 200: z.object({ ended: z.number().int() }) },
  },
});
