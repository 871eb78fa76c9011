import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { normaliseStreet, type ReferralMatch, type StreetAddress } from "@marketday/domain/referral";
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

/** Fingerprints of all cards that a customer has saved, removed ones included, or paid with. */
const cardsOf = (customer: Sql) => sql`
  select m.fingerprint from payment_method m where m.customer_id = ${customer} and m.fingerprint <> ''
  union
  select y.card_fingerprint from payment y where y.customer_id = ${customer} and y.card_fingerprint <> ''`;

/**
 * The identifying data of a friend, of their referrer, and of others who used the discount: the referrer's other friends, and every
 * customer with a card of the friend.
 */
export const findRelated = (db: Conn, friendId: number) =>
  query(
    db,
    sql`with friend as (select friend_id, referrer_id from referral where friend_id = ${friendId}::int),
        cards as (${cardsOf(sql`${friendId}::int`)}),
        related as (
          select friend_id as id, null::int as order_id from friend
          union all
          select referrer_id, null from friend
          union
          select r.friend_id, r.order_id from referral r join friend f on f.referrer_id = r.referrer_id
          where r.friend_id <> f.friend_id and r.order_id is not null
          union
          select r.friend_id, r.order_id from cards c join payment_method m on m.fingerprint = c.fingerprint
          join referral r on r.friend_id = m.customer_id where r.friend_id <> ${friendId}::int and r.order_id is not null
          union
          select r.friend_id, r.order_id from cards c join payment y on y.card_fingerprint = c.fingerprint
          join referral r on r.friend_id = y.customer_id where r.friend_id <> ${friendId}::int and r.order_id is not null)
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

const IsCardless = z.object({ is_cardless: z.boolean() });

/** Whether a customer has never saved a card or paid with one. */
export const hasNoCard = async (db: Conn, customerId: number): Promise<boolean> =>
  (await queryOne(db, sql`select not exists (${cardsOf(sql`${customerId}::int`)}) as is_cardless`, IsCardless))
    ?.is_cardless === true;

const OtherAddress = z.object({
  address: z.string(),
  address2: z.string().nullable(),
  zipCode: z.string(),
  /** Of a deleted customer's, whose text is empty (`markAddress`). */
  mark: z.string().nullable(),
});

/** The addresses in a ZIP code that other customers have saved or ordered to, and marks of those that deleted ones ordered to. */
export const findOtherAddresses = (
  db: Conn,
  customerId: number,
  zipCode: string,
): Promise<z.infer<typeof OtherAddress>[]> =>
  query(
    db,
    sql`select a.address, a.address2, a.zip_code as "zipCode", null as mark from address a
        where left(a.zip_code, 5) = ${zipCode.slice(0, 5)} and a.customer_id <> ${customerId}::int
        union
        select o.address->>'address', o.address->>'address2', o.address->>'zipCode', o.address->>'mark' from orders o
        where left(o.address->>'zipCode', 5) = ${zipCode.slice(0, 5)} and o.customer_id <> ${customerId}::int`,
    OtherAddress,
  );

const Pair = z.object({ friend_id: z.number(), earlier_id: z.number() });

/**
 * Friends who used the discount with one card, by the payment of the checkout or, once credited, by the one that was captured. Cards
 * that they share otherwise do not count: they may have been saved later.
 */
export const findFriendsWithOneCard = (db: Conn): Promise<z.infer<typeof Pair>[]> =>
  query(
    db,
    sql`with used as (
          select r.friend_id, p.card_fingerprint as card from referral r join orders o on o.id = r.order_id
          join checkout_attempt a on a.id = o.attempt_id join payment p on p.id = a.payment_id where p.card_fingerprint <> ''
          union
          select r.friend_id, p.card_fingerprint from referral r join orders o on o.id = r.order_id
          join payment p on p.id = o.payment_id where r.credited_at is not null and p.card_fingerprint <> '')
        select distinct u.friend_id, v.friend_id as earlier_id from used u join used v on v.card = u.card and v.friend_id < u.friend_id
        order by 1, 2`,
    Pair,
  );

/** First orders with the discount that no card is known for, and their delivery addresses, oldest first. */
export const findCardlessDiscounts = (db: Conn) =>
  query(
    db,
    sql`select r.friend_id, o.address->>'address' as address, o.address->>'address2' as address2, o.address->>'zipCode' as "zipCode"
        from referral r join orders o on o.id = r.order_id
        where o.address->>'address' <> '' and not exists (${cardsOf(sql`r.friend_id`)}) order by o.created_at, r.friend_id`,
    z.object({ friend_id: z.number(), address: z.string(), address2: z.string().nullable(), zipCode: z.string() }),
  );

const Locked = z.object({ locked: z.boolean() });

/** Locks the cards of a query of fingerprints until the transaction ends, in one order. */
export const lockCards = (tx: Conn, fingerprints: Sql): Promise<unknown> =>
  query(
    tx,
    sql`select pg_advisory_xact_lock(hashtext('referral-card'), k.card) is null as locked
        from (select distinct hashtext(f.fingerprint) as card from (${fingerprints}) f(fingerprint) order by card) k`,
    Locked,
  );

/**
 * Serializes, until the transaction ends, the first orders of one referrer's friends, those with one card, and those to one address
 * where no card is known: two with the same cannot both pass the checks. Locked in this order: the referrer, the cards, the address.
 */
export async function lockReferral(tx: Conn, friendId: number, address: StreetAddress | null): Promise<void> {
  await query(
    tx,
    sql`select pg_advisory_xact_lock(hashtext('referral'), referrer_id) is null as locked from referral where friend_id = ${friendId}::int`,
    Locked,
  );
  await lockCards(tx, cardsOf(sql`${friendId}::int`));
  if (address)
    await query(
      tx,
      sql`select pg_advisory_xact_lock(hashtext('referral-address'), hashtext(${normaliseStreet(address)})) is null as locked`,
      Locked,
    );
}

/** Records permanently that a friend gets no discount and the referrer no credit, unless the discount was used already. */
export const refuseReferral = (db: Conn, friendId: number, match: ReferralMatch) =>
  execute(
    db,
    sql`update referral set refused = ${match} where friend_id = ${friendId}::int and order_id is null and refused is null`,
  );
