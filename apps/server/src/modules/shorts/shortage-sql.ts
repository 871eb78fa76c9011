import { type AnyTx, query, sql } from "@marketday/db";
import { z } from "zod";

/** Locks a shortage until the transaction ends. */
export const lockShortage = (tx: AnyTx, id: number) =>
  query(tx, sql`select id from shortage where id = ${id}::int for update`, z.object({ id: z.number() }));
