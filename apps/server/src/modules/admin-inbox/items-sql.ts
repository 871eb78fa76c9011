import { join, type Sql, sql } from "@marketday/db";
import { type InboxKind, INBOX_KINDS, INBOX_TURNS, isModerated, VENDOR_TURN_MS } from "@marketday/domain/inbox-turn";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import { type HubScope, inScope } from "../today/hub-filter-sql.ts";

/** What is in the inbox, of all kinds. SQL, because seven tables in one order are a union, which Prisma's client has not (record 0018). */

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
export const items = (
  kinds: readonly InboxKind[],
  scopes: InboxScopes,
  now: Date,
  condition: Sql = sql`true`,
): Sql => sql`
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
export const columns = sql`i.kind, i.id, i.hub_id, (select json_build_object('id', h.id, 'slug', h.slug, 'name', h.name, 'timeZone', h.time_zone) from hub h where h.id = i.hub_id) as hub,
  i.customer_id, i.first_name, i.last_name, i.email, i.phone, case when i.vendor_slug is not null then json_build_object('slug', i.vendor_slug, 'name', i.vendor_name) end as vendor,
  case when i.product_slug is not null then json_build_object('slug', i.product_slug, 'title', i.product_title) end as product,
  i.order_id, i.form, i.rating, i.words, i.at, i.is_answered, i.has_vendor_email, i.hidden_at, i.closed_at,
  (select json_build_object('id', a.id, 'name', a.name) from staff a where a.id = i.assignee_id) as assignee, i.turn`;

/** Kinds of which a person may read any. */
export const kindsOf = ({ reply }: InboxScopes, kind: InboxKind | null): InboxKind[] =>
  INBOX_KINDS.filter(
    (each) => (kind === null || kind === each) && (isModerated(each) || reply === "all" || reply.length > 0),
  );
