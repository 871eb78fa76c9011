import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId, GuestId } from "../identity/context.ts";
import { PictureRow } from "../pictures/picture-row.ts";
import { hasActivePass } from "../wagon-pass/pass-sql.ts";
import { Fulfillment, fulfillmentColumns } from "./fulfillment-sql.ts";

/** The row of a customer's or guest's own profile. Rows of a guest have no personal data. */
export const ProfileRow = z.object({
  customer_id: z.number().nullable(),
  guest_id: z.string().nullable(),
  email: z.string().nullable(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  handle: z.string().nullable(),
  phone: z.string().nullable(),
  avatar: PictureRow.nullable(),
  data_source: z.string().nullable(),
  ...Fulfillment.shape,
  has_password: z.boolean(),
  hub_id: z.number().nullable(),
  is_gluten_free: z.boolean(),
  is_vegan: z.boolean(),
  has_wagon_pass: z.boolean(),
  last_order_day: z.string().nullable(),
  payment_method: z
    .object({ brand: z.string(), last4: z.string(), exp_month: z.number(), exp_year: z.number() })
    .nullable(),
  player_id: z.string().nullable(),
  os: z.string().nullable(),
  subscribed_all_messages: z.boolean(),
  subscribed_marketing_emails: z.boolean(),
  subscribed_marketing_sms: z.boolean(),
  trk: z.string().nullable(),
  zip_code: z.string().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  utm_source: z.string().nullable(),
  utm_campaign: z.string().nullable(),
  credit_cents: z.number(),
  unread_count: z.number(),
});
export type ProfileRow = z.infer<typeof ProfileRow>;

/** A customer's own profile in one statement. Null when there is no such customer. */
export async function findCustomerProfile(db: Conn, customerId: CustomerId, now: Date): Promise<ProfileRow | null> {
  return queryOne(
    db,
    sql`select c.id as customer_id, null::text as guest_id, c.email, c.first_name, c.last_name, c.handle, c.phone,
          (select jsonb_build_object('id', p.id, 'alt', p.alt, 'thumbhash', p.thumbhash) from picture p where p.id = c.avatar_id) as avatar,
          c.data_source, ${fulfillmentColumns},
          c.password_hash is not null as has_password, c.hub_id, c.is_gluten_free, c.is_vegan,
          ${hasActivePass(sql`c.id`, sql`${now}::timestamptz at time zone coalesce((select h.time_zone from hub h where h.id = c.hub_id), 'UTC')`)} as has_wagon_pass,
          (select to_char(max(o.created_at at time zone h.time_zone), 'YYYY-MM-DD') from orders o join hub h on h.id = o.hub_id where o.customer_id = c.id and o.status <> 'cancelled') as last_order_day,
          (select jsonb_build_object('brand', m.brand, 'last4', m.last4, 'exp_month', m.exp_month, 'exp_year', m.exp_year)
           from payment_method m where m.customer_id = c.id and m.is_default and m.deleted_at is null) as payment_method,
          c.player_id, c.os, c.subscribed_all_messages, c.subscribed_marketing_emails, c.subscribed_marketing_sms, c.trk,
          c.zip_code, c.lat, c.lng, c.utm_source, c.utm_campaign, c.credit_cents,
          (select count(*)::int from thread t where t.customer_id = c.id and exists (
             select 1 from message m where m.thread_id = t.id and m.sender = 'U' and (t.read_at is null or m.created_at > t.read_at))) as unread_count
        from customer c where c.id = ${customerId}::int and c.deleted_at is null`,
    ProfileRow,
  );
}

/** The columns of a guest `g` as `ProfileRow`: hub and origin. */
export const guestProfile = sql`null::int as customer_id, g.id::text as guest_id, null::text as email, null::text as first_name,
          null::text as last_name, null::text as handle, null::text as phone, null::jsonb as avatar, null::text as data_source,
          null::jsonb as pickup_point, null::jsonb as default_address, false as has_password, g.hub_id, false as is_gluten_free, false as is_vegan, false as has_wagon_pass,
          null::text as last_order_day, null::jsonb as payment_method, g.player_id, g.os, true as subscribed_all_messages,
          false as subscribed_marketing_emails, false as subscribed_marketing_sms, g.trk, g.zip_code, g.lat, g.lng, g.utm_source,
          g.utm_campaign, 0 as credit_cents, 0 as unread_count`;

/** A guest's profile. Null when there is no such guest. */
export const findGuestProfile = (db: Conn, guestId: GuestId): Promise<ProfileRow | null> =>
  queryOne(db, sql`select ${guestProfile} from guest g where g.id = ${guestId}::uuid`, ProfileRow);
