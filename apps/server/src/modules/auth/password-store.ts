import { type Conn, execute, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { asCustomerId, type CustomerId } from "../identity/context.ts";
import { enqueueJobs } from "../mail/store.ts";

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

const OwnerRow = z.object({
  id: z.number(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  /** The name of the customer's market; null without one. */
  hub_name: z.string().nullable(),
  password_hash: z.string().nullable(),
});
export type PasswordOwner = Omit<z.infer<typeof OwnerRow>, "id"> & { id: CustomerId };

const ownerColumns = sql`c.id, c.email, c.first_name, c.last_name, (select h.name from hub h where h.id = c.hub_id) as hub_name, c.password_hash`;

const owner = (row: z.infer<typeof OwnerRow> | null): PasswordOwner | null =>
  row && { ...row, id: asCustomerId(row.id) };

/** The customer of a valid reset link. */
export const findResetOwner = async (db: Conn, tokenHash: string, now: Date): Promise<PasswordOwner | null> =>
  owner(
    await queryOne(
      db,
      sql`select ${ownerColumns}
          from password_reset r join customer c on c.id = r.customer_id
          where r.token_hash = ${tokenHash} and r.used_at is null and r.expires_at > ${now} and c.deleted_at is null`,
      OwnerRow,
    ),
  );

export const findPasswordOwner = async (db: Conn, customerId: CustomerId): Promise<PasswordOwner | null> =>
  owner(
    await queryOne(
      db,
      sql`select ${ownerColumns} from customer c where c.id = ${customerId}::int and c.deleted_at is null`,
      OwnerRow,
    ),
  );

/** Marks a reset link as used; false when it was used already. */
export const claimReset = async (tx: Conn, tokenHash: string, now: Date): Promise<boolean> =>
  (await execute(
    tx,
    sql`update password_reset set used_at = ${now} where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}`,
  )) === 1;

/** Sets a password, invalidates older reset links, and sends a notice. */
export async function setPassword(tx: Conn, customerId: CustomerId, passwordHash: string, now: Date): Promise<void> {
  await execute(
    tx,
    sql`update customer set password_hash = ${passwordHash}, password_changed_at = ${now} where id = ${customerId}::int`,
  );
  await endResets(tx, customerId, now);
}

/** Removes the password and invalidates reset links: nothing but a new reset link opens the account. */
export async function clearPassword(tx: Conn, customerId: CustomerId, now: Date): Promise<void> {
  await execute(
    tx,
    sql`update customer set password_hash = null, password_changed_at = ${now} where id = ${customerId}::int`,
  );
  await endResets(tx, customerId, now);
}

/**
 * Locks a customer until the transaction ends; false when the password is no longer the one that was proved, because it was changed
 * or cleared in the meantime.
 */
export const lockPassword = async (tx: Conn, customerId: CustomerId, passwordHash: string | null): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select id from customer where id = ${customerId}::int and password_hash = ${passwordHash} and deleted_at is null for no key update`,
    z.object({ id: z.number() }),
  )) !== null;

export const endResets = (tx: Conn, customerId: CustomerId, now: Date) =>
  execute(
    tx,
    sql`update password_reset set used_at = ${now} where customer_id = ${customerId}::int and used_at is null`,
  );
