import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { revokeApiKeys } from "../identity/api-key-store.ts";
import type { Context } from "../identity/context.ts";
import { type Change, changeMember, getMember, requireOtherOwner } from "./change-member.ts";
import { endLinks } from "./link-store.ts";
import { endSessions, type MemberRow, updateMember } from "./store.ts";

/**
 * Ends a person's access at once, on every server: no sign-in, no session, no API key, no link. A second time changes nothing.
 * @throws AppError 404; 409 `conflict`, `last_owner`
 */
export const disableMember = (ctx: Context, change: Change): Promise<MemberRow> =>
  changeMember(ctx, change, async (tx, member, staffId) => {
    if (member.disabled_at !== null) return member;
    await requireOtherOwner(tx, member);
    // First: a sign-in that has locked the person is waited for, and the session that it begins is ended below.
    await updateMember(tx, staffId, { disabled_at: ctx.now });
    await endLinks(tx, staffId, ctx.now);
    const endedSessions = await endSessions(tx, staffId, ctx.now);
    const revokedKeys = (await revokeApiKeys(tx, staffId, "all", ctx.now)).length;
    await writeAuditEntry(tx, ctx, {
      action: "staff disable",
      subject: `staff:${member.email}`,
      reason: change.reason ?? "",
      data: { before: { disabled: false }, after: { disabled: true }, endedSessions, revokedKeys },
    });
    return getMember(tx, staffId, ctx.now);
  });
