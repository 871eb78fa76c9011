import { isUniqueViolation, sql, transaction, type Tx } from "@marketday/db";
import { HOLD_MS, PAYMENT_LEASE_MS } from "@marketday/domain/limits";
import { addMs, isBefore } from "@marketday/domain/time";

import {
  type Authorization,
  type Charge,
  type ChargeState,
  type PaymentMeans,
  ProviderUnavailable,
} from "../../gateways/payments/payments.ts";
import { type Refused, refusedAs } from "../../gateways/payments/refusals.ts";
import { AppError, notFound } from "../../lib/app-error.ts";
import { customerActor, isKeyRunning, type KeyId, releaseDeadKey } from "../../lib/idempotency-store.ts";
import { newUuid } from "../../lib/tokens.ts";
import { asCustomerId, type Context, type CustomerId } from "../identity/context.ts";
import { isNotPaused } from "../job-failures/failure-sql.ts";
import { runEach, SWEEP_PAUSE_MAX_MS } from "../job-failures/run-each.ts";
import { keepCard } from "./cards.ts";
import { chargeHandlers } from "./handlers.ts";
import { findMethods } from "./method-store.ts";
import { type PaymentTries, tooManyPayments } from "./payment-tries.ts";
import { findAbandonedPurchases, lockOpenPurchase, settlePurchase } from "./purchase-sql.ts";
import {
  endPurchase,
  findPurchase,
  findPurchaseByKey,
  deleteOrphanedCharge,
  insertPurchase,
  movePurchase,
  OPEN_PURCHASE,
  type OpenPurchase,
  type PurchaseEnd,
  type Purpose,
  type PurchaseRow,
} from "./purchase-store.ts";
import { isUnavailable, refusedPayment } from "./refused-payment.ts";

export interface BuyInput {
  amountCents: number;
  purpose: Purpose;
  card: PaymentMeans["card"];
  /** The provider's one-time token for a card typed into its own form. */
  token?: string | null;
  paymentMethodId: number | null;
  /** Keep the card: the pass renews on it. */
  save: boolean;
  idempotencyKey: string | null;
  /** The limit on payment attempts; left out for renewals. */
  tries?: PaymentTries;
  /** No shopper is present: a challenge counts as declined. */
  offSession?: boolean;
  /** Runs in the transaction that writes the purchase down: refuses by throwing, before any money moves. */
  guard?: (tx: Tx) => Promise<void>;
}

/** How buying went: it is handed over, or the bank wants to ask the shopper first (`completePurchase`). */
export type Bought =
  | { kind: "bought"; paymentId: string }
  | { kind: "challenge"; paymentId: string; clientSecret: string };

const stillRunning = () =>
  new AppError(409, "This request is still in progress.", { code: "still_running" }, { "retry-after": "1" });
const paymentsDown = () =>
  new AppError(
    503,
    "Payments are temporarily unavailable. You have not been charged.",
    { code: "payments_down" },
    { "retry-after": "5" },
  );

const isOpen = (purchase: PurchaseRow): purchase is PurchaseRow & { state: OpenPurchase } =>
  OPEN_PURCHASE.some((state) => state === purchase.state);

const chargeOf = (purchase: PurchaseRow): Charge => ({
  key: purchase.id,
  customerId: purchase.customer_id,
  ref: purchase.provider_ref,
});

/** Captures an authorized purchase and grants what was bought, once. */
async function finish(ctx: Context, purchase: PurchaseRow, ref: string): Promise<void> {
  const { deps } = ctx;
  if ((await deps.payments.capture({ ...chargeOf(purchase), ref, amountCents: purchase.amount_cents })) === "gone")
    return failPurchase(ctx, purchase, ["authorized"], "voided");
  await deps.failpoint("purchase:captured");
  await transaction(deps.db, async (tx) => {
    // What an open purchase is for does not change.
    if (!(await lockOpenPurchase(tx, purchase.id)) || !(await settlePurchase(tx, purchase.id, ref, ctx.now))) return;
    await chargeHandlers().grant[purchase.purpose.kind](ctx, tx, purchase);
  });
  await deps.failpoint("purchase:granted");
}

/**
 * Ends a purchase without a charge, unless its state has changed since it was loaded: first the row is closed, then the charge
 * is voided. A void that fails, or a charge the provider does not have yet, is left to `find-orphaned-charges.ts`.
 */
async function failPurchase(
  ctx: Context,
  purchase: PurchaseRow,
  from: readonly OpenPurchase[],
  end: PurchaseEnd,
): Promise<void> {
  const { db, payments, clock, log } = ctx.deps;
  if (!(await endPurchase(db, purchase.id, from, end, clock.now()))) return;
  try {
    if (await payments.void(chargeOf(purchase))) await deleteOrphanedCharge(db, purchase.id);
  } catch (error) {
    log.error({ err: error, payment: purchase.id }, "charge was not voided");
  }
}

