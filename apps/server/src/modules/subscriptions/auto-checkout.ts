import { isDeepStrictEqual } from "node:util";

import type { CheckoutChoice } from "@marketday/contracts/checkout";
import { type Conn, inTransaction, transaction, type Tx } from "@marketday/db";
import { FULFILLMENT_PROBLEMS, type FulfillmentProblem } from "@marketday/domain/fulfillment";
import { AUTO_CHECKOUT_RETRY_MS } from "@marketday/domain/limits";
import { AUTO_CHECKOUT } from "@marketday/domain/subscription";
import { addMs, isBefore, Minute } from "@marketday/domain/time";

import { reasonOf } from "../../lib/log-errors.ts";
import type { CartLineRow } from "../cart/cart-sql.ts";
import { findOtherMarket } from "../cart/other-market.ts";
import type { CheckoutFacts } from "../checkout/checkout-facts-sql.ts";
import type { RefusalCode } from "../checkout/outcome.ts";
import { placeOrder } from "../checkout/place-order.ts";
import type { LineFilter } from "../checkout/price-checkout.ts";
import { hubDirectory } from "../hubs/directory.ts";
import { asCustomerId, type Context, type CustomerId } from "../identity/context.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { findBoxId } from "../orders/box-store.ts";
import { nameOfLine } from "../products/size-sql.ts";
import { type Fulfillment, lockFulfillment } from "../profile/fulfillment-sql.ts";
import { autoChoice, keepFor } from "./auto-choice.ts";
import { findOrdered, findTry, type Try, writeResult } from "./auto-result-store.ts";
import {
  type AutoCheckoutJob,
  type AutoDelivery,
  enqueueRetry,
  findPreferences,
  PLACE_CHANGED,
  QUEUE,
} from "./auto-run-sql.ts";

const BUSY_RETRY_MS = 1 * Minute.ms;
const PAYMENTS_DOWN_RETRY_MS = 5 * Minute.ms;
/** Errors are retried after one and two minutes; the third is the last. */
const ERROR_RETRY_MS = 1 * Minute.ms;
const ERROR_RETRIES = 2;

/** Outcomes that the customer gets an email about and has to act on (docs/product.md §9). */
type AutoProblem = "nothing" | "choose_market" | FulfillmentProblem | "no_card" | "declined" | "unconfirmed" | "failed";
/** Outcomes without an email: there is an order, or none is wanted. */
type Quiet = "placed" | "already" | "elsewhere" | "off" | "moved" | "skipped" | "not_due";
/** Outcomes that are retried, without an email. `closed`: the market is not published. */
type Later = "busy" | "payments_down" | "closed";

/** A line of a mail. */
interface AutoLine {
  title: string;
  quantity: number;
}
/** The order cannot go where the customer receives: the place, for mails, and what the try saw of it. */
interface NoPlace {
  outcome: FulfillmentProblem;
  place: string;
  seen: Fulfillment;
}
type AutoResult =
  | { outcome: AutoProblem | Quiet | Later }
  | NoPlace
  /** What there is to order was chosen in another market, `place`, and the customer's sells it too. */
  | { outcome: "choose_market"; place: string }
  | { outcome: "short"; orderId: number; ordered: AutoLine[]; missing: AutoLine[] };

/** What a try decided under the cart's lock, from which facts. */
interface Decided {
  facts: CheckoutFacts;
  choice: CheckoutChoice;
}

/** What is bought for this customer as things stand; or the outcome when nothing is. */
async function loadPreferences(
  { deps }: Context,
  conn: Conn,
  customerId: CustomerId,
  delivery: AutoDelivery,
): Promise<{ status: number; tip: number; unconfirmedCards: readonly number[]; filter: LineFilter } | { skip: Quiet }> {
  const row = await findPreferences(conn, customerId, delivery.id);
  if (!row) return { skip: "off" };
  if (row.is_ordered) return { skip: "placed" };
  if (row.is_ordered_elsewhere) return { skip: "elsewhere" };
  if (row.status === AUTO_CHECKOUT.off) return { skip: "off" };
  if (row.is_skipped) return { skip: "skipped" };
  return {
    status: row.status,
    tip: row.default_tip,
    unconfirmedCards: row.unconfirmed_cards,
    filter: keepFor(await hubDirectory(deps), row.status, delivery),
  };
}

