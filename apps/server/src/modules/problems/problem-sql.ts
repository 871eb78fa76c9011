import { type AnyTx, type Conn, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

/** Locks a customer's own order; false for another customer's. */
export const lockOrder = async (tx: AnyTx, customerId: CustomerId, orderId: number): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select id from orders where id = ${orderId}::int and customer_id = ${customerId}::int for update`,
    z.object({ id: z.number() }),
  )) !== null;

/** Those of these photo files that a report has. The list has as many files as the folder. */
export const findKeptPhotos = async (db: Conn, files: readonly string[]): Promise<string[]> =>
  (
    await query(
      db,
      sql`select file from problem_photo where file = any(${[...files]}::text[])`,
      z.object({ file: z.string() }),
    )
  ).map(({ file }) => file);
