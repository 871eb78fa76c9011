import { type Conn, join, query, queryOne, type Sql, sql } from "@marketday/db";
import type { AUDIT_THINGS } from "@marketday/domain/audit";
import { z } from "zod";

/** Markets: all of them, or those with these ids. */
type Hubs = "all" | readonly number[];

/** Which entries a person may read. */
export interface AuditScope {
  /** As the log has the person: their own entries are always included. */
  actor: string;
  hubs: Hubs;
  /** Markets of which the entries of today are included. */
  today: Hubs;
  now: Date;
}

export interface AuditFilter {
  who?: string | undefined;
  action?: string | undefined;
  thing?: { kind: (typeof AUDIT_THINGS)[number]; id: string } | undefined;
  change?: number | undefined;
  hub?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  zone: string;
  q?: string | undefined;
  id?: number | undefined;
  /** The newest entry of an export. */
  upTo?: number | undefined;
}

const isOf = (hubs: readonly number[]): Sql => sql`e.hub_id = any(${[...hubs]}::int[])`;
/** Since midnight in the entry's market, which is at most 25 hours ago. */
const isOfToday = (now: Date): Sql =>
  sql`e.created_at >= ${now}::timestamptz - interval '25 hours' and e.created_at >= (select date_trunc('day', ${now}::timestamptz at time zone h.time_zone) at time zone h.time_zone from hub h where h.id = e.hub_id)`;

function isReadable({ actor, hubs, today, now }: AuditScope): Sql {
  if (hubs === "all") return sql`true`;
  const parts = [
    sql`e.actor = ${actor}`,
    ...(hubs.length > 0 ? [isOf(hubs)] : []),
    ...(today === "all" ? [isOfToday(now)] : today.length > 0 ? [sql`(${isOf(today)} and ${isOfToday(now)})`] : []),
  ];
  return sql`(${join(parts, " or ")})`;
}

/** What an entry names besides its subject, by kind of thing. */
function namesOf({ kind, id }: NonNullable<AuditFilter["thing"]>): object[] {
  const number = /^\d{1,9}$/.test(id) ? Number(id) : null;
  switch (kind) {
    case "order":
      return number === null ? [] : [{ orderIds: [number] }, { orderId: number }];
    case "customer":
      return number === null ? [] : [{ customerId: number }];
    case "vendor":
      return [{ vendors: [id] }, { vendors: [{ slug: id }] }, { slug: id }, { vendor: id }];
    case "product":
      return [{ product: id }, { products: [id] }];
    default:
      return [];
  }
}

/** The expression of the index `audit_entry_words`. */
const words = sql`(e.actor || ' ' || e.action || ' ' || e.subject || ' ' || e.reason || ' ' || e.data::text)`;
/** An order number as people write it is one word. */
const wordOf = (q: string): string => (/^\d{3}[ \u00A0]\d{3}[ \u00A0]\d{3}$/.test(q) ? q.replaceAll(/\D/g, "") : q);

