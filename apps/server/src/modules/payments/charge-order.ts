import { inTransaction, transaction, type Tx } from "@marketday/db";
import { captureEntries, writeOffEntries } from "@marketday/domain/ledger";
import {
  CARD_MINIMUM,
  CHARGE_DECLINES_MAX,
  CHARGE_RETRY_MAX_MS,
  CHARGE_TRIES_MAX,
  CHARGES_AT_ONCE,
} from "@marketday/domain/limits";
import { cents } from "@marketday/domain/money";
import { addMs, Day, Minute } from "@marketday/domain/time";
import { z } from "zod";

import { type ChargeState, ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { type Refused, refusedAs, retryOf } from "../../gateways/payments/refusals.ts";
import { AppError, unavailable } from "../../lib/app-error.ts";
import { maskPrivateText, reasonOf as reasonOfError } from "../../lib/log-errors.ts";
import { newUuid } from "../../lib/tokens.ts";
import { type AuditEntry, writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { bookPurchase, insertBookings } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { creditReferrers } from "../referrals/credit-referrers.ts";
import {
  AT_ONCE,
  type ChargeData,
  CHARGES,
  STOPPED_CHARGES,
  type DueCharge,
  enqueueAtOnce,
  enqueueDue,
  hasChargeJob,
  insertCharge,
  loadCharge,
  type OpenPayment,
  recordCapture,
  type Released,
} from "./order-charge-sql.ts";
import { clearSetAside, dropHold, failCharge, postponeCharge, setAside, waiveRests } from "./order-charge-store.ts";
import { findHeldCharge, markAuthorized } from "./payment-store.ts";
import { deleteOrphanedCharge } from "./purchase-store.ts";
import { UNCONFIRMED } from "./set-aside-sql.ts";
import { failedMailKey, findMailed, findUnclear } from "./set-aside-store.ts";

/** How long an order is not charged after its charge was looked up: the operator's change is written within. */
const LOOKUP_PAUSE_MS = 2 * Minute.ms;
/** The pause after a job without a result, because the database failed; doubled each time. */
const RETRY_SECONDS = 20;
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

/**
 * Why a charge failed. `declined`: by the bank. `unpayable`: another try cannot help. `unconfirmed`: the bank needs the shopper to
 * confirm it. `unavailable`: no answer, or the provider or the bank takes no charge right now.
 */
interface Failure {
  kind: "declined" | "unpayable" | "unconfirmed" | "unavailable";
  reason: string;
}

const NO_ANSWER = "The payment provider did not answer.";
const NO_CARD = "There is no card in the account.";
const STOPPED = "The server stopped while it charged this order.";
const RELEASED = "The bank released the money before it was captured.";

/** When a charge that failed for the nth time is sent again; null: only by hand, or when there is another card. */
function nextTry({ kind }: Failure, tries: number, now: Date): Date | null {
  if (kind === "unpayable" || kind === "unconfirmed") return null;
  if (kind === "declined") return tries < CHARGE_DECLINES_MAX ? addMs(now, Day.ms) : null;
  if (tries >= CHARGE_TRIES_MAX) return null;
  return addMs(now, Math.min(2 ** Math.min(tries - 1, 20) * Minute.ms, CHARGE_RETRY_MAX_MS));
}

type Job = { id: string; data: ChargeData; retryCount: number };
/** A charge, and the job of the worker that collects it. */
type Task = DueCharge & { job: Job };

/** Completes the job; false when it expired and was taken over by another worker. */
const complete = async ({ deps }: Context, job: Job, tx?: Tx): Promise<boolean> =>
  (await deps.queues.complete(CHARGES, job, undefined, tx && inTransaction(tx))).affected > 0;

/**
 * Ends the job and sets the orders aside, and emails the shopper when another card would help: once for each order. Nothing is
 * written when the job was taken over.
 */
async function fail(tx: Tx, ctx: Context, due: Task, failure: Failure): Promise<void> {
  const now = ctx.deps.clock.now();
  if (!(await complete(ctx, due.job, tx))) return;
  const nextAt = nextTry(failure, due.tries + 1, now);
  await setAside(tx, due.order_ids, { reason: failure.reason.slice(0, REASON_MAX), nextAt }, now);
  if (failure.kind === "unavailable") return;
  const template = failure.kind === "unconfirmed" ? "payment-unconfirmed" : "payment-failed";
  for (const orderId of due.order_ids)
    await enqueueMail(tx, {
      key: failedMailKey(template, orderId),
      template,
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
  due: Task,
  payment: OpenPayment,
  isNew: boolean,
): Promise<OpenPayment | Failure | null> {
  const { deps } = ctx;
  const charge = { key: payment.charge_key, customerId: due.customer_id };
  // First the result is written, with its reason, then the charge is voided: what is left after a kill here is looked for.
  const refuse = async (failure: Failure, ref: string | null): Promise<Failure> => {
    await deps.failpoint("charge:refused");
    await transaction(deps.db, async (tx) => {
      await failCharge(tx, payment.id, deps.clock.now());
      await fail(tx, ctx, due, failure);
      await deps.failpoint("charge:set-aside");
    });
    const { id, charge_key } = payment;
    await voidReleased(ctx, { id, charge_key, provider_ref: ref, customer_id: due.customer_id });
    return failure;
  };
  let result = isNew
    ? null
    : await deps.payments.find(charge).catch(async (error: unknown) => {
        if (error instanceof ProviderUnavailable) throw error;
        return { state: "declined" as const, ref: null, ...refusedAs("card_declined", { reason: reasonOf(error) }) };
      });
  if (result === null) {
    if (payment.method_ref === null) return refuse({ kind: "declined", reason: NO_CARD }, null);
    const means = { savedRef: payment.method_ref, save: false, offSession: true };
    result = await deps.payments.authorize({ ...charge, amountCents: payment.amount_cents, means });
  }
  await deps.failpoint("charge:authorized");
  if (result.state === "authorized" || result.state === "captured")
    return (await markAuthorized(deps.db, payment.id, result.ref, deps.clock.now()))
      ? { ...payment, state: "authorized", provider_ref: result.ref }
      : null;
  if (result.state === "challenge") return refuse(failureOf(refusedAs("challenge")), result.ref);
  return refuse(result.state === "declined" ? failureOf(result) : { kind: "declined", reason: RELEASED }, result.ref);
}

const isFailure = (result: OpenPayment | Failure): result is Failure => "kind" in result;

/** A refused charge as a failure; `reason` is for operators. */
function failureOf({ code, reason, detail }: Refused): Failure {
  if (code === "challenge") return { kind: "unconfirmed", reason: UNCONFIRMED };
  if (code === "payments_down")
    return {
      kind: "unavailable",
      reason: `The payment provider takes no cards for this market${detail ? ` (${detail})` : ""}.`,
    };
  const kind = { soon: "unavailable", later: "declined", never: "unpayable" } as const;
  return { kind: kind[retryOf(code)], reason };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? reasonOfError(error) : maskPrivateText(String(error));

/** 409: the money is on its way at this very moment. */
export const stillCharging = () =>
  new AppError(409, "This order is being charged right now. Please try again in a minute.", {
    code: "still_charging",
  });

/** Books the captured money once, also when two servers get here; or that nothing was due. */
async function settle(ctx: Context, due: DueCharge, payment: OpenPayment, job: Job | null): Promise<ChargeOutcome> {
  const { deps } = ctx;
  const now = deps.clock.now();
  return transaction(deps.db, async (tx): Promise<ChargeOutcome> => {
    // Also by a worker whose job was taken over: the money is taken.
    if (job) await complete(ctx, job, tx);
    if (!(await recordCapture(tx, due, payment.id, now))) return { kind: "nothing" };
    await clearSetAside(tx, due.order_ids);
    if (due.due_cents === 0) return { kind: "nothing" };
    const booking = { kind: "capture", paymentId: payment.id, note: `order ${due.order_ids.join(", ")}`, now };
    await bookPurchase(tx, booking, captureEntries(due.customer_id, cents(due.due_cents)));
    await creditReferrers(tx, { orderIds: due.order_ids }, now);
    for (const orderId of await findMailed(tx, due.order_ids)) {
      const data = { orderId, amountCents: due.due_cents };
      const key = `order-charged:${payment.id}`;
      await enqueueMail(tx, { key, template: "order-charged", customerId: due.customer_id, data, now });
    }
    return { kind: "charged", amountCents: due.due_cents };
  });
}

/** Holds the money where it is not held, and takes it. */
async function collect(ctx: Context, due: Task): Promise<ChargeOutcome> {
  const { deps } = ctx;
  const end = async (failure: Failure): Promise<ChargeOutcome> => {
    await transaction(deps.db, (tx) => fail(tx, ctx, due, failure));
    return { kind: "failed", reason: failure.reason };
  };
  let { payment, payment_id: replaces } = due;
  for (let isFirst = true; ; isFirst = false) {
    const isNew = payment === null;
    if (payment === null) {
      if (!due.method) return end({ kind: "unpayable", reason: NO_CARD });
      const id = newUuid();
      const charge = { id, replaces, provider: deps.payments.name, methodId: due.method.id };
      if (!(await transaction(deps.db, (tx) => insertCharge(tx, due, charge, deps.clock.now()))))
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
      const { id, charge_key: key } = payment;
      await deps.failpoint("charge:gone");
      const isOurs = await transaction(deps.db, (tx) => dropHold(tx, id, key, deps.clock.now()));
      if (!isOurs) {
        // A renewal that was under way at the cutoff has voided this charge and stored a new one.
        const renewed = await findHeldCharge(deps.db, id);
        if (renewed === null || renewed.charge_key === key) return { kind: "busy" };
        payment = { ...payment, ...renewed };
        continue;
      }
      if (!isFirst || isNew) return end({ kind: "declined", reason: RELEASED });
      payment = null;
      replaces = null;
      continue;
    }
    await deps.failpoint("cutoff:captured");
    return settle(ctx, due, payment, due.job);
  }
}

/** Reads a charge like `loadCharge`. A rest that is too small for a card is waived first, and is no longer due. */
async function loadPayable(tx: Tx, { deps }: Context, { data }: Job): Promise<DueCharge | null> {
  const now = deps.clock.now();
  const load = () => loadCharge(tx, data.orderId, deps.payments.name, addMs(now, data.aheadMs));
  const due = await load();
  if (!due || due.due_cents === 0 || due.due_cents >= CARD_MINIMUM) return due;
  const bookings = (await waiveRests(tx, due, now)).map(({ id, cents: amount }) => ({
    kind: "edit" as const,
    orderId: id,
    entries: writeOffEntries(due.customer_id, cents(amount)),
  }));
  await insertBookings(tx, bookings, now);
  return load();
}

/**
 * One job: charges the orders of one charge for what they are now. Captures the hold, or charges the default card where there
 * is none (docs/product.md §7). Orders that cannot be charged are set aside with the reason, and charged again later while that
 * can still help (docs/product.md §17). A worker that takes over a job goes on with the same charge; a job whose orders are paid,
 * cancelled or not due does nothing.
 */
async function chargeJob(ctx: Context, job: Job): Promise<ChargeOutcome> {
  const { deps } = ctx;
  const found = await transaction(deps.db, (tx) => loadPayable(tx, ctx, job));
  await deps.failpoint("charge:loaded");
  if (!found) {
    await complete(ctx, job);
    return { kind: "nothing" };
  }
  const due = { ...found, job };
  let outcome: ChargeOutcome;
  try {
    outcome = await collect(ctx, due);
  } catch (error) {
    deps.log.error({ err: error, orders: due.order_ids }, "an order could not be charged");
    const reason = error instanceof ProviderUnavailable ? NO_ANSWER : reasonOf(error);
    await transaction(deps.db, (tx) => fail(tx, ctx, due, { kind: "unavailable", reason }));
    return { kind: "failed", reason };
  }
  // Another charger, or an operator, ended the charge meanwhile.
  if (outcome.kind === "busy") await complete(ctx, job);
  return outcome;
}

/** `chargeJob` that retries after a pause, and after the third time sets the order aside, when the result could not be written. */
async function tryJob(ctx: Context, job: Job): Promise<ChargeOutcome> {
  const { deps } = ctx;
  try {
    return await chargeJob(ctx, job);
  } catch (error) {
    deps.log.error({ err: error, order: job.data.orderId }, "an order could not be charged or set aside");
    const startAfter = RETRY_SECONDS * 2 ** job.retryCount;
    await transaction(deps.db, async (tx) => {
      const within = inTransaction(tx);
      await deps.queues.fail(CHARGES, job, { message: reasonOf(error) }, within);
      await deps.queues.update(CHARGES, undefined, { id: job.id, startAfter, ...within });
    });
    throw error;
  }
}

/** Why a job became a dead letter, as pg-boss keeps it. A job that expired has no such reason. */
const StoppedBy = z.object({ message: z.string().min(1).optional() }).catch({});

/** Sets the orders aside whose job died or failed three times. */
async function setAsideStopped({ deps }: Context): Promise<void> {
  for (;;) {
    const [job] = await deps.queues.fetch<ChargeData>(STOPPED_CHARGES, { includeMetadata: true });
    if (!job) return;
    const { message } = StoppedBy.parse(job.sourceOutput);
    await transaction(deps.db, async (tx) => {
      const now = deps.clock.now();
      await deps.queues.complete(STOPPED_CHARGES, job, undefined, inTransaction(tx));
      const due = await loadCharge(tx, job.data.orderId, deps.payments.name, addMs(now, job.data.aheadMs));
      if (!due) return;
      const failure: Failure = { kind: "unavailable", reason: message ?? STOPPED };
      await setAside(tx, due.order_ids, { ...failure, nextAt: nextTry(failure, due.tries + 1, now) }, now);
    });
  }
}

/**
 * Works on the charges that are due, some at a time and together with the other servers, until there are none or the process stops:
 * whatever happens to one changes nothing for the others. `mayGoOn` is called before each one; on false the rest is left.
 * @throws the first error of a charge whose result could not be written, after the others
 */
export async function processCharges(
  ctx: Context,
  mayGoOn: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  const { queues } = ctx.deps;
  await queues.supervise(CHARGES);
  await setAsideStopped(ctx);
  const errors: unknown[] = [];
  const fetchNext = async () =>
    (!ctx.signal?.aborted && (await mayGoOn()) ? await queues.fetch<ChargeData>(CHARGES) : [])[0];
  const chargeAll = async (first?: Job) => {
    for (let job = first ?? (await fetchNext()); job; job = await fetchNext())
      await tryJob(ctx, job).catch((error: unknown) => errors.push(error));
  };
  const first = await fetchNext();
  if (!first) return;
  const workers = Array.from({ length: CHARGES_AT_ONCE }, (_, place) => chargeAll(place === 0 ? first : undefined));
  for (const worker of await Promise.allSettled(workers)) if (worker.status === "rejected") errors.push(worker.reason);
  if (errors.length > 0) throw errors[0];
}

/**
 * Charges one closed order now, for an operator who waits (docs/product.md §17). `entry` is written to the audit log when its job
 * is inserted. Killed in the middle, a server takes the job over.
 * @throws when the result could not be written; the charge is retried by the job
 */
export async function chargeOrder(ctx: Context, orderId: number, entry: AuditEntry): Promise<ChargeOutcome> {
  const { deps } = ctx;
  const { key, isEnqueued } = await transaction(deps.db, async (tx) => {
    const enqueued = await enqueueAtOnce(tx, orderId, deps.clock.now());
    if (enqueued.isEnqueued) await writeAuditEntry(tx, ctx, entry);
    return enqueued;
  });
  // Its job may be that of an operator's process that died.
  if (!isEnqueued) await deps.queues.supervise(CHARGES);
  for (;;) {
    const [job] = await deps.queues.fetch<ChargeData>(CHARGES, { minPriority: AT_ONCE });
    if (!job) return { kind: (await hasChargeJob(deps.db, orderId)) ? "busy" : "nothing" };
    const outcome = await tryJob(ctx, job);
    if (job.data.orderId === key) return outcome;
  }
}

/** The job: set-aside orders whose time has come are charged again, and charges that no worker has are worked on. */
export async function chargeDueOrders(ctx: Context): Promise<void> {
  await enqueueDue(ctx.deps.db, ctx.now, ctx.deps.clock.now());
  await processCharges(ctx);
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
    const nextAt = addMs(now, LOOKUP_PAUSE_MS);
    const due = await transaction(deps.db, (tx) => postponeCharge(tx, id, deps.payments.name, nextAt));
    const { payment } = due ?? {};
    if (!due || !payment) throw stillCharging();
    const charge = { key: payment.charge_key, customerId: due.customer_id, ref: payment.provider_ref };
    let found: ChargeState | null = null;
    try {
      found = await deps.payments.find(charge);
    } catch (error) {
      if (error instanceof ProviderUnavailable)
        throw unavailable(
          "The payment provider does not answer, so we cannot tell whether this order was charged. Try again in a minute.",
          "payments_down",
          60,
        );
      deps.log.warn({ err: error, order: id }, "the provider does not say what became of a charge");
    }
    if (found?.state !== "captured") continue;
    if (payment.state === "created") await markAuthorized(deps.db, payment.id, found.ref, now);
    await settle(ctx, due, payment, null);
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
