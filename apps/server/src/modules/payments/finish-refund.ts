import { sql, transaction } from "@marketday/db";
import { PAYMENT_LEASE_MS } from "@marketday/domain/limits";
import { addMs, Minute } from "@marketday/domain/time";

import { ProviderUnavailable, REFUND_FAILURES, type RefundFailure } from "../../gateways/payments/payments.ts";
import type { Context } from "../identity/context.ts";
import { isNotPaused } from "../job-failures/failure-sql.ts";
import { runEach, SWEEP_PAUSE_MAX_MS } from "../job-failures/run-each.ts";
import { sendRefundMails } from "../mail/mail-sql.ts";
import { failRefund } from "./fail-refund.ts";
import { fetchMovedMoney } from "./fetch-moved-money.ts";
import { findPaymentOfRefund } from "./moved-store.ts";
import { formatRefundFailure } from "./refund-failures.ts";
import { findAbandonedRefunds } from "./refund-sql.ts";
import { findOpenRefunds, findRefund, markDone, type OpenRefund, postponeRefund } from "./refund-store.ts";

const AT_ONCE = 50;
const JOB = "refunds";

/** Money that another provider than today's took. */
class OtherProvider extends Error {}

/**
 * What became of a card refund. `done` and `pending`: the provider has accepted it, `pending` not yet sent it to the bank.
 * `waiting`: the provider did not answer or refused it for now; it is requested again automatically. `failed`: it did not go
 * back, and operators decide (`refunds list`).
 */
export interface RefundProgress {
  state: "done" | "pending" | "waiting" | "failed";
  /** Why it failed or waits; null: it did not, or the provider does not answer. */
  failure: RefundFailure | null;
}

/** A refund that was written, and what became of it. Cents. */
export interface SettledRefund extends Omit<RefundProgress, "state"> {
  id: string;
  amountCents: number;
  /** `planned`: it was not requested yet. */
  state: RefundProgress["state"] | "planned";
}

/** Refused for now: a sweep counts it as failed work, with this reason. */
class RefundPostponed extends Error {}

const isFailure = (text: string | null): text is RefundFailure => REFUND_FAILURES.some((each) => each === text);

/** @throws ProviderUnavailable; RefundPostponed; OtherProvider when it is money of another provider than today's */
async function requestRefund(ctx: Context, refund: OpenRefund): Promise<RefundProgress> {
  const { payments, db } = ctx.deps;
  const { payment } = refund;
  // Paid at the door: it is given back there, by hand.
  if (payment.provider === "offline") {
    await markDone(db, refund.id, refund.id, ctx.now);
    return { state: "done", failure: null };
  }
  if (payment.provider !== payments.name)
    throw new OtherProvider(
      `It was paid with "${payment.provider}", and this market uses "${payments.name}" now. Refund it there by hand.`,
    );
  const result = await payments.refund({
    key: payment.charge_key,
    customerId: payment.customer_id ?? 0,
    ref: payment.provider_ref,
    refundKey: refund.id,
    amountCents: refund.amount_cents,
    refusedAt: refund.refused_at,
  });
  await ctx.deps.failpoint("refund:given");
  if (result.state !== "failed") {
    await markDone(db, refund.id, result.ref, ctx.now);
    return { state: result.state, failure: null };
  }
  const { failure, reason } = result;
  ctx.deps.log.warn({ refund: refund.id, failure, reason }, "the payment provider refused a refund");
  if (failure === "balance_insufficient") {
    await postponeRefund(db, refund.id, failure, ctx.deps.clock.now());
    throw new RefundPostponed(formatRefundFailure(failure));
  }
  if (failure === "charge_disputed" || failure === "charge_already_refunded") {
    const moved = await findPaymentOfRefund(db, payments.name, refund.id);
    if (moved) await fetchMovedMoney(ctx, moved);
  }
  await transaction(db, (tx) => failRefund(ctx, tx, refund.id, failure));
  return { state: "failed", failure };
}

/** Requests a refund that is written, or returns what became of it. */
export async function finishRefund(ctx: Context, refundId: string): Promise<RefundProgress> {
  const { db } = ctx.deps;
  const [refund] = await findOpenRefunds(db, [refundId]);
  if (!refund) {
    const row = await findRefund(db, refundId);
    const failure = isFailure(row?.failure ?? null) ? (row?.failure as RefundFailure) : null;
    return { state: row?.state === "failed" ? "failed" : "done", failure };
  }
  try {
    return await requestRefund(ctx, refund);
  } catch (error) {
    if (error instanceof RefundPostponed) return { state: "waiting", failure: "balance_insufficient" };
    if (error instanceof ProviderUnavailable || error instanceof OtherProvider)
      return { state: "waiting", failure: null };
    throw error;
  }
}

/**
 * Requests these refunds, which a use case has written, one after the other, and writes what became of each into it. Then sends
 * the mails about them, which have the result. After a kill the sweep ends the refunds and sends their mails.
 */
export async function settleRefunds(ctx: Context, refunds: readonly SettledRefund[]): Promise<void> {
  for (const refund of refunds) Object.assign(refund, await finishRefund(ctx, refund.id));
  if (refunds.length > 0)
    await sendRefundMails(
      ctx.deps.db,
      refunds.map(({ id }) => id),
      ctx.now,
    );
}

/**
 * When a mail about refunds that are requested next is sent at the latest: their result is known before, also of a closed day with
 * hundreds of them, and also after a kill (`resumeRefunds`).
 */
export const refundMailTime = (now: Date): Date => addMs(now, 10 * Minute.ms);

/**
 * Requests every refund whose request died, whose provider was away, or which was refused for now, then sends the mails about them
 * that wait for nothing else. Returns how many were ended.
 */
export async function resumeRefunds(ctx: Context): Promise<number> {
  const before = addMs(ctx.deps.clock.now(), -PAYMENT_LEASE_MS);
  const ids = await findAbandonedRefunds(ctx.deps.db, before, isNotPaused(ctx, JOB, sql`'refund ' || r.id`), AT_ONCE);
  const left = ids.length > 0 ? await findOpenRefunds(ctx.deps.db, ids) : [];
  const done = await runEach(ctx, {
    job: JOB,
    items: left,
    subjectOf: ({ id }) => `refund ${id}`,
    run: (refund) => requestRefund(ctx, refund),
    isComplete: ids.length < AT_ONCE,
    pauseMaxMs: SWEEP_PAUSE_MAX_MS,
  });
  await sendRefundMails(ctx.deps.db, ids, ctx.deps.clock.now());
  return done;
}
