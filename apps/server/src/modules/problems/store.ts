import { type Conn, execute, queryOne, sql } from "@marketday/db";
import { addMs, Hour } from "@marketday/domain/time";
import { z } from "zod";

import type { Proof } from "../../gateways/bot-check/bot-check.ts";
import type { CustomerId } from "../../lib/context.ts";

/** Stores a proof as used; false if it was used before. */
export const spendProof = async (tx: Conn, { once, expiresAt }: Proof): Promise<boolean> =>
  (await execute(
    tx,
    sql`insert into bot_proof (nonce, expires_at) values (${once}, ${expiresAt}) on conflict (nonce) do nothing`,
  )) === 1;

/** Whether the order belongs to the customer: one primary key lookup before the body is read. */
export const ownsOrder = async (conn: Conn, customerId: CustomerId, orderId: number): Promise<boolean> =>
  (await queryOne(
    conn,
    sql`select id from orders where id = ${orderId}::int and customer_id = ${customerId}::int`,
    z.object({ id: z.number() }),
  )) !== null;

/** Locks a customer's own order; false for another customer's. */
export const lockOrder = async (tx: Conn, customerId: CustomerId, orderId: number): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select id from orders where id = ${orderId}::int and customer_id = ${customerId}::int for update`,
    z.object({ id: z.number() }),
  )) !== null;

interface NewReport {
  customerId: CustomerId;
  orderId: number;
  message: string;
  /** File names of the photos. */
  files: readonly string[];
  now: Date;
}

/** Within this time, the same message about the same order is one report. */
const SAME_MS = Hour.ms;

/** Inserts a report of a locked order and returns its id; null if it is a duplicate. */
export async function insertReport(
  tx: Conn,
  { customerId, orderId, message, files, now }: NewReport,
): Promise<number | null> {
  const row = await queryOne(
    tx,
    sql`insert into problem_report (order_id, customer_id, message, created_at)
        select ${orderId}::int, ${customerId}::int, ${message}, ${now}
        where not exists (select 1 from problem_report r where r.order_id = ${orderId}::int and r.message = ${message}
          and r.created_at > ${addMs(now, -SAME_MS)} and (select count(*) from problem_photo p where p.report_id = r.id) = ${files.length}::int)
        returning id`,
    z.object({ id: z.number() }),
  );
  if (!row) return null;
  for (const file of files)
    await execute(
      tx,
      sql`insert into problem_photo (id, report_id, file) values (${file.replace(/\.jpg$/, "")}, ${row.id}::int, ${file})`,
    );
  return row.id;
}
