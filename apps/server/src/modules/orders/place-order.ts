import { setTimeout as pause } from "node:timers/promises";

import type { CheckoutChoice } from "@marketday/contracts/checkout";
import { isUniqueViolation, PoolExhausted, sqlState } from "@marketday/db";
import { addMs, isBefore, Second } from "@marketday/domain/time";

import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { AppError, notFound, unavailable } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import type { PaymentTries } from "../payments/payment-tries.ts";
import {
  type AttemptRow,
  claimAttempt,
  findAttempt,
  findAttemptByKey,
  findLatestOrders,
  findLiveAttempt,
  extendLease,
  releaseAttemptLease,
} from "./checkout-store.ts";
import { CARD_GONE, PAYMENTS_DOWN, PAYMENTS_LIMITED, SUPERSEDED, TOTAL_CHANGED } from "./failures.ts";
import { type HoldInput, holdStock, LEASE_MS } from "./hold-stock.ts";
import { quoteAgain } from "./quote-again.ts";
import { resumeAttempt } from "./resume-attempt.ts";
import {
  authorizeAttempt,
  chargeOf,
  failAndRelease,
  tryVoidCharge,
  outcomeOf,
  type Settled,
  settleAttempt,
  settleOrVoid,
} from "./settle-attempt.ts";

export interface PlaceInput {
  choice: CheckoutChoice;
  /** Dollars: the quote's `orderTotal` the shopper saw. */
  expectedTotal: number;
  /** The first delivery day the shopper saw, `YYYY-MM-DD`; null: whatever comes next. */
  expectedDay: string | null;
  source: "checkout" | "auto";
  /** "actor key" of the request; the same key finds its attempt again. */
  idempotencyKey: string | null;
  select?: HoldInput["select"];
  /** The limit on payment attempts; left out for automatic orders. */
  tries?: PaymentTries;
  /** Counts wrong discount codes; left out for automatic orders. */
  guardCode?: <T>(work: () => Promise<T>) => Promise<T>;
}

const CROWD_TRIES = 4;

/**
 * A crowd at the last units waits for one row, and who waits too long for it, or for a connection, was refused before
 * anything happened: asked again, the units are mostly gone and nobody needs the row any more (failures.md A1). A cart
 * that got a live attempt meanwhile is read again, and its attempt is found (failures.md M1).
 */
async function holdWithRetry(ctx: Context, customerId: CustomerId, hubId: number, input: HoldInput) {
  for (let tried = 1; ; tried += 1) {
    try {
      return await holdStock(ctx, customerId, hubId, input);
    } catch (error) {
      const mayPass =
        sqlState(error) === "55P03" ||
        error instanceof PoolExhausted ||
        isUniqueViolation(error, "checkout_attempt_live_key");
      if (!mayPass || tried >= CROWD_TRIES) throw error;
    }
  }
}

export type PlaceAnswer =
  | { kind: "placed"; orderIds: number[] }
  | { kind: "challenge"; attemptId: string; clientSecret: string };

const WAIT_MS = 12 * Second.ms;
const ASK_EVERY_MS = 100;

/** Another request pays for this very cart: its end is ours too. Bounded; then the shopper is told to try again. */
async function waitFor(ctx: Context, attemptId: string): Promise<void> {
  const started = ctx.deps.clock.elapsed();
  await ctx.deps.failpoint("checkout:waiting");
  while (ctx.deps.clock.elapsed() - started < WAIT_MS) {
    const attempt = await findAttempt(ctx.deps.db, attemptId);
    if (!attempt || attempt.state === "placed" || attempt.state === "failed" || attempt.state === "challenge") return;
    if (attempt.lease_until <= ctx.deps.clock.now()) {
      try {
        await resumeAttempt(ctx, attemptId);
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error;
        // Its charge may be there; the attempt keeps its stock, and the next try or the sweep asks again (failures.md B10).
        await releaseAttemptLease(ctx.deps.db, attemptId, ctx.deps.clock.now());
        throw unavailable("Payments are temporarily unavailable. Please try again in a moment.", PAYMENTS_DOWN.code, 5);
      }
      return;
    }
    await pause(ASK_EVERY_MS);
  }
  throw new AppError(
    409,
    "This cart is being checked out. Please wait a moment.",
    { code: "still_running" },
    { "retry-after": "1" },
  );
}

/**
 * An ended attempt as the answer of the call.
 * @throws AppError when there is no order: the attempt's failure, with the new quote where the total has changed
 */
async function answerOf(ctx: Context, attemptId: string, settled: Settled): Promise<PlaceAnswer> {
  if (settled.kind === "placed" || settled.kind === "challenge") return settled;
  if (settled.kind === "failed") {
    const { status, message, code } = settled.failure;
    const quote = code === TOTAL_CHANGED.code ? await quoteAgain(ctx, attemptId) : null;
    throw new AppError(
      status,
      message,
      { code, ...(quote && { quote }) },
      status === 503 ? { "retry-after": "5" } : {},
    );
  }
  throw new AppError(409, "This request is still in progress.", { code: "still_running" }, { "retry-after": "1" });
}

/**
 * Places what the customer's cart holds: hold the stock, pay outside any transaction, place. Each step is written down
 * first, so that a kill anywhere ends in one order and one charge, or none (decisions §7). The cart's row lock makes two
 * tabs take turns; a retry with the same key goes on with its own attempt.
 */
