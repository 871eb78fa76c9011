import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

import { Second } from "@marketday/domain/time";
import { generateSecret, generateURI, verifySync } from "otplib";
import { toString as drawQr } from "qrcode";

/** Seconds of a time step (RFC 6238). Codes of the step before and after are accepted too. */
const STEP_S = 30;
const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (pepper: string): Buffer => Buffer.from(hkdfSync("sha256", pepper, "", "marketday staff totp", 32));

/**
 * Encrypts an authenticator app's secret for the database, with a key derived from the pepper (setting PASSWORD_PEPPER). With another
 * pepper it cannot be read: like the password beside it, it has to be set up again by a reset link. A rotation of SESSION_SECRET
 * changes nothing. `staffId` is bound to it: copied to another person's row it cannot be read.
 */
export function sealSecret(secret: string, pepper: string, staffId: number): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(pepper), iv).setAAD(Buffer.from(String(staffId)));
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
}

/** Decrypts a stored secret; null when it was encrypted with another pepper or for another person, or is damaged. */
function openSecret(sealed: string, pepper: string, staffId: number): string | null {
  const bytes = Buffer.from(sealed, "base64url");
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(pepper), bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(String(staffId)))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}

/** The time step whose code this is, at `now` or one step off; null when it is none. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(now.getTime() / Second.ms),
    epochTolerance: STEP_S,
  });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}

/** A secret of no person, so that an email of no person takes the same work. */
const DECOY = generateSecret();

/** The same for a stored secret. Without one it does the same work and returns null. */
export function stepOfSealed(
  sealed: string | null,
  code: string,
  { pepper, staffId, now }: { pepper: string; staffId: number; now: Date },
): number | null {
  const secret = openSecret(sealed ?? sealSecret(DECOY, pepper, staffId), pepper, staffId);
  const step = stepOf(secret ?? DECOY, code, now);
  return sealed === null || secret === null ? null : step;
}

/** A new secret for an authenticator app, with its `otpauth:` URI, and that as a QR code (an SVG picture as a data URL). */
export async function newAppSecret(
  account: string,
  market: string,
): Promise<{ secret: string; uri: string; qr: string }> {
  const secret = generateSecret();
  const uri = generateURI({ issuer: market, label: account, secret });
  const svg = await drawQr(uri, { type: "svg", margin: 2, errorCorrectionLevel: "M" });
  return { secret, uri, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}` };
}
