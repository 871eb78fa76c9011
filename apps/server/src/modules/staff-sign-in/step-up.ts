import type { PasskeyProof } from "@marketday/contracts/admin/session";
import { transaction, type Tx } from "@marketday/db";
import type { z } from "zod";

import { newUuid } from "../../lib/tokens.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { signInRequired } from "../identity/guards.ts";
import { findStaffSession, renewStaffSession } from "../identity/staff-session-store.ts";
import { type StaffSession, toStaffSession } from "../identity/staff-sessions.ts";
import { lockPerson } from "../staff/staff-sql.ts";
import { moveChallenges } from "./challenge-store.ts";
import { countPasskeys } from "./passkey-store.ts";
import { countProof, startProof, verifyProof } from "./passkeys.ts";
import { getPerson } from "./person-store.ts";
import { type Factor, subjectOf } from "./refusal.ts";
import type { RelyingParty } from "./relying-party.ts";
import { requireUnusedCode, verifyPasswordAndCode } from "./sign-in.ts";

/** How a person can prove who they are: options for their passkeys (null: none, or none work here), and whether by password. */
export async function startStepUp(ctx: Context, actor: StaffActor, party: RelyingParty | null) {
  const { db } = ctx.deps;
  const { password_hash } = await getPerson(db, actor.staffId);
  const canUsePasskeys = party !== null && (await countPasskeys(db, actor.staffId)) > 0;
  const use = { purpose: "step_up", browser: actor.sessionId, staffId: actor.staffId } as const;
  return {
    passkey: canUsePasskeys ? await startProof(ctx, party, use) : null,
    hasPassword: password_hash !== null,
  };
}

/** Gives the session a new id, in the transaction that used up the proof. */
async function renew(tx: Tx, { now }: Context, actor: StaffActor, factor: Factor): Promise<StaffSession> {
  const newId = newUuid();
  // It was ended in the meantime.
  if (!(await renewStaffSession(tx, { id: actor.sessionId, newId, now }))) throw signInRequired();
  await moveChallenges(tx, { staffId: actor.staffId, from: actor.sessionId, to: newId });
  await writeAuditEntry(
    tx,
    { now, actor },
    { action: "staff step-up", subject: subjectOf(actor), reason: "", data: { factor } },
  );
  const row = await findStaffSession(tx, newId);
  if (!row) throw signInRequired();
  return toStaffSession(row);
}

/** Proves again by a passkey who is there. @throws ProofRefused 401 `sign_in_failed` */
export async function stepUpByPasskey(
  ctx: Context,
  actor: StaffActor,
  party: RelyingParty,
  proof: z.infer<typeof PasskeyProof>,
): Promise<StaffSession> {
  const { staffId, sessionId } = actor;
  const verified = await verifyProof(ctx, party, proof, { purpose: "step_up", browser: sessionId, staffId });
  return transaction(ctx.deps.db, async (tx) => {
    await lockPerson(tx, staffId);
    await countProof(tx, verified, ctx.now);
    return renew(tx, ctx, actor, "passkey");
  });
}

/** The same by a password and a code of the authenticator app. @throws ProofRefused 401 `sign_in_failed` */
export async function stepUpByPassword(
  ctx: Context,
  actor: StaffActor,
  input: { password: string; code: string },
): Promise<StaffSession> {
  const found = await getPerson(ctx.deps.db, actor.staffId);
  const { person, step } = await verifyPasswordAndCode(ctx, found, input);
  return transaction(ctx.deps.db, async (tx) => {
    await lockPerson(tx, actor.staffId);
    await requireUnusedCode(tx, person, step);
    return renew(tx, ctx, actor, "password");
  });
}
