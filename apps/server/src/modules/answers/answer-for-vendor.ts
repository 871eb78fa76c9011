import { type Conn, query, sql, type SqlTx } from "@marketday/db";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { answerMatter, answerMax } from "./answer-matter.ts";
import { MATTERS, type Matter } from "./store.ts";

const Row = z.object({
  matter: z.enum(MATTERS),
  id: z.number(),
  vendor: z.string(),
  customer: z.string(),
  about: z.string(),
  message: z.string(),
  asked_at: z.date(),
  /** Of the customer's hub. */
  time_zone: z.string(),
});
/** A message or question that waits for an answer. */
export type WaitingRow = z.infer<typeof Row>;

/** Threads whose last message is a customer's, and open questions, oldest first, of one vendor (slug) or of all. */
export const findWaiting = (db: Conn, vendor: string | null, most: number): Promise<WaitingRow[]> =>
  query(
    db,
    sql`select * from (
          select 'thread' as matter, t.id, v.slug as vendor, trim(c.first_name || ' ' || c.last_name) as customer, '' as about, m.message, m.created_at as asked_at,
            coalesce((select h.time_zone from hub h where h.id = c.hub_id), 'UTC') as time_zone
          from thread t join vendor v on v.id = t.vendor_id join customer c on c.id = t.customer_id
          join lateral (select * from message m where m.thread_id = t.id order by m.created_at desc, m.id desc limit 1) m on m.sender = 'C'
          union all
          select 'question', q.id, v.slug, trim(c.first_name || ' ' || c.last_name), p.title, q.question, q.created_at,
            coalesce((select h.time_zone from hub h where h.id = c.hub_id), 'UTC')
          from question q join product p on p.id = q.product_id join vendor v on v.id = p.vendor_id join customer c on c.id = q.customer_id where q.answer is null) as w
        where ${vendor}::text is null or vendor = ${vendor} order by asked_at, matter, id limit ${most}::int`,
    Row,
  );

/** Whether the question, or the thread's last message, already has this answer. Locks the row until the transaction ends. */
async function isAnsweredWith(tx: SqlTx, { matter, matterId }: { matter: Matter; matterId: number }, text: string) {
  if (matter === "review") return false;
  const locked =
    matter === "question"
      ? sql`select q.answer as last from question q where q.id = ${matterId}::int for update`
      : sql`select (select case when m.sender = 'U' then m.message end from message m where m.thread_id = t.id order by m.created_at desc, m.id desc limit 1) as last
            from thread t where t.id = ${matterId}::int for update`;
  const [row] = await query(tx, locked, z.object({ last: z.string().nullable() }));
  return row?.last === text;
}

/**
 * An operator answers for a vendor (docs/product.md §10): a thread, a question or a review, with a mail to the shopper, as the
 * vendor's link would. 400 too long or empty; 409 deleted or already answered. `isNew` is false if the question or the last message
 * of the thread already has this answer.
 */
export async function answerForVendor(
  ctx: Context,
  about: { matter: Matter; matterId: number },
  answer: string,
  { reason = "", dryRun = false } = {},
): Promise<{ isNew: boolean }> {
  const text = answer.trim();
  const most = answerMax(about.matter);
  if (text === "" || text.length > most)
    throw new AppError(400, `Say something, in at most ${most} characters.`, { code: "invalid", field: "message" });
  return withDryRun(ctx.deps.db, dryRun, async (tx) => {
    if (await isAnsweredWith(tx, about, text)) return { isNew: false };
    if (!(await answerMatter(tx, about, text, ctx.now)))
      throw new AppError(409, `There is no ${about.matter} ${about.matterId} that waits for an answer.`, {
        code: "answered",
      });
    await writeAuditEntry(tx, ctx, {
      action: "inbox reply",
      subject: `${about.matter}:${about.matterId}`,
      reason,
      data: { characters: text.length },
    });
    return { isNew: true };
  });
}
