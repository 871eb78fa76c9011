import { type AnyTx, execute, sql } from "@marketday/db";

import type { StaffId } from "../identity/context.ts";

/** Until the transaction ends, no one else changes who runs the market: two owners who demote each other come one after the other. */
export const lockStaff = (tx: AnyTx): Promise<number> =>
  execute(tx, sql`select pg_advisory_xact_lock(hashtext('staff'))`);

/**
 * Locks a person until the transaction ends, so that a sign-in and a change of their ways to sign in come one after the other: a
 * sign-in by a passkey that is being deleted starts no session.
 */
export const lockPerson = (tx: AnyTx, staffId: StaffId): Promise<number> =>
  execute(tx, sql`select id from staff where id = ${staffId}::int for no key update`);
