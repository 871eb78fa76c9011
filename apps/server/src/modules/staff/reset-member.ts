import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { revokeApiKeys } from "../identity/api-key-store.ts";
import type { Context } from "../identity/context.ts";
import { type Change, changeMember, getMember, requireOtherOwner } from "./change-member.ts";
import type { Invited } from "./invite-member.ts";
import { createLink, type LinkPurpose } from "./link-store.ts";
import { mailLink } from "./mails.ts";
import { canSignIn } from "./serialize.ts";
import { clearSignIn, endSessions, updateMember } from "./store.ts";

/**
 * Deletes all that a person signs in with, ends their sessions, revokes their API keys, and mails a link of 24 hours to set it up again. A person who was
 * disabled gets access again, and one who did not use the invitation in time a new one.
 * @throws AppError 404; 409 `conflict`; 409 `last_owner`, except at the machine, whose operator reads the link
 */
export const resetMember = (ctx: Context, change: Change): Promise<Invited> =>
  changeMember(ctx, change, async (tx, member, staffId) => {
    const { now, actor } = ctx;
    if (actor.type !== "operator" && canSignIn(member)) await requireOtherOwner(tx, member);
    const purpose: LinkPurpose = canSignIn(member) || member.last_seen_at !== null ? "reset" : "invite";
    // First: a sign-in that has locked the person is waited for, and what it stores is deleted below.
    await updateMember(tx, staffId, { disabled_at: null });
    const token = await createLink(tx, { staffId, purpose, now });
    await clearSignIn(tx, staffId);
    const endedSessions = await endSessions(tx, staffId, now);
    const revokedKeys = (await revokeApiKeys(tx, staffId, "all", now)).length;
    await mailLink(tx, { email: member.email, token, purpose, now });
    await writeAuditEntry(tx, ctx, {
      action: "staff reset",
      subject: `staff:${member.email}`,
      reason: change.reason ?? "",
      data: {
        before: {
          disabled: member.disabled_at !== null,
          passkeys: member._count.passkeys,
          password: member.password_hash !== null,
        },
        after: { disabled: false, passkeys: 0, password: false },
        endedSessions,
        revokedKeys,
      },
    });
    return { member: await getMember(tx, staffId, now), token };
  });
