import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

interface NewGiftCard {
  codeHash: string;
  amountCents: number;
  buyerId: number | null;
  paymentId: string | null;
  recipientEmail: string;
  message: string;
  deliverOn: string;
  now: Date;
}

export const insertGiftCard = async (tx: Conn, card: NewGiftCard): Promise<number> =>
  (await queryOne(
    tx,
    sql`insert into gift_card (code_hash, amount_cents, buyer_id, payment_id, recipient_email, message, deliver_on, created_at)
        values (${card.codeHash}, ${card.amountCents}::int, ${card.buyerId}::int, ${card.paymentId}::uuid, ${card.recipientEmail}, ${card.message},
          ${card.deliverOn}::date, ${card.now}) returning id`,
    z.object({ id: z.number() }),
  ))!.id;

const BoughtRow = z.object({ id: z.number(), deliver_on: z.string() });
export const findGiftCardOfPayment = (db: Conn, paymentId: string) =>
  queryOne(
    db,
    sql`select id, to_char(deliver_on, 'YYYY-MM-DD') as deliver_on from gift_card where payment_id = ${paymentId}::uuid`,
    BoughtRow,
  );

/** Locks a gift card until the transaction ends: against sending it again, and against its redemption. */
export const lockGiftCard = (tx: Conn, id: number) =>
  execute(tx, sql`select 1 from gift_card where id = ${id}::int for update`);

const GiftCardRow = z.object({
  id: z.number(),
  amount_cents: z.number(),
  buyer_id: z.number().nullable(),
  buyer_email: z.string().nullable(),
  /** Empty: the recipient's account was deleted. */
  recipient_email: z.string(),
  message: z.string(),
  deliver_on: z.string(),
  created_at: z.date(),
  redeemed_at: z.date().nullable(),
  code_version: z.number(),
  /** Whether its latest mail is still to be sent. */
  is_queued: z.boolean(),
  /** Null: not sent, or deleted by the clean-up of old mails. */
  sent_at: z.date().nullable(),
  /** Why its latest mail could not be sent so far. */
  last_error: z.string().nullable(),
});
/** A gift card with the state of its latest mail. */
export type GiftCardRow = z.infer<typeof GiftCardRow>;

const giftCards = (where: Sql) => sql`
  select g.id, g.amount_cents, g.buyer_id, b.email as buyer_email, g.recipient_email, g.message, to_char(g.deliver_on, 'YYYY-MM-DD') as deliver_on, g.created_at,
    g.redeemed_at, g.code_version, m.id is not null and m.sent_at is null as is_queued, m.sent_at,
    case when m.sent_at is null and m.attempts > 0 then coalesce(m.last_error, '') end as last_error
  from gift_card g left join customer b on b.id = g.buyer_id
  left join mail m on m.key = 'gift-card:' || g.id || case when g.code_version > 1 then ':' || g.code_version else '' end
  where ${where} order by g.id desc`;

export const findGiftCard = (db: Conn, id: number): Promise<GiftCardRow | null> =>
  queryOne(db, giftCards(sql`g.id = ${id}::int`), GiftCardRow);

/** The gift cards that a customer bought, newest first. */
export const findGiftCardsOf = (db: Conn, buyerId: CustomerId): Promise<GiftCardRow[]> =>
  query(db, giftCards(sql`g.buyer_id = ${buyerId}::int`), GiftCardRow);

/** Gift cards by id, or by a part of the recipient's or the buyer's email, newest first; all with an empty text. */
export const findGiftCards = (db: Conn, text: string, most: number): Promise<GiftCardRow[]> => {
  const part = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return query(
    db,
    sql`${giftCards(sql`g.id::text = ${text} or lower(g.recipient_email) like ${part} or b.email like ${part}`)} limit ${most}::int`,
    GiftCardRow,
  );
};

/** Gives an unredeemed card another code and recipient; the code before is dead. Returns the number of the new code. */
export const replaceCode = async (tx: Conn, id: number, codeHash: string, recipientEmail: string): Promise<number> =>
  (await queryOne(
    tx,
    sql`update gift_card set code_hash = ${codeHash}, recipient_email = ${recipientEmail}, code_version = code_version + 1
        where id = ${id}::int and redeemed_at is null returning code_version`,
    z.object({ code_version: z.number() }),
  ))!.code_version;

/** Whether a code is that of a card, redeemed or not. */
export const hasCode = async (db: Conn, codeHash: string): Promise<boolean> =>
  (await queryOne(
    db,
    sql`select exists (select 1 from gift_card where code_hash = ${codeHash}) as found`,
    z.object({ found: z.boolean() }),
  ))!.found;

const Redeemed = z.object({ id: z.number(), amount_cents: z.number() });

/** Redeems a code; null for a wrong or spent one. One statement, so that of twenty tabs one gets it (failures.md K2). */
export const spendGiftCard = (tx: Conn, codeHash: string, customerId: CustomerId, now: Date) =>
  queryOne(
    tx,
    sql`update gift_card set redeemed_by_id = ${customerId}::int, redeemed_at = ${now} where code_hash = ${codeHash} and redeemed_at is null
        returning id, amount_cents`,
    Redeemed,
  );

/** Adds store credit. Returns what the customer has then, in cents; null: there is no such customer. */
export const addCredit = async (tx: Conn, customerId: CustomerId, amountCents: number): Promise<number | null> =>
  (
    await queryOne(
      tx,
      sql`update customer set credit_cents = credit_cents + ${amountCents}::int where id = ${customerId}::int returning credit_cents`,
      z.object({ credit_cents: z.number() }),
    )
  )?.credit_cents ?? null;

/** The time zone of a buyer's market, which a card's day follows; without a buyer or a market that of the first one, else UTC. */
export const findZone = async (db: Conn, buyerId: number | null): Promise<string> =>
  (await queryOne(
    db,
    sql`select coalesce((select h.time_zone from customer c join hub h on h.id = c.hub_id where c.id = ${buyerId}::int),
          (select time_zone from hub where is_published order by id limit 1), 'UTC') as zone`,
    z.object({ zone: z.string() }),
  ))!.zone;
