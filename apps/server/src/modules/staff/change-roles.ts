import type { Grant } from "@marketday/domain/staff";

import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { type Change, changeMember, getMember, requireOtherOwner } from "./change-member.ts";
import { mailRolesChanged } from "./mails.ts";
import { checkGrants, formatGrants, formatRole, toGrants, toStaffRoles } from "./roles.ts";
import { type MemberRow, replaceGrants, updateMember } from "./store.ts";

/**
 * Replaces a person's roles, and mails them. The same roles change nothing.
 * @throws AppError 400 for a role or hub that cannot be granted; 404; 409 `conflict`, `last_owner`
 */
export const changeRoles = (ctx: Context, change: Change & { roles: readonly Grant[] }): Promise<MemberRow> =>
  changeMember(ctx, change, async (tx, member, staffId) => {
    const grants = await checkGrants(tx, change.roles);
    const [before, after] = [formatGrants(toGrants(member.grants)), formatGrants(grants)];
    if (before.join() === after.join()) return member;
    if (!grants.some(({ role }) => role === "owner")) await requireOtherOwner(tx, member);
    await replaceGrants(tx, staffId, grants);
    await updateMember(tx, staffId, {});
    await writeAuditEntry(tx, ctx, {
      action: "staff roles",
      subject: `staff:${member.email}`,
      reason: change.reason ?? "",
      data: { before: { roles: before }, after: { roles: after } },
    });
    const changed = await getMember(tx, staffId, ctx.now);
    if (changed.disabled_at === null)
      await mailRolesChanged(tx, changed, toStaffRoles(changed.grants).map(formatRole), ctx.now);
    return changed;
  });
