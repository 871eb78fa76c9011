import { transaction, type Tx } from "@marketday/db";
import { disputeKind, formatDisputeState, holdsMoney, isDisputeClosed, supersedes } from "@marketday/domain/dispute";
import { allocateReturn, refundEntries } from "@marketday/domain/ledger";
import { cents, formatUsd, zeroCents } from "@marketday/domain/money";

import type { ProviderDispute } from "../../gateways/payments/payments.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { saveDispute } from "./dispute-sql.ts";
import { findStoredDispute } from "./dispute-store.ts";
import { lockMovedPayment } from "./moved-sql.ts";
import {
  findMovedRefunds,
  findOrdersOfPayment,
  findPaymentByRef,
  findSurplus,
  insertMovedRefunds,
  insertUnreturned,
  movedKey,
  type MovedPayment,
  STORED_GOODWILL,
  undoDisputeRefunds,
} from "./moved-store.ts";
import { releaseBearer } from "./release-bearer.ts";
import { findUnresolvedOfPayment, markResolved } from "./unresolved-store.ts";

/** What the market has of a canceled or lowered order after its bank gave the money back: due to the shopper, for operators. */
async function listSurplus(ctx: Context, tx: Tx, payment: MovedPayment): Promise<void> {
  const surplus = await findSurplus(tx, payment.id);
  const amountCents = surplus.cents - surplus.listed_cents;
  if (amountCents <= 0) return;
  const orders = await findOrdersOfPayment(tx, payment.id);
  await insertUnreturned(tx, {
    paymentId: payment.id,
    orderId: (orders.find(({ status }) => status === "cancelled") ?? orders[0])?.id ?? null,
    kind: "cancel",
    bearerId: null,
    amountCents,
    failure: "charge_disputed",
    reason: "The dispute ended in the market's favor, and the order was canceled or lowered meanwhile.",
    now: ctx.now,
  });
}

/** A bank has the money: what could not be refunded because of that needs nothing more. */
async function resolveDisputed(tx: Tx, paymentId: string, now: Date): Promise<void> {
  for (const failed of await findUnresolvedOfPayment(tx, paymentId)) {
    if (failed.failure !== "charge_disputed") continue;
    await markResolved(tx, failed.id, now);
    await releaseBearer(tx, failed, 0, now);
  }
}

/** Books what the bank has of a dispute: the difference to what is booked. The market bears it, vendors keep their shares. */
async function bookDispute(
  ctx: Context,
  tx: Tx,
  payment: MovedPayment,
  dispute: { ref: string; status: string; amountCents: number },
) {
  const { now } = ctx;
  const key = movedKey("dispute", dispute.ref);
  const rows = await findMovedRefunds(tx, key);
  const bookedCents = rows.reduce((sum, row) => sum + (row.state === "failed" ? 0 : row.amount_cents), 0);
  const takenCents = holdsMoney(dispute.status) ? dispute.amountCents : 0;
  if (takenCents === bookedCents) return;
  const refundIds = rows.map(({ id }) => id);
  if (bookedCents > 0) await undoDisputeRefunds(tx, payment.id, refundIds, now);
  const reason = `The shopper's bank took it back (${dispute.ref}).`;
  const orders = (await findOrdersOfPayment(tx, payment.id)).map(({ id, left_cents }) => ({
    id,
    leftCents: cents(left_cents),
  }));
  const moved = { paymentId: payment.id, reason, key, firstIndex: rows.length, ref: dispute.ref, now };
  const parts = allocateReturn(cents(takenCents), orders);
  await insertMovedRefunds(
    tx,
    moved,
    parts.map((part) => ({ ...part, kind: STORED_GOODWILL, bearerId: null })),
  );
  await bookPurchase(
    tx,
    { kind: "dispute", paymentId: payment.id, note: `dispute ${dispute.ref}: ${dispute.status}`, now },
    refundEntries(null, "card", { backCents: cents(takenCents - bookedCents), owedCents: zeroCents }),
  );
  if (takenCents > bookedCents) await resolveDisputed(tx, payment.id, now);
  else await listSurplus(ctx, tx, payment);
}

/**
 * Records the state of a dispute: its row, the money that the bank took or gave back (ledger, and refunds that count as goodwill,
 * so that nothing of it is given back again), and an audit entry for each order. Once for each state, in any order of events.
 * @param seen the instant of the state, and whether it was fetched from the provider just now, which no event overrules
 * @returns the outcome as text for the log of events
 */
export async function recordDispute(
  ctx: Context,
  dispute: ProviderDispute,
  seen: { at: Date; isPresent: boolean },
): Promise<string> {
  const { db, payments } = ctx.deps;
  const { ref, status, reason, chargeRef } = dispute;
  const found = chargeRef === null ? null : await findPaymentByRef(db, payments.name, chargeRef);
  if (!found) return "not ours";
  return transaction(db, async (tx) => {
    const payment = await lockMovedPayment(tx, found.id);
    if (!payment) return "not ours";
    const before = await findStoredDispute(tx, payments.name, ref);
    const isLater =
      before === null ||
      seen.isPresent ||
      supersedes({ status, at: seen.at }, { status: before.status, at: before.seen_at });
    if (!isLater) return "an older state";
    const amountCents = dispute.amountCents ?? payment.captured_cents;
    await saveDispute(tx, {
      provider: payments.name,
      ref,
      paymentId: payment.id,
      amountCents,
      status,
      reason,
      dueBy: dispute.dueBy,
      createdAt: dispute.createdAt,
      seenAt: seen.at,
      closedAt: isDisputeClosed(status) ? seen.at : null,
    });
    // A charge that is not booked as captured yet is booked by the next look (`syncMovedMoney`).
    if (payment.state === "captured") await bookDispute(ctx, tx, payment, { ref, status, amountCents });
    if (before?.status === status) return "dispute seen";
    const data = { ref, status, reason, amountCents, dueBy: dispute.dueBy };
    const subjects = (await findOrdersOfPayment(tx, payment.id)).map(({ id }) => `order:${id}`);
    for (const subject of subjects.length > 0 ? subjects : [`payment:${payment.id}`])
      await writeAuditEntry(tx, ctx, {
        action: "dispute",
        subject,
        reason: `${disputeKind(status)} ${ref} of ${formatUsd(cents(amountCents))}, ${reason}: ${formatDisputeState(status)}`,
        data,
      });
    await ctx.deps.failpoint("dispute:recorded");
    return `dispute ${status}`;
  });
}
