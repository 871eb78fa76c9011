import type { Client } from "@marketday/db";

/** Stores the hash of a token that opens a session once. */
export async function insertBridge(db: Client, tokenHash: string, sessionId: string, expiresAt: Date): Promise<void> {
  await db.bridge_token.create({ data: { token_hash: tokenHash, session_id: sessionId, expires_at: expiresAt } });
}

/** Uses a token up. Null: it is used, expired or unknown, or its session has ended. */
export async function redeemBridge(
  db: Client,
  tokenHash: string,
  now: Date,
): Promise<{ id: string; customer_id: number | null } | null> {
  const [used] = await db.bridge_token.updateManyAndReturn({
    where: { token_hash: tokenHash, used_at: null, expires_at: { gt: now }, session: { ended_at: null } },
    data: { used_at: now },
    select: { session: { select: { id: true, customer_id: true } } },
  });
  return used?.session ?? null;
}
