import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import { cleanCode } from "@marketday/domain/text";
import { z } from "zod";

import { asCustomerId, type CustomerId } from "../identity/context.ts";

interface NewEmailChange {
  customerId: CustomerId;
  oldEmail: string;
  newEmail: string;
  tokenHash: string;
  expiresAt: Date;
  now: Date;
}

/** Records a replaced address, with the link that restores it. */
export const insertEmailChange = (tx: Conn, change: NewEmailChange) =>
  execute(
    tx,
    sql`insert into email_change (customer_id, old_email, new_email, token_hash, created_at, expires_at)
        values (${change.customerId}::int, ${change.oldEmail}, ${change.newEmail}, ${change.tokenHash}, ${change.now}, ${change.expiresAt})`,
  );

const ChangeRow = z.object({ id: z.number(), customer_id: z.number(), old_email: z.string() });

/** The change that a valid link undoes, with its customer locked; null for any other link. */
export async function lockEmailChange(tx: Conn, tokenHash: string, now: Date) {
  const row = await queryOne(
    tx,
    sql`select e.id, e.customer_id, e.old_email from customer c join email_change e on e.customer_id = c.id
        where e.token_hash = ${tokenHash} and c.deleted_at is null for no key update of c`,
    ChangeRow,
  );
  if (!row) return null;
  // Checked again now that no one else can undo it.
  const open = await queryOne(
    tx,
    sql`select id from email_change where id = ${row.id}::int and undone_at is null and expires_at > ${now}`,
    z.object({ id: z.number() }),
  );
  // Older versions stored what was pasted.
  const oldEmail = cleanCode(row.old_email).toLowerCase();
  return open && { id: row.id, customerId: asCustomerId(row.customer_id), oldEmail };
}

/** Restores an address and invalidates the links of this and all later changes. Throws a unique violation. */
export async function restoreEmail(
  tx: Conn,
  change: { id: number; customerId: CustomerId; oldEmail: string },
  now: Date,
): Promise<void> {
  await execute(tx, sql`update customer set email = ${change.oldEmail} where id = ${change.customerId}::int`);
  await execute(
    tx,
    sql`update email_change set undone_at = ${now}
        where customer_id = ${change.customerId}::int and id >= ${change.id}::int and undone_at is null`,
  );
}

/** Every address this customer has or had, in lower case, without those that another customer has now. */
export async function findAddressesOf(conn: Conn, customerId: CustomerId): Promise<string[]> {
  const rows = await query(
    conn,
    sql`select lower(a.email) as email from (
          select email from customer where id = ${customerId}::int
          union select old_email from email_change where customer_id = ${customerId}::int
          union select new_email from email_change where customer_id = ${customerId}::int) a
        where a.email is not null
          and not exists (select 1 from customer o where o.email = a.email and o.id <> ${customerId}::int)
        order by 1`,
    z.object({ email: z.string() }),
  );
  return rows.map(({ email }) => email);
}
