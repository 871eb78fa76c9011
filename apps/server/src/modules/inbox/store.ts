import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

const MessageRow = z.object({ sender: z.enum(["C", "U"]), created_at: z.date(), message: z.string() });
/** A message as JSON: the instant is text. */
const LastMessage = MessageRow.extend({ created_at: z.string() });
const ThreadRow = z.object({
  id: z.number(),
  read_at: z.date().nullable(),
  vendor_id: z.number(),
  vendor_slug: z.string(),
  vendor_name: z.string(),
  vendor_city: z.string(),
  vendor_state: z.string(),
  avatar: z.object({ id: z.string(), alt: z.string(), thumbhash: z.string() }).nullable(),
  last_message: LastMessage.nullable(),
});
export type ThreadRow = z.infer<typeof ThreadRow>;
export type MessageRow = z.infer<typeof MessageRow>;

const THREAD_COLUMNS = sql`t.id, t.read_at, v.id as vendor_id, v.slug as vendor_slug, v.name as vendor_name, v.city as vendor_city, v.state as vendor_state,
  (select jsonb_build_object('id', p.id, 'alt', p.alt, 'thumbhash', p.thumbhash) from picture p where p.id = v.avatar_id) as avatar,
  (select jsonb_build_object('sender', m.sender, 'created_at', m.created_at, 'message', m.message) from message m where m.thread_id = t.id
   order by m.created_at desc, m.id desc limit 1) as last_message`;

/** A page of a customer's threads, most recent message first, and the number of all threads. */
export async function findThreads(
  conn: Conn,
  customerId: CustomerId,
  { offset, rows }: { offset: number; rows: number },
): Promise<{ threads: ThreadRow[]; total: number }> {
  const threads = await query(
    conn,
    sql`select ${THREAD_COLUMNS} from thread t join vendor v on v.id = t.vendor_id where t.customer_id = ${customerId}::int
        order by t.updated_at desc, t.id desc limit ${rows}::int offset ${offset}::int`,
    ThreadRow,
  );
  const count = await queryOne(
    conn,
    sql`select count(*)::int as total from thread where customer_id = ${customerId}::int`,
    z.object({ total: z.number() }),
  );
  return { threads, total: count?.total ?? 0 };
}

/** A customer's own thread with its messages, oldest first; null for another customer's thread. */
export async function findThread(
  conn: Conn,
  customerId: CustomerId,
  threadId: number,
): Promise<{ thread: ThreadRow; messages: MessageRow[] } | null> {
  const thread = await queryOne(
    conn,
    sql`select ${THREAD_COLUMNS} from thread t join vendor v on v.id = t.vendor_id
        where t.id = ${threadId}::int and t.customer_id = ${customerId}::int`,
    ThreadRow,
  );
  if (!thread) return null;
  const messages = await query(
    conn,
    sql`select sender, created_at, message from message where thread_id = ${threadId}::int order by created_at, id`,
    MessageRow,
  );
  return { thread, messages };
}

/** Locks a customer's own thread and returns its vendor; null for another customer's thread. */
export const lockThread = (tx: Conn, customerId: CustomerId, threadId: number): Promise<{ vendor_id: number } | null> =>
  queryOne(
    tx,
    sql`select vendor_id from thread where id = ${threadId}::int and customer_id = ${customerId}::int for update`,
    z.object({ vendor_id: z.number() }),
  );

/** Marks a customer's own thread as read, never at an earlier time than before. False for another customer's thread. */
export const markThreadRead = async (
  conn: Conn,
  customerId: CustomerId,
  threadId: number,
  now: Date,
): Promise<boolean> =>
  (await execute(
    conn,
    sql`update thread set read_at = greatest(read_at, ${now}) where id = ${threadId}::int and customer_id = ${customerId}::int`,
  )) === 1;
