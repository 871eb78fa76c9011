import { type Conn, query, queryOne, raw, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

/** Tables that only record that a link was created. */
const LINKS = ["password_reset", "data_export", "deletion"];
/** Columns that are internal to the server. */
const INSIDE = [
  "customer_id",
  "provider_ref",
  "fingerprint",
  "idempotency_key",
  "code_hash",
  "token_hash",
  "fencing_token",
  "lease_until",
  "staff_id",
];

/** Every table with the column `customer_id`, so that new tables are included automatically. */
async function tablesOfCustomers(db: Conn): Promise<string[]> {
  const rows = await query(
    db,
    sql`select table_name as name from information_schema.columns
        where table_schema = current_schema() and column_name = 'customer_id' and not table_name = any(${LINKS}::text[]) order by 1`,
    z.object({ name: z.string() }),
  );
  return rows.map(({ name }) => name);
}

/** The rows of all tables that are about a customer, by table. `emails`: all addresses the account has had. */
export async function readTables(
  db: Conn,
  customerId: CustomerId,
  emails: readonly string[],
): Promise<Record<string, unknown>> {
  const json = z.object({ value: z.unknown() });
  const one = async (statement: ReturnType<typeof sql>) => (await queryOne(db, statement, json))?.value ?? null;
  const about: Record<string, unknown> = {
    customer: await one(
      sql`select to_jsonb(c) - array['password_hash', 'email_normal'] as value from customer c where id = ${customerId}::int`,
    ),
  };
  about["pickup_point"] = await one(
    sql`select to_jsonb(p) - array['id', 'hub_id'] as value from pickup_point p join customer c on c.pickup_point_id = p.id where c.id = ${customerId}::int`,
  );
  for (const table of await tablesOfCustomers(db))
    about[table] = await one(sql`select coalesce(jsonb_agg(to_jsonb(t) - ${INSIDE}::text[]), '[]') as value
      from ${raw(`"${table}"`)} t where t.customer_id = ${customerId}::int`);
  about["order_item"] = await one(
    sql`select coalesce(jsonb_agg(jsonb_build_object('order_id', i.order_id, 'product', i.product_title, 'variant', i.variant_title,
          'quantity', i.quantity, 'unit_price_cents', i.unit_price_cents)), '[]') as value
        from order_item i join orders o on o.id = i.order_id where o.customer_id = ${customerId}::int`,
  );
  about["message"] = await one(
    sql`select coalesce(jsonb_agg(jsonb_build_object('vendor', v.name, 'sender', m.sender, 'message', m.message, 'created_at', m.created_at) order by m.id), '[]') as value
        from message m join thread t on t.id = m.thread_id join vendor v on v.id = t.vendor_id where t.customer_id = ${customerId}::int`,
  );
  about["cart_item"] = await one(
    sql`select coalesce(jsonb_agg(to_jsonb(i)), '[]') as value from cart_item i join cart c on c.id = i.cart_id where c.customer_id = ${customerId}::int`,
  );
  about["gift_card"] = await one(
    sql`select coalesce(jsonb_agg(to_jsonb(g) - ${INSIDE}::text[]), '[]') as value from gift_card g
        where ${customerId}::int in (g.buyer_id, g.redeemed_by_id) or lower(g.recipient_email) = any(${emails}::text[])`,
  );
  about["referral"] = await one(
    sql`select coalesce(jsonb_agg(jsonb_build_object('is_mine', r.referrer_id = ${customerId}::int, 'created_at', r.created_at, 'credited_at', r.credited_at)), '[]') as value
        from referral r where ${customerId}::int in (r.friend_id, r.referrer_id)`,
  );
  about["lead"] = await one(
    sql`select coalesce(jsonb_agg(to_jsonb(l) order by l.id), '[]') as value from lead l where lower(l.email) = any(${emails}::text[])`,
  );
  about["snapshot_box"] = await one(
    sql`select coalesce(jsonb_agg(to_jsonb(b) - 'snapshot_id'), '[]') as value
        from snapshot_box b join orders o on o.id = b.order_id where o.customer_id = ${customerId}::int`,
  );
  about["mail"] = await one(
    sql`select coalesce(jsonb_agg(jsonb_build_object('template', m.template, 'created_at', m.created_at, 'sent_at', m.sent_at) order by m.id), '[]') as value
        from mail m where lower(m.to_email) = any(${emails}::text[])`,
  );
  return about;
}
