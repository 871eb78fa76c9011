import { type AnyTx, execute, sql } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";

/** One survey of a customer at a time is shown or answered, whichever order it is for. */
export async function lockCustomer(tx: AnyTx, customerId: CustomerId): Promise<void> {
  await execute(tx, sql`select 1 from customer where id = ${customerId}::int for no key update`);
}
