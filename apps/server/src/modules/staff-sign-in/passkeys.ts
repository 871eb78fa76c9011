import type { NewPasskey, PasskeyProof } from "@marketday/contracts/admin/session";
import type { Client } from "@marketday/db";
import { z } from "zod";

import { sha256 } from "../../lib/tokens.ts";
import { asStaffId, type Context, type StaffId } from "../identity/context.ts";
import { CHALLENGE_MS, type ChallengeUse, insertChallenge, takeChallenge } from "./challenge-store.ts";
import { findPasskey, findPasskeys, type NewPasskeyRow, type PasskeyRow, advanceCounter } from "./passkey-store.ts";
import { passkeyRefused, ProofRefused } from "./refusal.ts";
import type { RelyingParty } from "./relying-party.ts";

/** Loaded with the first challenge: 0.2 s and 27 MB that a market whose staff is not signing in does not need. */
const loadWebAuthn = () => import("@simplewebauthn/server");

/** COSE's EdDSA, ES256 and RS256: the same on every server, so that a passkey of one can be verified by another with an older Node. */
const ALGORITHMS = [-8, -7, -257];
/** A reason in the audit log may quote what the browser sent. */
const REASON_MAX = 200;

/** WebAuthn's user handle of a person: stored in the authenticator beside the key, so it says nothing about them. */
const handleOf = (staffId: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(sha256(`marketday staff ${staffId}`), "hex"));

/** Options for `navigator.credentials.create`, with a new challenge. */
export async function startNewPasskey(
  { deps, now }: Context,
  party: RelyingParty,
  person: { id: StaffId; email: string; name: string },
  use: Omit<ChallengeUse, "staffId">,
) {
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: deps.env.marketName,
    rpID: party.id,
    userID: handleOf(person.id),
    userName: person.email,
    userDisplayName: person.name,
    timeout: CHALLENGE_MS,
    attestationType: "none",
    excludeCredentials: (await findPasskeys(deps.db, person.id)).map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  await insertChallenge(deps.db, options.challenge, { ...use, staffId: person.id }, now);
  return { ...options };
}

/** Options for `navigator.credentials.get`, with a new challenge. `staffId` null: any passkey of this market that the browser knows. */
export async function startProof({ deps, now }: Context, party: RelyingParty, use: ChallengeUse) {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    timeout: CHALLENGE_MS,
    userVerification: "required",
    ...(use.staffId !== null && {
      allowCredentials: (await findPasskeys(deps.db, use.staffId)).map(({ id, transports }) => ({ id, transports })),
    }),
  });
  await insertChallenge(deps.db, options.challenge, use, now);
  return { ...options };
}

const ClientData = z.object({ challenge: z.string() });

/** The challenge that a browser answered; null when the answer cannot be read. */
function challengeIn(clientData: string): string | null {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(clientData, "base64url").toString())).challenge;
  } catch {
    return null;
  }
}

/** Uses up the challenge of an answer. @returns null, or why it was refused */
async function takeAnswered(
  { deps, now }: Context,
  clientData: string,
  use: ChallengeUse,
): Promise<{ challenge: string; reason: null } | { challenge: null; reason: string }> {
  const challenge = challengeIn(clientData);
  if (challenge === null) return { challenge, reason: "unreadable answer" };
  const reason = await takeChallenge(deps.db, challenge, use, now);
  return reason === null ? { challenge, reason } : { challenge: null, reason };
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX);

/**
 * Verifies a new passkey of a person and uses up its challenge.
 * @throws ProofRefused 400 `passkey_failed`
 */
export async function verifyNewPasskey(
  ctx: Context,
  party: RelyingParty,
  passkey: z.infer<typeof NewPasskey>,
  person: { id: StaffId; email: string },
  use: Omit<ChallengeUse, "staffId">,
): Promise<NewPasskeyRow> {
  const taken = await takeAnswered(ctx, passkey.response.clientDataJSON, { ...use, staffId: person.id });
  if (taken.reason !== null) throw passkeyRefused(person, taken.reason);
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: passkey,
    expectedChallenge: taken.challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    throw passkeyRefused(person, reasonOf(error));
  });
  if (!verified) throw passkeyRefused(person, "attestation");
  const { credential, credentialBackedUp } = registrationInfo;
  return {
    id: credential.id,
    publicKey: Uint8Array.from(credential.publicKey),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])],
    isSynced: credentialBackedUp,
  };
}

/** A proof by a passkey that fits. It counts once `countProof` has stored it. */
export interface VerifiedProof {
  passkey: PasskeyRow;
  staffId: StaffId;
  counter: number;
  isSynced: boolean;
}

/**
 * Verifies a proof by a passkey and uses up its challenge.
 * @throws ProofRefused 401 `sign_in_failed`
 */
export async function verifyProof(
  ctx: Context,
  party: RelyingParty,
  proof: z.infer<typeof PasskeyProof>,
  use: ChallengeUse,
): Promise<VerifiedProof> {
  const passkey = await findPasskey(ctx.deps.db, proof.id);
  const person = passkey && passkey.staff;
  const refuse = (reason: string) => new ProofRefused({ person, factor: "passkey", reason });
  const taken = await takeAnswered(ctx, proof.response.clientDataJSON, use);
  if (taken.reason !== null) throw refuse(taken.reason);
  if (!passkey || !person) throw refuse("unknown passkey");
  if (use.staffId !== null && person.id !== use.staffId) throw refuse("passkey of another person");
  if (person.disabled_at !== null) throw refuse("disabled person");
  const { userHandle } = proof.response;
  // A passkey that was found without naming the person must bring the handle (WebAuthn §7.2 step 6).
  if (
    userHandle === undefined ? use.staffId === null : !Buffer.from(userHandle, "base64url").equals(handleOf(person.id))
  )
    throw refuse("user handle of another person");
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: proof,
    expectedChallenge: taken.challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    // 0: the counter is compared by `advanceCounter`, atomically and only after the signature was verified.
    credential: { id: passkey.id, publicKey: Uint8Array.from(passkey.public_key), counter: 0 },
  }).catch((error: unknown) => {
    throw refuse(reasonOf(error));
  });
  if (!verified) throw refuse("signature");
  return {
    passkey,
    staffId: asStaffId(person.id),
    counter: authenticationInfo.newCounter,
    isSynced: authenticationInfo.credentialBackedUp,
  };
}

/**
 * Stores the use of a verified proof, in the transaction that grants what it proves.
 * @throws ProofRefused 401 `sign_in_failed` when the passkey's counter went back, or the passkey was removed in the meantime
 */
export async function countProof(tx: Client, { passkey, counter, isSynced }: VerifiedProof, now: Date): Promise<void> {
  if (await advanceCounter(tx, { id: passkey.id, counter, isSynced, now })) return;
  const isCopy = (await findPasskey(tx, passkey.id)) !== null;
  throw new ProofRefused({
    person: passkey.staff,
    factor: "passkey",
    reason: isCopy ? `counter went back: ${counter}, stored ${passkey.counter}` : "removed passkey",
    isCopy,
  });
}
