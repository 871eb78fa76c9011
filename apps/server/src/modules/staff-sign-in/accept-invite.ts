import type { NewPasskey } from "@marketday/contracts/admin/session";
import { transaction, type Tx } from "@marketday/db";
import { STAFF_PASSWORD_MIN } from "@marketday/domain/staff";
import type { z } from "zod";

import { assertGoodPassword, hashPassword } from "../../lib/password.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { revokeApiKeys } from "../identity/api-key-store.ts";
import { asStaffId, type Context, type StaffId } from "../identity/context.ts";
import type { StaffSession } from "../identity/staff-sessions.ts";
import { findLink, claimLink } from "../staff/link-store.ts";
import { lockPerson } from "../staff/staff-sql.ts";
import { clearSignIn, endSessions } from "../staff/store.ts";
import { insertPasskey } from "./passkey-store.ts";
import { verifyNewPasskey } from "./passkeys.ts";
import { setUpPerson } from "./person-store.ts";
import { replaceCodes } from "./recovery-codes.ts";
import { type Factor, passkeyRefused, ProofRefused, subjectOf } from "./refusal.ts";
import type { RelyingParty } from "./relying-party.ts";
import { type Browser, startSession } from "./start-session.ts";
import { sealSecret, stepOf } from "./totp.ts";

/** A person who has just set up their sign-in. */
interface SetUp {
  session: StaffSession;
  /** Shown once. */
  recoveryCodes: string[];
}

/** The person of a link. @throws AppError 404 `link_dead` */
export async function invitedPerson({ deps, now }: Context, token: string) {
  const { staff } = await findLink(deps.db, token, now);
  return { ...staff, id: asStaffId(staff.id) };
}

/**
 * Uses the link, stores the way to sign in by `store`, and signs the person in with ten new recovery codes. Nothing that the person
 * signed in with before remains.
 * @throws AppError 404 `link_dead`
 */
const setUp = (
  ctx: Context,
  { token, staffId, factor, browser }: { token: string; staffId: StaffId; factor: Factor; browser: Browser },
  store: (tx: Tx) => Promise<void>,
): Promise<SetUp> =>
  transaction(ctx.deps.db, async (tx) => {
    // Before the link, in the order in which a reset locks them.
    await lockPerson(tx, staffId);
    const { purpose } = await claimLink(tx, token, ctx.now);
    await clearSignIn(tx, staffId);
    await endSessions(tx, staffId, ctx.now);
    await revokeApiKeys(tx, staffId, "all", ctx.now);
    await store(tx);
    const recoveryCodes = await replaceCodes(tx, ctx.deps.env.pepper, staffId, ctx.now);
    const session = await startSession(tx, ctx, { staffId, factor, browser });
    await writeAuditEntry(
      tx,
      { now: ctx.now, actor: session.actor },
      { action: "staff set-up", subject: subjectOf(session.actor), reason: "", data: { purpose, factor } },
    );
    return { session, recoveryCodes };
  });

/**
 * Sets up a sign-in by a passkey with the link of an invitation or a reset. `browserToken`: that of the browser's cookie.
 * @throws AppError 404 `link_dead`, ProofRefused 400 `passkey_failed`
 */
export async function acceptWithPasskey(
  ctx: Context,
  party: RelyingParty,
  input: { token: string; name: string; passkeyName: string; passkey: z.infer<typeof NewPasskey> },
  browserToken: string,
  browser: Browser,
): Promise<SetUp> {
  const person = await invitedPerson(ctx, input.token);
  const passkey = await verifyNewPasskey(ctx, party, input.passkey, person, {
    purpose: "invite",
    browser: browserToken,
  });
  return setUp(ctx, { token: input.token, staffId: person.id, factor: "passkey", browser }, async (tx) => {
    await setUpPerson(tx, person.id, { name: input.name });
    if (!(await insertPasskey(tx, passkey, { staffId: person.id, name: input.passkeyName, now: ctx.now })))
      throw passkeyRefused(person, "passkey is stored already");
  });
}

/**
 * Sets up a sign-in by a password and an authenticator app, whose `secret` a code confirms.
 * @throws AppError 404 `link_dead`, 400 `wrong_code` and those of `assertGoodPassword`
 */
export async function acceptWithPassword(
  ctx: Context,
  input: { token: string; name: string; password: string; secret: string; code: string },
  browser: Browser,
): Promise<SetUp> {
  const { env } = ctx.deps;
  const person = await invitedPerson(ctx, input.token);
  assertGoodPassword(input.password, {
    min: STAFF_PASSWORD_MIN,
    names: [input.name, person.email, env.marketName],
    tooShort: `Use at least ${STAFF_PASSWORD_MIN} characters`,
  });
  const step = stepOf(input.secret, input.code, ctx.now);
  if (step === null)
    throw new ProofRefused(
      { person, factor: "password", reason: "wrong code" },
      400,
      "That code doesn't match. Enter the one that the app shows now.",
      { code: "wrong_code", field: "code" },
    );
  const passwordHash = await hashPassword(input.password, env.pepper);
  const totpSecret = sealSecret(input.secret, env.pepper, person.id);
  return setUp(ctx, { token: input.token, staffId: person.id, factor: "password", browser }, (tx) =>
    setUpPerson(tx, person.id, { name: input.name, password: { passwordHash, totpSecret, step } }),
  );
}
