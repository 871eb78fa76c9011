import type { StaffMember } from "@marketday/contracts/admin/staff";

import { toStaffRoles } from "./roles.ts";
import type { MemberRow } from "./store.ts";

/** Whether a person has what a sign-in needs. */
export const canSignIn = ({ password_hash, _count }: MemberRow): boolean =>
  _count.passkeys > 0 || password_hash !== null;

function stateOf(member: MemberRow): StaffMember["state"] {
  if (member.disabled_at !== null) return "disabled";
  if (canSignIn(member)) return "active";
  return member._count.links > 0 ? "invited" : "expired";
}

export const toStaffMember = (member: MemberRow): StaffMember => ({
  id: member.id,
  name: member.name,
  email: member.email,
  state: stateOf(member),
  roles: toStaffRoles(member.grants),
  passkeys: member._count.passkeys,
  hasPassword: member.password_hash !== null,
  recoveryCodesLeft: member._count.recovery_codes,
  lastSeenAt: member.last_seen_at?.toISOString() ?? null,
  version: member.version,
});
