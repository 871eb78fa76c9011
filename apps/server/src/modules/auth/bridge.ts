import type { Client } from "@marketday/db";
import { BRIDGE_TOKEN_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";

import { newToken, type SessionToken, sha256 } from "../../lib/tokens.ts";
import type { Context } from "../identity/context.ts";
import { insertBridge, redeemBridge } from "./bridge-store.ts";

/** Creates a token that opens this session in a web view, once, within 60 s (docs/product.md §3). */
export async function makeBridge(
  { deps, now }: Context,
  sessionId: string,
): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken();
  const expiresAt = addMs(now, BRIDGE_TOKEN_MS);
  await insertBridge(deps.db, sha256(token), sessionId, expiresAt);
  return { token, expiresAt };
}

/** The session of a bridge token; null for one that is used, expired or unknown, or whose session has ended. */
export async function crossBridge(db: Client, token: string, now: Date): Promise<SessionToken | null> {
  const row = await redeemBridge(db, sha256(token), now);
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
