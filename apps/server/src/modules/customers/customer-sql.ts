import { type Conn, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { isCustomerOf } from "../account/customer-search-sql.ts";
import { takesOrders } from "../hubs/delivery-sql.ts";

/** An instant as JSON has it. */
const At = z.string();
const Hub = z.object({ id: z.number(), slug: z.string(), name: z.string(), timeZone: z.string() });

const Subscribed = z.object({
  id: z.number(),
  kind: z.enum(["product", "bundle"]),
  title: z.string(),
  vendor: z.string(),
  quantity: z.number(),
  interval_weeks: z.number(),
  last_day: z.string().nullable(),
  paused_until: z.string().nullable(),
  /** The market sells it. */
  isSold: z.boolean(),
  isInCart: z.boolean(),
});

const CustomerRow = z.object({
  id: z.number(),
  version: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  hub: Hub.nullable(),
  /** The markets in which they shop or have ordered. */
  hub_ids: z.array(z.number()),
  pickup_point: z.string().nullable(),
  addresses: z.array(
    z.object({
      id: z.number(),
      address: z.string(),
      address2: z.string(),
      city: z.string(),
      state: z.string(),
      zipCode: z.string(),
      instructions: z.string(),
      isDefault: z.boolean(),
    }),
  ),
  created_at: z.date(),
  deleted_at: z.date().nullable(),
  credit_cents: z.number(),
  cards: z.array(z.object({ brand: z.string(), last4: z.string(), expMonth: z.number(), expYear: z.number() })),
  subscribed_all_messages: z.boolean(),
  subscribed_marketing_emails: z.boolean(),
  subscribed_marketing_sms: z.boolean(),
  auto_checkout_status: z.number(),
  is_gluten_free: z.boolean(),
  is_vegan: z.boolean(),
  pass_until: z.string().nullable(),
  referred_by: z.object({ id: z.number(), name: z.string() }).nullable(),
  orders: z.array(
    z.object({
      id: z.number(),
      hub: Hub,
      day: z.string(),
      status: z.string(),
      units: z.number(),
      totalCents: z.number(),
    }),
  ),
  order_count: z.number(),
  spent_cents: z.number(),
  credit_entries: z.array(
    z.object({
      at: At,
      kind: z.string(),
      note: z.string(),
      isElsewhere: z.boolean(),
      orderId: z.number().nullable(),
      amountCents: z.number(),
      reason: z.string().nullable(),
      actor: z.string().nullable(),
      staff: z.string().nullable(),
    }),
  ),
  /** Delivery days that take orders, the next one first. */
  open_days: z.array(z.object({ day: z.string() })),
  /** Skipped delivery days, oldest first. */
  skips: z.array(z.string()),
  subscriptions: z.array(Subscribed),
  problems: z.array(
    z.object({ id: z.number(), orderId: z.number(), at: At, message: z.string(), isOpen: z.boolean() }),
  ),
  notes: z.array(z.object({ id: z.number(), text: z.string(), by: z.string(), at: At })),
  history: z.array(
    z.object({
      at: At,
      kind: z.enum(["audit", "mail"]),
      what: z.string(),
      actor: z.string().nullable(),
      staff: z.string().nullable(),
      why: z.string(),
    }),
  ),
});
/** A person with everything that the staff reads. Cents. */
export type CustomerRow = z.infer<typeof CustomerRow>;

/** Newest first. */
const ORDERS = 50;
const ENTRIES = 100;
const HISTORY = 100;

/** The rows of a query, in its order, as JSON. */
const listOf = (rows: Sql): Sql => sql`coalesce((select json_agg(row_to_json(x)) from (${rows}) x), '[]')`;
const hubJson = sql`json_build_object('id', h.id, 'slug', h.slug, 'name', h.name, 'timeZone', h.time_zone)`;

/** The fingerprint of what the staff changes of a person, as `expectedVersion`. */
const customerVersion = sql`md5(jsonb_build_array(c.auto_checkout_status, c.hub_id, c.deleted_at is not null)::text)`;

const addressRows = sql`
  select a.id, a.address, a.address2, a.city, a.state, a.zip_code as "zipCode", a.instructions, a.is_default as "isDefault"
  from address a where a.customer_id = c.id order by a.is_default desc, a.id desc`;
const cardRows = sql`
  select m.brand, m.last4, m.exp_month as "expMonth", m.exp_year as "expYear"
  from payment_method m where m.customer_id = c.id and m.deleted_at is null order by m.is_default desc, m.id desc`;

/** A box with its add-ons; one that was cancelled with what it had. */
const orderRows = sql`
  select b.id, ${hubJson} as hub, to_char(d.day, 'YYYY-MM-DD') as day, b.status, u.units, b.total_cents as "totalCents"
  from box b join hub h on h.id = b.hub_id join delivery d on d.id = b.delivery_id cross join lateral (
    select coalesce(sum(case when b.status = 'cancelled' then i.quantity_ordered else i.quantity end), 0)::int as units
    from orders o join order_item i on i.order_id = o.id where (o.id = b.id or o.add_on_to_id = b.id) and (o.status <> 'cancelled' or b.status = 'cancelled')) u
  order by b.created_at desc, b.id desc limit ${ORDERS}::int`;

/** What was granted has its reason and its person in the audit log, which names the booking. */
const entryRows = (hubIds: Sql): Sql => sql`
  select t.created_at as at, t.kind, coalesce(t.note, '') as note, e.amount_cents as "amountCents",
    (o.id is not null and ${hubIds} is not null and o.hub_id <> all(${hubIds})) as "isElsewhere", o.id as "orderId", a.reason, a.actor,
    (select w.name from staff w where a.actor = 'staff:' || w.email) as staff
  from ledger_entry e join ledger_transaction t on t.id = e.transaction_id
  left join orders o on o.id = coalesce(t.order_id, (regexp_match(t.note, '^order (\\d{9})\\M'))[1]::int)
  left join audit_entry a on a.subject = 'customer:' || c.id and a.data->'booking' = to_jsonb(t.id)
  where e.account = 'store_credit' and e.customer_id = c.id order by t.created_at desc, e.id desc limit ${ENTRIES}::int`;

/** The offers are of the person's market. Oldest first. */
const subscriptionRows = sql`
  select x.* from (
    select s.id, 'product' as kind, p.title, ve.name as vendor, s.quantity, s.interval_weeks, to_char(s.last_day, 'YYYY-MM-DD') as last_day,
      to_char(s.paused_until, 'YYYY-MM-DD') as paused_until,
      p.is_published and ve.is_published and v.pre_order_date is null
        and exists (select 1 from offer f where f.variant_id = v.id and f.hub_id = c.hub_id and f.is_published) as "isSold",
      exists (select 1 from cart k join cart_item i on i.cart_id = k.id where k.customer_id = c.id and i.variant_id = v.id and i.bundle_id is null) as "isInCart",
      s.created_at
    from subscription s join variant v on v.id = s.variant_id join product p on p.id = v.product_id join vendor ve on ve.id = p.vendor_id where s.customer_id = c.id
    union all
    select b.id, 'bundle', b.title, '', 1, s.interval_weeks, to_char(s.last_day, 'YYYY-MM-DD'), to_char(s.paused_until, 'YYYY-MM-DD'),
      b.is_published and exists (select 1 from bundle_hub h where h.bundle_id = b.id and h.hub_id = c.hub_id),
      exists (select 1 from cart k join cart_item i on i.cart_id = k.id where k.customer_id = c.id and i.bundle_id = b.id), s.created_at
    from bundle_subscription s join bundle b on b.id = s.bundle_id where s.customer_id = c.id) x order by x.created_at, x.kind, x.id`;

const problemRows = (hubIds: Sql): Sql => sql`
  select r.id, r.order_id as "orderId", r.created_at as at, r.message, r.status = 'open' as "isOpen"
  from problem_report r join orders o on o.id = r.order_id
  where r.customer_id = c.id and (${hubIds} is null or o.hub_id = any(${hubIds})) order by r.created_at desc, r.id desc`;

const noteRows = sql`
  select n.id, n.text, w.name as by, n.created_at as at from customer_note n join staff w on w.id = n.staff_id
  where n.customer_id = c.id and n.removed_at is null order by n.created_at desc, n.id desc`;

/** The audit log of the person, and the emails to them; those about an order of another market are left out. */
const historyRows = (hubIds: Sql): Sql => sql`
  select x.* from (
    (select a.created_at as at, 'audit' as kind, a.action as what, a.actor, (select w.name from staff w where a.actor = 'staff:' || w.email) as staff, a.reason as why
    from audit_entry a where a.subject = 'customer:' || c.id order by a.id desc limit ${HISTORY}::int)
    union all
    (select k.created_at, 'mail', k.template, null, null, '' from mail k
    where k.to_email = c.email and (${hubIds} is null or k.data->>'orderId' is null
      or exists (select 1 from orders o where o.id::text = k.data->>'orderId' and o.hub_id = any(${hubIds})))
    order by k.id desc limit ${HISTORY}::int)) x
  order by x.at desc limit ${HISTORY}::int`;

/**
 * One person in one statement, with what belongs to these markets of the reader. Null: there is none, or they belong to other markets
 * only.
 */
export function findCustomer(
  conn: Conn,
  customerId: number,
  hubs: "all" | readonly number[],
  now: Date,
): Promise<CustomerRow | null> {
  const hubIds = sql`${hubs === "all" ? null : [...hubs]}::int[]`;
  return queryOne(
    conn,
    sql`with c as materialized (select * from customer c where c.id = ${customerId}::int and ${isCustomerOf(sql`c`, hubIds)}),
        box as materialized (
          select o.id, o.hub_id, o.delivery_id, o.status, o.created_at,
            (select sum(a.order_total_cents)::int from orders a where (a.id = o.id or a.add_on_to_id = o.id) and (a.status <> 'cancelled' or o.status = 'cancelled')) as total_cents
          from c join orders o on o.customer_id = c.id where o.add_on_to_id is null and (${hubIds} is null or o.hub_id = any(${hubIds})))
        select c.id, ${customerVersion} as version, c.first_name, c.last_name, c.email, c.phone, c.created_at, c.deleted_at, c.credit_cents,
          c.subscribed_all_messages, c.subscribed_marketing_emails, c.subscribed_marketing_sms, c.auto_checkout_status, c.is_gluten_free, c.is_vegan,
          (select ${hubJson} from hub h where h.id = c.hub_id) as hub,
          array(select c.hub_id where c.hub_id is not null union select o.hub_id from orders o where o.customer_id = c.id) as hub_ids,
          (select p.name from pickup_point p where p.id = c.pickup_point_id) as pickup_point,
          (select to_char(coalesce(w.ends_on, w.renews_on), 'YYYY-MM-DD') from wagon_pass w where w.customer_id = c.id and (w.status = 'active' or (w.status = 'cancelled'
              and w.ends_on >= (${now}::timestamptz at time zone coalesce((select h.time_zone from hub h where h.id = c.hub_id), 'UTC'))::date))
            order by w.status = 'active' desc, w.ends_on desc limit 1) as pass_until,
          (select json_build_object('id', r.id, 'name', trim(r.first_name || ' ' || r.last_name)) from customer r
            where r.id = c.referred_by_id and r.deleted_at is null and ${isCustomerOf(sql`r`, hubIds)}) as referred_by,
          (select count(*)::int from box) as order_count,
          (select coalesce(sum(b.total_cents), 0)::int from box b where b.status <> 'cancelled') as spent_cents,
          coalesce((select json_agg(json_build_object('day', to_char(d.day, 'YYYY-MM-DD')) order by d.cutoff_at) from delivery d
            where d.hub_id = c.hub_id and ${takesOrders(sql`d`, now)}), '[]') as open_days,
          array(select to_char(d.day, 'YYYY-MM-DD') from subscription_skip k join delivery d on d.id = k.delivery_id where k.customer_id = c.id order by d.day) as skips,
          ${listOf(addressRows)} as addresses, ${listOf(cardRows)} as cards, ${listOf(orderRows)} as orders, ${listOf(entryRows(hubIds))} as credit_entries,
          ${listOf(subscriptionRows)} as subscriptions, ${listOf(problemRows(hubIds))} as problems, ${listOf(noteRows)} as notes, ${listOf(historyRows(hubIds))} as history
        from c`,
    CustomerRow,
  );
}

/** The version of a person whose row is locked until the transaction ends, and their automatic orders. Null: there is none. */
export const lockCustomer = (conn: Conn, customerId: number) =>
  queryOne(
    conn,
    sql`select ${customerVersion} as version, c.auto_checkout_status, c.deleted_at is not null as is_deleted
        from customer c where c.id = ${customerId}::int for no key update`,
    z.object({ version: z.string(), auto_checkout_status: z.number(), is_deleted: z.boolean() }),
  );
