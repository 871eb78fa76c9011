import { type AnyTx, execute, sql } from "@marketday/db";

import type { StaffId } from "../identity/context.ts";

/**
 * Locks a person until the transaction ends, so that a sign-in and a change of their ways to sign in come one after the other: a
 * sign-in by a passkey that is being deleted starts no session.
 */
export const lockPerson = (tx: AnyTx, staffId: StaffId): Promise<number> =>
  execute(tx, sql`select id from staff where id = ${staffId}::int for no key update`);
