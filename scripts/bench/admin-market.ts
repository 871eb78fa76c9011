import { createDb, type Db, execute, raw, sql } from "@marketday/db";
import { migrate } from "@marketday/db/migrate";

import type { BenchMarket } from "./market.ts";

/** Of the market that the admin app is measured with. Each hub has one day a week. */
export const ADMIN_SIZE = {
  hubs: 20,
  boxes: 300,
  people: 20_000,
  weeks: 15,
  lines: 6,
  vendors: 20,
  products: 125,
  entries: 1_000_000,
} as const;

/**
 * Fills a market by SQL, the same each time: in each hub fifteen weeks that are paid out but for the last one, a day that is packed, and one
 * that takes orders. A few cards were declined, some shoppers pay at the door.
 */
async function fill(db: Db, now: Date): Promise<void> {
  const { hubs, boxes, people, weeks, lines, vendors, products, entries } = ADMIN_SIZE;
  const statements = [
    sql`insert into hub (slug, name, delivery_day, time_zone, zip_code, city, state, lat, lng, created_at)
        select 'hub-' || n, 'Hub ' || n, to_char(${now}::timestamptz + interval '1 day', 'FMDay'), 'UTC', '60614', 'Chicago', 'IL', 41.92, -87.65, ${now}::timestamptz - interval '400 days'
        from generate_series(1, ${hubs}::int) n`,
    sql`insert into delivery (hub_id, day, cutoff_at, auto_checkout_at)
        select h.id, (${now}::timestamptz + interval '1 day')::date + 7 * w, c.at, c.at - interval '36 hours'
        from hub h, generate_series(-${weeks}::int, 1) w, lateral (select ${now}::timestamptz - interval '2 hours' + w * interval '7 days' as at) c`,
    sql`insert into delivery_run (delivery_id, step, state, lease_until, started_at, done_at)
        select d.id, s.step, 'done', d.cutoff_at, d.cutoff_at, d.cutoff_at
        from delivery d, (values ('open', 7), ('auto_checkout', 2), ('cutoff', 0), ('close', -2)) s(step, days)
        where d.cutoff_at <= ${now}::timestamptz + s.days * interval '1 day'`,
    sql`insert into vendor (slug, hash, name, city, state)
        select 'vendor-' || n, lpad(to_hex(n), 16, '0'), 'Farm ' || n, 'Woodstock', 'IL' from generate_series(1, ${hubs * vendors}::int) n`,
    sql`insert into product (slug, vendor_id, title) select 'product-' || v.id || '-' || n, v.id, 'Product ' || n from vendor v, generate_series(1, ${products}::int) n`,
    sql`insert into variant (product_id, title) select id, 'Each' from product`,
    sql`insert into offer (variant_id, hub_id, price_cents, inventory)
        select v.id, 1 + (p.vendor_id - 1) % ${hubs}::int, 700, case when v.id % 20 = 0 then 0 else 1000 end from variant v join product p on p.id = v.product_id`,
    // 40 first names and 50 last names.
    sql`insert into customer (email, first_name, last_name, phone, hub_id)
        select 'person' || n || '@example.com', initcap(substr('adabencaldeneviflogilhaninajoykailialiamaxnednoapiaquirayrosritsamsuetedthovalwalximyaszoeadeboocoodaneli', 1 + n % 34 * 3, 3)),
          'B' || substr(md5((n % 50)::text), 1, 5), '(317) ' || lpad((n % 900 + 100)::text, 3, '0') || '-' || lpad((n * 7 % 10000)::text, 4, '0'), 1 + (n - 1) % ${hubs}::int
        from generate_series(1, ${people}::int) n`,
    sql`create temporary table box as
        select 100000000 + row_number() over (order by d.id, n)::int as id, d.id as delivery_id, d.hub_id, d.cutoff_at, n,
          gen_random_uuid() as payment_id, d.hub_id + ${hubs}::int * ((n * 3 + d.id) % ${people / hubs}::int) as customer_id,
          case when d.cutoff_at > ${now} then 'open' when d.cutoff_at > ${now}::timestamptz - interval '2 days' then 'pending' else 'closed' end as status,
          d.cutoff_at <= ${now} and d.cutoff_at > ${now}::timestamptz - interval '2 days' and n % 100 = 1 as is_declined, n % 15 = 2 as is_offline
        from delivery d, generate_series(1, ${boxes}::int) n`,
    sql`insert into payment (id, customer_id, provider, state, amount_cents, captured_cents, authorized_at, created_at)
        select payment_id, customer_id, case when is_offline then 'offline' else 'test' end,
          case when status = 'open' or (is_offline and status = 'pending') then 'authorized' else 'captured' end, ${lines * 700}::int,
          case when status = 'open' or (is_offline and status = 'pending') then 0 else ${lines * 700}::int end, cutoff_at - interval '1 day', cutoff_at - interval '1 day'
        from box where not is_declined`,
    sql`insert into orders (id, customer_id, hub_id, delivery_id, status, items_cents, tip_cents, tax_cents, tax_rate_ppm, card_fee_cents, delivery_fee_cents, discount_cents,
          order_total_cents, payment_id, charge_failed_at, charge_error, created_at, closed_at, address, delivery_notes)
        select id, customer_id, hub_id, delivery_id, status, ${lines * 700}::int, 0, 0, 0, 0, 0, 0, ${lines * 700}::int, case when not is_declined then payment_id end,
          case when is_declined then cutoff_at end, case when is_declined then 'Your card was declined.' end,
          cutoff_at - n * interval '20 minutes', case when status = 'closed' then cutoff_at + interval '2 days' end,
          jsonb_build_object('address', customer_id || ' Main Street', 'address2', '', 'city', 'Chicago', 'state', 'IL', 'zipCode', (60600 + hub_id)::text, 'instructions', ''),
          case when n % 8 = 3 then 'Gate code 14' else '' end
        from box`,
    sql`create temporary table sold as
        select v.id as variant_id, p.vendor_id, p.title, o.hub_id, row_number() over (partition by o.hub_id order by md5(v.id::text))::int as place
        from variant v join product p on p.id = v.product_id join offer o on o.variant_id = v.id`,
    sql`insert into order_item (order_id, variant_id, vendor_id, product_title, variant_title, quantity, quantity_ordered, list_price_cents, unit_price_cents, commission_ppm)
        select b.id, s.variant_id, s.vendor_id, s.title, 'Each', 1, 1, 700, 700, 150000
        from box b, generate_series(1, ${lines}::int) k, lateral (select 1 + (b.n * 17 + k * 31) % ${vendors * products}::int as place) x
        join sold s on s.place = x.place where s.hub_id = b.hub_id`,
    sql`insert into ledger_transaction (id, kind, order_id, created_at) select b.id, 'sale', b.id, b.cutoff_at from box b`,
    sql`insert into ledger_entry (transaction_id, account, vendor_id, amount_cents)
        select order_id, 'vendor', vendor_id, 595 from order_item
        union all select id, 'commission', null, ${lines * 105}::int from box
        union all select id, 'shopper', null, -${lines * 700}::int from box`,
    sql`insert into ledger_transaction (id, kind, note, created_at)
        select 1000 + w, 'payout', 'deliveries', ${now}::timestamptz - w * interval '7 days' + interval '3 days' from generate_series(2, ${weeks}::int) w`,
    sql`insert into audit_entry (actor, action, subject, data, created_at)
        select 'operator:ada', 'ledger payouts', 'payout:' || (1000 + w), jsonb_build_object('to', to_char((${now}::timestamptz + interval '1 day')::date - 7 * w, 'YYYY-MM-DD')), ${now}
        from generate_series(2, ${weeks}::int) w`,
    sql`insert into ledger_entry (transaction_id, account, vendor_id, amount_cents)
        select s.payout, a.account, s.vendor_id, a.sign * s.cents from (
          select 1000 + w as payout, e.vendor_id, sum(e.amount_cents)::int as cents
          from generate_series(2, ${weeks}::int) w join delivery d on d.day = (${now}::timestamptz + interval '1 day')::date - 7 * w
          join orders o on o.delivery_id = d.id join ledger_entry e on e.transaction_id = o.id and e.account = 'vendor' group by 1, 2) s,
          (values ('payouts', 1), ('vendor', -1)) a(account, sign)`,
    sql`insert into snapshot (delivery_id, hub_id, day, version, hub_name, time_zone, cutoff_at, frozen_at, is_complete)
        select d.id, d.hub_id, d.day, 1, h.name, 'UTC', d.cutoff_at, d.cutoff_at, true from delivery d join hub h on h.id = d.hub_id where d.cutoff_at <= ${now}`,
    sql`insert into snapshot_box (snapshot_id, order_id, tote, name, type, due_cents)
        select s.id, b.id, b.n, 'Ada Baker', 'delivery', case when b.is_declined or (b.is_offline and b.status = 'pending') then ${lines * 700}::int else 0 end
        from box b join snapshot s on s.delivery_id = b.delivery_id`,
    sql`insert into snapshot_line (snapshot_id, box_order_id, order_id, order_item_id, variant_id, vendor_id, vendor_name, product_title, variant_title, storage, quantity, unit_price_cents, commission_ppm)
        select s.id, b.id, b.id, i.id, i.variant_id, i.vendor_id, 'Farm', i.product_title, 'Each', 'dry', 1, 700, 150000
        from box b join snapshot s on s.delivery_id = b.delivery_id join order_item i on i.order_id = b.id`,
    sql`insert into mail (key, template, to_email, data, created_at, sent_at) select 'order-confirmation:' || id, 'order-confirmation', 'a@example.com', jsonb_build_object('orderId', id), cutoff_at, cutoff_at from box`,
    sql`insert into question (customer_id, product_id, question, answer, answered_at, created_at)
        select n, 1 + n % 1000, 'Is it local?', case when n % 50 > 0 then 'Yes' end, case when n % 50 > 0 then ${now}::timestamptz end, ${now}::timestamptz - interval '2 days' from generate_series(1, 5000) n`,
    sql`insert into thread (customer_id, vendor_id) select n, 1 + n % ${hubs * vendors}::int from generate_series(1, 4000) n`,
    sql`insert into message (thread_id, sender, message, created_at)
        select t.id, case when k = 3 and t.id % 40 > 0 then 'U' else 'C' end, 'Hello', ${now}::timestamptz - interval '3 days' + k * interval '1 hour' from thread t, generate_series(1, 3) k`,
    sql`insert into cart (customer_id) select n from generate_series(1, 6000) n`,
    sql`insert into cart_item (cart_id, variant_id, quantity, watching, seen_price_cents)
        select k.id, s.variant_id, 1, o.inventory = 0, 700 from cart k join customer c on c.id = k.customer_id, generate_series(1, 5) n,
          lateral (select 1 + (k.id * 7 + n * 13) % ${vendors * products}::int as place) x
        join sold s on s.place = x.place join offer o on o.variant_id = s.variant_id where s.hub_id = c.hub_id on conflict do nothing`,
    sql`insert into audit_entry (actor, action, subject, reason, data, hub_id, created_at)
        select case n % 10 when 0 then 'operator:ada' when 1 then 'system:week' when 2 then 'customer:' || n % 20000 else 'staff:person' || n % 40 || '@example.com' end,
          (array['orders paid', 'orders refund', 'orders cancel', 'staff sign-in', 'short count', 'vendors arrived'])[1 + n % 6],
          case when n % 4 = 0 then 'customer:' || n % 20000 else 'order:' || 100000000 + n % 60000 end, case when n % 1000 = 7 then 'Too ripe' else '' end,
          jsonb_build_object('cents', n % 5000), case when n % 3 > 0 then 1 + n % ${hubs}::int end, ${now}::timestamptz - (${entries}::int - n) * interval '30 seconds'
        from generate_series(1, ${entries}::int) n`,
    sql`vacuum analyze`,
  ];
  for (const statement of statements) await execute(db, statement);
}

/** Creates the market in a separate database. @returns its URL */
export async function openAdminMarket(market: BenchMarket, now: Date): Promise<string> {
  const admin = createDb({ url: market.databaseUrl });
  await execute(admin, sql`create database ${raw("bench_admin")}`);
  await admin.close();
  const url = new URL(market.databaseUrl);
  url.pathname = "/bench_admin";
  await migrate({ url: url.href });
  // One connection: temporary tables belong to one.
  const db = createDb({ url: url.href, poolSize: 1, statementTimeoutMs: 900_000 });
  await fill(db, now);
  await db.close();
  return url.href;
}
