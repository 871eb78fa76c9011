import type { Client, Prisma, Tx } from "@marketday/db";
import { calendarDate, dateFromUtc, dateToUtc } from "@marketday/domain/calendar-date";

import { escapeLike } from "../../lib/escape-like.ts";
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

/** Inserts a gift card and returns its id. */
export async function insertGiftCard(tx: Tx, card: NewGiftCard): Promise<number> {
  const { id } = await tx.gift_card.create({
    data: {
      code_hash: card.codeHash,
      amount_cents: card.amountCents,
      buyer_id: card.buyerId,
      payment_id: card.paymentId,
      recipient_email: card.recipientEmail,
      message: card.message,
      deliver_on: dateToUtc(calendarDate(card.deliverOn)),
      created_at: card.now,
    },
    select: { id: true },
  });
  return id;
}

/** The card that a payment bought, with its day `YYYY-MM-DD`. */
export async function findGiftCardOfPayment(
  db: Client,
  paymentId: string,
): Promise<{ id: number; deliver_on: string } | null> {
  const card = await db.gift_card.findFirst({
    where: { payment_id: paymentId },
    select: { id: true, deliver_on: true },
  });
  return card && { ...card, deliver_on: dateFromUtc(card.deliver_on) };
}

const shownCard = {
  id: true,
  amount_cents: true,
  buyer_id: true,
  buyer: { select: { email: true } },
  recipient_email: true,
  message: true,
  deliver_on: true,
  created_at: true,
  redeemed_at: true,
  code_version: true,
} satisfies Prisma.gift_cardSelect;
/** A gift card without the state of its mail. */
export type CardRow = Prisma.gift_cardGetPayload<{ select: typeof shownCard }>;

/** A gift card with the state of its latest mail. */
export interface GiftCardRow extends Omit<CardRow, "buyer" | "deliver_on"> {
  buyer_email: string | null;
  /** Empty: the recipient's account was deleted. */
  recipient_email: string;
  /** `YYYY-MM-DD`. */
  deliver_on: string;
  /** Whether its latest mail is still to be sent. */
  is_queued: boolean;
  /** Null: not sent, or deleted by the clean-up of old mails. */
  sent_at: Date | null;
  /** Why its latest mail could not be sent so far. */
  last_error: string | null;
}

/** The key of the mail with the nth code of a card. */
export const giftMailKey = (id: number, version: number): string =>
  version === 1 ? `gift-card:${id}` : `gift-card:${id}:${version}`;

/** Gift cards with the state of their latest mails. */
async function withMails(db: Client, cards: readonly CardRow[]): Promise<GiftCardRow[]> {
  if (cards.length === 0) return [];
  const mails = await db.mail.findMany({
    where: { key: { in: cards.map((card) => giftMailKey(card.id, card.code_version)) } },
    select: { key: true, sent_at: true, attempts: true, last_error: true },
  });
  const mailOf = new Map(mails.map((mail) => [mail.key, mail]));
  return cards.map(({ buyer, ...card }) => {
    const mail = mailOf.get(giftMailKey(card.id, card.code_version));
    const isQueued = mail?.sent_at === null;
    return {
      ...card,
      buyer_email: buyer?.email ?? null,
      deliver_on: dateFromUtc(card.deliver_on),
      is_queued: isQueued,
      sent_at: mail?.sent_at ?? null,
      last_error: isQueued && mail.attempts > 0 ? (mail.last_error ?? "") : null,
    };
  });
}

export const findCard = (db: Client, id: number): Promise<CardRow | null> =>
  db.gift_card.findUnique({ where: { id }, select: shownCard });

export async function findGiftCard(db: Client, id: number): Promise<GiftCardRow | null> {
  const card = await findCard(db, id);
  return card && (await withMails(db, [card]))[0]!;
}

/** The gift cards that a customer bought, newest first. */
export const findGiftCardsOf = async (db: Client, buyerId: CustomerId): Promise<GiftCardRow[]> =>
  withMails(
    db,
    await db.gift_card.findMany({ where: { buyer_id: buyerId }, select: shownCard, orderBy: { id: "desc" } }),
  );

