import { sqlTransaction, type SqlTx } from "@marketday/db";
import { captureEntries } from "@marketday/domain/ledger";
import { CHARGE_DECLINES_MAX, CHARGE_RETRY_MAX_MS, CHARGE_TRIES_MAX, CHARGES_AT_ONCE } from "@marketday/domain/limits";
import { cents } from "@marketday/domain/money";
import { addMs, Day, Minute } from "@marketday/domain/time";
import pLimit from "p-limit";

import { type ChargeState, ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { AppError, unavailable } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { newUuid } from "../../lib/tokens.ts";
import { type AuditEntry, writeAuditEntry } from "../audit/write-audit-entry.ts";
import { bookPurchase } from "../ledger/booking-store.ts";
import { enqueueMail } from "../mail/store.ts";
import { creditReferrers } from "../referrals/credit-referrers.ts";
import {
  claimCharge,
  clearSetAside,
  dropHold,
  type DueCharge,
  failCharge,
  findDueCharges,
  findUnclear,
  insertCharge,
  isLeased,
  markAuthorized,
  type OpenPayment,
  recordCapture,
  type Released,
  releaseLease,
  setAside,
} from "./order-charge-store.ts";
import { deleteOrphanedCharge } from "./purchase-store.ts";

/** Longer than authorizing and capturing one charge may take; a charger that is silent for this long has died. */
const LEASE_MS = 2 * Minute.ms;
/** Set-aside orders that one run of the job charges again. */
const BATCH = 100;
/** Characters of a reason that are kept. */
const REASON_MAX = 300;

/**
 * What became of charging an order. `failed`: it is set aside with the reason. `busy`: someone else is charging it.
 * `nothing`: it is paid, cancelled, or has nothing to pay.
 */
export type ChargeOutcome =
  | { kind: "charged"; amountCents: number }
  | { kind: "failed"; reason: string }
  | { kind: "busy" }
  | { kind: "nothing" };

/** Why a charge failed. `declined`: by the bank. `unpayable`: another try cannot help. `unknown`: no one knows. */
interface Failure {
  kind: "declined" | "unpayable" | "unknown";
  reason: string;
}

const NO_ANSWER = "The payment provider did not answer.";
const NO_CARD = "There is no card in the account.";
const RELEASED = "The bank released the money before it was captured.";

/** When a charge that failed for the nth time is sent again; null: only by hand, or when there is another card. */
function nextTry({ kind }: Failure, tries: number, now: Date): Date | null {
  if (kind === "unpayable") return null;
  if (kind === "declined") return tries < CHARGE_DECLINES_MAX ? addMs(now, Day.ms) : null;
  if (tries >= CHARGE_TRIES_MAX) return null;
  return addMs(now, Math.min(2 ** Math.min(tries - 1, 20) * Minute.ms, CHARGE_RETRY_MAX_MS));
}

/** Sets the orders aside, and tells the shopper when another card would help: once for each order. */
async function fail(tx: SqlTx, ctx: Context, due: DueCharge, failure: Failure): Promise<void> {
  const now = ctx.deps.clock.now();
  const isOurs = await setAside(
    tx,
    due,
    { reason: failure.reason.slice(0, REASON_MAX), nextAt: nextTry(failure, due.tries + 1, now) },
    now,
  );
  if (!isOurs || failure.kind === "unknown") return;
  for (const orderId of due.order_ids)
    await enqueueMail(tx, {
      key: `payment-failed:${orderId}`,
      template: "payment-failed",
      customerId: due.customer_id,
      data: { orderId },
      now,
    });
}

/**
 * Holds the money of orders that have no hold, on the saved card. A request that died is looked up first: its charge may
 * be there, and the provider may have forgotten its key.
 */
async function authorize(
  ctx: Context,
  due: DueCharge,
  payment: OpenPayment,
  isNew: boolean,
): Promise<OpenPayment | Failure | null> {
  const { deps } = ctx;
  const charge = { key: payment.charge_key, customerId: due.customer_id };
  const refuse = async (reason: string, ref: string | null): Promise<Failure> => {
    const isKnown = await deps.payments.void({ ...charge, ref }).catch((error: unknown) => {
      deps.log.warn({ err: error, payment: payment.id }, "a refused charge was not voided");
      return false;
    });
    const failure: Failure = { kind: "declined", reason };
    await sqlTransaction(deps.db, async (tx) => {
      await failCharge(tx, payment.id, isKnown, deps.clock.now());
      await fail(tx, ctx, due, failure);
    });
    return failure;
  };
  let result = isNew
    ? null
    : await deps.payments.find(charge).catch(async (error: unknown) => {
        if (error instanceof ProviderUnavailable) throw error;
        return { state: "declined" as const, ref: null, reason: reasonOf(error) };
      });
  if (result === null) {
    if (payment.method_ref === null) return refuse(NO_CARD, null);
    const means = { savedRef: payment.method_ref, save: false, offSession: true };
    result = await deps.payments.authorize({ ...charge, amountCents: payment.amount_cents, means });
  }
  await deps.failpoint("charge:authorized");
  if (result.state === "authorized" || result.state === "captured")
    return (await markAuthorized(deps.db, payment.id, result.ref, deps.clock.now()))
      ? { ...payment, state: "authorized", provider_ref: result.ref }
      : null;
  if (result.state === "challenge") return refuse("The bank asks the shopper to confirm this payment.", result.ref);
  return refuse(result.state === "declined" ? result.reason : RELEASED, result.ref);
}

const isFailure = (result: OpenPayment | Failure): result is Failure => "kind" in result;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** 409: the money is on its way at this very moment. */
export const stillCharging = () =>
  new AppError(409, "This order is being charged right now. Please try again in a minute.", {
    code: "still_charging",
  });

/** Books the captured money once, also when two servers get here; or that nothing was due. */
async function settle(ctx: Context, due: DueCharge, payment: OpenPayment): Promise<ChargeOutcome> {
  const { deps } = ctx;
  const now = deps.clock.now();
  return sqlTransaction(deps.db, async (tx): Promise<ChargeOutcome> => {
    if (!(await recordCapture(tx, due, payment.id, now))) return { kind: "nothing" };
    await clearSetAside(tx, due.order_ids);
    if (due.due_cents === 0) return { kind: "nothing" };
    const booking = { kind: "capture", paymentId: payment.id, note: `order ${due.order_ids.join(", ")}`, now };
    await bookPurchase(tx, booking, captureEntries(due.customer_id, cents(due.due_cents)));
    await creditReferrers(tx, { orderIds: due.order_ids }, now);
    return { kind: "charged", amountCents: due.due_cents };
  });
}

/** Holds the money where it is not held, and takes it. */
async function collect(ctx: Context, due: DueCharge): Promise<ChargeOutcome> {
  const { deps } = ctx;
  const end = async (failure: Failure): Promise<ChargeOutcome> => {
    await sqlTransaction(deps.db, (tx) => fail(tx, ctx, due, failure));
    return { kind: "failed", reason: failure.reason };
  };
  let { payment } = due;
  for (let isFirst = true; ; isFirst = false) {
    const isNew = payment === null;
    if (payment === null) {
      if (!due.method) return end({ kind: "unpayable", reason: NO_CARD });
      const id = newUuid();
      const charge = { id, provider: deps.payments.name, methodId: due.method.id };
      if (!(await sqlTransaction(deps.db, (tx) => insertCharge(tx, due, charge, deps.clock.now()))))
        return { kind: "busy" };
      payment = {
        id,
        charge_key: id,
        provider: deps.payments.name,
        provider_ref: null,
        state: "created",
        amount_cents: due.due_cents,
        method_ref: due.method.provider_ref,
      };
      await deps.failpoint("charge:created");
    }
    if (payment.provider !== deps.payments.name) {
      const reason = `It was to be paid with "${payment.provider}", and this market uses "${deps.payments.name}" now.`;
      return end({ kind: "unpayable", reason });
    }
    if (payment.state === "created") {
      const result = await authorize(ctx, due, payment, isNew);
      if (result === null) return { kind: "busy" };
      if (isFailure(result)) return { kind: "failed", reason: result.reason };
      payment = result;
    }
    const charge = { key: payment.charge_key, customerId: due.customer_id, ref: payment.provider_ref };
    if (due.due_cents === 0) await deps.payments.void(charge);
    else if ((await deps.payments.capture({ ...charge, amountCents: due.due_cents })) === "gone") {
      const { id } = payment;
      const isOurs = await sqlTransaction(deps.db, (tx) => dropHold(tx, id, deps.clock.now()));
      if (!isOurs) return { kind: "busy" };
      if (!isFirst || isNew) return end({ kind: "declined", reason: RELEASED });
      payment = null;
      continue;
    }
    await deps.failpoint("cutoff:captured");
    return settle(ctx, due, payment);
  }
}

/**
 * Charges one closed order for what it is now, with the other orders of its day that the same hold pays for: captures the
 * hold, or charges the default card where there is none (docs/product.md §7). Never throws for what the provider does: an order
 * that cannot be charged is set aside with the reason, and charged again later while that can still help
 * (docs/product.md §17). Killed in the middle, the next call goes on with the same charge. `act` is written to the audit
 * when the order is taken on.
 */
export async function chargeOrder(
  ctx: Context,
  orderId: number,
  act: AuditEntry | null = null,
): Promise<ChargeOutcome> {
  const { deps } = ctx;
  const now = deps.clock.now();
  const due = await sqlTransaction(deps.db, async (tx) => {
    const claimed = await claimCharge(tx, orderId, deps.payments.name, now, addMs(now, LEASE_MS));
    if (claimed && act) await writeAuditEntry(tx, ctx, act);
    return claimed;
  });
  if (!due) return { kind: (await isLeased(deps.db, orderId, now)) ? "busy" : "nothing" };
  try {
    return await collect(ctx, due);
  } catch (error) {
    deps.log.error({ err: error, orders: due.order_ids }, "an order could not be charged");
    const reason = error instanceof ProviderUnavailable ? NO_ANSWER : reasonOf(error);
    await sqlTransaction(deps.db, (tx) => fail(tx, ctx, due, { kind: "unknown", reason }));
    return { kind: "failed", reason };
  }
}

/**
 * Charges many orders, some at a time, each separately: whatever happens to one changes nothing for the others.
 * `mayGoOn` is called before each one; on false the rest is not charged.
 * @returns whether each of them came to an end; false: some are left for the next run
 */
export async function chargeOrders(
  ctx: Context,
  orderIds: readonly number[],
  mayGoOn: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  const limit = pLimit(CHARGES_AT_ONCE);
  let isDone = true;
  await Promise.all(
    orderIds.map((orderId) =>
      limit(async () => {
        try {
          if (!(await mayGoOn()) || (await chargeOrder(ctx, orderId)).kind === "busy") isDone = false;
        } catch (error) {
          isDone = false;
          ctx.deps.log.error({ err: error, order: orderId }, "an order could not be charged or set aside");
        }
      }),
    ),
  );
  return isDone;
}

/** The job: set-aside orders whose time has come are charged again. */
export async function chargeDueOrders(ctx: Context): Promise<void> {
  await chargeOrders(ctx, await findDueCharges(ctx.deps.db, ctx.now, BATCH));
}

/**
 * Learns from the provider whether the money of a set-aside order and its add-ons was taken after all: its answer may have
 * been lost. What was taken is recorded. Call it before an order is paid otherwise, written off, cancelled or lowered.
 * @throws AppError 503 `payments_down` when the provider does not answer; 409 `still_charging` while it is being charged
 */
export async function fetchCharges(ctx: Context, orderId: number): Promise<void> {
  const { deps } = ctx;
  for (const id of await findUnclear(deps.db, orderId, deps.payments.name)) {
    const now = deps.clock.now();
    const due = await sqlTransaction(deps.db, (tx) =>
      claimCharge(tx, id, deps.payments.name, now, addMs(now, LEASE_MS)),
    );
    const { payment } = due ?? {};
    if (!due || !payment) throw stillCharging();
    const charge = { key: payment.charge_key, customerId: due.customer_id, ref: payment.provider_ref };
    let found: ChargeState | null = null;
    try {
      found = await deps.payments.find(charge);
    } catch (error) {
      await releaseLease(deps.db, due, addMs(now, LEASE_MS));
      if (error instanceof ProviderUnavailable)
        throw unavailable(
          "The payment provider does not answer, so we cannot tell whether this order was charged. Try again in a minute.",
          "payments_down",
          60,
        );
      deps.log.warn({ err: error, order: id }, "the provider does not say what became of a charge");
    }
    if (found?.state === "captured") {
      if (payment.state === "created") await markAuthorized(deps.db, payment.id, found.ref, now);
      await settle(ctx, due, payment);
    } else await releaseLease(deps.db, due, addMs(now, LEASE_MS));
  }
}

/** Voids a released payment at the provider; what does not get through is left to `find-orphaned-charges.ts`. */
export async function voidReleased({ deps }: Context, released: Released | null): Promise<void> {
  if (!released) return;
  try {
    const charge = { key: released.charge_key, customerId: released.customer_id, ref: released.provider_ref };
    if (await deps.payments.void(charge)) await deleteOrphanedCharge(deps.db, released.id);
  } catch (error) {
    deps.log.error({ err: error, payment: released.id }, "a released charge was not voided");
  }
}
