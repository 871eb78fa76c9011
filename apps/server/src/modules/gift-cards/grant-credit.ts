import { createHmac } from "node:crypto";

import type { Tx } from "@marketday/db";
import { grantEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import { AppError } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { type EarlierOperation, findDuplicateOperation } from "../audit/find-duplicate-operation.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { enqueueCode, giftCodeHash, newGiftCode } from "./gift-code.ts";
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

/** @throws AppError 400 for an amount that no one may grant */
export function checkCreditAmount(amountCents: number): void {
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0 || amountCents > CREDIT_MOST)
    throw new AppError(400, "Give an amount above zero and at most 1,000 dollars.", {
      code: "invalid",
      field: "amount",
    });
}

export const accountDeleted = () => new AppError(409, "This account is deleted.", { code: "deleted" });

/** The key of the mail about a grant, by its booking. */
export const grantMailKey = (booking: number): string => `credit-granted:${booking}`;

interface CreditHow extends GiftHow {
  /** When its mail is sent; default: immediately. */
  mailAt?: Date;
  /** In the transaction, with the booking: stores the action of the staff that granted it. @returns the action's id */
  storeAction?(tx: Tx, booking: number): Promise<number>;
}

/**
 * Grants store credit (docs/product.md §14 `credit grant`), which the market pays. At most 1,000 dollars at a time.
 * @returns the earlier grant when it was granted before and not taken back since: nothing is done
 */
export async function grantCredit(
  ctx: Context,
  customer: { id: CustomerId; email: string | null },
  { amountCents, reason, key, dryRun, mailAt, storeAction }: CreditHow,
): Promise<EarlierOperation | null> {
  checkCreditAmount(amountCents);
  if (customer.email === null) throw accountDeleted();
  const operation = { action: "credit grant", reason, data: { customerId: customer.id, amountCents } };
  return withClientDryRun(ctx.deps.db, dryRun, async (tx) => {
    const before = await findDuplicateOperation(tx, operation, key, ctx.now);
    if (before) return before;
    const creditCents = await addCredit(tx, customer.id, amountCents);
    if (creditCents === null) throw accountDeleted();
    const booking = await bookPurchase(
      tx,
      { kind: "credit", paymentId: null, note: `credit granted by an operator: ${reason}`, now: ctx.now },
      grantEntries({ customerId: customer.id }, cents(amountCents)),
    );
    if (booking === null) throw new Error("Credit was booked without entries.");
    await enqueueMail(tx, {
      key: grantMailKey(booking),
      template: "credit-granted",
      customerId: customer.id,
      data: { amountCents, creditCents },
      now: ctx.now,
      ...(mailAt && { notBefore: mailAt }),
    });
    const actionId = await storeAction?.(tx, booking);
    const data = {
      ...operation.data,
      booking,
      ...(key !== null && { key }),
      ...(actionId !== undefined && { actionId }),
    };
    await writeAuditEntry(tx, ctx, { ...operation, subject: `customer:${customer.id}`, data });
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
  // An address that is compared, and cannot be read: the audit log is kept for good.
  const recipient = createHmac("sha256", ctx.deps.env.pepper).update(`gift-card ${recipientEmail}`).digest("base64url");
  const operation = { action: "gift-cards issue", reason, data: { amountCents, recipient, deliverOn } };
  return withClientDryRun(ctx.deps.db, dryRun, async (tx) => {
    const before = await findDuplicateOperation(tx, operation, key, ctx.now);
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
      { kind: "gift_card", paymentId: null, note: `gift card ${id} issued by an operator: ${reason}`, now: ctx.now },
      grantEntries("gift_cards", cents(amountCents)),
    );
    const data = { ...operation.data, ...(key !== null && { key }) };
    await writeAuditEntry(tx, ctx, { ...operation, subject: `gift-card:${id}`, data });
    const sent = { id, version: 1, code, buyerId: null, recipientEmail, amountCents, message, deliverOn };
    await enqueueCode(tx, sent, ctx.now);
    return { id: dryRun ? null : id, before: null };
  });
}
