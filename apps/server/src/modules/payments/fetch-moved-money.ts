import { holdsMoney } from "@marketday/domain/dispute";
import { addMs, Day } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import type { MovedMoney, ProviderDispute, ProviderRefund } from "../../gateways/payments/payments.ts";
import type { Context } from "../identity/context.ts";
import { runEach, SWEEP_PAUSE_MAX_MS } from "../job-failures/run-each.ts";
import { findOpenRefs, findStoredDispute } from "./dispute-store.ts";
import { findChargesOfBox, findMovedRefunds, findPaymentByRef, type MovedPayment, movedKey } from "./moved-store.ts";
import { recordDispute } from "./record-dispute.ts";
import { recordRefunds } from "./record-refunds.ts";
import { findRefund } from "./refund-store.ts";

/** A bank may dispute a charge for four months, and decides within three more. */
const DISPUTES_MS = 210 * Day.ms;
/** A refund fails within a month. */
const REFUNDS_MS = 40 * Day.ms;

/**
 * Fetches the refunds and disputes of one payment from the provider and records them. If the provider does not answer, what
 * webhooks and the hourly look have recorded stays.
 */
export async function fetchMovedMoney(ctx: Context, payment: MovedPayment): Promise<void> {
  const { payments } = ctx.deps;
  if (!payments.movedMoney || payment.provider_ref === null) return;
  const of = { chargeRef: payment.provider_ref };
  await recordRefunds(ctx, payment.id, await presentOr(ctx, (moved) => moved.listRefunds(of), []));
  for (const dispute of await presentOr(ctx, (moved) => moved.listDisputes(of), []))
    await recordDispute(ctx, { ...dispute, ...of }, { at: ctx.now, isPresent: true });
}

/** `fetchMovedMoney` for the charges of an order's box, before an operator gives money back. */
export async function fetchMovedMoneyOfBox(ctx: Context, orderId: number): Promise<void> {
  const { db, payments } = ctx.deps;
  if (!payments.movedMoney) return;
  for (const payment of await findChargesOfBox(db, payments.name, orderId)) await fetchMovedMoney(ctx, payment);
}

/** What the provider has of this market's charges, and the market has not. */
export interface Unrecorded {
  disputes: ProviderDispute[];
  refunds: (ProviderRefund & { paymentId: string })[];
}

async function isDisputeKnown(
  { db, payments }: Pick<Deps, "db" | "payments">,
  payment: MovedPayment,
  { ref, status, amountCents }: ProviderDispute,
): Promise<boolean> {
  const stored = await findStoredDispute(db, payments.name, ref);
  if (stored?.status !== status || (amountCents !== null && stored.amount_cents !== amountCents)) return false;
  const rows = await findMovedRefunds(db, movedKey("dispute", ref));
  const isBooked = rows.some(({ state }) => state !== "failed");
  return payment.state !== "captured" || isBooked === holdsMoney(status);
}

async function isRefundKnown({ db }: Pick<Deps, "db">, refund: ProviderRefund): Promise<boolean> {
  const ours = refund.refundKey === null ? null : await findRefund(db, refund.refundKey);
  // The sweep ends one whose answer was lost.
  if (ours) return refund.failure === null || ours.state === "failed";
  const rows = await findMovedRefunds(db, movedKey("refund", refund.ref));
  return refund.failure === null ? rows.length > 0 : rows.every(({ state }) => state === "failed");
}

/**
 * The disputes and refunds at the provider that are not recorded here: their webhooks did not come. Read-only, here and there.
 * @throws what the provider throws
 */
export async function findUnrecorded(deps: Pick<Deps, "db" | "payments" | "log">, now: Date): Promise<Unrecorded> {
  const { db, payments } = deps;
  const found: Unrecorded = { disputes: [], refunds: [] };
  if (!payments.movedMoney) return found;
  const listed = await payments.movedMoney.listDisputes({ since: addMs(now, -DISPUTES_MS) });
  const refs = new Set(listed.map(({ ref }) => ref));
  // Warnings of fraud are in no list, and an old dispute is not in this one: how each that is open here ended.
  for (const ref of await findOpenRefs(db, payments.name)) {
    const present = refs.has(ref) ? null : await presentOr({ deps }, (moved) => moved.findDispute(ref), null);
    if (present) listed.push(present);
  }
  for (const dispute of listed) {
    const { chargeRef } = dispute;
    const payment = chargeRef === null ? null : await findPaymentByRef(db, payments.name, chargeRef);
    if (payment && !(await isDisputeKnown(deps, payment, dispute))) found.disputes.push(dispute);
  }
  for (const refund of await payments.movedMoney.listRefunds({ since: addMs(now, -REFUNDS_MS) })) {
    const payment = refund.chargeRef === null ? null : await findPaymentByRef(db, payments.name, refund.chargeRef);
    if (payment?.state === "captured" && !(await isRefundKnown(deps, refund)))
      found.refunds.push({ ...refund, paymentId: payment.id });
  }
  return found;
}

/** Records what `findUnrecorded` finds, each separately: a lost webhook is caught up within the hour. Returns how many. */
export async function syncMovedMoney(ctx: Context): Promise<number> {
  let found: Unrecorded;
  try {
    found = await findUnrecorded(ctx.deps, ctx.now);
  } catch (error) {
    ctx.deps.log.warn({ err: error }, "disputes and refunds were not compared with the payment provider's");
    return 0;
  }
  const { disputes, refunds } = found;
  return runEach(ctx, {
    job: "moved-money",
    items: [
      ...disputes.map((dispute) => ({
        subject: `dispute ${dispute.ref}`,
        record: () => recordDispute(ctx, dispute, { at: ctx.now, isPresent: true }),
      })),
      ...refunds.map((refund) => ({
        subject: `refund ${refund.ref}`,
        record: () => recordRefunds(ctx, refund.paymentId, [refund]),
      })),
    ],
    subjectOf: ({ subject }) => subject,
    run: ({ record }) => record(),
    isComplete: true,
    pauseMaxMs: SWEEP_PAUSE_MAX_MS,
    atOnce: 1,
  });
}

/** The provider's present state, or the event's when it cannot be read: the hourly look compares again. */
export async function presentOr<T>(
  ctx: { deps: Pick<Deps, "payments" | "log"> },
  work: (moved: MovedMoney) => Promise<T>,
  otherwise: T,
): Promise<T> {
  const { movedMoney } = ctx.deps.payments;
  if (!movedMoney) return otherwise;
  try {
    return await work(movedMoney);
  } catch (error) {
    ctx.deps.log.warn({ err: error }, "the payment provider's present state was not read; the event's is used");
    return otherwise;
  }
}
