import { grantEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import { AppError } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { type EarlierOperation, findDuplicateOperation } from "../audit/same-act.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { bookPurchase } from "../ledger/booking-store.ts";
import { enqueueMailTo } from "../mail/store.ts";
import { giftCodeHash, newGiftCode } from "./grant-gift-card.ts";
import { addCredit, insertGiftCard } from "./store.ts";

const CREDIT_MOST = 100_000;

/** The options of a manual grant besides its amount. Requested twice it is granted once: see `findDuplicateOperation`. */
export interface GiftHow {
  amountCents: number;
  reason: string;
  /** A key that the operator gave it; null: its arguments are the key, for a day. */
  key: string | null;
  dryRun: boolean;
}

/**
 * Grants store credit (docs/product.md §14 `credit grant`), which the market pays. At most 1,000 dollars at a time.
 * @returns the earlier grant when it was granted before: nothing is done
 */
export async function grantCredit(
  ctx: Context,
  customer: { id: CustomerId; email: string | null },
  { amountCents, reason, key, dryRun }: GiftHow,
): Promise<EarlierOperation | null> {
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0 || amountCents > CREDIT_MOST)
    throw new AppError(400, "Give an amount above zero and at most 1,000 dollars.", {
      code: "invalid",
      field: "amount",
    });
  if (customer.email === null) throw new AppError(409, "This account is deleted.", { code: "deleted" });
  const act = { action: "credit grant", reason, data: { customerId: customer.id, amountCents } };
  return withDryRun(ctx.deps.db, dryRun, async (tx) => {
    const before = await findDuplicateOperation(tx, act, key, ctx.now);
    if (before) return before;
    if ((await addCredit(tx, customer.id, amountCents)) === 0)
      throw new AppError(404, "Not found.", { code: "not_found" });
    await bookPurchase(
      tx,
      { kind: "credit", paymentId: null, note: `credit by hand: ${reason}`, now: ctx.now },
      grantEntries({ customerId: customer.id }, cents(amountCents)),
    );
    const data = { ...act.data, ...(key !== null && { key }) };
    await writeAuditEntry(tx, ctx, { ...act, subject: `customer:${customer.id}`, data });
    return null;
  });
}

/**
 * Issues a gift card (docs/product.md §14 `gift-cards issue`), which the market pays. Its code is mailed on its day.
 * @returns its id, or with `before` the earlier card when it was issued before: nothing is done
 */
export async function issueGiftCard(
  ctx: Context,
  card: GiftHow & { recipientEmail: string; message: string; deliverOn: string },
): Promise<{ id: number | null; before: EarlierOperation | null }> {
  const code = newGiftCode();
  const { recipientEmail, message, amountCents, deliverOn, reason, key, dryRun } = card;
  const act = { action: "gift-cards issue", reason, data: { amountCents, recipientEmail, deliverOn } };
  return withDryRun(ctx.deps.db, dryRun, async (tx) => {
    const before = await findDuplicateOperation(tx, act, key, ctx.now);
    if (before) return { id: Number(before.subject.split(":")[1]), before };
    const id = await insertGiftCard(tx, {
      codeHash: giftCodeHash(code),
      amountCents,
      buyerId: null,
      paymentId: null,
      recipientEmail,
      message,
      deliverOn,
      now: ctx.now,
    });
    await bookPurchase(
      tx,
      { kind: "gift_card", paymentId: null, note: `gift card ${id} by hand: ${reason}`, now: ctx.now },
      grantEntries("gift_cards", cents(amountCents)),
    );
    const data = { ...act.data, ...(key !== null && { key }) };
    await writeAuditEntry(tx, ctx, { ...act, subject: `gift-card:${id}`, data });
    const due = new Date(`${deliverOn}T12:00:00Z`);
    await enqueueMailTo(tx, {
      key: `gift-card:${id}`,
      template: "gift-card",
      to: recipientEmail,
      data: { code, amountCents, message },
      notBefore: due > ctx.now ? due : null,
      isSecret: true,
      now: ctx.now,
    });
    return { id: dryRun ? null : id, before: null };
  });
}