/** Gift cards by id, or by a part of the recipient's or the buyer's email, newest first; all with an empty text. */
export async function findGiftCards(db: Client, text: string, most: number): Promise<GiftCardRow[]> {
  const id = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
  const part = escapeLike(text.toLowerCase());
  const cards = await db.gift_card.findMany({
    where: {
      OR: [
        ...(id === null ? [] : [{ id }]),
        { recipient_email: { contains: part, mode: "insensitive" } },
        { buyer: { email: { contains: part } } },
      ],
    },
    select: shownCard,
    orderBy: { id: "desc" },
    take: most,
  });
  return withMails(db, cards);
}

/** Gives an unredeemed card another code and recipient; the code before is dead. Returns the number of the new code. */
export async function replaceCode(tx: Tx, id: number, codeHash: string, recipientEmail: string): Promise<number> {
  const { code_version: version } = await tx.gift_card.update({
    where: { id, redeemed_at: null },
    data: { code_hash: codeHash, recipient_email: recipientEmail, code_version: { increment: 1 } },
    select: { code_version: true },
  });
  return version;
}

/** Whether a code is that of a card, redeemed or not. */
export const hasCode = async (db: Client, codeHash: string): Promise<boolean> =>
  (await db.gift_card.count({ where: { code_hash: codeHash } })) > 0;

/** Redeems a code; null for a wrong or spent one. One statement, so that of twenty tabs one gets it (failures.md K2). */
export async function spendGiftCard(
  tx: Tx,
  codeHash: string,
  customerId: CustomerId,
  now: Date,
): Promise<{ id: number; amount_cents: number } | null> {
  const [card] = await tx.gift_card.updateManyAndReturn({
    where: { code_hash: codeHash, redeemed_at: null },
    data: { redeemed_by_id: customerId, redeemed_at: now },
    select: { id: true, amount_cents: true },
  });
  return card ?? null;
}

/**
 * Takes store credit back, if the customer still has as much. Returns what the customer has then, in cents; null: the account is deleted,
 * or has less.
 */
export async function takeCredit(tx: Tx, customerId: CustomerId, amountCents: number): Promise<number | null> {
  const [customer] = await tx.customer.updateManyAndReturn({
    where: { id: customerId, deleted_at: null, credit_cents: { gte: amountCents } },
    data: { credit_cents: { decrement: amountCents } },
    select: { credit_cents: true },
  });
  return customer?.credit_cents ?? null;
}

/** What a customer has of store credit, in cents; null: the account is deleted. */
export const findCredit = async (tx: Tx, customerId: CustomerId): Promise<number | null> =>
  (
    await tx.customer.findFirst({
      where: { id: customerId, deleted_at: null },
      select: { credit_cents: true },
    })
  )?.credit_cents ?? null;

/** Deletes a mail that waits for its time. False: it is due, so it may be on its way already. */
export const deleteWaitingMail = async (tx: Tx, key: string, now: Date): Promise<boolean> =>
  (await tx.mail.deleteMany({ where: { key, sent_at: null, next_at: { gt: now } } })).count === 1;

/** Adds store credit. Returns what the customer has then, in cents; null: the account is deleted, or there is none. */
export async function addCredit(tx: Tx, customerId: CustomerId, amountCents: number): Promise<number | null> {
  const [customer] = await tx.customer.updateManyAndReturn({
    where: { id: customerId, deleted_at: null },
    data: { credit_cents: { increment: amountCents } },
    select: { credit_cents: true },
  });
  return customer?.credit_cents ?? null;
}

/** The time zone of a buyer's market, which a card's day follows; without a buyer or a market that of the first one, else UTC. */
export async function findZone(db: Client, buyerId: number | null): Promise<string> {
  const buyer =
    buyerId === null
      ? null
      : await db.customer.findUnique({ where: { id: buyerId }, select: { hub: { select: { time_zone: true } } } });
  if (buyer?.hub) return buyer.hub.time_zone;
  const first = await db.hub.findFirst({
    where: { is_published: true },
    select: { time_zone: true },
    orderBy: { id: "asc" },
  });
  return first?.time_zone ?? "UTC";
}
