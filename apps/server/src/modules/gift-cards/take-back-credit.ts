import { transaction, type Tx } from "@marketday/db";
import { grantEntries } from "@marketday/domain/ledger";
import { cents, formatUsd } from "@marketday/domain/money";

import { AppError } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { grantMailKey } from "./grant-credit.ts";
import { deleteWaitingMail, findCredit, takeCredit } from "./store.ts";

interface Grant {
  customerId: CustomerId;
  amountCents: number;
  /** Its ledger transaction. */
  booking: number;
  /** The action of the staff that granted it. */
  actionId: number;
}

/** Why credit cannot be taken back. */
const refusal = (amountCents: number, leftCents: number | null): AppError =>
  leftCents === null
    ? new AppError(409, "This account is deleted, so its credit can no longer be taken back.", { code: "deleted" })
    : new AppError(
        409,
        leftCents === 0
          ? `This credit is spent, so the ${formatUsd(cents(amountCents))} can no longer be taken back.`
          : `A part of this credit is spent: ${formatUsd(cents(leftCents))} is left, so the ${formatUsd(cents(amountCents))} can no longer be taken back.`,
        { code: "spent" },
      );

/**
 * Takes back store credit that was granted, as long as the customer has that much of it (docs/product.md §18). An email about it that
 * still waits is not sent; after one that left, the customer gets another. `complete` is called at the end of the transaction.
 * @throws AppError 409 `spent`, also when a part was spent; 409 `deleted`
 */
export const takeBackCredit = (
  ctx: Context,
  { customerId, amountCents, booking, actionId }: Grant,
  complete: (tx: Tx) => Promise<void>,
): Promise<void> =>
  transaction(ctx.deps.db, async (tx) => {
    const creditCents = await takeCredit(tx, customerId, amountCents);
    if (creditCents === null) throw refusal(amountCents, await findCredit(tx, customerId));
    const reversal = await bookPurchase(
      tx,
      { kind: "credit", paymentId: null, note: `credit of transaction ${booking} taken back`, now: ctx.now },
      grantEntries({ customerId }, cents(-amountCents)),
    );
    if (!(await deleteWaitingMail(tx, grantMailKey(booking), ctx.now)))
      await enqueueMail(tx, {
        key: `credit-taken-back:${booking}`,
        template: "credit-taken-back",
        customerId,
        data: { amountCents, creditCents },
        now: ctx.now,
      });
    await writeAuditEntry(tx, ctx, {
      action: "grant_credit undo",
      subject: `customer:${customerId}`,
      reason: "",
      data: { customerId, amountCents, actionId, booking: reversal },
    });
    await complete(tx);
  });
