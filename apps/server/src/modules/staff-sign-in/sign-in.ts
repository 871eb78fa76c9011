import type { PasskeyProof } from "@marketday/contracts/admin/session";
import { transaction, type Tx } from "@marketday/db";
import type { z } from "zod";

import { verifyPassword } from "../../lib/password.ts";
import { asStaffId, type Context } from "../identity/context.ts";
import type { StaffSession } from "../identity/staff-sessions.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { lockPerson } from "../staff/staff-sql.ts";
import { countProof, verifyProof } from "./passkeys.ts";
import { findPersonByEmail, type Person, takeAppCode } from "./person-store.ts";
import { findCode, takeCode } from "./recovery-codes.ts";
import { type Factor, ProofRefused } from "./refusal.ts";
import type { RelyingParty } from "./relying-party.ts";
import { type Browser, startSession } from "./start-session.ts";
import { stepOfSealed } from "./totp.ts";

/**
 * Signs in by a passkey. `token`: that of the browser's cookie.
 * @throws ProofRefused 401 `sign_in_failed`
 */
export async function signInByPasskey(
  ctx: Context,
  party: RelyingParty,
  proof: z.infer<typeof PasskeyProof>,
  token: string,
  browser: Browser,
): Promise<StaffSession> {
  const verified = await verifyProof(ctx, party, proof, { purpose: "sign_in", browser: token, staffId: null });
  return transaction(ctx.deps.db, async (tx) => {
    await lockPerson(tx, verified.staffId);
    await countProof(tx, verified, ctx.now);
    return startSession(tx, ctx, { staffId: verified.staffId, factor: "passkey", browser });
  });
}

/**
 * Verifies a password and the app's code of a person, or of none. Known and unknown emails take the same work (failures.md F16).
 * @returns the person and the time step of the code, which counts once `takeAppCode` has stored it
 * @throws ProofRefused 401 `sign_in_failed`
 */
export async function verifyPasswordAndCode(
  { deps, now }: Context,
  person: Person | null,
  { password, code }: { password: string; code: string },
): Promise<{ person: Person; step: number }> {
  const { pepper } = deps.env;
  const fits = await verifyPassword(person?.password_hash ?? null, password, pepper);
  const step = stepOfSealed(person?.totp_secret ?? null, code, { pepper, staffId: person?.id ?? 0, now });
  const refuse = (reason: string) => new ProofRefused({ person, factor: "password", reason });
  if (person?.disabled_at) throw refuse("disabled person");
  if (person?.password_hash === null) throw refuse("no password set");
  if (!person || !fits) throw refuse("wrong password");
  if (step === null) throw refuse("wrong code");
  return { person, step };
}

/** @throws ProofRefused 401 `sign_in_failed`: the code was used before, or the password was changed in the meantime */
export async function requireUnusedCode(tx: Tx, person: Person, step: number): Promise<void> {
  if (await takeAppCode(tx, person, step)) return;
  throw new ProofRefused({ person, factor: "password", reason: "code used before" });
}

/** Signs in by a password and a code of the authenticator app. @throws ProofRefused 401 `sign_in_failed` */
export async function signInByPassword(
  ctx: Context,
  input: { email: string; password: string; code: string },
  browser: Browser,
): Promise<StaffSession> {
  const found = await findPersonByEmail(ctx.deps.db, input.email);
  const { person, step } = await verifyPasswordAndCode(ctx, found, input);
  const staffId = asStaffId(person.id);
  return transaction(ctx.deps.db, async (tx) => {
    await lockPerson(tx, staffId);
    await requireUnusedCode(tx, person, step);
    return startSession(tx, ctx, { staffId, factor: "password", browser });
  });
}

/** Signs in by a recovery code, and mails the person that one was used. @throws ProofRefused 401 `sign_in_failed` */
export async function signInByRecoveryCode(
  ctx: Context,
  { email, code }: { email: string; code: string },
  browser: Browser,
): Promise<StaffSession> {
  const { deps, now } = ctx;
  const factor: Factor = "recovery_code";
  const person = await findPersonByEmail(deps.db, email);
  const refuse = (reason: string) => new ProofRefused({ person, factor, reason });
  const hash = await findCode(deps.db, deps.env.pepper, person?.id ?? 0, code);
  if (person?.disabled_at) throw refuse("disabled person");
  if (!person || hash === null) throw refuse("wrong or used code");
  const staffId = asStaffId(person.id);
  return transaction(deps.db, async (tx) => {
    await lockPerson(tx, staffId);
    if (!(await takeCode(tx, hash, now))) throw refuse("code used before");
    const session = await startSession(tx, ctx, { staffId, factor, browser });
    await enqueueMailTo(tx, {
      key: `staff-recovery-code-used:${hash}`,
      template: "staff-recovery-code-used",
      to: person.email,
      data: { email: person.email },
      notBefore: null,
      isSecret: false,
      now,
    });
    return session;
  });
}
