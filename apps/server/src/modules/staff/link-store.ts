import type { Client, Prisma, Tx } from "@marketday/db";
import { STAFF_LINK_MS } from "@marketday/domain/staff";
import { addMs } from "@marketday/domain/time";

import { AppError } from "../../lib/app-error.ts";
import { newToken, sha256 } from "../../lib/tokens.ts";
import { asStaffId, type StaffId } from "../identity/context.ts";

/** `invite`: a person sets up their sign-in for the first time; `reset`: again, after their passkeys and password were deleted. */
export type LinkPurpose = "invite" | "reset";

const shownLink = {
  purpose: true,
  created_at: true,
  expires_at: true,
  staff: {
    select: {
      id: true,
      name: true,
      email: true,
      version: true,
      disabled_at: true,
      grants: {
        select: { role: true, hub_id: true, hub: { select: { id: true, name: true } } },
        orderBy: { id: "asc" },
      },
    },
  },
} satisfies Prisma.staff_linkSelect;
/** A link that works, with its person and their roles. */
export type StaffLink = Prisma.staff_linkGetPayload<{ select: typeof shownLink }>;

/** 404 for a link that was used, replaced or has expired, that is of a disabled person, or that never existed: one answer for all. */
const linkDead = () =>
  new AppError(404, "This link no longer works. Ask an owner of the market for a new one.", { code: "link_dead" });

const open = (token: string, now: Date) =>
  ({ token_hash: sha256(token), used_at: null, expires_at: { gt: now } }) satisfies Prisma.staff_linkWhereInput;

/** Invalidates a person's unused links. */
export async function endLinks(tx: Tx, staffId: StaffId, now: Date): Promise<void> {
  await tx.staff_link.updateMany({ where: { staff_id: staffId, used_at: null }, data: { used_at: now } });
}

/**
 * Stores a link of 24 hours, which replaces the person's earlier ones.
 * @returns its token, which is stored only as a hash
 */
export async function createLink(
  tx: Tx,
  { staffId, purpose, now }: { staffId: StaffId; purpose: LinkPurpose; now: Date },
): Promise<string> {
  await endLinks(tx, staffId, now);
  const token = newToken();
  await tx.staff_link.create({
    data: {
      token_hash: sha256(token),
      staff_id: staffId,
      purpose,
      created_at: now,
      expires_at: addMs(now, STAFF_LINK_MS),
    },
  });
  return token;
}

/** The link of a token, without using it; null when it does not work. */
export const findOpenLink = (db: Client, token: string, now: Date): Promise<StaffLink | null> =>
  db.staff_link.findFirst({ where: { ...open(token, now), staff: { disabled_at: null } }, select: shownLink });

/**
 * The same for a request.
 * @throws AppError 404 `link_dead`
 */
export async function findLink(db: Client, token: string, now: Date): Promise<StaffLink> {
  const link = await findOpenLink(db, token, now);
  if (!link) throw linkDead();
  return link;
}

/**
 * Marks a link as used: of two requests with one token, the second fails.
 * @throws AppError 404 `link_dead`
 */
export async function claimLink(tx: Tx, token: string, now: Date): Promise<StaffLink & { staffId: StaffId }> {
  // Disabling and resetting a person end the link too: the second of two transactions waits here and finds it used.
  const { count } = await tx.staff_link.updateMany({ where: open(token, now), data: { used_at: now } });
  if (count === 0) throw linkDead();
  const link = await tx.staff_link.findUniqueOrThrow({ where: { token_hash: sha256(token) }, select: shownLink });
  if (link.staff.disabled_at !== null) throw linkDead();
  return { ...link, staffId: asStaffId(link.staff.id) };
}
