import { randomBytes } from "node:crypto";

import type { Tx } from "@marketday/db";
import { purchaseEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import { sha256 } from "../../lib/tokens.ts";
import type { Context } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-store.ts";
import { enqueueMailTo } from "../mail/store.ts";
import { type PurchaseRow } from "../payments/purchase-store.ts";
import { insertGiftCard } from "./store.ts";

/** Letters and digits that are not mistaken for each other. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** 80 random bits as four groups of four (failures.md K3). */
export function newGiftCode(): string {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return letters.match(/.{4}/g)!.join("-");
}

/** A code in the form it is compared in, without case, spaces and dashes. Only its hash is stored. */
export const giftCodeHash = (code: string) => sha256(`gift:${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, "")}`);

/** Creates the card. Its code is only in the mail, which is sent on the day the buyer chose. */
export async function grantGiftCard(ctx: Context, tx: Tx, purchase: PurchaseRow): Promise<void> {
  if (purchase.purpose.kind !== "gift-card") throw new Error("not a gift card");
  const { recipientEmail, message, deliverOn } = purchase.purpose;
  const code = newGiftCode();
  const id = await insertGiftCard(tx, {
    codeHash: giftCodeHash(code),
    amountCents: purchase.amount_cents,
    buyerId: purchase.customer_id,
    paymentId: purchase.id,
    recipientEmail,
    message,
    deliverOn,
    now: ctx.now,
  });
  await bookPurchase(
    tx,
    { kind: "gift_card", paymentId: purchase.id, note: `gift card ${id}`, now: ctx.now },
    purchaseEntries("gift_cards", cents(purchase.amount_cents)),
  );
  const due = new Date(`${deliverOn}T12:00:00Z`);
  await enqueueMailTo(tx, {
    key: `gift-card:${id}`,
    template: "gift-card",
    to: recipientEmail,
    data: { code, amountCents: purchase.amount_cents, message },
    notBefore: due > ctx.now ? due : null,
    isSecret: true,
    now: ctx.now,
  });
}
