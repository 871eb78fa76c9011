import { type Conn, execute, query, queryOne, type Sql, sql, type Tx } from "@marketday/db";
import { type InboxKind, isModerated } from "@marketday/domain/inbox-turn";
import { z } from "zod";

import { columns, InboxRow, type InboxScopes, items, kindsOf } from "./items-sql.ts";

const Answer = z.object({
  from: z.enum(["sender", "vendor", "market"]),
  by: z.string().nullable(),
  at: z.coerce.date(),
  text: z.string(),
});
const Hidden = z.object({ at: z.coerce.date(), by: z.string(), reason: z.string() }).nullable();
const DetailRow = InboxRow.extend({
  /** Of the words and answers, and of a vendor's answer to a review, which is not among them: what an answer, a closing or a hiding is over. */
  version: z.string(),
  conversation: z.array(Answer),
  data: z.record(z.string(), z.unknown()).nullable(),
  zip_code: z.string().nullable(),
  photos: z.array(z.string()),
  order: z.object({ id: z.number(), day: z.string(), status: z.string(), cents: z.number() }).nullable(),
  hidden: Hidden,
  answer_hidden: Hidden,
  pending_id: z.number().nullable(),
});
export type DetailRow = z.infer<typeof DetailRow>;

const entryOf = (from: Sql, by: Sql, at: Sql, text: Sql): Sql =>
  sql`json_build_object('from', ${from}, 'by', ${by}, 'at', ${at}, 'text', ${text})`;
/** Answers that the staff sent by email. */
const replies = (kind: Sql): Sql => sql`
  select r.created_at as at, ${entryOf(sql`'market'`, sql`(select f.name from staff f where f.id = r.staff_id)`, sql`r.created_at`, sql`r.text`)} as entry
  from inbox_reply r where r.kind = ${kind} and r.item_id = i.id`;
const first = sql`select i.at, ${entryOf(sql`'sender'`, sql`null`, sql`i.at`, sql`i.words`)} as entry`;
const talk = (entries: Sql): Sql => sql`coalesce((select json_agg(x.entry order by x.at) from (${entries}) x), '[]')`;

/** The latest messages of a thread that are shown. */
const MESSAGES_MOST = 200;
/** The conversation of an item `i`. A message of the vendor that the staff wrote has the name of who did. */
const CONVERSATIONS: Record<InboxKind, Sql> = {
  message: talk(sql`
    select m.created_at as at, ${entryOf(
      sql`case when m.sender = 'C' then 'sender' when f.id is not null then 'market' else 'vendor' end`,
      sql`f.name`,
      sql`m.created_at`,
      sql`m.message`,
    )} as entry
    from (select * from message m where m.thread_id = i.id order by m.created_at desc, m.id desc limit ${MESSAGES_MOST}::int) m
    left join inbox_reply r on m.sender = 'U' and r.kind = 'message' and r.item_id = i.id and r.created_at = m.created_at left join staff f on f.id = r.staff_id`),
  question: talk(sql`${first}
    union all select q.answered_at, ${entryOf(sql`case when f.id is null then 'vendor' else 'market' end`, sql`f.name`, sql`coalesce(q.answered_at, q.created_at)`, sql`q.answer`)}
    from question q left join inbox_reply r on r.kind = 'question' and r.item_id = q.id left join staff f on f.id = r.staff_id where q.id = i.id and q.answer is not null`),
  review: talk(sql`${first} union all ${replies(sql`'review'`)}`),
  endorsement: talk(first),
  problem: talk(sql`${first} union all ${replies(sql`'problem'`)}`),
  contact: talk(sql`${first} union all ${replies(sql`'contact'`)}`),
  application: talk(sql`${first} union all ${replies(sql`'application'`)}`),
};