function conditions(scope: AuditScope, filter: AuditFilter): Sql {
  const { who, action, thing, change, hub, from, to, zone, q, id, upTo } = filter;
  const all: Sql[] = [isReadable(scope)];
  if (who !== undefined)
    all.push(who.includes(":") ? sql`e.actor = ${who}` : sql`split_part(e.actor, ':', 1) = ${who}`);
  if (action !== undefined) all.push(sql`e.action = ${action}`);
  if (thing)
    all.push(
      sql`(${join(
        [
          sql`e.subject = ${`${thing.kind}:${thing.id}`}`,
          ...namesOf(thing).map((named) => sql`e.data @> ${JSON.stringify(named)}::jsonb`),
        ],
        " or ",
      )})`,
    );
  if (change !== undefined) all.push(sql`e.data @> ${JSON.stringify({ actionId: change })}::jsonb`);
  if (hub !== undefined)
    all.push(sql`e.hub_id = (select id from hub where slug = ${hub} or id::text = ${hub} limit 1)`);
  if (from !== undefined) all.push(sql`e.created_at >= ${from}::timestamp at time zone ${zone}`);
  if (to !== undefined) all.push(sql`e.created_at < (${to}::date + 1)::timestamp at time zone ${zone}`);
  if (q !== undefined) all.push(sql`${words} ilike ${`%${wordOf(q).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`);
  if (id !== undefined) all.push(sql`e.id = ${id}::int`);
  if (upTo !== undefined) all.push(sql`e.id <= ${upTo}::int`);
  return join(all, " and ");
}

/** Entries before (older) or after (newer) another one. */
export type AuditCursor = { before: number } | { after: number } | null;

const beside = (cursor: AuditCursor): Sql => {
  if (cursor === null) return sql`true`;
  const id = "before" in cursor ? cursor.before : cursor.after;
  const place = sql`((select created_at from audit_entry where id = ${id}::int), ${id}::int)`;
  return "before" in cursor ? sql`(e.created_at, e.id) < ${place}` : sql`(e.created_at, e.id) > ${place}`;
};

/** Bytes of data beyond which a list has only its short values. */
const DATA_MAX = 4000;
const VALUE_MAX = 500;

const Row = z.object({
  id: z.number(),
  at: z.string(),
  actor: z.string(),
  actorName: z.string().nullable(),
  action: z.string(),
  subject: z.string(),
  subjectName: z.string().nullable(),
  reason: z.string(),
  data: z.record(z.string(), z.unknown()),
  isCut: z.boolean(),
  hub: z.object({ id: z.number(), slug: z.string(), name: z.string(), timeZone: z.string() }).nullable(),
  day: z.string().nullable(),
});
export type AuditRow = z.infer<typeof Row>;

interface Reading {
  scope: AuditScope;
  filter: AuditFilter;
  cursor: AuditCursor;
  limit: number;
  /** Markets whose shoppers are read by name. */
  people: Hubs;
  /** Large values are left out. */
  isShort: boolean;
}

const idOf = (text: Sql, kind: string): Sql =>
  sql`case when ${text} ~ ${`^${kind}:\\d{1,9}$`} then split_part(${text}, ':', 2)::int end`;
const isNamed = (people: Hubs): Sql => (people === "all" ? sql`true` : sql`c.hub_id = any(${[...people]}::int[])`);
const customerOf = (text: Sql, people: Hubs): Sql =>
  sql`(select nullif(trim(c.first_name || ' ' || c.last_name), '') from customer c where c.id = ${idOf(text, "customer")} and ${isNamed(people)})`;

/** The rows, the newest first, or with `after` the oldest first, with the names that the market has for what they refer to. */
function rowsOf({ scope, filter, cursor, limit, people, isShort }: Reading): Sql {
  const isUp = cursor !== null && "after" in cursor;
  const order = isUp ? sql`e.created_at, e.id` : sql`e.created_at desc, e.id desc`;
  const data = isShort
    ? sql`case when octet_length(e.data::text) <= ${DATA_MAX}::int then e.data else (select coalesce(jsonb_object_agg(v.key, v.value), '{}')
          from jsonb_each(e.data) v where octet_length(v.value::text) <= ${VALUE_MAX}::int) end`
    : sql`e.data`;
  return sql`
    select e.id, e.created_at as at, e.actor, e.action, e.subject, e.reason, ${data} as data,
      ${isShort ? sql`octet_length(e.data::text) > ${DATA_MAX}::int` : sql`false`} as "isCut",
      case split_part(e.actor, ':', 1)
        when 'staff' then (select s.name from staff s where e.actor = 'staff:' || s.email)
        when 'customer' then ${customerOf(sql`e.actor`, people)}
        when 'vendor' then (select v.name from vendor v where e.actor = 'vendor:' || v.slug)
      end as "actorName",
      case split_part(e.subject, ':', 1)
        when 'staff' then (select s.name from staff s where e.subject = 'staff:' || s.email)
        when 'customer' then ${customerOf(sql`e.subject`, people)}
        when 'vendor' then (select v.name from vendor v where e.subject = 'vendor:' || v.slug)
        when 'product' then (select p.title from product p where p.slug = split_part(e.subject, ':', 2))
      end as "subjectName",
      (select json_build_object('id', h.id, 'slug', h.slug, 'name', h.name, 'timeZone', h.time_zone) from hub h where h.id = e.hub_id) as hub,
      (select to_char(d.day, 'YYYY-MM-DD') from delivery d where d.id = coalesce(${idOf(sql`e.subject`, "delivery")},
        (select o.delivery_id from orders o where o.id = ${idOf(sql`e.subject`, "order")}))) as day
    from (select e.* from audit_entry e where ${conditions(scope, filter)} and ${beside(cursor)} order by ${order} limit ${limit}::int) e
    order by ${order}`;
}

const Page = z.object({ total: z.number(), entries: z.array(Row) });

/**
 * A page of the audit log with the number of all that match, at most `most`. By hand: a page by the place of its last entry, an index for
 * each filter, and a count that ends.
 */
export async function findAudit(db: Conn, reading: Reading, most: number): Promise<z.infer<typeof Page>> {
  const page = await queryOne(
    db,
    sql`select (select count(*)::int from (select 1 from audit_entry e where ${conditions(reading.scope, reading.filter)} limit ${most}::int) x) as total,
          coalesce((select json_agg(row_to_json(r)) from (${rowsOf(reading)}) r), '[]') as entries`,
    Page,
  );
  return page!;
}

/** The next entries of an export. */
export async function findAuditRows(db: Conn, reading: Reading): Promise<AuditRow[]> {
  const found = await queryOne(
    db,
    sql`select coalesce((select json_agg(row_to_json(r)) from (${rowsOf(reading)}) r), '[]') as entries`,
    Page.pick({ entries: true }),
  );
  return found!.entries;
}

/** The newest entry; 0: there is none. */
export async function findNewestEntry(db: Conn): Promise<number> {
  const row = await queryOne(
    db,
    sql`select coalesce(max(id), 0)::int as id from audit_entry`,
    z.object({ id: z.number() }),
  );
  return row!.id;
}

/** One entry that a person may read, with all of its data. */
export async function findAuditEntry(
  db: Conn,
  id: number,
  { scope, people }: Pick<Reading, "scope" | "people">,
): Promise<AuditRow | null> {
  const filter = { id, zone: "UTC" };
  const [entry] = await findAuditRows(db, { scope, people, filter, cursor: null, limit: 1, isShort: false });
  return entry ?? null;
}

const Choices = z.object({
  actions: z.array(z.string()),
  operators: z.array(z.string()),
  staff: z.array(z.object({ ref: z.string(), name: z.string() })),
});

/**
 * The actions that the log has, and the operators and people of the staff of whom a person may read an entry, with oneself; for who reads
 * everything, all people. By hand: each different value is found by the index, not by reading a million entries.
 */
export async function findChoices(db: Conn, scope: AuditScope): Promise<z.infer<typeof Choices>> {
  const isChosen = (actor: Sql) =>
    scope.hubs === "all"
      ? sql`true`
      : sql`(${actor} = ${scope.actor} or exists (select 1 from audit_entry e where e.actor = ${actor} and ${isReadable(scope)}))`;
  const rows = await query(
    db,
    sql`with recursive action(name) as (
          (select action from audit_entry order by action limit 1)
          union all select (select e.action from audit_entry e where e.action > a.name order by e.action limit 1) from action a where a.name is not null),
        operator(name) as (
          (select actor from audit_entry where actor >= 'operator:' and actor < 'operator;' order by actor limit 1)
          union all select (select e.actor from audit_entry e where e.actor > o.name and e.actor < 'operator;' order by e.actor limit 1) from operator o where o.name is not null)
        select coalesce((select json_agg(name order by name) from action where name is not null), '[]') as actions,
          coalesce((select json_agg(name order by name) from (select name from operator where name is not null limit 100) o where ${isChosen(sql`o.name`)}), '[]') as operators,
          coalesce((select json_agg(json_build_object('ref', 'staff:' || email, 'name', name) order by name, email) from staff s where ${isChosen(sql`('staff:' || s.email)`)}), '[]') as staff`,
    Choices,
  );
  return rows[0]!;
}
