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

const ReportForMail = z.object({
  id: z.number(),
  order_id: z.number(),
  message: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  market: z.string(),
  photos: z.number(),
});
export type ReportForMail = z.infer<typeof ReportForMail>;

/** A report as the mail about it tells it; null when it is gone. */
export const findReportForMail = (conn: Conn, id: number): Promise<ReportForMail | null> =>
  queryOne(
    conn,
    sql`select r.id, coalesce(o.add_on_to_id, o.id) as order_id, r.message, trim(c.first_name || ' ' || c.last_name) as name, c.email, h.name as market,
          (select count(*)::int from problem_photo p where p.report_id = r.id) as photos
        from problem_report r join customer c on c.id = r.customer_id join orders o on o.id = r.order_id join hub h on h.id = o.hub_id
        where r.id = ${id}::int`,
    ReportForMail,
  );
