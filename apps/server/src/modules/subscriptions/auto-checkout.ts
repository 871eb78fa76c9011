import { type Conn, inTransaction, sqlTransaction } from "@marketday/db";
import { AUTO_CHECKOUT_RETRY_MS } from "@marketday/domain/limits";
import { cents, toDollars } from "@marketday/domain/money";
import { AUTO_CHECKOUT } from "@marketday/domain/subscription";
import { addMs, isBefore, Minute } from "@marketday/domain/time";

import { AppError } from "../../lib/app-error.ts";
import { asCustomerId, type Context, type CustomerId } from "../../lib/context.ts";
import { reasonOf } from "../../lib/log-errors.ts";
import { type CartLineRow, loadCart } from "../cart/store.ts";
import { enqueueMail } from "../mail/store.ts";
import { findBoxId } from "../orders/box-store.ts";
import { loadCheckoutFacts } from "../orders/checkout-facts.ts";
import { placeOrder } from "../orders/place-order.ts";
import { type LineFilter, priceCheckout } from "../orders/prepare-checkout.ts";
import { autoChoice, keepFor } from "./auto-choice.ts";
import {
  type AutoCheckoutJob,
  type AutoDelivery,
  enqueueRetry,
  findOrdered,
  findPreferences,
  findTry,
  QUEUE,
  type Try,
  writeResult,
} from "./auto-store.ts";
import { titleOf } from "./serialize.ts";

const BUSY_RETRY_MS = 1 * Minute.ms;
const PAYMENTS_DOWN_RETRY_MS = 5 * Minute.ms;
/** Errors are retried after one and two minutes; the third is the last. */
const ERROR_RETRY_MS = 1 * Minute.ms;
const ERROR_RETRIES = 2;

/** Outcomes that the customer gets an email about and has to act on (docs/product.md §9). */
export type AutoProblem = "nothing" | "no_address" | "no_card" | "declined" | "failed";
/** Outcomes without an email: there is an order, or none is wanted. */
type Quiet = "placed" | "already" | "elsewhere" | "off" | "moved" | "skipped" | "not_due";
/** Outcomes that are retried soon, without an email. */
type Later = "busy" | "payments_down";

/** A line of a mail. */
export interface AutoLine {
  title: string;
  quantity: number;
}
export type AutoResult =
  | { outcome: AutoProblem | Quiet | Later }
  | { outcome: "short"; orderId: number; ordered: AutoLine[]; missing: AutoLine[] };

const refusal = (code: string) => new AppError(409, "Auto-checkout orders nothing here.", { code });

/** What is ordered for this customer, or the error why nothing is; read again under the cart's lock. */
async function loadPreferences(
  tx: Conn,
  customerId: CustomerId,
  delivery: AutoDelivery,
): Promise<{ status: number; tip: number; keep: LineFilter } | AppError> {
  const preferences = await findPreferences(tx, customerId, delivery.id);
  if (!preferences) return refusal("off");
  if (preferences.is_ordered) return refusal("placed");
  if (preferences.is_ordered_elsewhere) return refusal("elsewhere");
  if (preferences.status === AUTO_CHECKOUT.off) return refusal("off");
  if (preferences.is_skipped) return refusal("skipped");
  return { status: preferences.status, tip: preferences.default_tip, keep: keepFor(preferences.status, delivery.day) };
}

const QUIET = new Set(["placed", "elsewhere", "off", "skipped"]);
const outcomeByErrorCode: Record<string, AutoProblem | Quiet | Later> = {
  address_required: "no_address",
  outside_hub: "no_address",
  pickup_required: "no_address",
  payment_required: "no_card",
  already_ordered: "already",
  still_running: "busy",
  payments_down: "payments_down",
  past_cutoff: "busy",
};

function meaningOf(error: AppError): AutoProblem | Quiet | Later | null {
  const { code } = error.details;
  if (QUIET.has(code)) return code as Quiet;
  return outcomeByErrorCode[code] ?? (error.status === 402 ? "declined" : null);
}

async function resultOf(ctx: Context, orderIds: number[], wanted: readonly CartLineRow[]): Promise<AutoResult> {
  const got = new Map((await findOrdered(ctx.deps.db, orderIds)).map((row) => [row.variant_id, row.quantity]));
  const lines = wanted.map((line) => {
    const quantity = Math.min(line.quantity, got.get(line.variant_id) ?? 0);
    got.set(line.variant_id, (got.get(line.variant_id) ?? 0) - quantity);
    return { title: titleOf(line), quantity, missing: line.watching ? 0 : line.quantity - quantity };
  });
  const missing = lines
    .filter((line) => line.missing > 0)
    .map((line) => ({ title: line.title, quantity: line.missing }));
  if (missing.length === 0) return { outcome: "placed" };
  const ordered = lines.filter(({ quantity }) => quantity > 0).map(({ title, quantity }) => ({ title, quantity }));
  return { outcome: "short", orderId: await findBoxId(ctx.deps.db, orderIds[0]!), ordered, missing };
}

