import { type Conn, execute, queryOne, sql } from "@marketday/db";
import { Second } from "@marketday/domain/time";
import { z } from "zod";

import type { KeyId } from "./idempotency-store.ts";

/** Lease of a running request. After it the request counts as dead, and a retry takes its key over. */
const LEASE_MS = 15 * Second.ms;

const Row = z.object({
  is_claimed: z.boolean(),
  same_body: z.boolean(),
  state: z.enum(["running", "done"]),
  status: z.number().nullable(),
  response: z.unknown(),
});

export type Claim =
  | { state: "claimed" }
  | { state: "running" }
  | { state: "other_body" }
  | { state: "done"; status: number; response: unknown };

/** Claims the key for this request, or returns the state of the request that has it. One statement. */
export async function claimKey(db: Conn, id: KeyId, requestHash: string, now: Date): Promise<Claim> {
  const lease = new Date(now.getTime() + LEASE_MS);
  const row = await queryOne(
    db,
    sql`with claimed as (
          insert into idempotency_key as k (actor, key, request_hash, state, lease_until, created_at)
          values (${id.actor}, ${id.key}, ${requestHash}, 'running', ${lease}, ${now})
          on conflict (actor, key) do update set lease_until = excluded.lease_until, created_at = excluded.created_at
            where k.state = 'running' and k.lease_until <= ${now} and k.request_hash = excluded.request_hash
          returning k.*)
        select true as is_claimed, true as same_body, state, status, response from claimed
        union all
        select false, request_hash = ${requestHash}, state, status, response from idempotency_key
        where actor = ${id.actor} and key = ${id.key} and not exists (select 1 from claimed)`,
    Row,
  );
  // Neither half returned it: another request inserted it at the same time.
  if (!row) return { state: "running" };
  if (row.is_claimed) return { state: "claimed" };
  if (!row.same_body) return { state: "other_body" };
  if (row.state === "running") return { state: "running" };
  return { state: "done", status: row.status ?? 200, response: row.response };
}

/**
 * Stores the response of a request that has succeeded. A request whose server died before this finds its attempt or purchase by
 * the key when it is retried (docs/failures.md B1, B2).
 */
export async function finishKey(db: Conn, id: KeyId, status: number, json: string): Promise<void> {
  await execute(
    db,
    sql`update idempotency_key set state = 'done', status = ${status}::int, response = ${json}::jsonb
        where actor = ${id.actor} and key = ${id.key} and state = 'running'`,
  );
}

/**
 * Deletes keys whose request died and was not retried. A later retry starts from scratch, or finds the attempt or purchase
 * with its key. Keys of an open attempt or purchase are kept until it ends.
 * @param before requests whose lease expired by then are dead
 * @returns the number of deleted keys
 */
export const freeDeadKeys = (db: Conn, before: Date, limit: number): Promise<number> =>
  execute(
    db,
    sql`delete from idempotency_key where (actor, key) in (
          select k.actor, k.key from idempotency_key k where k.state = 'running' and k.lease_until <= ${before}
            and not exists (select 1 from checkout_attempt a where a.idempotency_key = k.actor || ' ' || k.key and a.state in ('held', 'challenge'))
            and not exists (select 1 from payment p where p.idempotency_key = k.actor || ' ' || k.key and p.state in ('created', 'challenge', 'authorized'))
          limit ${limit}::int for update skip locked)`,
  );
