import { type Conn, execute, queryOne, sql } from "@marketday/db";
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

const GiftCardRow = z.object({ id: z.number(), deliver_on: z.string() });
export const findGiftCardOfPayment = (db: Conn, paymentId: string) =>
  queryOne(
    db,
    sql`select id, to_char(deliver_on, 'YYYY-MM-DD') as deliver_on from gift_card where payment_id = ${paymentId}::uuid`,
    GiftCardRow,
  );

const Redeemed = z.object({ id: z.number(), amount_cents: z.number() });

/** Redeems a code; null for a wrong or spent one. One statement, so that of twenty tabs one gets it (failures.md K2). */
export const spendGiftCard = (tx: Conn, codeHash: string, customerId: CustomerId, now: Date) =>
  queryOne(
    tx,
    sql`update gift_card set redeemed_by_id = ${customerId}::int, redeemed_at = ${now} where code_hash = ${codeHash} and redeemed_at is null
        returning id, amount_cents`,
    Redeemed,
  );

export const addCredit = (tx: Conn, customerId: CustomerId, amountCents: number) =>
  execute(tx, sql`update customer set credit_cents = credit_cents + ${amountCents}::int where id = ${customerId}::int`);
