import { type AnyTx, execute, sql } from "@marketday/db";

/** Locks a gift card until the transaction ends: against sending it again, and against its redemption. */
export const lockGiftCard = (tx: AnyTx, id: number) =>
  execute(tx, sql`select 1 from gift_card where id = ${id}::int for update`);
