import { type Conn, execute, queryOne, sql } from "@marketday/db";
import { z } from "zod";

/** Stores the hash of a token that opens a session once. */
export const insertBridge = (db: Conn, tokenHash: string, sessionId: string, expiresAt: Date): Promise<number> =>
  execute(
    db,
    sql`insert into bridge_token (token_hash, session_id, expires_at) values (${tokenHash}, ${sessionId}::uuid, ${expiresAt})`,
  );

const BridgedSession = z.object({ id: z.string(), customer_id: z.number().nullable() });

/** Uses a token up. Null: it is used, expired or unknown, or its session has ended. */
export const redeemBridge = (db: Conn, tokenHash: string, now: Date): Promise<z.infer<typeof BridgedSession> | null> =>
  queryOne(
    db,
    sql`update bridge_token b set used_at = ${now} from session s
        where b.token_hash = ${tokenHash} and b.used_at is null and b.expires_at > ${now} and s.id = b.session_id and s.ended_at is null
        returning s.id::text as id, s.customer_id`,
    BridgedSession,
  );