const TURNS = 4;

/** Prices the cart as the shopper would see it and places that order; prices it again when it changed meanwhile. */
async function orderFor(
  ctx: Context,
  delivery: AutoDelivery,
  customerId: CustomerId,
  key: string,
): Promise<AutoResult> {
  const { deps, now } = ctx;
  let wanted: CartLineRow[] | null = null;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const preferences = await loadPreferences(deps.db, customerId, delivery);
    if (preferences instanceof AppError) return { outcome: preferences.details.code as Quiet };
    // The cart is loaded first: if the shopper has just checked out, it is empty and their order is among the facts.
    const cart = await loadCart(deps.db, { customerId }, delivery.hub_id, now);
    const facts = await loadCheckoutFacts(deps.db, customerId, delivery.hub_id, deps.payments.name, now);
    if (facts?.deliveries[0]?.id !== delivery.id) return { outcome: "busy" };
    const choice = autoChoice(facts, delivery.id, preferences.tip, deps.payments.takesCards);
    cart.lines = cart.lines.filter(preferences.keep);
    wanted ??= cart.lines.filter((line) => line.is_published);
    const { basket, plan } = priceCheckout(cart, facts, delivery.hub_id, choice, now);
    if (!basket.lines.some((line) => line.counts)) {
      if (facts.open_orders.some((order) => order.delivery_id === delivery.id)) return { outcome: "already" };
      return {
        outcome: preferences.status === AUTO_CHECKOUT.subscribedOnly && wanted.length === 0 ? "not_due" : "nothing",
      };
    }
    try {
      const placed = await placeOrder(ctx, customerId, delivery.hub_id, {
        choice,
        expectedTotal: toDollars(cents(plan.orderTotalCents)),
        expectedDay: delivery.day,
        source: "auto",
        idempotencyKey: key,
        select: async (tx) => {
          const locked = await loadPreferences(tx, customerId, delivery);
          return locked instanceof AppError ? locked : locked.keep;
        },
      });
      if (placed.kind === "challenge") return { outcome: "declined" };
      return await resultOf(ctx, placed.orderIds, wanted);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const outcome = meaningOf(error);
      if (outcome) return { outcome };
      if (!["sold_out", "total_changed", "cart_empty", "code_gone"].includes(error.details.code)) throw error;
    }
  }
  return { outcome: "busy" };
}

const PROBLEMS = new Set<string>(["nothing", "no_address", "no_card", "declined"]);

/** How a try ends: the result, the customer's email, and when the next try is. */
interface TryEnd {
  outcome: string;
  error: string | null;
  mail: { template: string; data: object } | null;
  /** Null: there is no other try. */
  retryAt: Date | null;
  /** The job failed. `retry`: the same job is tried again; `last`: it is a dead letter, and `retryAt` is another job. */
  failure: "retry" | "last" | null;
}

const failedMail = (reason: AutoProblem) => ({ template: "auto-checkout-failed", data: { reason } });

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
  if (outcome === "busy") return { ...end, outcome, retryAt: after(BUSY_RETRY_MS) };
  if (outcome === "payments_down") return { ...end, outcome, retryAt: after(PAYMENTS_DOWN_RETRY_MS) };
  if (!PROBLEMS.has(outcome)) return { ...end, outcome };
  return {
    ...end,
    outcome,
    mail: failedMail(outcome as AutoProblem),
    retryAt: beforeCutoff(after(AUTO_CHECKOUT_RETRY_MS)),
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
  const { outcome, error, mail, retryAt, failure } = endOf(found, job.retryCount, result, now);
  if (failure !== null)
    deps.log[failure === "last" ? "error" : "warn"](
      { err: result, customer: customerId, delivery: deliveryId },
      failure === "last" ? "auto-checkout of a cart failed" : "auto-checkout of a cart failed, it is tried again",
    );
  await sqlTransaction(deps.db, async (tx) => {
    const within = inTransaction(tx);
    const { affected } =
      failure === null
        ? await deps.queues.complete(QUEUE, job, undefined, within)
        : await deps.queues.fail(QUEUE, job, { message: error }, within);
    if (affected === 0) return;
    if (!(await writeResult(tx, job.data, { outcome, error, isDone: retryAt === null }, 1, now))) return;
    if (failure === "retry")
      await deps.queues.update(QUEUE, undefined, { id: job.id, startAfter: retryAt!, ...within });
    else if (retryAt) await enqueueRetry(tx, job.data, retryAt);
    if (mail)
      await enqueueMail(tx, {
        key: `${mail.template}:${deliveryId}:${customerId}:${outcome}`,
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
 * order (`checkout_attempt_key_once_key`); a new try has a key of its own.
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

/** Works on the jobs of auto-checkout that are due, one after the other, until there are none. */
export async function processAutoCheckouts(ctx: Context): Promise<void> {
  for (;;) {
    const [job] = await ctx.deps.queues.fetch<AutoCheckoutJob>(QUEUE);
    if (!job) return;
    await tryCustomer(ctx, job);
  }
}
