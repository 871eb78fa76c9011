import { type AnyTx, type Conn, execute, query, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { mayBecome } from "./payment-transitions.ts";
import { OPEN_PURCHASE } from "./purchase-store.ts";

/**
 * Part of a `with` in which `counted` has the `counted_as` of a payment that succeeded: it counts against no limit on
 * payment attempts any more.
 */
export const uncounted: Sql = sql`
  uncounted as (update rate_limit r set points = r.points - 1 from counted where r.key = any(counted.counted_as) and r.points > 0)`;

/** Locks a purchase that is still open. False: it has ended. */
export const lockOpenPurchase = async (tx: AnyTx, id: string): Promise<boolean> =>
  (
    await query(
      tx,
      sql`select id::text as id from payment where id = ${id}::uuid and state = any(${[...OPEN_PURCHASE]}::text[]) and purpose is not null for update`,
      z.object({ id: z.string() }),
    )
  ).length > 0;

/** The condition of a purchase whose request died before `before`, or whose bank's question is older than `unanswered`. */
export const isAbandoned = (before: Date, unanswered: Date): Sql =>
  sql`purpose is not null and ((state in ('created', 'authorized') and created_at <= ${before})
        or (state = 'challenge' and created_at <= ${unanswered}))`;

/** Purchases whose request died before `before`, and bank's questions older than `unanswered`, oldest first. `isNotPaused`: of a `payment`. */
export const findAbandonedPurchases = (db: Conn, before: Date, unanswered: Date, isNotPaused: Sql, limit: number) =>
  query(
    db,
    sql`select id::text as id from payment where (${isAbandoned(before, unanswered)}) and ${isNotPaused} order by created_at limit ${limit}::int`,
    z.object({ id: z.string() }),
  );

/** The money of an open purchase, locked, is taken; false when it has ended. */
export const settlePurchase = async (tx: Conn, id: string, ref: string, now: Date): Promise<boolean> =>
  (await execute(
    tx,
    sql`with counted as (select counted_as from payment where id = ${id}::uuid and ${mayBecome("captured", OPEN_PURCHASE)}), ${uncounted}
        update payment set state = 'captured', provider_ref = ${ref}, authorized_at = ${now}, captured_cents = amount_cents, counted_as = '{}'
        where id = ${id}::uuid and ${mayBecome("captured", OPEN_PURCHASE)}`,
  )) === 1;
