import { type AnyTx, type Conn, execute, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";
import { enqueueJobs } from "../mail/mail-sql.ts";

export interface NewReset {
  email: string;
  token: string;
  tokenHash: string;
  expiresAt: Date;
  now: Date;
}

/**
 * Creates a reset link and its mail for the customer of this email, and invalidates older links: one statement, also for an address
 * without an account (failures.md F17). The token is only in the mail, and only until that is sent.
 */
export async function insertReset(db: Conn, { email, token, tokenHash, expiresAt, now }: NewReset): Promise<void> {
  await execute(
    db,
    sql`with account as (
          select id, email from customer where email = ${email} and deleted_at is null),
        superseded as (
          update password_reset set used_at = ${now} where used_at is null and customer_id in (select id from account)),
        made as (
          insert into password_reset (token_hash, customer_id, created_at, expires_at)
          select ${tokenHash}, id, ${now}, ${expiresAt} from account),
        written as (
          insert into mail (key, template, to_email, data, is_secret, created_at)
          select ${`password-reset:${tokenHash}`}, 'password-reset', email, ${JSON.stringify({ token })}::jsonb, true, ${now} from account
          returning id, next_at), ${enqueueJobs(now)} select from notified`,
  );
}

/**
 * Locks a customer until the transaction ends; false when the password is no longer the one that was proved, because it was changed
 * or cleared in the meantime.
 */
export const lockPassword = async (tx: AnyTx, customerId: CustomerId, passwordHash: string | null): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select id from customer where id = ${customerId}::int and password_hash = ${passwordHash} and deleted_at is null for no key update`,
    z.object({ id: z.number() }),
  )) !== null;