/** How a refused purchase ends. An outage of the provider or of a bank is no decline. */
function endOf({ code }: Refused): PurchaseEnd {
  if (isUnavailable(code)) return "voided";
  return code === "challenge" ? "unconfirmed" : "failed";
}

/** Moves a purchase forward with the provider's result. */
async function advancePurchase(
  ctx: Context,
  purchase: PurchaseRow,
  result: Authorization,
  offSession: boolean,
): Promise<Bought> {
  const { deps } = ctx;
  const paymentId = purchase.id;
  if (result.state === "authorized") {
    // From here on the sweep captures instead of voiding; a purchase that failed meanwhile is not captured.
    if (!(await movePurchase(deps.db, paymentId, OPEN_PURCHASE, "authorized", result.ref, result.cardFingerprint))) {
      const after = await findPurchase(deps.db, paymentId);
      if (after?.state === "captured") return { kind: "bought", paymentId };
      await deps.payments.void({ ...chargeOf(purchase), ref: result.ref });
      throw new AppError(409, "This purchase was canceled. You have not been charged.", { code: "interrupted" });
    }
    await deps.failpoint("purchase:authorized");
    if (result.saved) await keepCard(ctx, asCustomerId(purchase.customer_id), result.saved);
    await finish(ctx, purchase, result.ref);
    if ((await findPurchase(deps.db, paymentId))?.state !== "captured") throw paymentsDown();
    return { kind: "bought", paymentId };
  }
  if (result.state === "challenge" && !offSession) {
    await movePurchase(deps.db, paymentId, ["created", "challenge"], "challenge", result.ref);
    return { kind: "challenge", paymentId, clientSecret: result.clientSecret };
  }
  const refused = result.state === "declined" ? result : refusedAs("challenge");
  await failPurchase(ctx, purchase, ["created", "challenge"], endOf(refused));
  throw refusedPayment(refused);
}

/**
 * The customer's earlier purchase with an idempotency key; null: none, or it failed. A shopper's request holds its key through the
 * `idempotency` plugin; a job that meets its key on another server waits.
 */
async function findPreviousPurchase(
  ctx: Context,
  customerId: CustomerId,
  key: string,
  offSession: boolean,
): Promise<Bought | null> {
  const { db, payments, clock } = ctx.deps;
  const before = await findPurchaseByKey(db, customerId, key);
  if (!before || before.state === "failed" || before.state === "voided") return null;
  if (before.state === "captured") return { kind: "bought", paymentId: before.id };
  let found: ChargeState | null = null;
  if (before.state === "challenge") {
    found = await payments.find(chargeOf(before));
    if (found?.state === "challenge")
      return { kind: "challenge", paymentId: before.id, clientSecret: found.clientSecret };
  } else if (offSession && !isBefore(before.created_at, addMs(clock.now(), -PAYMENT_LEASE_MS))) throw stillRunning();
  await resumePurchase(ctx, before.id, found ?? undefined);
  const after = await findPurchase(db, before.id);
  return after?.state === "captured" ? { kind: "bought", paymentId: before.id } : null;
}

/**
 * Buys a gift card or a pass: inserts the purchase, authorizes, captures, then grants it together with its ledger entries.
 * After a kill anywhere the sweep ends it with one charge and one grant, or with neither. The same key buys once; 409
 * `still_running` while it is in progress.
 */
export async function buy(ctx: Context, customerId: CustomerId, input: BuyInput): Promise<Bought> {
  const { deps, now } = ctx;
  const offSession = input.offSession ?? false;
  if (!deps.payments.takesCards) throw new AppError(422, "This market takes no cards.", { code: "no_cards" });
  const before =
    input.idempotencyKey === null
      ? null
      : await findPreviousPurchase(ctx, customerId, input.idempotencyKey, offSession);
  if (before) return before;
  const limited = await input.tries?.check();
  if (limited) throw tooManyPayments(limited);
  const method =
    input.paymentMethodId === null
      ? null
      : (await findMethods(deps.db, customerId, deps.payments.name)).find(({ id }) => id === input.paymentMethodId);
  if (!method && !input.card && !input.token)
    throw new AppError(422, "Enter a card.", { code: "payment_required", field: "card" });
  const id = newUuid();
  const limitedNow = await input.tries?.count();
  if (limitedNow) throw tooManyPayments(limitedNow);
  try {
    await transaction(deps.db, async (tx) => {
      await input.guard?.(tx);
      await insertPurchase(tx, {
        id,
        customerId,
        provider: deps.payments.name,
        amountCents: input.amountCents,
        purpose: input.purpose,
        methodId: method?.id ?? null,
        idempotencyKey: input.idempotencyKey,
        countedAs: input.tries?.keys ?? [],
        now,
      });
    });
  } catch (error) {
    await input.tries?.uncount();
    // The same key at the same moment, on another server.
    if (isUniqueViolation(error, "payment_running_key")) throw stillRunning();
    throw error;
  }
  await deps.failpoint("purchase:written");
  const purchase = await findPurchase(deps.db, id);
  if (!purchase) throw notFound();
  try {
    const result = await deps.payments.authorize({
      key: id,
      customerId,
      amountCents: input.amountCents,
      means: {
        card: input.card ?? null,
        token: input.token ?? null,
        savedRef: method?.provider_ref ?? null,
        save: input.save,
        offSession,
      },
    });
    return await advancePurchase(ctx, purchase, result, offSession);
  } catch (error) {
    if (error instanceof AppError && isUnavailable(error.details.code)) await input.tries?.uncount();
    if (!(error instanceof ProviderUnavailable)) throw error;
    try {
      await resumePurchase(ctx, id);
    } catch (silent) {
      // The provider is still unavailable: the sweep retries, and nothing is granted until then.
      if (!(silent instanceof ProviderUnavailable)) throw silent;
    }
    if ((await findPurchase(deps.db, id))?.state === "captured") return { kind: "bought", paymentId: id };
    // An unavailable provider does not count as a decline.
    await input.tries?.uncount();
    throw paymentsDown();
  }
}

