import { sqlTransaction, type Conn } from "@marketday/db";
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
import { type AutoDelivery, type Claim, claimCustomer, endClaim, findOrdered, findPreferences } from "./auto-store.ts";
import { titleOf } from "./serialize.ts";

/** A worker that is silent for this long over one cart has died. */
const LEASE_MS = 1 * Minute.ms;
const PAYMENTS_DOWN_RETRY_MS = 5 * Minute.ms;
const MOST_ERRORS = 3;

/** What the customer is notified of and has to do (docs/product.md §9). */
export type AutoProblem = "nothing" | "no_address" | "no_card" | "declined" | "failed";
/** Ends that need no word: an order is there, or none is wanted. */
type Quiet = "placed" | "already" | "elsewhere" | "off" | "moved" | "skipped" | "not_due";
/** It is not the customer's turn to act: tried again soon. */
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

/** What is bought for this customer as things stand: read again under the cart's lock, so it holds when it is bought. */
async function loadPreferences(
  tx: Conn,
  customerId: CustomerId,
  delivery: AutoDelivery,
): Promise<{ status: number; tip: number; keep: LineFilter } | AppError> {
  const wish = await findPreferences(tx, customerId, delivery.id);
  if (!wish) return refusal("off");
  if (wish.is_ordered) return refusal("placed");
  if (wish.is_ordered_elsewhere) return refusal("elsewhere");
  if (wish.status === AUTO_CHECKOUT.off) return refusal("off");
  if (wish.is_skipped) return refusal("skipped");
  return { status: wish.status, tip: wish.default_tip, keep: keepFor(wish.status, delivery.day) };
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

/** One try for one customer: prices the cart as the shopper would see it and places that; what moved meanwhile is priced anew. */
export async function orderFor(
  ctx: Context,
  delivery: AutoDelivery,
  customerId: CustomerId,
  key: string,
): Promise<AutoResult> {
  const { deps, now } = ctx;
  let wanted: CartLineRow[] | null = null;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const wish = await loadPreferences(deps.db, customerId, delivery);
    if (wish instanceof AppError) return { outcome: wish.details.code as Quiet };
    // The cart first: one that the shopper has just bought is empty, and then their order is among the facts.
    const cart = await loadCart(deps.db, { customerId }, delivery.hub_id, now);
    const facts = await loadCheckoutFacts(deps.db, customerId, delivery.hub_id, deps.payments.name, now);
    if (facts?.deliveries[0]?.id !== delivery.id) return { outcome: "busy" };
    const choice = autoChoice(facts, delivery.id, wish.tip, deps.payments.takesCards);
    cart.lines = cart.lines.filter(wish.keep);
    wanted ??= cart.lines.filter((line) => line.is_published);
    const { basket, plan } = priceCheckout(cart, facts, delivery.hub_id, choice, now);
    if (!basket.lines.some((line) => line.counts)) {
      if (facts.open_orders.some((order) => order.delivery_id === delivery.id)) return { outcome: "already" };
      return { outcome: wish.status === AUTO_CHECKOUT.subscribedOnly && wanted.length === 0 ? "not_due" : "nothing" };
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

/** Writes what came of a try, with the mail it causes, unless the claim went to somebody else meanwhile. */
async function settleClaim(
  ctx: Context,
  delivery: AutoDelivery,
  claim: Claim,
  result: AutoResult | Error,
): Promise<void> {
  const { deps } = ctx;
  const now = deps.clock.now();
  const untilCutoff = (ms: number) => (isBefore(addMs(now, ms), delivery.cutoff_at) ? addMs(now, ms) : null);
  const told = {
    day: delivery.day,
    market: delivery.hub_name,
    cutoff: delivery.cutoff_at.toISOString(),
    timeZone: delivery.time_zone,
  };
  const end = async (
    outcome: string,
    error: string | null,
    retryAt: Date | null,
    mail: { template: string; data: object } | null,
  ) =>
    sqlTransaction(deps.db, async (tx) => {
      if (!(await endClaim(tx, claim, { outcome, error, retryAt }, now))) return;
      if (!mail) return;
      const key = `${mail.template}:${claim.subject}:${outcome}`;
      await enqueueMail(tx, {
        key,
        template: mail.template,
        customerId: claim.customer_id,
        data: { ...told, ...mail.data },
        now,
      });
    });
  const failed = (reason: AutoProblem) => ({ template: "auto-checkout-failed", data: { reason } });

  if (result instanceof Error) {
    const before =
      claim.outcome === "failed" ? MOST_ERRORS : Number(/^error (\d+)$/.exec(claim.outcome ?? "")?.[1] ?? 0);
    const errors = before + 1;
    if (errors < MOST_ERRORS) {
      deps.log.warn(
        { err: result, customer: claim.customer_id, delivery: delivery.id },
        "auto-checkout of a cart failed, it is tried again",
      );
      return end(`error ${errors}`, reasonOf(result), addMs(now, errors * Minute.ms), null);
    }
    deps.log.error(
      { err: result, customer: claim.customer_id, delivery: delivery.id },
      "auto-checkout of a cart failed",
    );
    return end("failed", reasonOf(result), untilCutoff(AUTO_CHECKOUT_RETRY_MS), failed("failed"));
  }
  if (result.outcome === "short") {
    const { orderId, ordered, missing } = result;
    return end("short", null, null, { template: "auto-checkout-short", data: { orderId, ordered, missing } });
  }
  if (result.outcome === "busy") return end("busy", null, addMs(now, Minute.ms), null);
  if (result.outcome === "payments_down") return end("payments_down", null, addMs(now, PAYMENTS_DOWN_RETRY_MS), null);
  if (PROBLEMS.has(result.outcome))
    return end(result.outcome, null, untilCutoff(AUTO_CHECKOUT_RETRY_MS), failed(result.outcome as AutoProblem));
  return end(result.outcome, null, null, null);
}

/**
 * Orders for every customer who is due, one after the other, until none is left. Any number of workers and servers do this
 * at once: each customer is claimed by one of them. Each try has a key of its own. Claims go by the clock, what is due by
 * the clock and `clockOffsetMs`: how far the run's `now` was from it (`market jobs run --at`).
 */
export async function processDueCustomers(ctx: Context, delivery: AutoDelivery, clockOffsetMs: number): Promise<void> {
  const { deps } = ctx;
  for (;;) {
    const clock = deps.clock.now();
    const now = addMs(clock, clockOffsetMs);
    if (!isBefore(now, delivery.cutoff_at)) return;
    const claim = await claimCustomer(deps.db, delivery.id, clock, addMs(clock, LEASE_MS));
    if (!claim) return;
    await deps.failpoint("auto:claimed");
    const mine: Context = { ...ctx, now };
    const key = `auto-checkout ${claim.subject}:${claim.attempts}`;
    // The hub at the moment of the claim decides; a switch while the order is being placed changes nothing.
    const result =
      claim.hub_id === delivery.hub_id
        ? await orderFor(mine, delivery, asCustomerId(claim.customer_id), key).catch((error: unknown) =>
            error instanceof Error ? error : new Error(String(error)),
          )
        : ({ outcome: "moved" } as const);
    await deps.failpoint("auto:ordered");
    await settleClaim(mine, delivery, claim, result);
  }
}
