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
/** Something a shopper said that waits for an answer. */
export type WaitingRow = z.infer<typeof Row>;

/** Threads whose last word is a shopper's and open questions, the oldest first, of one vendor (slug) or of all. */
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

/** Whether these words are the answer already: a question's, or the last ones of a thread. Holds the row until the end. */
async function isSaid(tx: SqlTx, { matter, matterId }: { matter: Matter; matterId: number }, words: string) {
  if (matter === "review") return false;
  const held =
    matter === "question"
      ? sql`select q.answer as last from question q where q.id = ${matterId}::int for update`
      : sql`select (select case when m.sender = 'U' then m.message end from message m where m.thread_id = t.id order by m.created_at desc, m.id desc limit 1) as last
            from thread t where t.id = ${matterId}::int for update`;
  const [found] = await query(tx, held, z.object({ last: z.string().nullable() }));
  return found?.last === words;
}

/**
 * An operator answers for a vendor (docs/product.md §10): a thread, a question or a review, with a mail to the shopper, as the
 * vendor's link would. 400 too long or empty; 409 gone, or answered already. The same words as the last ones of a thread
 * are not said again, and an answer that stands is not given again: `isNew` is false.
 */
export async function answerForVendor(
  ctx: Context,
  about: { matter: Matter; matterId: number },
  answer: string,
  { reason = "", dryRun = false } = {},
): Promise<{ isNew: boolean }> {
  const words = answer.trim();
  const most = answerMax(about.matter);
  if (words === "" || words.length > most)
    throw new AppError(400, `Say something, in at most ${most} characters.`, { code: "invalid", field: "message" });
  return withDryRun(ctx.deps.db, dryRun, async (tx) => {
    if (await isSaid(tx, about, words)) return { isNew: false };
    if (!(await answerMatter(tx, about, words, ctx.now)))
      throw new AppError(409, `There is no ${about.matter} ${about.matterId} that waits for an answer.`, {
        code: "answered",
      });
    await writeAuditEntry(tx, ctx, {
      action: "inbox reply",
      subject: `${about.matter}:${about.matterId}`,
      reason,
      data: { characters: words.length },
    });
    return { isNew: true };
  });
}
