import { createHash, createHmac, createSecretKey, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";

import jwt from "jsonwebtoken";

/** A random token for a link: 256 bits, URL-safe. Only its hash is stored. */
export const newToken = () => randomBytes(32).toString("base64url");
export const newUuid = () => randomUUID();
export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** A UUID that is the same for the same text, so that an idempotency key finds its attempt after a crash. */
export function uuidOf(text: string): string {
  const hex = sha256(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Names of the session cookie over http and https, where browsers bind `__Host-` to one host. */
export const SESSION_COOKIE = "mkt_session";
export const SECURE_SESSION_COOKIE = "__Host-mkt_session";

export type SessionPurpose = "guest" | "customer";
export interface SessionToken {
  sessionId: string;
  purpose: SessionPurpose;
}

/** The same of the staff's session. */
export const STAFF_COOKIE = "mkt_staff";
export const SECURE_STAFF_COOKIE = "__Host-mkt_staff";
/** The cookie that binds a passkey's challenge to the browser before there is a session. It opens nothing. */
export const STAFF_BROWSER_COOKIE = "mkt_staff_browser";
export const SECURE_STAFF_BROWSER_COOKIE = "__Host-mkt_staff_browser";

const ISSUER = "marketday";
const AUDIENCE = "session";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const keyId = (secret: string) => sha256(secret).slice(0, 8);
/** A key for jsonwebtoken, which would otherwise parse the text at each call. */
const keyOf = (secret: string) => createSecretKey(Buffer.from(secret));

/**
 * Signs and verifies the session cookie. `secrets`: the first one signs, all are accepted (rotation, failures.md F10). The
 * token contains only the session id and the purpose; the row decides (docs/product.md §3).
 */
export function sessionTokens(secrets: readonly string[], absoluteDays: number) {
  const keys = new Map(secrets.map((secret) => [keyId(secret), keyOf(secret)]));
  const [current] = keys;
  if (!current) throw new Error("no session secret");
  const [currentId, currentKey] = current;
  return {
    sign: (token: SessionToken): string =>
      jwt.sign({ for: token.purpose }, currentKey, {
        algorithm: "HS256",
        keyid: currentId,
        subject: token.sessionId,
        audience: AUDIENCE,
        issuer: ISSUER,
        expiresIn: `${absoluteDays}d`,
      }),
    /** The session of the cookie and the expiry of its token; null when it is not ours. */
    read(cookie: string): (SessionToken & { expiresAt: Date }) | null {
      if (cookie.length > 1000) return null;
      try {
        const kid = jwt.decode(cookie, { complete: true })?.header.kid;
        const key = kid === undefined ? undefined : keys.get(kid);
        if (!key) return null;
        const claims = jwt.verify(cookie, key, {
          algorithms: ["HS256"],
          audience: AUDIENCE,
          issuer: ISSUER,
          ignoreExpiration: true,
        });
        if (typeof claims === "string" || !claims.sub || !UUID.test(claims.sub)) return null;
        if (claims["for"] !== "guest" && claims["for"] !== "customer") return null;
        if (typeof claims.exp !== "number") return null;
        return { sessionId: claims.sub, purpose: claims["for"], expiresAt: new Date(claims.exp * 1000) };
      } catch {
        return null;
      }
    },
  };
}

const STAFF = "staff";

/** Signs and verifies the staff's session cookie: it holds only the session's id, and no shopper's cookie passes for it. */
export function staffTokens(secrets: readonly string[]) {
  const keys = secrets.map(keyOf);
  const [current] = keys;
  if (!current) throw new Error("no session secret");
  return {
    sign: (sessionId: string): string =>
      jwt.sign({}, current, {
        algorithm: "HS256",
        subject: sessionId,
        audience: STAFF,
        issuer: ISSUER,
        expiresIn: "1d",
      }),
    /** The session's id; null when the cookie is not ours. */
    read(cookie: string): string | null {
      if (cookie.length > 1000) return null;
      for (const key of keys) {
        try {
          const claims = jwt.verify(cookie, key, {
            algorithms: ["HS256"],
            audience: STAFF,
            issuer: ISSUER,
            ignoreExpiration: true,
          });
          if (typeof claims !== "string" && claims.sub && UUID.test(claims.sub)) return claims.sub;
        } catch {
          // Signed with another secret or for another purpose, or not a token.
        }
      }
      return null;
    },
  };
}

/**
 * Signs and verifies the links by which vendors answer, and see and confirm what they bring (docs/product.md §10): a row's id and its
 * signature, so that a mail can be rendered again and the database contains no credential. `secrets` as for the cookie. The row
 * decides. A link of one purpose does not pass for the other.
 */
export function vendorTokens(purpose: "answer" | "harvest", secrets: readonly string[]) {
  const [current] = secrets;
  if (!current) throw new Error("no session secret");
  const signature = (id: string, secret: string) =>
    createHmac("sha256", secret).update(`${purpose}:${id}`).digest("base64url");
  return {
    sign: (id: string): string => `${id}.${signature(id, current)}`,
    /** The row's id; null when the link is not ours. */
    read(token: string): string | null {
      const [id = "", given = "", ...rest] = token.split(".");
      if (!UUID.test(id) || rest.length > 0) return null;
      const bytes = Buffer.from(given);
      const isOurs = secrets.some((secret) => {
        const expected = Buffer.from(signature(id, secret));
        return expected.length === bytes.length && timingSafeEqual(expected, bytes);
      });
      return isOurs ? id : null;
    },
  };
}

const DEVICE = "device";
const DEVICE_DAYS = 365;

/**
 * Signs and verifies the cookie of a browser in which an account has logged in before (failures.md F14). It grants no access:
 * login attempts of such a browser are limited separately from those of others. `account` is the email in lower case.
 */
export function deviceTokens(secrets: readonly string[]) {
  const keys = secrets.map(keyOf);
  const [current] = keys;
  if (!current) throw new Error("no session secret");
  return {
    days: DEVICE_DAYS,
    sign: (account: string): string =>
      jwt.sign({}, current, {
        algorithm: "HS256",
        subject: sha256(account),
        jwtid: newUuid(),
        audience: DEVICE,
        issuer: ISSUER,
        expiresIn: `${DEVICE_DAYS}d`,
      }),
    /** The device's id when the cookie is ours and for this account. */
    read(cookie: string, account: string): string | null {
      if (cookie.length > 1000) return null;
      for (const key of keys) {
        try {
          const claims = jwt.verify(cookie, key, { algorithms: ["HS256"], audience: DEVICE, issuer: ISSUER });
          if (typeof claims !== "string" && claims.sub === sha256(account) && claims.jti) return claims.jti;
        } catch {
          // Signed with another secret or for another purpose, or not a token.
        }
      }
      return null;
    },
  };
}
