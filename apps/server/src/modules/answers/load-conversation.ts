import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import type { Subject } from "./store.ts";

/** The maximum of a thread's messages, the latest ones. */
const MESSAGES_MOST = 200;

const Row = z.object({
  vendor: z.string(),
  customer: z.object({ id: z.number(), name: z.string(), email: z.string().nullable() }),
  /** The product of a question or review. */
  about: z.string(),
  timeZone: z.string(),
  /** Oldest first; `at` is ISO-8601. */
  messages: z.array(z.object({ from: z.enum(["customer", "vendor"]), at: z.string(), message: z.string() })),
});
/** The messages of a thread, a question or a review, for operators; times are in the time zone of the customer's hub. */
export type Conversation = z.infer<typeof Row>;

const people = sql`v.name as vendor, jsonb_build_object('id', c.id, 'name', trim(c.first_name || ' ' || c.last_name), 'email', c.email) as customer,
          coalesce((select h.time_zone from hub h where h.id = c.hub_id), 'UTC') as "timeZone"`;

const conversations: Record<Subject, (id: number) => ReturnType<typeof sql>> = {
  thread: (id) =>
    sql`select ${people}, '' as about, coalesce((
            select jsonb_agg(jsonb_build_object('from', case m.sender when 'C' then 'customer' else 'vendor' end, 'at', m.created_at, 'message', m.message) order by m.created_at, m.id)
            from (select * from message where thread_id = t.id order by created_at desc, id desc limit ${MESSAGES_MOST}::int) m), '[]') as messages
        from thread t join vendor v on v.id = t.vendor_id join customer c on c.id = t.customer_id where t.id = ${id}::int`,
  question: (id) =>
    sql`select ${people}, p.title as about, jsonb_build_array(jsonb_build_object('from', 'customer', 'at', q.created_at, 'message', q.question))
            || case when q.answer is null then '[]' else jsonb_build_array(jsonb_build_object('from', 'vendor', 'at', q.answered_at, 'message', q.answer)) end as messages
        from question q join product p on p.id = q.product_id join vendor v on v.id = p.vendor_id join customer c on c.id = q.customer_id where q.id = ${id}::int`,
  review: (id) =>
    sql`select ${people}, p.title as about, jsonb_build_array(jsonb_build_object('from', 'customer', 'at', r.created_at, 'message', r.comment)) as messages
        from review r join product p on p.id = r.product_id join vendor v on v.id = p.vendor_id join customer c on c.id = r.customer_id where r.id = ${id}::int`,
};

/** The messages of a thread, a question or a review. @throws AppError 404 */
export async function loadConversation(
  db: Conn,
  { subject, subjectId }: { subject: Subject; subjectId: number },
): Promise<Conversation> {
  const found = await queryOne(db, conversations[subject](subjectId), Row);
  if (!found) throw new AppError(404, `There is no ${subject} ${subjectId}.`, { code: "not_found" });
  return found;
}