const outcomeByCode: Partial<Record<RefusalCode, AutoProblem | Quiet | Later>> = {
  payment_required: "no_card",
  card_declined: "declined",
  insufficient_funds: "declined",
  card_limit: "declined",
  card_unusable: "declined",
  card_expired: "declined",
  card_incorrect: "declined",
  card_unsupported: "declined",
  challenge: "unconfirmed",
  challenge_expired: "unconfirmed",
  already_ordered: "already",
  still_running: "busy",
  payments_down: "payments_down",
  bank_unavailable: "payments_down",
  past_cutoff: "busy",
};

/** An order that cannot go where the customer receives: why, and the place (`explainFulfillment`). Null: another refusal. */
function placeRefusal(code: RefusalCode, hubId: number, { facts, choice }: Decided): NoPlace | null {
  const { pickup_point: point, default_address } = facts;
  const seen = { pickup_point: point, default_address };
  if (code === "address_required") return { outcome: "no_address", place: "", seen };
  if (code === "outside_hub") return { outcome: "not_served", place: choice.deliveryAddress?.zipCode ?? "", seen };
  if (code !== "pickup_required") return null;
  const outcome = point && point.hub_id !== hubId ? "pickup_elsewhere" : "pickup_gone";
  return { outcome, place: point?.name ?? "", seen };
}

/** Locks the customer. Whether they receive elsewhere, or have left the market, since the try read it: then it is tried again at once. */
async function isMovedSince(tx: Tx, customerId: number, hubId: number, { seen }: NoPlace): Promise<boolean> {
  const present = await lockFulfillment(tx, asCustomerId(customerId));
  if (!present) return false;
  const { hub_id, ...place } = present;
  return hub_id !== hubId || !isDeepStrictEqual(place, seen);
}

async function resultOf(ctx: Context, orderIds: number[], wanted: readonly CartLineRow[]): Promise<AutoResult> {
  const got = await findOrdered(ctx.deps.db, orderIds);
  const lines = wanted.map((line) => {
    const quantity = Math.min(line.quantity, got.get(line.variant_id) ?? 0);
    got.set(line.variant_id, (got.get(line.variant_id) ?? 0) - quantity);
    return { title: nameOfLine(line), quantity, missing: line.watching ? 0 : line.quantity - quantity };
  });
  const missing = lines
    .filter((line) => line.missing > 0)
    .map((line) => ({ title: line.title, quantity: line.missing }));
  if (missing.length === 0) return { outcome: "placed" };
  const ordered = lines.filter(({ quantity }) => quantity > 0).map(({ title, quantity }) => ({ title, quantity }));
  return { outcome: "short", orderId: await findBoxId(ctx.deps.db, orderIds[0]!), ordered, missing };
}

const TURNS = 4;
/** Refusals after which the cart is priced and ordered again: something has just changed. */
const CHANGED: ReadonlySet<RefusalCode> = new Set(["sold_out", "total_changed", "code_gone"]);

/**
 * One attempt to order for one customer. What is bought, and how it is paid, is decided under the cart's lock, so the cart is
 * priced once. Stock or prices that change meanwhile are priced again.
 */
