import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import { asCustomerId, type CustomerId } from "../identity/context.ts";

const Row = z.object({
  id: z.number(),
  email: z.string().nullable(),
  name: z.string(),
  phone: z.string().nullable(),
  hub: z.string().nullable(),
  /** Where they receive: "pickup: Depot Barn", "delivery: 12 Main Street, Carmel, IN 46032"; null: nowhere yet. */
  receives: z.string().nullable(),
  /** The card of automatic orders: "visa 4242". */
  card: z.string().nullable(),
  orders: z.number(),
  credit_cents: z.number(),
  created_at: z.date(),
});
/** A customer in an operator's search result. */
export type FoundCustomer = z.infer<typeof Row>;

/** Customers by id, or by a part of e-mail, name or phone; the newest first. Deleted accounts are found by id alone. */
export const findCustomers = (db: Conn, text: string, most: number): Promise<FoundCustomer[]> => {
  const part = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const digits = text.replaceAll(/\D/g, "");
  return query(
    db,
    sql`select c.id, c.email, trim(c.first_name || ' ' || c.last_name) as name, c.phone, h.slug as hub,
          coalesce((select 'pickup: ' || p.name from pickup_point p where p.id = c.pickup_point_id),
            (select 'delivery: ' || a.address || ', ' || a.city || ', ' || a.state || ' ' || a.zip_code from address a
              where a.customer_id = c.id and a.is_default)) as receives,
          (select m.brand || ' ' || m.last4 from payment_method m where m.customer_id = c.id and m.is_default and m.deleted_at is null) as card,
          (select count(*)::int from orders o where o.customer_id = c.id) as orders, c.credit_cents, c.created_at
        from customer c left join hub h on h.id = c.hub_id
        where c.id::text = ${text} or c.email like ${part} or lower(c.first_name || ' ' || c.last_name) like ${part}
          or (length(${digits}) >= 7 and regexp_replace(coalesce(c.phone, ''), '[^0-9]', '', 'g') like '%' || ${digits})
        order by c.created_at desc, c.id desc limit ${most}::int`,
    Row,
  );
};

/** The customer with an id or an exact email. Throws AppError 404. */
export async function customerNamed(db: Conn, text: string): Promise<{ id: CustomerId; email: string | null }> {
  const [row] = await query(
    db,
    sql`select id, email from customer where id::text = ${text} or email = lower(${text})`,
    z.object({ id: z.number(), email: z.string().nullable() }),
  );
  if (!row)
    throw new AppError(404, `There is no customer ${text}. \`./market customers find\` looks for a part of a name.`, {
      code: "not_found",
    });
  return { id: asCustomerId(row.id), email: row.email };
}
