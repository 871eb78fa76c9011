import { type AnyTx, execute, query, sql } from "@marketday/db";
import { z } from "zod";

/** Locks a hub against other changes until the transaction ends, if there is one with this slug. */
export const lockHub = (tx: AnyTx, slug: string): Promise<unknown> =>
  query(tx, sql`select id from hub where slug = ${slug} for update`, z.object({ id: z.number() }));

/** Statements of this transaction have no time limit: a file may have thousands of hubs. */
export const allowLongStatements = (tx: AnyTx): Promise<number> => execute(tx, sql`set local statement_timeout = 0`);
