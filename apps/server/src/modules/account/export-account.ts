import { readFile } from "node:fs/promises";

import { type Conn, execute, query, queryOne, raw, sql, sqlTransaction } from "@marketday/db";
import { DATA_EXPORT_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import { asCustomerId, type Context, type CustomerId } from "../../lib/context.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { newToken, sha256 } from "../../lib/tokens.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { enqueueMail } from "../mail/store.ts";
import { photoPath } from "../problems/photos.ts";
import { findAddressesOf } from "./email-change-store.ts";

/** Mails a customer the link to their data; it works for a day (docs/product.md §3). */
export async function exportAccount({ deps, now }: Context, customerId: CustomerId): Promise<void> {
  const token = newToken();
  const tokenHash = sha256(token);
  await sqlTransaction(deps.db, async (tx) => {
    await execute(
      tx,
      sql`insert into data_export (token_hash, customer_id, created_at, expires_at)
          values (${tokenHash}, ${customerId}::int, ${now}, ${addMs(now, DATA_EXPORT_MS)})`,
    );
    await enqueueMail(tx, {
      key: `data-export:${tokenHash}`,
      template: "data-export",
      customerId,
      data: { token },
      now,
    });
    await execute(tx, sql`update mail set is_secret = true where key = ${`data-export:${tokenHash}`}`);
  });
}

/** The customer of a data link: once, within a day (failures.md L1). */
export async function openExport(db: Conn, token: string, now: Date): Promise<CustomerId | null> {
  const row = await queryOne(
    db,
    sql`update data_export e set used_at = ${now} from customer c
        where e.token_hash = ${sha256(token)} and e.used_at is null and e.expires_at > ${now} and c.id = e.customer_id and c.deleted_at is null
        returning e.customer_id`,
    z.object({ customer_id: z.number() }),
  );
  return row && asCustomerId(row.customer_id);
}

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

/** The pictures of their problem reports, as JPEG in base64; null where the file is missing. */
async function photosOf(db: Conn, dataDir: string, customerId: CustomerId) {
  const photos = await query(
    db,
    sql`select p.report_id, p.file from problem_photo p join problem_report r on r.id = p.report_id where r.customer_id = ${customerId}::int order by 1, 2`,
    z.object({ report_id: z.number(), file: z.string() }),
  );
  return Promise.all(
    photos.map(async ({ report_id, file }) => ({
      report_id,
      file,
      jpeg: await readFile(photoPath(dataDir, file), "base64").catch(() => null),
    })),
  );
}

/** Everything the market stores about one customer, as one JSON document: its tables by name (failures.md L1). */
export async function collectData(
  db: Conn,
  dataDir: string,
  customerId: CustomerId,
  now: Date,
): Promise<Record<string, unknown>> {
  const json = z.object({ value: z.unknown() });
  const one = async (statement: ReturnType<typeof sql>) => (await queryOne(db, statement, json))?.value ?? null;
  const emails = await findAddressesOf(db, customerId);
  const about: Record<string, unknown> = {
    made: now.toISOString(),
    customer: await one(
      sql`select to_jsonb(c) - array['password_hash', 'email_normal'] as value from customer c where id = ${customerId}::int`,
    ),
  };
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
  about["problem_photo"] = await photosOf(db, dataDir, customerId);
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

/** Exports a customer's data for an operator (docs/product.md §14 `customers export`), with an audit entry. */
export const exportByHand = (ctx: Context, customerId: CustomerId, reason: string, dryRun: boolean) =>
  withDryRun(ctx.deps.db, dryRun, async (tx) => {
    const data = await collectData(tx, ctx.deps.env.dataDir, customerId, ctx.now);
    await writeAuditEntry(tx, ctx, { action: "customers export", subject: `customer:${customerId}`, reason });
    return data;
  });
