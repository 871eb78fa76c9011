import type { Tx } from "@marketday/db";
import { purchaseEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import type { Context } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { type PurchaseRow } from "../payments/purchase-store.ts";
import { enqueueCode, giftCodeHash, newGiftCode } from "./gift-code.ts";
import { insertGiftCard } from "./store.ts";

/** Creates the card, and enqueues the buyer's receipt and the mail with the code, which is sent on the day the buyer chose. */
export async function grantGiftCard(ctx: Context, tx: Tx, purchase: PurchaseRow): Promise<void> {
  if (purchase.purpose.kind !== "gift-card") throw new Error("not a gift card");
  const { recipientEmail, message, deliverOn } = purchase.purpose;
  const code = newGiftCode();
  const { customer_id: buyerId, amount_cents: amountCents } = purchase;
  const card = { amountCents, buyerId, recipientEmail, message, deliverOn };
  const id = await insertGiftCard(tx, {
    ...card,
    codeHash: giftCodeHash(code),
    paymentId: purchase.id,
    now: ctx.now,
  });
  await bookPurchase(
    tx,
    { kind: "gift_card", paymentId: purchase.id, note: `gift card ${id}`, now: ctx.now },
    purchaseEntries("gift_cards", cents(amountCents)),
  );
  await enqueueCode(tx, { ...card, id, version: 1, code }, ctx.now);
  await enqueueMail(tx, {
    key: `gift-card-receipt:${id}`,
    template: "gift-card-receipt",
    customerId: buyerId,
    data: { amountCents, recipientEmail, message, deliverOn },
    now: ctx.now,
  });
}