async function orderFor(
  ctx: Context,
  delivery: AutoDelivery,
  customerId: CustomerId,
  key: string,
): Promise<AutoResult> {
  const { deps } = ctx;
  /** The published lines that were due at the first turn: what is missing later came short. */
  let wanted: CartLineRow[] | null = null;
  let status = 0;
  let hasOrder = false;
  let decided: Decided | null = null;
  let undecidedFrom: string | null = null;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const outcome = await placeOrder(ctx, customerId, delivery.hub_id, {
      source: "auto",
      expectedTotal: null,
      expectedDay: delivery.day,
      idempotencyKey: key,
      decide: async (tx, { cart, facts }) => {
        const preferences = await loadPreferences(ctx, tx, customerId, delivery);
        if ("skip" in preferences) return preferences;
        wanted ??= cart.lines.filter((line) => preferences.filter(line) && line.is_published);
        status = preferences.status;
        const other = findOtherMarket(await hubDirectory(deps), cart.lines, delivery.hub_id, true);
        undecidedFrom = status === AUTO_CHECKOUT.fullCart && other?.isUndecided ? other.name : null;
        hasOrder = facts.open_orders.some((order) => order.delivery_id === delivery.id);
        const choice = autoChoice(facts, delivery.id, preferences.tip, deps.payments.takesCards);
        if (preferences.unconfirmedCards.includes(choice.paymentMethodId ?? 0))
          return { skip: hasOrder ? "already" : "unconfirmed" };
        decided = { facts, choice };
        return { choice, filter: preferences.filter };
      },
    });
    if (outcome.kind === "placed") return resultOf(ctx, outcome.orderIds, wanted ?? []);
    if (outcome.kind === "skipped") return { outcome: outcome.reason as AutoProblem | Quiet | Later };
    if (outcome.kind === "challenge") return { outcome: "unconfirmed" };
    if (outcome.kind === "running") return { outcome: "busy" };
    if (outcome.code === "cart_empty") {
      if (hasOrder) return { outcome: "already" };
      if (undecidedFrom !== null) return { outcome: "choose_market", place: undecidedFrom };
      const isDue = status !== AUTO_CHECKOUT.subscribedOnly || (wanted ?? []).length > 0;
      return { outcome: isDue ? "nothing" : "not_due" };
    }
    const noPlace = decided && placeRefusal(outcome.code, delivery.hub_id, decided);
    if (noPlace) return noPlace;
    const known = outcomeByCode[outcome.code];
    if (known) return { outcome: known };
    if (!CHANGED.has(outcome.code)) throw new Error(outcome.message);
  }
  return { outcome: "busy" };
}

const PROBLEMS = new Set<string>([
  "nothing",
  "choose_market",
  ...FULFILLMENT_PROBLEMS,
  "no_card",
  "declined",
  "unconfirmed",
]);

/** How a try ends: the result, the customer's email, and when the next try is. */
interface TryEnd {
  outcome: string;
  error: string | null;
  /** `place`: another one is another mail. */
  mail: { template: string; data: object; place?: string } | null;
  /** Null: there is no other try. */
  retryAt: Date | null;
  /** The job failed. `retry`: the same job is tried again; `last`: it is a dead letter, and `retryAt` is another job. */
  failure: "retry" | "last" | null;
}

const failedMail = (reason: AutoProblem, place = "") => ({
  template: "auto-checkout-failed",
  data: { reason, place },
  place,
});

/** @param retries how often the job was tried before */
function endOf(found: Try, retries: number, result: AutoResult | Error, now: Date): TryEnd {
  const after = (ms: number) => addMs(now, ms);
  const beforeCutoff = (at: Date) => (isBefore(at, found.cutoff_at) ? at : null);
  const end = { error: null, mail: null, retryAt: null, failure: null };
  if (result instanceof Error) {
    const error = reasonOf(result);
    if (found.outcome !== "failed" && retries < ERROR_RETRIES)
      return { ...end, outcome: "error", error, retryAt: after((retries + 1) * ERROR_RETRY_MS), failure: "retry" };
    const retryAt = beforeCutoff(after(AUTO_CHECKOUT_RETRY_MS));
    return { outcome: "failed", error, mail: failedMail("failed"), retryAt, failure: "last" };
  }
  const { outcome } = result;
  if (outcome === "short") {
    const { orderId, ordered, missing } = result;
    return { ...end, outcome, mail: { template: "auto-checkout-short", data: { orderId, ordered, missing } } };
  }
  // The shopper may be at the bank right now.
  if (outcome === "busy" && found.outcome === "unconfirmed")
    return { ...end, outcome: "unconfirmed", retryAt: after(BUSY_RETRY_MS) };
  if (outcome === "busy") return { ...end, outcome, retryAt: after(BUSY_RETRY_MS) };
  // The market may be published again before the cutoff.
  if (outcome === "closed") return { ...end, outcome, retryAt: beforeCutoff(after(AUTO_CHECKOUT_RETRY_MS)) };
  if (outcome === "payments_down") return { ...end, outcome, retryAt: after(PAYMENTS_DOWN_RETRY_MS) };
  if (!PROBLEMS.has(outcome)) return { ...end, outcome };
  return {
    ...end,
    outcome,
    mail: failedMail(outcome as AutoProblem, "place" in result ? result.place : ""),
    // Unconfirmed until the cutoff, the customer gets another mail then (`endUndone`).
    retryAt: outcome === "unconfirmed" ? after(AUTO_CHECKOUT_RETRY_MS) : beforeCutoff(after(AUTO_CHECKOUT_RETRY_MS)),
  };
}

