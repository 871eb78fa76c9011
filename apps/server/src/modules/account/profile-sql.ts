import { type AnyTx, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

/** The customer's current email and ZIP code. Locks the row until the transaction ends. Null: the account is deleted. */
export const lockProfile = (tx: AnyTx, customerId: CustomerId) =>
  queryOne(
    tx,
    sql`select email, zip_code from customer where id = ${customerId}::int and deleted_at is null for no key update`,
    z.object({ email: z.string().nullable(), zip_code: z.string().nullable() }),
  );
