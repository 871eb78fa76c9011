import { sqlTransaction } from "@marketday/db";
import { redemptionEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import { AppError } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { bookPurchase } from "../ledger/booking-store.ts";
import { giftCodeHash } from "./grant-gift-card.ts";
import { addCredit, spendGiftCard } from "./store.ts";

/** Turns a code into store credit, once. Wrong and spent codes get the same response (failures.md K3). */
export async function redeemGiftCard(ctx: Context, customerId: CustomerId, code: string): Promise<void> {
  await sqlTransaction(ctx.deps.db, async (tx) => {
    const card = await spendGiftCard(tx, giftCodeHash(code), customerId, ctx.now);
    if (!card)
      throw new AppError(422, "This code is not valid, or it was used already.", { code: "bad_code", field: "code" });
    await addCredit(tx, customerId, card.amount_cents);
    await bookPurchase(
      tx,
      { kind: "gift_card", paymentId: null, note: `gift card ${card.id} redeemed`, now: ctx.now },
      redemptionEntries(customerId, cents(card.amount_cents)),
    );
  });
}