type Job = { id: string; data: AutoCheckoutJob; retryCount: number };

/**
 * Settles the job and writes the result, the mail and the next try, in one transaction. Nothing is written when the job expired
 * and was taken over by another worker (failures.md C7), or when the cutoff has ended the run.
 */
async function settleTry({ deps }: Context, found: Try, job: Job, result: AutoResult | Error): Promise<void> {
  const now = deps.clock.now();
  const { customerId, deliveryId } = job.data;
  const end = endOf(found, job.retryCount, result, now);
  if (end.failure !== null)
    deps.log[end.failure === "last" ? "error" : "warn"](
      { err: result, customer: customerId, delivery: deliveryId },
      end.failure === "last" ? "auto-checkout of a cart failed" : "auto-checkout of a cart failed, it is tried again",
    );
  await transaction(deps.db, async (tx) => {
    // The customer before the job and the result, as a change of the place locks them (`retryElsewhere`).
    const isMoved = "seen" in result && (await isMovedSince(tx, customerId, found.hub_id, result));
    const { outcome, error, mail, retryAt, failure } = isMoved
      ? { ...end, outcome: PLACE_CHANGED, mail: null, retryAt: now }
      : end;
    const within = inTransaction(tx);
    const { affected } =
      failure === null
        ? await deps.queues.complete(QUEUE, job, undefined, within)
        : await deps.queues.fail(QUEUE, job, { message: error }, within);
    if (affected === 0) return;
    if (!(await writeResult(tx, job.data, { outcome, error, isDone: retryAt === null }, now))) return;
    if (failure === "retry")
      await deps.queues.update(QUEUE, undefined, { id: job.id, startAfter: retryAt!, ...within });
    else if (retryAt) await enqueueRetry(tx, job.data, retryAt);
    if (mail)
      await enqueueMail(tx, {
        key: [mail.template, deliveryId, customerId, outcome, ...(mail.place ? [mail.place] : [])].join(":"),
        template: mail.template,
        customerId,
        data: {
          day: found.day,
          market: found.hub_name,
          cutoff: found.cutoff_at.toISOString(),
          timeZone: found.time_zone,
          ...mail.data,
        },
        now,
      });
  });
}

/**
 * One job: a try for one customer. A worker that takes over a job that expired uses the same idempotency key, which places one
 * order (`checkout_attempt_key_once_key`); each new try has another key.
 */
async function tryCustomer(ctx: Context, job: Job): Promise<void> {
  const { deps } = ctx;
  const { customerId, deliveryId, aheadMs } = job.data;
  const found = await findTry(deps.db, job.data);
  await deps.failpoint("auto:claimed");
  const now = addMs(deps.clock.now(), aheadMs);
  // After the cutoff no order is placed; `closeOverdueRuns` ends the run.
  if (!found || !isBefore(now, found.cutoff_at)) {
    await deps.queues.complete(QUEUE, job);
    return;
  }
  const tryCtx: Context = { ...ctx, now };
  const key = `auto-checkout ${deliveryId}:${customerId}:${found.tries + 1}`;
  // A switch of hubs after the job was fetched changes nothing.
  const result =
    found.customer_hub_id === found.hub_id
      ? await orderFor(tryCtx, found, asCustomerId(customerId), key).catch((error: unknown) =>
          error instanceof Error ? error : new Error(String(error)),
        )
      : ({ outcome: "moved" } as const);
  await deps.failpoint("auto:ordered");
  await settleTry(tryCtx, found, job, result);
}

/** Works on the jobs of auto-checkout that are due, one after the other, until there are none or the process stops. */
export async function processAutoCheckouts(ctx: Context): Promise<void> {
  while (!ctx.signal?.aborted) {
    const [job] = await ctx.deps.queues.fetch<AutoCheckoutJob>(QUEUE);
    if (!job) return;
    await tryCustomer(ctx, job);
  }
}