export async function placeOrder(
  ctx: Context,
  customerId: CustomerId,
  hubId: number,
  input: PlaceInput,
): Promise<PlaceAnswer> {
  const { deps } = ctx;
  if (input.idempotencyKey) {
    const before = await findAttemptByKey(deps.db, input.idempotencyKey);
    if (before?.state === "placed") return { kind: "placed", orderIds: before.order_ids };
    if (before && before.state === "held") {
      await waitFor(ctx, before.id);
      const outcome = await outcomeOf(ctx, before.id);
      if (outcome.kind === "placed") return outcome;
    }
  }
  const hold = () => holdWithRetry(ctx, customerId, hubId, input);
  await input.tries?.check();
  for (let turn = 0; turn < 3; turn += 1) {
    await deps.failpoint("checkout:start");
    const held = await (input.guardCode && input.choice.discountCode ? input.guardCode(hold) : hold());
    if (held.kind === "refused") throw held.error;
    if (held.kind === "busy") {
      await waitFor(ctx, held.attempt.id);
      continue;
    }
    if (held.superseded) await tryVoidCharge(ctx, held.superseded.id);
    try {
      const settled = await payAndSettle(ctx, customerId, held.attemptId, input);
      await deps.failpoint("checkout:settled");
      return await answerOf(
        ctx,
        held.attemptId,
        settled.kind === "lost" ? await outcomeOf(ctx, held.attemptId) : settled,
      );
    } catch (error) {
      // We live, but this try is over: whoever comes next may go on at once.
      if (!(error instanceof AppError))
        await releaseAttemptLease(deps.db, held.attemptId, deps.clock.now()).catch(() => undefined);
      throw error;
    }
  }
  throw new AppError(
    409,
    "This cart is being checked out. Please wait a moment.",
    { code: "still_running" },
    { "retry-after": "1" },
  );
}

/** Second and third step for an attempt that holds its stock. */
async function payAndSettle(
  ctx: Context,
  customerId: CustomerId,
  attemptId: string,
  { choice, tries }: PlaceInput,
): Promise<Settled> {
  const { deps } = ctx;
  await deps.failpoint("checkout:held");
  const attempt = await findAttempt(deps.db, attemptId);
  if (!attempt) throw notFound();
  if (attempt.amount_due_cents === 0) return settleAttempt(ctx, attempt, null);
  await deps.failpoint("checkout:asking");
  const savedRef = choice.paymentMethodId ? await findSavedRef(ctx, customerId, choice.paymentMethodId) : null;
  // The provider removed the card since it was chosen.
  if (choice.paymentMethodId && savedRef === null) return failAndRelease(ctx, attempt, CARD_GONE);
  const now = deps.clock.now();
  if (!isBefore(now, attempt.lease_until) && !(await extendLease(deps.db, attempt, addMs(now, LEASE_MS))))
    return { kind: "lost" };
  try {
    await tries?.count();
  } catch (error) {
    // The limit was reached by others of this network at the same moment.
    if (error instanceof AppError) await failAndRelease(ctx, attempt, PAYMENTS_LIMITED);
    throw error;
  }
  const said = await authorizeAttempt(ctx, attempt, () =>
    deps.payments.authorize({
      ...chargeOf(attempt),
      amountCents: attempt.amount_due_cents,
      means: {
        card: choice.card ?? null,
        token: choice.confirmationToken ?? null,
        savedRef,
        save: choice.savePaymentMethod,
        offSession: attempt.source === "auto",
      },
    }),
  ).catch(async (error: unknown) => {
    // No answer is no decline.
    if (error instanceof AppError) await tries?.uncount();
    throw error;
  });
  await deps.failpoint("checkout:paid");
  return settleOrVoid(ctx, attempt, said);
}

async function findSavedRef(ctx: Context, customerId: CustomerId, methodId: number): Promise<string | null> {
  const method = await ctx.deps.db.payment_method.findFirst({
    where: { id: methodId, customer_id: customerId, deleted_at: null },
  });
  return method?.provider_ref ?? null;
}

/** The refusal of an attempt whose cart was paid in another tab; it names the orders once they are placed (failures.md M1). */
async function superseded(ctx: Context, attempt: AttemptRow): Promise<AppError> {
  const { status, message, code } = SUPERSEDED;
  if (attempt.cart_id === null) return new AppError(status, message, { code });
  const live = await findLiveAttempt(ctx.deps.db, attempt.cart_id);
  if (live) await waitFor(ctx, live.id);
  const orderIds = await findLatestOrders(ctx.deps.db, attempt.cart_id, attempt.created_at);
  return new AppError(status, message, { code, ...(orderIds.length > 0 && { orderId: orderIds[0], orderIds }) });
}

/** After the bank's question: finishes the attempt of this customer (decisions §7). Not theirs: 404. */
export async function completeCheckout(
  ctx: Context,
  customerId: CustomerId,
  attemptId: string,
  approve: boolean,
): Promise<PlaceAnswer> {
  const { deps } = ctx;
  const before = await findAttempt(deps.db, attemptId);
  if (!before || before.customer_id !== customerId) throw notFound();
  const now = deps.clock.now();
  const attempt = await claimAttempt(deps.db, attemptId, now, addMs(now, LEASE_MS), "challenge");
  if (!attempt) {
    // The webhook finishes it at this very moment, perhaps since we looked (failures.md B4).
    await waitFor(ctx, attemptId);
    const outcome = await outcomeOf(ctx, attemptId);
    if (outcome.kind === "failed" && outcome.failure.code === SUPERSEDED.code) throw await superseded(ctx, before);
    return answerOf(ctx, attemptId, outcome);
  }
  await deps.failpoint("complete:claimed");
  const said = await authorizeAttempt(ctx, attempt, () => deps.payments.confirm(chargeOf(attempt), approve));
  return answerOf(ctx, attemptId, await settleOrVoid(ctx, attempt, said));
}
