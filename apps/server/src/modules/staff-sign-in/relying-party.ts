import { isIP } from "node:net";

import { AppError } from "../../lib/app-error.ts";

/** What passkeys are bound to (WebAuthn's relying party): a host name, and the origin of the pages that use them. */
export interface RelyingParty {
  /** The host's name without a port. */
  id: string;
  origin: string;
}

const isLocal = (hostname: string): boolean => hostname === "localhost" || hostname.endsWith(".localhost");

/**
 * The relying party of a request: that of PUBLIC_URL, and without it localhost. Null where browsers offer no passkeys: on plain http
 * (except localhost), and at an address without a name. A host that only the request names is never trusted.
 */
export function relyingPartyOf(
  publicUrl: string | null,
  { protocol, host }: { protocol: string; host: string },
): RelyingParty | null {
  const address = publicUrl ?? `${protocol}://${host}`;
  if (!URL.canParse(address)) return null;
  const { protocol: scheme, hostname, origin } = new URL(address);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return null;
  if (!isLocal(hostname) && (publicUrl === null || scheme !== "https:")) return null;
  return { id: hostname, origin };
}

/** @throws AppError 409 `passkeys_unavailable` where browsers offer no passkeys */
export function requireRelyingParty(party: RelyingParty | null): RelyingParty {
  if (party) return party;
  throw new AppError(
    409,
    "Passkeys need an address that begins with https. Use a password and an authenticator app here.",
    { code: "passkeys_unavailable" },
  );
}
