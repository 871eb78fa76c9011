import { randomUUID } from "node:crypto";

import { type Db, execute, sql } from "@marketday/db";
import { SECURE_SESSION_COOKIE, type SessionPurpose, sessionTokens, sha256 } from "@marketday/server/lib/tokens";

const SECRET = sha256("session of the benchmark");
/** Settings of a server in production that takes test cards. Each shopper has a separate address, because rate limits are on. */
export const PRODUCTION = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://market.example.org",
  TRUST_PROXY: "127.0.0.1",
  SESSION_SECRET: SECRET,
  PASSWORD_PEPPER: sha256("password of the benchmark"),
  RATE_LIMITS: "on",
};

/** A signed-in browser of the market, and the same of the floor server. */
export interface Browser {
  market: Record<string, string>;
  floor: Record<string, string>;
}

let addresses = 0;
/** Headers of a new address, as a proxy sends them. */
export const fromNewAddress = (): Record<string, string> => {
  const n = (addresses += 1);
  return {
    "x-forwarded-for": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
    "x-forwarded-proto": "https",
    "sec-fetch-site": "same-origin",
  };
};

/** Adds guests or customers of hub 1 with a session each. The floor's sessions are copied by `fillFloor`. */
export async function addBrowsers(db: Db, purpose: SessionPurpose, count: number): Promise<Browser[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const now = new Date();
  if (purpose === "guest") {
    await execute(
      db,
      sql`insert into guest (id, hub_id, created_at) select id, 1, ${now}::timestamptz from unnest(${ids}::uuid[]) id`,
    );
    await execute(
      db,
      sql`insert into session (id, guest_id, created_at, last_seen_at) select id, id, ${now}::timestamptz, ${now}::timestamptz from unnest(${ids}::uuid[]) id`,
    );
  } else
    await execute(
      db,
      sql`with made as (
            insert into customer (email, password_hash, first_name, last_name, zip_code, hub_id)
            select id || '@example.com', 'none', 'Robin', 'Baker', '60614', 1 from unnest(${ids}::text[]) id
            returning id, email)
          insert into session (id, customer_id, created_at, last_seen_at)
          select split_part(email, '@', 1)::uuid, id, ${now}::timestamptz, ${now}::timestamptz from made`,
    );
  const tokens = sessionTokens([SECRET], 365);
  return ids.map((sessionId) => {
    const address = fromNewAddress();
    return {
      market: { ...address, cookie: `${SECURE_SESSION_COOKIE}=${tokens.sign({ sessionId, purpose })}` },
      floor: { ...address, cookie: `session=${sessionId}` },
    };
  });
}
