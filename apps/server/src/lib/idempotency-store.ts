import { type Conn, execute, queryOne, sql } from "@marketday/db";
import { Second } from "@marketday/domain/time";
import { z } from "zod";

export interface KeyId {
  actor: string;
  key: string;
}

/** A request that takes longer than this has died; another may go on with its key. */
const LEASE_MS = 15 * Second.ms;

const Row = z.object({
  mine: z.boolean(),
  same_body: z.boolean(),
  state: z.enum(["running", "done"]),
  status: z.number().nullable(),
  response: z.unknown(),
});

export type Claim =
  | { state: "mine" }
  | { state: "running" }
  | { state: "other_body" }
  | { state: "done"; status: number; response: unknown };

/** Takes the key for this request, or says what became of the one that has it. One statement. */
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
        select true as mine, true as same_body, state, status, response from claimed
        union all
        select false, request_hash = ${requestHash}, state, status, response from idempotency_key
        where actor = ${id.actor} and key = ${id.key} and not exists (select 1 from claimed)`,
    Row,
  );
  // Seen by neither half: another request inserted it at this very moment.
  if (!row) return { state: "running" };
  if (row.mine) return { state: "mine" };
  if (!row.same_body) return { state: "other_body" };
  if (row.state === "running") return { state: "running" };
  return { state: "done", status: row.status ?? 200, response: row.response };
}

/** Keeps the answer; inside the transaction that placed an order, so that both are there or none. */
export async function finishKey(db: Conn, id: KeyId, status: number, json: string): Promise<void> {
  await execute(
    db,
    sql`update idempotency_key set state = 'done', status = ${status}::int, response = ${json}::jsonb
        where actor = ${id.actor} and key = ${id.key} and state = 'running'`,
  );
}

/** Nothing happened: the key is free again. */
export async function releaseKey(db: Conn, id: KeyId): Promise<void> {
  await execute(
    db,
    sql`delete from idempotency_key where actor = ${id.actor} and key = ${id.key} and state = 'running'`,
  );
}

/**
 * Frees keys whose request died and that nobody sent again: whoever still does begins anew, or meets what came of it by the
 * attempt or purchase that has the key. A key whose attempt or purchase is still open waits for its end. Returns how many.
 * @param before a request whose lease ran out by then is dead
 */
export const freeDeadKeys = (db: Conn, before: Date, limit: number): Promise<number> =>
  execute(
    db,
    sql`delete from idempotency_key where (actor, key) in (
          select k.actor, k.key from idempotency_key k where k.state = 'running' and k.lease_until <= ${before}
            and not exists (select 1 from checkout_attempt a where a.idempotency_key = k.actor || ' ' || k.key and a.state in ('held', 'paid', 'challenge'))
            and not exists (select 1 from payment p where p.idempotency_key = k.actor || ' ' || k.key and p.state in ('created', 'challenge', 'authorized'))
          limit ${limit}::int for update skip locked)`,
  );