/**
 * What the customer's request with this idempotency key bought; null: nothing, and the key may be used again. A purchase
 * whose server died is ended first. @throws AppError 409 `still_running`
 */
export async function resumeByKey(ctx: Context, customerId: CustomerId, key: string): Promise<Bought | null> {
  const { db, clock } = ctx.deps;
  const id: KeyId = { actor: customerActor(customerId), key };
  if (await isKeyRunning(db, id, clock.now())) throw stillRunning();
  try {
    const bought = await findPreviousPurchase(ctx, customerId, `${id.actor} ${id.key}`, false);
    if (!bought) await releaseDeadKey(db, id, clock.now());
    return bought;
  } catch (error) {
    // Whether money moved is unknown: the next request may find out.
    if (error instanceof ProviderUnavailable) throw stillRunning();
    throw error;
  }
}

/** Finishes this customer's purchase after a challenge. Another customer's: 404; declined: 402. `approve` is for the test provider. */
export async function completePurchase(
  ctx: Context,
  customerId: CustomerId,
  paymentId: string,
  approve: boolean,
): Promise<Bought> {
  const purchase = await findPurchase(ctx.deps.db, paymentId);
  if (!purchase || purchase.customer_id !== customerId) throw notFound();
  if (purchase.state === "captured") return { kind: "bought", paymentId };
  if (purchase.state === "authorized") throw stillRunning();
  if (purchase.state !== "challenge")
    throw new AppError(402, "Your bank's check wasn't completed in time. You haven't been charged.", {
      code: "challenge_expired",
    });
  try {
    return await advancePurchase(ctx, purchase, await ctx.deps.payments.confirm(chargeOf(purchase), approve), false);
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw paymentsDown();
    throw error;
  }
}

/**
 * Ends a purchase: granted when the money is there, else voided.
 * @param known its charge, when the caller has just fetched it; by default it is fetched
 */
export async function resumePurchase(ctx: Context, id: string, known?: ChargeState): Promise<void> {
  const purchase = await findPurchase(ctx.deps.db, id);
  if (!purchase || !isOpen(purchase)) return;
  const found = known ?? (await ctx.deps.payments.find(chargeOf(purchase)));
  if (found?.state === "captured" || found?.state === "authorized") {
    if (!(await movePurchase(ctx.deps.db, id, OPEN_PURCHASE, "authorized", found.ref, found.cardFingerprint))) return;
    if (found.saved) await keepCard(ctx, asCustomerId(purchase.customer_id), found.saved);
    return finish(ctx, purchase, found.ref);
  }
  return failPurchase(ctx, purchase, [purchase.state], found?.state === "declined" ? endOf(found) : "voided");
}

const AT_ONCE = 50;
const JOB = "purchases";

/** Ends purchases whose request was killed or whose challenge was not answered in time. Returns how many were ended. */
export async function resumeAbandonedPurchases(ctx: Context): Promise<number> {
  const now = ctx.deps.clock.now();
  const left = await findAbandonedPurchases(
    ctx.deps.db,
    addMs(now, -PAYMENT_LEASE_MS),
    addMs(now, -HOLD_MS),
    isNotPaused(ctx, JOB, sql`'purchase ' || payment.id`),
    AT_ONCE,
  );
  return runEach(ctx, {
    job: JOB,
    items: left,
    subjectOf: ({ id }) => `purchase ${id}`,
    run: ({ id }) => resumePurchase(ctx, id),
    isComplete: left.length < AT_ONCE,
    pauseMaxMs: SWEEP_PAUSE_MAX_MS,
  });
}
