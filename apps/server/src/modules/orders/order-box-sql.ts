import { type Conn, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { boxBackColumns, boxMoneyColumns, boxMoneyRow } from "./box-money-sql.ts";
import { nameOf, placeOf, stopsOf, totesOf } from "./box-place-sql.ts";
import { boxNotes, collectCents } from "./box-state-sql.ts";
import { boxVersion } from "./box-version-sql.ts";

/** An instant as JSON has it. */
const At = z.string();
const amounts = {
  itemsCents: z.number(),
  discountCents: z.number(),
  deliveryCents: z.number(),
  tipCents: z.number(),
  processingCents: z.number(),
  taxCents: z.number(),
  waivedCents: z.number(),
};
const Order = z.object({
  id: z.number(),
  status: z.string(),
  source: z.string(),
  hasCustomer: z.boolean(),
  createdAt: At,
  editedAt: At.nullable(),
  closedAt: At.nullable(),
  cancelledAt: At.nullable(),
  ...amounts,
  totalCents: z.number(),
  creditCents: z.number(),
  dueCents: z.number(),
  chargeFailedAt: At.nullable(),
  writtenOffAt: At.nullable(),
  paymentId: z.string().nullable(),
  paymentState: z.string().nullable(),
});
/** An order of a box. Cents. */
export type BoxOrderRow = z.infer<typeof Order>;

const Payment = z.object({
  id: z.string(),
  provider: z.string(),
  state: z.string(),
  /** Held, as long as it is not shared with another box. */
  amountCents: z.number(),
  capturedCents: z.number(),
  authorizedAt: At.nullable(),
  /** It pays for other boxes too, as long as it is not captured. */
  isShared: z.boolean(),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
});
export type BoxPaymentRow = z.infer<typeof Payment>;

const Refund = z.object({
  paymentId: z.string().nullable(),
  to: z.string(),
  amountCents: z.number(),
  state: z.enum(["done", "underway", "by_hand", "failed"]),
  at: At,
});
const Transaction = z.object({
  kind: z.string(),
  paymentId: z.string().nullable(),
  at: At,
  entries: z.array(z.object({ account: z.string(), vendor: z.string().nullable(), cents: z.number() })),
});
export type BoxTransactionRow = z.infer<typeof Transaction>;
const Audit = z.object({
  at: At,
  action: z.string(),
  who: z.string(),
  name: z.string().nullable(),
  why: z.string(),
  items: z.array(z.string()),
  cents: z.number().nullable(),
});
export type BoxAuditRow = z.infer<typeof Audit>;
const Mail = z.object({
  id: z.number(),
  template: z.string(),
  at: At,
  sentAt: At.nullable(),
  isSecret: z.boolean(),
});

const OrderBoxRow = z.object({
  ...boxMoneyRow,
  back_cents: z.number(),
  back_failed_cents: z.number(),
  id: z.number(),
  version: z.string(),
  hub: z.object({ id: z.number(), slug: z.string(), name: z.string(), timeZone: z.string() }),
  day: z.string(),
  cutoff_at: z.date(),
  frozen_at: z.date().nullable(),
  tote: z.number().nullable(),
  driver: z.number().nullable(),
  stop: z.number().nullable(),
  place: z.string(),
  type: z.enum(["delivery", "pickup"]),
  address: z.record(z.string(), z.unknown()).nullable(),
  notes: z.string(),
  customer_id: z.number().nullable(),
  customer: z
    .object({
      id: z.number(),
      name: z.string(),
      email: z.string(),
      phone: z.string(),
      boxes: z.number(),
      since: At.nullable(),
      creditCents: z.number(),
    })
    .nullable(),
  orders: z.array(Order),
  lines: z.array(
    z.object({
      orderId: z.number(),
      variantId: z.number(),
      product: z.string(),
      variant: z.string(),
      vendor: z.object({ id: z.number(), slug: z.string(), name: z.string() }),
      picture: z.string().nullable(),
      storage: z.string(),
      ordered: z.number(),
      quantity: z.number(),
      unitCents: z.number(),
    }),
  ),
  payments: z.array(Payment),
  refunds: z.array(Refund),
  ledger: z.array(Transaction),
  audit: z.array(Audit),
  mails: z.array(Mail),
  staff_notes: z.array(
    z.object({
      id: z.number(),
      kind: z.enum(["inside", "driver", "shopper"]),
      text: z.string(),
      by: z.string(),
      at: At,
      editedAt: At.nullable(),
      version: z.number(),
    }),
  ),
});
/** A box with everything that is known of it. Cents. */
export type OrderBoxRow = z.infer<typeof OrderBoxRow>;

/** The rows of a query, in its order, as JSON. */
const listOf = (rows: Sql): Sql => sql`coalesce((select json_agg(row_to_json(x)) from (${rows}) x), '[]')`;

const orderRows = sql`
            select o.id, o.status, o.source, o.customer_id is not null as "hasCustomer", o.created_at as "createdAt", o.edited_at as "editedAt", o.closed_at as "closedAt",
              o.cancelled_at as "cancelledAt", o.items_cents as "itemsCents", o.discount_cents as "discountCents", o.delivery_fee_cents as "deliveryCents",
              o.tip_cents as "tipCents", o.card_fee_cents as "processingCents", o.tax_cents as "taxCents", o.waived_cents as "waivedCents",
              o.order_total_cents as "totalCents", o.credit_cents as "creditCents", ${collectCents} as "dueCents", o.charge_failed_at as "chargeFailedAt",
              o.written_off_at as "writtenOffAt", o.payment_id as "paymentId", y.state as "paymentState"
            from o left join payment y on y.id = o.payment_id order by o.add_on_to_id nulls first, o.created_at, o.id`;

/** As on the newest version of the sheets that has the line; else as the product is stored now. */
const lineRows = sql`
            select i.order_id as "orderId", i.variant_id as "variantId", i.product_title as product, i.variant_title as variant,
              json_build_object('id', ve.id, 'slug', ve.slug, 'name', ve.name) as vendor,
              (select pp.picture_id from product_picture pp where pp.product_id = p.id and pp.position = 0) as picture,
              coalesce((select l.storage from snapshot_line l join snapshot s on s.id = l.snapshot_id
                where s.delivery_id = o.delivery_id and s.is_complete and l.order_item_id = i.id order by s.version desc limit 1), p.storage) as storage,
              i.quantity_ordered as ordered, case when o.status = 'cancelled' and not m.is_cancelled then 0 else i.quantity end as quantity, i.unit_price_cents as "unitCents"
            from m cross join o join order_item i on i.order_id = o.id join variant v on v.id = i.variant_id join product p on p.id = v.product_id join vendor ve on ve.id = i.vendor_id
            order by o.add_on_to_id nulls first, o.created_at, o.id, i.id`;

const paymentRows = sql`
            select y.id, y.provider, y.state, y.amount_cents as "amountCents", y.captured_cents as "capturedCents", y.authorized_at as "authorizedAt",
              exists (select 1 from orders z where z.payment_id = y.id and z.id not in (select id from o)) as "isShared",
              (select json_build_object('brand', t.brand, 'last4', t.last4) from payment_method t where t.id = y.payment_method_id) as card
            from y order by y.created_at, y.id`;

/** Without those that failed and were given otherwise since: that is a refund of its own row. */
const refundRows = sql`
            select r.payment_id as "paymentId", r.destination as to, r.amount_cents as "amountCents", coalesce(r.done_at, r.created_at) as at,
              case when r.state = 'failed' and r.failure is not null then 'failed' when r.destination = 'card' and q.provider = 'offline' then 'by_hand'
                when r.destination = 'card' and r.state = 'created' then 'underway' else 'done' end as state
            from refund r left join payment q on q.id = r.payment_id
            where r.order_id in (select id from o) and not (r.state = 'failed' and r.failure is not null and r.resolved_at is not null) order by r.created_at, r.id`;

/**
 * The transactions of the box's orders, those of their payments, and those that name an order in their note ("order 123456789: …"): of a
 * payment that no longer pays for it, or of none. Of a payment, those that name orders of other boxes alone are left out.
 */
const ledgerRows = sql`
            select t.kind, t.payment_id as "paymentId", t.created_at as at,
              (select coalesce(json_agg(json_build_object('account', e.account, 'vendor', (select ve.name from vendor ve where ve.id = e.vendor_id), 'cents', e.amount_cents) order by e.id), '[]')
                from ledger_entry e where e.transaction_id = t.id) as entries
            from (
              select t.* from ledger_transaction t where t.order_id in (select id from o)
              union all
              select t.* from ledger_transaction t cross join named
              where t.order_id is null and t.payment_id in (select id from y union select p.id from payment p where p.customer_id in (select customer_id from o))
                and (t.note ~ named.pattern or (t.note !~ '^order \\d' and t.payment_id in (select id from y)))
              union all
              select t.* from ledger_transaction t cross join named
              where t.order_id is null and t.payment_id is null and t.kind in ('refund', 'write_off') and t.created_at >= named.since and t.note ~ named.pattern) t
            order by t.created_at, t.id`;

const auditRows = sql`
            select a.created_at as at, a.action, a.actor as who, (select w.name from staff w where a.actor = 'staff:' || w.email) as name, a.reason as why,
              case when a.action = 'orders short' and jsonb_typeof(a.data->'missing') = 'array' then a.data->'missing' else '[]' end as items,
              case when jsonb_typeof(a.data->'cents') = 'number' then (a.data->>'cents')::float8
                when jsonb_typeof(a.data->'amountCents') = 'number' then (a.data->>'amountCents')::float8
                when jsonb_typeof(a.data->'backCents') = 'number' and jsonb_typeof(a.data->'creditCents') = 'number'
                  then case when a.data->>'to' = 'credit' then 0 else (a.data->>'backCents')::float8 end + (a.data->>'creditCents')::float8 end as cents
            from audit_entry a where a.subject in (select 'order:' || id from o) and a.action not like '% held' order by a.id`;

const mailRows = sql`
            select k.id, k.template, k.created_at as at, k.sent_at as "sentAt", k.is_secret as "isSecret"
            from mail k where k.data->>'orderId' in (select id::text from o) order by k.created_at, k.id`;

const noteRows = sql`
            select n.id, n.kind, n.text, coalesce((select w.name from staff w where n.by = 'staff:' || w.email), n.by) as by, n.created_at as at, n.edited_at as "editedAt", n.version
            from order_note n where n.order_id in (select id from o) and n.removed_at is null order by n.id`;

/** The box of an order, also of an add-on. Null: there is no such order. */
export const findOrderBox = (db: Conn, orderId: number) =>
  queryOne(
    db,
    sql`with o as materialized (
          select o.* from orders given join orders o on o.id = coalesce(given.add_on_to_id, given.id) or o.add_on_to_id = coalesce(given.add_on_to_id, given.id)
          where given.id = ${orderId}::int),
        named as (select '^order (\\d+, )*(' || string_agg(id::text, '|') || ')\\M' as pattern, min(created_at) as since from o),
        y as materialized (
          select * from payment where id in (
            select payment_id from o
            union select r.payment_id from refund r where r.order_id in (select id from o)
            union select a.payment_id from checkout_attempt a join o on o.attempt_id = a.id
              where not exists (select 1 from orders z where z.attempt_id = a.id and z.id not in (select id from o)))),
        m as materialized (
          select ${boxMoneyColumns} from o join hub h on h.id = o.hub_id left join payment y on y.id = o.payment_id),
        back as (select ${boxBackColumns} from refund r where r.order_id in (select id from o))
        select f.id, ${boxVersion(sql`f.id`)} as version, json_build_object('id', h.id, 'slug', h.slug, 'name', h.name, 'timeZone', h.time_zone) as hub,
          to_char(d.day, 'YYYY-MM-DD') as day, d.cutoff_at,
          (select min(s.frozen_at) from snapshot s join snapshot_box b on b.snapshot_id = s.id where s.delivery_id = d.id and s.is_complete and b.order_id = f.id) as frozen_at,
          m.*, back.*, tote.tote, stop.driver, stop.stop, f.place, f.type, f.address, f.notes, f.customer_id, f.customer,
          ${listOf(orderRows)} as orders, ${listOf(lineRows)} as lines, ${listOf(paymentRows)} as payments, ${listOf(refundRows)} as refunds,
          ${listOf(ledgerRows)} as ledger, ${listOf(auditRows)} as audit, ${listOf(mailRows)} as mails,
          ${listOf(noteRows)} as staff_notes
        from m cross join back cross join (
          select o.id, o.hub_id, o.delivery_id, ${placeOf} as place, o.type, case when o.type = 'delivery' and c.deleted_at is null then o.address end as address,
            ${boxNotes} as notes, o.customer_id,
            case when c.id is not null and c.deleted_at is null then (
              select json_build_object('id', c.id, 'name', ${nameOf}, 'email', coalesce(c.email, ''), 'phone', coalesce(c.phone, ''), 'creditCents', c.credit_cents,
                'boxes', count(*), 'since', min(z.created_at))
              from orders z where z.customer_id = c.id and z.hub_id = o.hub_id and z.add_on_to_id is null and z.status <> 'cancelled') end as customer
          from o left join customer c on c.id = o.customer_id left join pickup_point pp on pp.id = o.pickup_point_id where o.add_on_to_id is null) f
        join hub h on h.id = f.hub_id join delivery d on d.id = f.delivery_id
        left join lateral ${totesOf(sql`f.delivery_id`)} tote on tote.order_id = f.id left join lateral ${stopsOf(sql`f.delivery_id`)} stop on stop.order_id = f.id`,
    OrderBoxRow,
  );
