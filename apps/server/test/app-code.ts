import { generateSync } from "otplib";

/** The code that an authenticator app shows for a secret at an instant (RFC 6238). */
export const appCode = (secret: string, at: Date): string =>
  generateSync({ secret, epoch: Math.floor(at.getTime() / 1000) });
