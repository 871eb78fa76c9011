import { type Conn, execute, queryOne, sql } from "@marketday/db";
import { BRIDGE_TOKEN_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import type { Context } from "../../lib/context.ts";
import { newToken, type SessionToken, sha256 } from "../../lib/tokens.ts";

/** Creates a token that opens this session in a web view, once, within 60 s (docs/product.md §3). */
export async function makeBridge(
  { deps, now }: Context,
  sessionId: string,
): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken();
  const expiresAt = addMs(now, BRIDGE_TOKEN_MS);
  await execute(
    deps.db,
    sql`insert into bridge_token (token_hash, session_id, expires_at) values (${sha256(token)}, ${sessionId}::uuid, ${expiresAt})`,
  );
  return { token, expiresAt };
}

/** The session of a bridge token; null for one that is used, expired or unknown, or whose session has ended. */
export async function crossBridge(db: Conn, token: string, now: Date): Promise<SessionToken | null> {
  const row = await queryOne(
    db,
    sql`update bridge_token b set used_at = ${now} from session s
        where b.token_hash = ${sha256(token)} and b.used_at is null and b.expires_at > ${now} and s.id = b.session_id and s.ended_at is null
        returning s.id::text as id, s.customer_id`,
    z.object({ id: z.string(), customer_id: z.number().nullable() }),
  );
  return row && { sessionId: row.id, purpose: row.customer_id === null ? "guest" : "customer" };
}

/** A path of the shop with the web view's parameters; /shop for anything that could lead to another site. */
export function bridgeTarget(to: unknown): string {
  const path = typeof to === "string" ? to : "";
  const isOurs = /^\/(?![/\\])[^\p{Cc}\\]*$/u.test(path) && path.length <= 2000;
  const url = new URL(isOurs ? path : "/shop", "http://market.invalid");
  if (url.host !== "market.invalid" || url.pathname.startsWith("//")) return "/shop?app=true";
  url.searchParams.set("app", "true");
  return url.pathname + url.search + url.hash;
}
