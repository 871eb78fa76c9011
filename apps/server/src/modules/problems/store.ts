import { type Conn, execute, queryOne, sql } from "@marketday/db";
import { addMs, Hour } from "@marketday/domain/time";
import { z } from "zod";

import type { Proof } from "../../gateways/bot-check/bot-check.ts";
import type { CustomerId } from "../../lib/context.ts";

/** Writes a proof down; false when it was handed in before. */
export const spendProof = async (tx: Conn, { once, expiresAt }: Proof): Promise<boolean> =>
  (await execute(
    tx,
    sql`insert into bot_proof (nonce, expires_at) values (${once}, ${expiresAt}) on conflict (nonce) do nothing`,
  )) === 1;

/** Whether an order is this customer's: one look by primary key, before anything is read for it. */
export const ownsOrder = async (conn: Conn, customerId: CustomerId, orderId: number): Promise<boolean> =>
  (await queryOne(
    conn,
    sql`select id from orders where id = ${orderId}::int and customer_id = ${customerId}::int`,
    z.object({ id: z.number() }),
  )) !== null;

/** Locks a customer's own order; false for anybody else's. */
export const holdOrder = async (tx: Conn, customerId: CustomerId, orderId: number): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select id from orders where id = ${orderId}::int and customer_id = ${customerId}::int for update`,
    z.object({ id: z.number() }),
  )) !== null;

interface NewReport {
  customerId: CustomerId;
  orderId: number;
  message: string;
  /** Names of its photos' files. */
  files: readonly string[];
  now: Date;
}

/** Within this time the same words about the same order are one report. */
const SAME_MS = Hour.ms;

/** Keeps a report of an order that is held, and gives its id; null when the same one is there already. */
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
