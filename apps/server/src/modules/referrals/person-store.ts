import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import type { ReferralMatch } from "@marketday/domain/referral";
import { z } from "zod";

const PersonJson = z.object({
  email: z.string().nullable(),
  phone: z.string().nullable(),
  addresses: z.array(z.object({ address: z.string(), address2: z.string(), zipCode: z.string() })),
  cardFingerprints: z.array(z.string()),
});

/**
 * The identifying data of a customer, as JSON: email, phone, every address saved or ordered to, every card saved (removed cards
 * included) or used. `referralOrder`: the order that used the discount; its card still counts after the account is deleted.
 */
const personJson = (customer: Sql, referralOrder: Sql, until: Sql) => sql`
  (select jsonb_build_object('email', p.email, 'phone', p.phone,
      'addresses', coalesce((
        select jsonb_agg(distinct jsonb_build_object('address', k.address, 'address2', coalesce(k.address2, ''), 'zipCode', k.zip_code)) from (
          select a.address, a.address2, a.zip_code from address a where a.customer_id = p.id and a.created_at <= ${until}
          union all
          select o.address->>'address', o.address->>'address2', o.address->>'zipCode' from orders o
          where o.customer_id = p.id and o.address is not null and o.created_at <= ${until}) k), '[]'),
      'cardFingerprints', coalesce((
        select jsonb_agg(distinct k.fingerprint) from (
          select m.fingerprint from payment_method m where m.customer_id = p.id and m.created_at <= ${until}
          union all
          select y.card_fingerprint from payment y where y.customer_id = p.id and y.created_at <= ${until}
          union all
          select y.card_fingerprint from orders o join payment y on y.id = o.payment_id where o.id = ${referralOrder}) k
        where k.fingerprint <> ''), '[]'))
    from customer p where p.id = ${customer})`;

const ALWAYS = sql`'infinity'::timestamptz`;

/** The identifying data of a friend, of their referrer, and of the referrer's other friends who used the discount. */
export const findRelated = (db: Conn, friendId: number) =>
  query(
    db,
    sql`with friend as (select friend_id, referrer_id from referral where friend_id = ${friendId}::int),
        related as (
          select friend_id as id, null::int as order_id from friend
          union all
          select referrer_id, null from friend
          union all
          select r.friend_id, r.order_id from referral r join friend f on f.referrer_id = r.referrer_id
          where r.friend_id <> f.friend_id and r.order_id is not null)
        select k.id = ${friendId}::int as is_friend, ${personJson(sql`k.id`, sql`k.order_id`, ALWAYS)} as person from related k`,
    z.object({ is_friend: z.boolean(), person: PersonJson }),
  );

/** The identifying data of every credited friend and of the referrer, from before the credit; by referrer and credit. */
export const findCreditedReferrals = (db: Conn) =>
  query(
    db,
    sql`select r.referrer_id, r.friend_id, r.credited_at,
          ${personJson(sql`r.friend_id`, sql`r.order_id`, sql`r.credited_at`)} as friend,
          ${personJson(sql`r.referrer_id`, sql`null::int`, sql`r.credited_at`)} as referrer
        from referral r where r.credited_at is not null order by r.referrer_id, r.credited_at, r.friend_id`,
    z.object({
      referrer_id: z.number(),
      friend_id: z.number(),
      credited_at: z.date(),
      friend: PersonJson,
      referrer: PersonJson,
    }),
  );

/** Serializes the friends of a referrer until the transaction ends, so that two with the same card cannot both pass the check. */
export const lockReferrer = (tx: Conn, friendId: number): Promise<unknown> =>
  queryOne(
    tx,
    sql`select pg_advisory_xact_lock(hashtext('referral'), referrer_id) is null as locked from referral where friend_id = ${friendId}::int`,
    z.object({ locked: z.boolean() }),
  );

/** Records permanently that a friend gets no discount and the referrer no credit, unless the discount was used already. */
export const refuseReferral = (db: Conn, friendId: number, match: ReferralMatch) =>
  execute(
    db,
    sql`update referral set refused = ${match} where friend_id = ${friendId}::int and order_id is null and refused is null`,
  );