const hiddenOf = (prefix: "hidden" | "answer_hidden", table: Sql): Sql => {
  const [at, by, reason] =
    prefix === "hidden"
      ? [sql`t.hidden_at`, sql`t.hidden_by`, sql`t.hidden_reason`]
      : [sql`t.answer_hidden_at`, sql`t.answer_hidden_by`, sql`t.answer_hidden_reason`];
  return sql`(select json_build_object('at', ${at}, 'by', coalesce((select f.name from staff f where f.id = ${by}), ''), 'reason', ${reason}) from ${table} t where t.id = i.id and ${at} is not null)`;
};
const TABLES: Record<InboxKind, Sql> = {
  message: sql`thread`,
  question: sql`question`,
  review: sql`review`,
  endorsement: sql`endorsement`,
  problem: sql`problem_report`,
  contact: sql`lead`,
  application: sql`lead`,
};

/** Locks the row of an item until the transaction ends: against its writer, and a vendor's answer by link. */
export const lockRow = (tx: Tx, { kind, id }: { kind: InboxKind; id: number }): Promise<unknown> =>
  execute(tx, sql`select 1 from ${TABLES[kind]} t where t.id = ${id}::int for update`);

/** One item, whole; null: there is none that the person may read. */
export async function findItem(
  conn: Conn,
  { kind, id }: { kind: InboxKind; id: number },
  scopes: InboxScopes,
  now: Date,
): Promise<DetailRow | null> {
  if (kindsOf(scopes, kind).length === 0) return null;
  const isLead = kind === "contact" || kind === "application";
  const hidden = isModerated(kind) ? hiddenOf("hidden", TABLES[kind]) : sql`null::json`;
  const answerHidden = kind === "question" ? hiddenOf("answer_hidden", sql`question`) : sql`null::json`;
  const conversation = CONVERSATIONS[kind];
  const row = await queryOne(
    conn,
    sql`select d.*, md5(concat_ws('/', d.conversation::text, d.is_answered, d.closed_at, d.hidden::text, d.answer_hidden::text)) as version from (
          select ${columns}, ${conversation} as conversation, ${isLead ? sql`(select l.data from lead l where l.id = i.id)` : sql`null::json`} as data,
            ${isLead ? sql`(select l.zip_code from lead l where l.id = i.id)` : sql`null::text`} as zip_code,
            ${kind === "problem" ? sql`coalesce((select json_agg(f.id order by f.id) from problem_photo f where f.report_id = i.id), '[]')` : sql`'[]'::json`} as photos,
            ${
              kind === "problem"
                ? sql`(select json_build_object('id', o.id, 'day', to_char(d.day, 'YYYY-MM-DD'), 'status', o.status, 'cents', o.order_total_cents)
                    from orders o join delivery d on d.id = o.delivery_id where o.id = i.order_id)`
                : sql`null::json`
            } as "order",
            ${hidden} as hidden, ${answerHidden} as answer_hidden,
            (select max(a.id) from staff_action a where a.subject = ${`${kind}:${id}`} and a.kind = 'inbox_reply' and a.state in ('held', 'running')) as pending_id
          from (${items([kind], scopes, now, sql`i.id = ${id}::int`)}) i) d`,
    DetailRow,
  );
  return row && DetailRow.parse(row);
}

const EarlierRow = InboxRow.pick({ kind: true, id: true, words: true, at: true, turn: true });
export type EarlierRow = z.infer<typeof EarlierRow>;

/** Other items of the same account, or of the same address, that the person may read, newest first. */
export const findEarlier = (
  conn: Conn,
  { kind, id, customer_id: customerId, email }: Pick<InboxRow, "kind" | "id" | "customer_id" | "email">,
  scopes: InboxScopes,
  now: Date,
): Promise<EarlierRow[]> =>
  query(
    conn,
    sql`select i.kind, i.id, i.words, i.at, i.turn from (${items(
      kindsOf(scopes, null),
      scopes,
      now,
      sql`(i.kind, i.id) <> (${kind}, ${id}::int) and ${
        customerId === null
          ? email === ""
            ? sql`false`
            : sql`i.customer_id is null and i.email = ${email}`
          : sql`i.customer_id = ${customerId}::int`
      }`,
    )}) i order by i.at desc, i.kind, i.id desc limit 10`,
    EarlierRow,
  );
