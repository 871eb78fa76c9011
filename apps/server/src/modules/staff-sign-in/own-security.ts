import type { getSecurity, NewPasskey } from "@marketday/contracts/admin/session";
import type { Output } from "@marketday/contracts/endpoint";
import { transaction, type Tx } from "@marketday/db";
import type { z } from "zod";

import { AppError, notFound } from "../../lib/app-error.ts";
import { newUuid } from "../../lib/tokens.ts";
import { type AuditEntry, writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { requireOpenSession } from "../identity/open-session.ts";
import {
  endOtherStaffSessions,
  endOwnStaffSession,
  findOpenStaffSessions,
  toOpenSessions,
} from "../identity/staff-session-store.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { lockPerson } from "../staff/staff-sql.ts";
import { countPasskeys, deletePasskey, findPasskeys, insertPasskey } from "./passkey-store.ts";
import { verifyNewPasskey } from "./passkeys.ts";
import { getPerson } from "./person-store.ts";
import { countCodes, replaceCodes } from "./recovery-codes.ts";
import { passkeyRefused, subjectOf } from "./refusal.ts";
import type { RelyingParty } from "./relying-party.ts";

/** Writes an audit entry of a person about their own sign-in. */
export const auditOwn = (tx: Tx, { now }: Context, actor: StaffActor, entry: Pick<AuditEntry, "action" | "data">) =>
  writeAuditEntry(tx, { now, actor }, { ...entry, subject: subjectOf(actor), reason: "" });

/** Locks the person who is signed in, for a change of their own. @throws AppError 401 `sign_in_required` when the session has ended */
export async function lockSelf(tx: Tx, actor: StaffActor): Promise<void> {
  await lockPerson(tx, actor.staffId);
  await requireOpenSession(tx, actor);
}

/** A person's own passkeys, sessions (last used first) and codes. */
export async function loadSecurity({ deps, now }: Context, actor: StaffActor): Promise<Output<typeof getSecurity>> {
  const { db } = deps;
  const { staffId } = actor;
  const [passkeys, person, recoveryCodesLeft, sessions] = await Promise.all([
    findPasskeys(db, staffId),
    getPerson(db, staffId),
    countCodes(db, staffId),
    findOpenStaffSessions(db, staffId, now),
  ]);
  return {
    passkeys: passkeys.map((passkey) => ({
      id: passkey.id,
      name: passkey.name,
      createdAt: passkey.created_at.toISOString(),
      lastUsedAt: passkey.last_used_at?.toISOString() ?? null,
      isSynced: passkey.is_synced,
    })),
    hasPassword: person.password_hash !== null,
    recoveryCodesLeft,
    sessions: toOpenSessions(sessions, actor),
  };
}

/** Mails a person a change of how they sign in. */
export const mailChange = (
  tx: Tx,
  { now }: Context,
  { email }: StaffActor,
  { key, template, data = {} }: { key: string; template: string; data?: Record<string, string> },
): Promise<void> =>
  enqueueMailTo(tx, { key, template, to: email, data: { email, ...data }, notBefore: null, isSecret: false, now });

/** Adds a passkey and mails the person. @throws ProofRefused 400 `passkey_failed` */
export async function addPasskey(
  ctx: Context,
  actor: StaffActor,
  party: RelyingParty,
  { passkey, name }: { passkey: z.infer<typeof NewPasskey>; name: string },
): Promise<void> {
  const { staffId, email, sessionId } = actor;
  const person = { id: staffId, email };
  const added = await verifyNewPasskey(ctx, party, passkey, person, { purpose: "add_passkey", browser: sessionId });
  await transaction(ctx.deps.db, async (tx) => {
    await lockSelf(tx, actor);
    if (!(await insertPasskey(tx, added, { staffId, name, now: ctx.now })))
      throw passkeyRefused(person, "passkey is stored already");
    await auditOwn(tx, ctx, actor, { action: "staff passkey add", data: { name, isSynced: added.isSynced } });
    await mailChange(tx, ctx, actor, {
      key: `staff-passkey-added:${added.id}`,
      template: "staff-passkey-added",
      data: { name },
    });
  });
}

const lastFactor = () =>
  new AppError(409, "This is your only way to sign in. Add another passkey first.", { code: "last_factor" });

/**
 * Removes a passkey of a person, mails them, and ends their other sessions, which the passkey may have begun.
 * @throws AppError 404, or 409 `last_factor` for the only way to sign in
 */
export async function removePasskey(ctx: Context, actor: StaffActor, id: string): Promise<void> {
  await transaction(ctx.deps.db, async (tx) => {
    await lockSelf(tx, actor);
    const { password_hash } = await getPerson(tx, actor.staffId);
    const name = await deletePasskey(tx, actor.staffId, id);
    if (name === null) throw notFound();
    if (password_hash === null && (await countPasskeys(tx, actor.staffId)) === 0) throw lastFactor();
    const endedSessions = await endOtherStaffSessions(tx, actor.staffId, actor.sessionId, ctx.now);
    await auditOwn(tx, ctx, actor, { action: "staff passkey remove", data: { name, endedSessions } });
    const template = "staff-passkey-removed";
    await mailChange(tx, ctx, actor, { key: `${template}:${newUuid()}`, template, data: { name } });
  });
}

/** Replaces a person's recovery codes and mails them. @returns the new ones, shown once */
export const renewRecoveryCodes = (ctx: Context, actor: StaffActor): Promise<string[]> =>
  transaction(ctx.deps.db, async (tx) => {
    await lockSelf(tx, actor);
    await auditOwn(tx, ctx, actor, { action: "staff recovery-codes renew" });
    const template = "staff-recovery-codes-renewed";
    await mailChange(tx, ctx, actor, { key: `${template}:${newUuid()}`, template });
    return replaceCodes(tx, ctx.deps.env.pepper, actor.staffId, ctx.now);
  });

/** Ends one session of a person, or all others. @throws AppError 404 when it is not theirs, or has ended */
export async function endSessions(ctx: Context, actor: StaffActor, which: string): Promise<void> {
  const { staffId, sessionId } = actor;
  await transaction(ctx.deps.db, async (tx) => {
    await lockSelf(tx, actor);
    let ended = 1;
    if (which === "others") ended = await endOtherStaffSessions(tx, staffId, sessionId, ctx.now);
    else if (!(await endOwnStaffSession(tx, staffId, which, ctx.now))) throw notFound();
    if (ended > 0) await auditOwn(tx, ctx, actor, { action: "staff session end", data: { sessions: ended } });
  });
}

/** Ends the session that is signed in. */
export async function signOut(ctx: Context, actor: StaffActor): Promise<void> {
  await transaction(ctx.deps.db, async (tx) => {
    if (await endOwnStaffSession(tx, actor.staffId, actor.sessionId, ctx.now))
      await auditOwn(tx, ctx, actor, { action: "staff sign-out" });
  });
}
