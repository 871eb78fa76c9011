import type { Grant } from "@marketday/domain/staff";

import { AppError } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { revokeApiKeys } from "../identity/api-key-store.ts";
import { asStaffId, type Context } from "../identity/context.ts";
import { changeStaff, getMember } from "./change-member.ts";
import { createLink } from "./link-store.ts";
import { mailLink } from "./mails.ts";
import { checkGrants, formatGrants, toGrants } from "./roles.ts";
import {
  clearSignIn,
  endSessions,
  findMemberByEmail,
  insertMember,
  type MemberRow,
  replaceGrants,
  updateMember,
} from "./store.ts";

export interface Invitation {
  /** In lower case. */
  email: string;
  name: string;
  roles: readonly Grant[];
  reason?: string;
  dryRun?: boolean;
}

/** A person, and the token of the link that was mailed to them. */
export interface Invited {
  member: MemberRow;
  token: string;
}

/**
 * Adds a person to the staff, or one who was disabled again, and mails a link of 24 hours to set up their sign-in.
 * @throws AppError 400 for a role or hub that cannot be granted; 409 `already_staff`
 */
export const inviteMember = (ctx: Context, { email, name, roles, ...given }: Invitation): Promise<Invited> =>
  changeStaff(ctx, given.dryRun ?? false, async (tx) => {
    const { now } = ctx;
    const grants = await checkGrants(tx, roles);
    const known = await findMemberByEmail(tx, email, now);
    if (known && known.disabled_at === null)
      throw new AppError(409, `${email} is on the staff already. Reset their sign-in to send a new link.`, {
        code: "already_staff",
        field: "email",
      });
    const staffId = asStaffId((known ?? (await insertMember(tx, { email, name, now }))).id);
    if (known) {
      await clearSignIn(tx, staffId);
      await endSessions(tx, staffId, now);
      await revokeApiKeys(tx, staffId, "all", now);
      await updateMember(tx, staffId, { name, disabled_at: null });
    }
    await replaceGrants(tx, staffId, grants);
    const token = await createLink(tx, { staffId, purpose: "invite", now });
    await mailLink(tx, { email, token, purpose: "invite", now });
    await writeAuditEntry(tx, ctx, {
      action: "staff invite",
      subject: `staff:${email}`,
      reason: given.reason ?? "",
      data: {
        before: known && { name: known.name, roles: formatGrants(toGrants(known.grants)), disabled: true },
        after: { email, name, roles: formatGrants(grants) },
      },
    });
    return { member: await getMember(tx, staffId, now), token };
  });
