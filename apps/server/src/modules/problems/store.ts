import { type Conn, execute, queryOne, sql, query } from "@marketday/db";
import { addMs, Hour } from "@marketday/domain/time";
import { z } from "zod";

import type { Proof } from "../../gateways/bot-check/bot-check.ts";
import type { CustomerId } from "../identity/context.ts";
import { visible } from "../orders/store.ts";
import { SizeColumns, sizeColumns } from "../products/size-store.ts";

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

const BoxItem = z.object({
  variant_id: z.number(),
  product_title: z.string(),
  variant_title: z.string(),
  ...SizeColumns.shape,
  quantity: z.number(),
  /** As ordered, before edits and shortages. */
  ordered: z.number(),
});
export type BoxItem = z.infer<typeof BoxItem>;

/**
 * What was ordered in a box, by variant. Of canceled orders the box's own counts if it stays listed, as one that the market canceled.
 */
export const findBoxItems = (conn: Conn, boxId: number): Promise<BoxItem[]> =>
  query(
    conn,
    sql`select i.variant_id, min(i.product_title) as product_title, min(i.variant_title) as variant_title, ${sizeColumns},
          sum(i.quantity)::int as quantity, sum(i.quantity_ordered)::int as ordered
        from orders o join order_item i on i.order_id = o.id join variant v on v.id = i.variant_id
        where (o.id = ${boxId}::int and ${visible}) or (o.add_on_to_id = ${boxId}::int and o.status <> 'cancelled')
        group by i.variant_id, v.id`,
    BoxItem,
  );

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

const ProblemRow = z.object({
  id: z.number(),
  order_id: z.number(),
  hub: z.string(),
  customer: z.string().nullable(),
  message: z.string(),
  status: z.string(),
  photos: z.array(z.string()),
  created_at: z.date(),
  /** Of the order's hub. */
  time_zone: z.string(),
});
export type ProblemRow = z.infer<typeof ProblemRow>;

/** Problem reports, open ones first, oldest first; with closed ones if `closedToo`. */
export const findProblems = (db: Conn, closedToo: boolean): Promise<ProblemRow[]> =>
  query(
    db,
    sql`select p.id, p.order_id, h.slug as hub, c.email as customer, p.message, p.status,
          coalesce((select array_agg(f.file order by f.id) from problem_photo f where f.report_id = p.id), '{}') as photos, p.created_at, h.time_zone
        from problem_report p join orders o on o.id = p.order_id join hub h on h.id = o.hub_id join customer c on c.id = p.customer_id
        where p.status = 'open' or ${closedToo} order by p.status desc, p.created_at, p.id`,
    ProblemRow,
  );

const LockedProblem = z.object({ status: z.string(), order_id: z.number() });

/** Locks a report until the transaction ends. */
export const lockProblem = (tx: Conn, id: number): Promise<z.infer<typeof LockedProblem> | null> =>
  queryOne(tx, sql`select status, order_id from problem_report where id = ${id}::int for update`, LockedProblem);

/** Closes a report. */
export const markClosed = (tx: Conn, id: number, now: Date): Promise<number> =>
  execute(tx, sql`update problem_report set status = 'closed', closed_at = ${now} where id = ${id}::int`);

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

/** A report, for the mail about it; null when it was deleted. */
export const findReportForMail = (conn: Conn, id: number): Promise<ReportForMail | null> =>
  queryOne(
    conn,
    sql`select r.id, coalesce(o.add_on_to_id, o.id) as order_id, r.message, trim(c.first_name || ' ' || c.last_name) as name, c.email, h.name as market,
          (select count(*)::int from problem_photo p where p.report_id = r.id) as photos
        from problem_report r join customer c on c.id = r.customer_id join orders o on o.id = r.order_id join hub h on h.id = o.hub_id
        where r.id = ${id}::int`,
    ReportForMail,
  );

/** Those of these photo files that a report has. */
export const findKeptPhotos = async (db: Conn, files: readonly string[]): Promise<string[]> =>
  (
    await query(
      db,
      sql`select file from problem_photo where file = any(${[...files]}::text[])`,
      z.object({ file: z.string() }),
    )
  ).map(({ file }) => file);
