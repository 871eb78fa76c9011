import { randomBytes } from "node:crypto";

import type { Tx } from "@marketday/db";
import { calendarDate } from "@marketday/domain/calendar-date";
import { instantOf } from "@marketday/domain/delivery";
import { GIFT_CARD_TIME } from "@marketday/domain/limits";
import { isBefore } from "@marketday/domain/time";

import { sha256 } from "../../lib/tokens.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { findZone, giftMailKey } from "./store.ts";

/** Letters and digits that are not mistaken for each other. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** 80 random bits as four groups of four (failures.md K3). */
export function newGiftCode(): string {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return letters.match(/.{4}/g)!.join("-");
}

/** A code in the form it is compared in, without case, spaces and dashes. Only its hash is stored. */
export const giftCodeHash = (code: string) => sha256(`gift:${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, "")}`);

interface CodeToSend {
  id: number;
  /** The number of the code among the card's. */
  version: number;
  code: string;
  /** Null: the market gives the card. */
  buyerId: number | null;
  recipientEmail: string;
  amountCents: number;
  message: string;
  deliverOn: string;
}

/**
 * Enqueues the mail with a card's code: on the morning of its day by the clock of the buyer's market, or at once when that
 * is over. Returns whether it waits.
 */
export async function enqueueCode(tx: Tx, card: CodeToSend, now: Date): Promise<boolean> {
  const { code, amountCents, message } = card;
  const due = instantOf(calendarDate(card.deliverOn), GIFT_CARD_TIME, await findZone(tx, card.buyerId));
  const isWaiting = isBefore(now, due);
  await enqueueMailTo(tx, {
    key: giftMailKey(card.id, card.version),
    template: "gift-card",
    to: card.recipientEmail,
    data: { code, amountCents, message },
    notBefore: isWaiting ? due : null,
    isSecret: true,
    now,
  });
  return isWaiting;
}
