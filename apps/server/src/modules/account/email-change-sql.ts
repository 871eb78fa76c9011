import { type AnyTx, type Conn, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

/** Locks the customer of an undo link until the transaction ends. False: the link is unknown, or the account is deleted. */
export const lockChangedCustomer = async (tx: AnyTx, tokenHash: string): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select c.id from customer c join email_change e on e.customer_id = c.id
        where e.token_hash = ${tokenHash} and c.deleted_at is null for no key update of c`,
    z.object({ id: z.number() }),
  )) !== null;

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
