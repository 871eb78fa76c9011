import { queryOne, sql, type SqlTx } from "@marketday/db";

import { asCustomerId, type Context } from "../../lib/context.ts";
import { forgetPerson } from "../account/delete-account.ts";

/** Deletes an account again that a backup contains; false when it is not in it, or deleted in it too. */
export async function forgetAgain(tx: SqlTx, { now }: Context, customerId: number): Promise<boolean> {
  const person = await queryOne<{ email: string | null }>(
    tx,
    sql`select email from customer where id = ${customerId}::int and deleted_at is null`,
  );
  if (!person?.email) return false;
  await forgetPerson(tx, asCustomerId(customerId), person.email, now);
  return true;
}
