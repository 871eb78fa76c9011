import { type Conn, query, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { escapeLike } from "../../lib/escape-like.ts";

/** The most that fits an id. */
const ID_MAX = 2 ** 31 - 1;
/** Fewer digits are in too many phone numbers. */
const PHONE_DIGITS_MIN = 7;

/** What a text can be in the search for people. */
export interface CustomerSearch {
  /** A part of an email or a name, as a pattern of `like`; null: the text is empty, so all are found. */
  part: string | null;
  id: number | null;
  /** Digits of a phone number. */
  phone: string | null;
  /** The last four digits of a saved card. */
  last4: string | null;
  orderId: number | null;
}

const ALL: CustomerSearch = { part: null, id: null, phone: null, last4: null, orderId: null };

/**
 * Reads a text as it is typed: part of an email or a name; a phone number in any way of writing it; the last four digits of a card
 * ("4242", "card 4242"); an order number, also in groups of three ("123 456 789", "#123456789"); an id.
 */
export function parseCustomerSearch(text: string): CustomerSearch {
  const typed = text.trim().replaceAll(/\s+/g, " ");
  if (typed === "") return ALL;
  const digits = typed.replaceAll(/\D/g, "");
  const isNumber = /^(card|order)?[\d\s#+().,/\-•*]+$/i.test(typed);
  const part = `%${escapeLike(typed.toLowerCase())}%`;
  const found: CustomerSearch = { ...ALL, part };
  if (/^[1-9]\d*$/.test(typed) && Number(typed) <= ID_MAX) found.id = Number(typed);
  // The country code is written by some and stored for few.
  if (digits.length >= PHONE_DIGITS_MIN) found.phone = digits.length === 11 ? digits.replace(/^1/, "") : digits;
  if (!isNumber) return found;
  if (digits.length === 4) found.last4 = digits;
  if (digits.length === 9 && Number(digits) <= ID_MAX) found.orderId = Number(digits);
  return found;
}

/** Whether a customer shops in one of these markets or has ordered there; null: all markets. */
export const isCustomerOf = (c: Sql, hubIds: Sql): Sql =>
  sql`(${hubIds} is null or ${c}.hub_id = any(${hubIds}) or exists (select 1 from orders z where z.customer_id = ${c}.id and z.hub_id = any(${hubIds})))`;

/**
 * The ids of the customers that a search finds, some of them more than once, with what they were found by where it is not in their own
 * row: "card 4242", "order 123 456 789". Deleted accounts are found by their id and the number of an order. An order counts in these markets.
 */
export function foundCustomers({ part, id, phone, last4, orderId }: CustomerSearch, hubIds: Sql): Sql {
  if (part === null) return sql`select c.id, null::text as found from customer c where c.deleted_at is null`;
  const order = orderId === null ? null : `order ${String(orderId).replaceAll(/(\d{3})(?=\d)/g, "$1 ")}`;
  return sql`
    select c.id, null::text as found from customer c
    where c.deleted_at is null and (c.email like ${part} or (c.first_name || ' ' || c.last_name) ilike ${part})
    union all
    select c.id, null from customer c
    where c.phone is not null and c.deleted_at is null and regexp_replace(c.phone, '[^0-9]', '', 'g') like '%' || ${phone}::text || '%'
    union all
    select c.id, null from customer c where c.id = ${id}::int
    union all
    select m.customer_id, ${last4 === null ? null : `card ${last4}`}::text from payment_method m where m.last4 = ${last4}::text and m.deleted_at is null
    union all
    select o.customer_id, ${order}::text from orders o
    where o.id = ${orderId}::int and o.customer_id is not null and (${hubIds} is null or o.hub_id = any(${hubIds}))`;
}

/** The ids of the customers that a text finds in all markets, the newest first. */
export async function searchCustomers(conn: Conn, text: string, most: number): Promise<number[]> {
  const all = sql`null::int[]`;
  const rows = await query(
    conn,
    sql`select c.id from customer c where c.id in (select f.id from (${foundCustomers(parseCustomerSearch(text), all)}) f)
        order by c.created_at desc, c.id desc limit ${most}::int`,
    z.object({ id: z.number() }),
  );
  return rows.map(({ id }) => id);
}
