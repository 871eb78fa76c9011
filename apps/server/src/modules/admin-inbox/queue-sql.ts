import { type Conn, join, query, queryOne, type Sql, sql } from "@marketday/db";
import { type InboxKind, INBOX_KINDS, INBOX_TURNS, isModerated, VENDOR_TURN_MS } from "@marketday/domain/inbox-turn";
import { addMs } from "@marketday/domain/time";
import { ANSWER_LATE_MS } from "@marketday/domain/today";
import { z } from "zod";

import type { HubScope } from "../today/hub-filter-sql.ts";

/** SQL, because a page of seven tables in one order is a union, which Prisma's client has not (record 0018). */

/** Hubs in which the person may answer, and in which they may moderate. */
export interface InboxScopes {
  reply: HubScope;
  moderate: HubScope;
}

export const InboxRow = z.object({
  kind: z.enum(INBOX_KINDS),
  id: z.number(),
  hub_id: z.number().nullable(),
  hub: z.object({ id: z.number(), slug: z.string(), name: z.string(), timeZone: z.string() }).nullable(),
  customer_id: z.number().nullable(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string(),
  vendor: z.object({ slug: z.string(), name: z.string() }).nullable(),
  product: z.object({ slug: z.string(), title: z.string() }).nullable(),
  order_id: z.number().nullable(),
  form: z.string().nullable(),
  rating: z.number().nullable(),
  words: z.string(),
  at: z.coerce.date(),
  is_answered: z.boolean(),
  has_vendor_email: z.boolean(),
  hidden_at: z.coerce.date().nullable(),
  closed_at: z.coerce.date().nullable(),
  assignee: z.object({ id: z.number(), name: z.string() }).nullable(),
  turn: z.enum(INBOX_TURNS),
});
export type InboxRow = z.infer<typeof InboxRow>;

const person = sql`c.id as customer_id, c.first_name, c.last_name, coalesce(c.email, '') as email, coalesce(c.phone, '') as phone`;
const vendorOf = sql`v.slug as vendor_slug, v.name as vendor_name, coalesce(v.email, '') <> '' as has_vendor_email`;
const productOf = sql`p.slug as product_slug, p.title as product_title`;
const noVendor = sql`null::text as vendor_slug, null::text as vendor_name, false as has_vendor_email`;
const noProduct = sql`null::text as product_slug, null::text as product_title`;

const lead = (kinds: readonly string[]): Sql => sql`
  select ${kinds.length === 1 ? "contact" : "application"} as kind, l.id, (select min(z.hub_id) from hub_zip z where z.zip_code = l.zip_code) as hub_id,
    null::int as customer_id, l.name as first_name, '' as last_name, l.email, coalesce(l.data->>'phone', '') as phone, ${noVendor}, ${noProduct},
    null::int as order_id, case l.kind when 'contact' then null else l.kind end as form, null::float8 as rating,
    coalesce(nullif(l.data->>'message', ''), l.data->>'products', l.data->>'position', '') as words, l.created_at as at, false as is_answered, null::timestamptz as hidden_at
  from lead l where l.kind = any(${[...kinds]}::text[])`;

/** The rows of each kind: whose they are, what they are about, and their last words. A problem is of its order's hub, a form of its ZIP's. */
const BRANCHES: Record<InboxKind, Sql> = {
  message: sql`
    select 'message' as kind, t.id, c.hub_id, ${person}, ${vendorOf}, ${noProduct}, null::int as order_id, null::text as form, null::float8 as rating,
      m.message as words, m.created_at as at, m.sender = 'U' as is_answered, null::timestamptz as hidden_at
    from thread t join customer c on c.id = t.customer_id join vendor v on v.id = t.vendor_id
    cross join lateral (select x.message, x.created_at, x.sender from message x where x.thread_id = t.id order by x.created_at desc, x.id desc limit 1) m`,
  question: sql`
    select 'question' as kind, q.id, c.hub_id, ${person}, ${vendorOf}, ${productOf}, null::int as order_id, null::text as form, null::float8 as rating,
      q.question as words, q.created_at as at, q.answer is not null as is_answered, q.hidden_at
    from question q join customer c on c.id = q.customer_id join product p on p.id = q.product_id join vendor v on v.id = p.vendor_id`,
  review: sql`
    select 'review' as kind, r.id, c.hub_id, ${person}, ${vendorOf}, ${productOf}, null::int as order_id, null::text as form, r.rating_halves / 2.0::float8 as rating,
      r.comment as words, r.created_at as at,
      exists (select 1 from answer_link a where a.matter = 'review' and a.matter_id = r.id and a.used_at >= r.created_at) as is_answered, r.hidden_at
    from review r join customer c on c.id = r.customer_id join product p on p.id = r.product_id join vendor v on v.id = p.vendor_id`,
  endorsement: sql`
    select 'endorsement' as kind, e.id, c.hub_id, ${person}, ${vendorOf}, ${noProduct}, null::int as order_id, null::text as form, e.score::float8 as rating,
      coalesce(e.comment, '') as words, e.created_at as at, false as is_answered, e.hidden_at
    from endorsement e join customer c on c.id = e.customer_id join vendor v on v.id = e.vendor_id`,
  problem: sql`
    select 'problem' as kind, b.id, o.hub_id, ${person}, ${noVendor}, ${noProduct}, coalesce(o.add_on_to_id, o.id) as order_id, null::text as form, null::float8 as rating,
      b.message as words, b.created_at as at, false as is_answered, null::timestamptz as hidden_at
    from problem_report b join orders o on o.id = b.order_id join customer c on c.id = b.customer_id`,
  contact: lead(["contact"]),
  application: lead(["vendor", "driver", "job"]),
};

const inScope = (hubId: Sql, scope: HubScope): Sql =>
  scope === "all" ? sql`true` : sql`${hubId} = any(${[...scope]}::int[])`;

/** When the staff closed it: a problem has its own column. */
const closedAt = sql`case when i.kind = 'problem' then (select greatest(b.closed_at, b.created_at) from problem_report b where b.id = i.id and b.status = 'closed') else s.closed_at end`;

/** The rule of `inboxTurn` (domain): a test compares both. `i`: an item with `closed_at` and `answered`. */
const turnOf = (now: Date): Sql => sql`case
  when i.closed_at >= i.at then 'done'
  when i.hidden_at is not null then case when i.hidden_at >= i.at then 'done' else 'market' end
  when i.kind = 'endorsement' then 'done'
  when i.is_answered and i.kind <> 'problem' then case when i.kind = 'message' then 'shopper' else 'done' end
  when i.kind not in ('message', 'question', 'review') then 'market'
  when i.has_vendor_email and i.at > ${addMs(now, -VENDOR_TURN_MS)} then 'vendor'
  when i.kind = 'review' then 'done'
  else 'market' end`;

/** Items of these kinds that the person may read, with what the staff has done with them and whose turn it is. */
const items = (kinds: readonly InboxKind[], scopes: InboxScopes, now: Date, condition: Sql = sql`true`): Sql => sql`
  select i.*, ${turnOf(now)} as turn from (
    select i.kind, i.id, i.hub_id, i.customer_id, i.first_name, i.last_name, i.email, i.phone, i.vendor_slug, i.vendor_name, i.has_vendor_email, i.product_slug,
      i.product_title, i.order_id, i.form, i.rating, i.words, i.at, i.is_answered or coalesce(s.answered_at >= i.at, false) as is_answered, i.hidden_at,
      s.assignee_id, ${closedAt} as closed_at
    from (${join(
      kinds.map((kind) => sql`(${BRANCHES[kind]})`),
      " union all ",
    )}) i left join inbox_state s on s.kind = i.kind and s.item_id = i.id
    where ${condition} and (${inScope(sql`i.hub_id`, scopes.reply)}
      or (i.kind in ('question', 'review', 'endorsement') and ${inScope(sql`i.hub_id`, scopes.moderate)}))) i`;

/** The columns of an `InboxRow` of an item `i`. */
const columns = sql`i.kind, i.id, i.hub_id, (select json_build_object('id', h.id, 'slug', h.slug, 'name', h.name, 'timeZone', h.time_zone) from hub h where h.id = i.hub_id) as hub,
  i.customer_id, i.first_name, i.last_name, i.email, i.phone, case when i.vendor_slug is not null then json_build_object('slug', i.vendor_slug, 'name', i.vendor_name) end as vendor,
  case when i.product_slug is not null then json_build_object('slug', i.product_slug, 'title', i.product_title) end as product,
  i.order_id, i.form, i.rating, i.words, i.at, i.is_answered, i.has_vendor_email, i.hidden_at, i.closed_at,
  (select json_build_object('id', a.id, 'name', a.name) from staff a where a.id = i.assignee_id) as assignee, i.turn`;

/** Kinds of which a person may read any. */
const kindsOf = ({ reply }: InboxScopes, kind: InboxKind | null): InboxKind[] =>
  INBOX_KINDS.filter(
    (each) => (kind === null || kind === each) && (isModerated(each) || reply === "all" || reply.length > 0),
  );

export interface InboxFilter {
  view: "market" | "vendor" | "all" | "done";
  kind: InboxKind | null;
  /** Null: assigned to anyone or no one. */
  assignee: number | "none" | null;
  text: string;
  /** Slug or id. */
  hub: string | null;
}

const Counts = z.object({
  market: z.number(),
  vendor: z.number(),
  all: z.number(),
  done: z.number(),
  overdue: z.number(),
});
const QueueRow = z.object({ counts: Counts, rows: z.array(InboxRow) });
export type InboxQueue = z.infer<typeof QueueRow>;

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Of an item `i`, whether its words, names or order number have the text. */
function matches(text: string): Sql {
  if (text === "") return sql`true`;
  const like = `%${escapeLike(text)}%`;
  const digits = text.replaceAll(/\s/g, "");
  return sql`(i.words ilike ${like} or (i.first_name || ' ' || i.last_name) ilike ${like} or i.email ilike ${like} or i.vendor_name ilike ${like} or i.product_title ilike ${like}
    or i.order_id::text = ${digits})`;
}

/** A page of the inbox and the counts of its views, in one statement. */
export async function findQueue(
  conn: Conn,
  { view, kind, assignee, text, hub }: InboxFilter,
  scopes: InboxScopes,
  { offset, rows }: { offset: number; rows: number },
  now: Date,
): Promise<InboxQueue> {
  const kinds = kindsOf(scopes, kind);
  if (kinds.length === 0) return { counts: { market: 0, vendor: 0, all: 0, done: 0, overdue: 0 }, rows: [] };
  const condition = join(
    [
      matches(text),
      assignee === null
        ? sql`true`
        : assignee === "none"
          ? sql`s.assignee_id is null`
          : sql`s.assignee_id = ${assignee}::int`,
      hub === null
        ? sql`true`
        : sql`i.hub_id = (select h.id from hub h where h.slug = ${hub} or h.id::text = ${hub} order by h.id limit 1)`,
    ],
    " and ",
  );
  const isWaiting = view === "market" || view === "vendor";
  const order = isWaiting ? sql`i.at, i.kind, i.id` : sql`i.at desc, i.kind, i.id desc`;
  const row = await queryOne(
    conn,
    sql`with i as materialized (${items(kinds, scopes, now, condition)})
        select (select json_build_object('market', count(*) filter (where turn = 'market'), 'vendor', count(*) filter (where turn = 'vendor'), 'all', count(*),
              'done', count(*) filter (where turn = 'done'), 'overdue', count(*) filter (where turn in ('market', 'vendor') and at <= ${addMs(now, -ANSWER_LATE_MS)})) from i) as counts,
          coalesce((select json_agg(to_json(r)) from (
            select ${columns} from (select * from i where ${view === "all" ? sql`true` : sql`turn = ${view}`} order by ${order} limit ${rows}::int offset ${offset}::int) i
            order by ${order}) r), '[]') as rows`,
    QueueRow,
  );
  // Instants within JSON are text.
  return QueueRow.parse(row);
}

const Answer = z.object({
  from: z.enum(["sender", "vendor", "market"]),
  by: z.string().nullable(),
  at: z.coerce.date(),
  text: z.string(),
});
const Hidden = z.object({ at: z.coerce.date(), by: z.string(), reason: z.string() }).nullable();
const DetailRow = InboxRow.extend({
  /** Of the words and answers: what an answer, a closing or a hiding is over. */
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
const TABLES: Partial<Record<InboxKind, Sql>> = {
  question: sql`question`,
  review: sql`review`,
  endorsement: sql`endorsement`,
};

/** One item, whole; null: there is none that the person may read. */
export async function findItem(
  conn: Conn,
  { kind, id }: { kind: InboxKind; id: number },
  scopes: InboxScopes,
  now: Date,
): Promise<DetailRow | null> {
  if (kindsOf(scopes, kind).length === 0) return null;
  const table = TABLES[kind];
  const isLead = kind === "contact" || kind === "application";
  const hidden = table ? hiddenOf("hidden", table) : sql`null::json`;
  const answerHidden = kind === "question" ? hiddenOf("answer_hidden", sql`question`) : sql`null::json`;
  const conversation = CONVERSATIONS[kind];
  const row = await queryOne(
    conn,
    sql`select d.*, md5(concat_ws('/', d.conversation::text, d.closed_at, d.hidden::text, d.answer_hidden::text)) as version from (
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
