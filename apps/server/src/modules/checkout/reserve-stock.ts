import type { CheckoutChoice } from "@marketday/contracts/checkout";
import { type Conn, isUniqueViolation, PoolExhausted, sqlState, sqlTransaction, type AnyTx } from "@marketday/db";
import { lineKey } from "@marketday/domain/cart";
import { CHALLENGE_MS, HOLD_MS, PAYMENT_LEASE_MS, SAVED_CARD_AFTER_MS } from "@marketday/domain/limits";
import { cents, toDollars } from "@marketday/domain/money";
import { planHolds, unitsByVariant } from "@marketday/domain/stock";
import { addMs } from "@marketday/domain/time";

import { newUuid } from "../../lib/tokens.ts";
import { lockCart } from "../cart/cart-sql.ts";
import { lockDeliveriesToOrder } from "../hubs/day-sql.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { keepMethod } from "../payments/method-sql.ts";
import type { PaymentTries } from "../payments/payment-tries.ts";
import {
  capToStock,
  lockHeldAndWanted,
  lockOffers,
  releaseHolds,
  restoreHolds,
  type Returned,
} from "../stock/stock-sql.ts";
import {
  type AttemptRow,
  findLatestOrders,
  findLiveAttempt,
  insertAttempt,
  lockUnclaimed,
  markFailed,
} from "./attempt-sql.ts";
import {
  CARD_GONE,
  CART_CHANGED,
  marketChanged,
  otherMarketOf,
  PAST_CUTOFF,
  type Refusal,
  refuse,
  Refused,
  SOLD_OUT,
  SUPERSEDED,
  TOTAL_CHANGED,
} from "./outcome.ts";
import {
  addressOf,
  applyCode,
  assertOpen,
  type CheckoutInput,
  isOpen,
  type LineFilter,
  loadCheckout,
  type PricedCheckout,
  priceWithReferral,
} from "./price-checkout.ts";
import { serializeQuote } from "./serialize.ts";

interface RequestBase {
  /** "actor key" of the request; a retry with the same key finds the same attempt. */
  idempotencyKey: string | null;
  /** The first delivery day the shopper saw, `YYYY-MM-DD`; null: the next one. */
  expectedDay: string | null;
}
/** A shopper's checkout. */
interface ShopperRequest extends RequestBase {
  source: "checkout";
  choice: CheckoutChoice;
  /** Dollars: the quote's `orderTotal` the shopper saw. */
  expectedTotal: number;
  /** The lines that were shown to be bought; null: whatever there is at that total. */
  expectedItems: readonly { variantId: number; bundleId?: number | null | undefined; quantity: number }[] | null;
  /** The market that the shopper saw; null: the one they are in. */
  expectedHubId: number | null;
  tries: PaymentTries;
}
/** An automatic order. No total is expected, since no one has seen one. */
interface AutoRequest extends RequestBase {
  source: "auto";
  expectedTotal: null;
  /** Called under the cart's lock: decides what is bought and how (failures.md C12), or why nothing is. */
  decide: (
    tx: Conn,
    input: CheckoutInput,
  ) => Promise<{ choice: CheckoutChoice; filter: LineFilter } | { skip: string }>;
}
export type PlaceRequest = ShopperRequest | AutoRequest;

/** Why an automatic order is skipped where the hub is not published. */
const HUB_CLOSED = "closed";

/** The result of reserving stock. `busy`: another checkout of this cart is running; the caller waits for it. */
export type Reservation =
  | { kind: "held"; attempt: AttemptRow; superseded: AttemptRow | null }
  | { kind: "busy"; attempt: AttemptRow }
  | { kind: "skipped"; reason: string }
  | Refusal;

/** An empty cart. Names the orders that emptied it, if any, so that a second tab can show them (failures.md M1). */
async function cartEmpty(tx: Conn, cartId: number, now: Date): Promise<Refused> {
  // The longest time another tab's checkout can have been open.
  const orderIds = await findLatestOrders(tx, cartId, addMs(now, -CHALLENGE_MS));
  return new Refused(
    { code: "cart_empty", message: "This cart was already checked out." },
    orderIds.length > 0 ? { orderIds } : {},
  );
}

/**
 * Refuses a cart that exceeds the stock. The cart is capped, which is written; so a checkout at the bank, whose units were counted
 * as available, takes them back and goes on.
 */
async function refuseShort(
  ctx: Context,
  tx: AnyTx,
  cart: { id: number; hubId: number },
  held: { attempt: AttemptRow; units: readonly Returned[] } | null,
  items: unknown,
): Promise<Refusal> {
  await capToStock(tx, cart.id, cart.hubId);
  if (held) await restoreHolds(tx, held.attempt.id, held.units, held.attempt.expires_at, ctx.now);
  return refuse(SOLD_OUT, { items });
}

/** Validates that the choice has an address or pickup point and a payment method (docs/product.md §7). @throws Refused */
function assertComplete(ctx: Context, choice: CheckoutChoice, priced: PricedCheckout) {
  const { deps, now } = ctx;
  const { facts, plan } = priced;
  if (choice.type === "delivery") {
    const { address } = priced.choice;
    if (!address)
      throw new Refused({ code: "address_required", message: "Address is required" }, { field: "deliveryAddress" });
    if (!priced.homeDelivery?.isPossible) {
      const instead =
        facts.pickup_points.length > 0 ? "Choose a pickup point or another address." : "Choose another address.";
      const message = `${facts.hub_name} does not deliver to ${address.zipCode}. ${instead}`;
      throw new Refused({ code: "outside_hub", message }, { field: "deliveryAddress.zipCode" });
    }
  } else if (!facts.pickup_points.some(({ id }) => id === choice.pickupPointId))
    throw new Refused({ code: "pickup_required", message: "Choose a pickup point." }, { field: "pickupPointId" });
  if (!deps.payments.takesCards || plan.amountDueCents === 0) return;
  const closesLate = plan.orders.some(
    ({ cutoffAt }) => new Date(cutoffAt).getTime() - now.getTime() > SAVED_CARD_AFTER_MS,
  );
  if (choice.paymentMethodId) {
    if (!facts.payment_methods.some(({ id }) => id === choice.paymentMethodId))
      throw new Refused(CARD_GONE, { field: "paymentMethodId" });
  } else if (!choice.card && !choice.confirmationToken)
    throw new Refused({ code: "payment_required", message: "Enter a card." }, { field: "card" });
  else if (!choice.savePaymentMethod && closesLate) {
    const message =
      "This order closes more than 6 days from now. Please save your card, so that we can charge it then.";
    throw new Refused({ code: "saved_card_required", message }, { field: "savePaymentMethod" });
  }
}

/** Lines that exceed the stock: `[{ variantId, wanted, left }]` for `sold_out`. */
function findShort({ cart }: PricedCheckout) {
  const wanted = unitsByVariant(
    cart.lines
      .filter((line) => line.is_published && !line.watching)
      .map((line) => ({ variantId: line.variant_id, quantity: line.quantity })),
  );
  const planned = planHolds(wanted, new Map(cart.lines.map((line) => [line.variant_id, line.inventory])));
  return planned.ok ? [] : planned.short;
}

/** Whether exactly these lines are bought. */
function buys({ pricedCart }: PricedCheckout, expected: NonNullable<ShopperRequest["expectedItems"]>): boolean {
  const linesOf = (lines: typeof expected) =>
    lines
      .map(({ variantId, bundleId = null, quantity }) => `${lineKey({ variantId, bundleId })} ${quantity}`)
      .toSorted();
  const bought = pricedCart.lines.flatMap(({ counts, quantity, line: { variantId, bundleId } }) =>
    counts ? [{ variantId, bundleId, quantity }] : [],
  );
  return linesOf(bought).join() === linesOf(expected).join();
}

/** The cart that is bought, priced under its lock; or why it is not. */
async function priceLocked(
  ctx: Context,
  tx: Conn,
  customerId: CustomerId,
  hubId: number,
  request: PlaceRequest,
): Promise<{ choice: CheckoutChoice; priced: PricedCheckout } | { skip: string }> {
  if (request.source === "checkout") {
    const { choice } = request;
    const { cart, facts } = await loadCheckout(ctx, tx, customerId, hubId, addressOf(choice));
    await assertOpen(ctx, facts);
    await applyCode(tx, cart, choice, customerId);
    return { choice, priced: await priceWithReferral(ctx, tx, customerId, hubId, { cart, facts }, choice) };
  }
  const { cart, facts } = await loadCheckout(ctx, tx, customerId, hubId);
  if (!(await isOpen(ctx, facts))) return { skip: HUB_CLOSED };
  const decision = await request.decide(tx, { cart, facts });
  if ("skip" in decision) return decision;
  const { choice } = decision;
  cart.lines = cart.lines.filter(decision.filter);
  return { choice, priced: await priceWithReferral(ctx, tx, customerId, hubId, { cart, facts }, choice) };
}

/** Locks and counts the offers that the plan needs. `short` when units were sold since the cart was priced. */
async function lockUnits(tx: Conn, { plan }: PricedCheckout) {
  const lines = plan.orders.flatMap((order) => order.lines);
  const offerOf = new Map(lines.map((line) => [line.variantId, line.offerId]));
  const units = unitsByVariant(lines);
  const stock = await lockOffers(
    tx,
    units.map(({ variantId }) => offerOf.get(variantId)!),
  );
  const inventoryOf = new Map(stock.map(({ id, inventory }) => [id, inventory]));
  const planned = planHolds(
    units,
    new Map(units.map(({ variantId }) => [variantId, inventoryOf.get(offerOf.get(variantId)!) ?? 0])),
  );
  return planned.ok
    ? { units: planned.holds.map(({ variantId, quantity }) => ({ offerId: offerOf.get(variantId)!, quantity })) }
    : { short: planned.short };
}

/**
 * Reserves the stock for one attempt. A refusal is thrown, which rolls everything back: a checkout that waits for the bank is only
 * replaced by one that is reserved in its place.
 * @throws Refused
 */
async function reserve(
  ctx: Context,
  tx: AnyTx,
  customerId: CustomerId,
  hubId: number,
  request: PlaceRequest,
): Promise<Reservation> {
  const { deps, now } = ctx;
  const cart = await lockCart(tx, { customerId }, now);
  await deps.failpoint("checkout:locked");
  const live = await findLiveAttempt(tx, cart.id);
  // An automatic order does not replace a checkout that waits for the bank's challenge.
  if (live && (live.state !== "challenge" || request.source === "auto")) return { kind: "busy", attempt: live };
  let units: readonly Returned[] = [];
  if (live) {
    await deps.failpoint("checkout:superseding");
    // The shopper left the bank's challenge and started over: the new checkout replaces the old one, unless another tab
    // or the webhook has claimed it since it was read (failures.md M1).
    if (!(await lockUnclaimed(tx, live))) return { kind: "busy", attempt: live };
    // Offers before the delivery: of the transactions that lock a delivery `for update`, only the one that closes a day and cancels
    // its orders (`closeDay`) locks offers. Both are run again after a deadlock.
    await lockHeldAndWanted(tx, live.id, cart.id, hubId);
    units = await releaseHolds(tx, live.id, now);
  }
  const held = live && units.length > 0 ? { attempt: live, units } : null;
  const result = await priceLocked(ctx, tx, customerId, hubId, request);
  await deps.failpoint("checkout:priced");
  if ("skip" in result) return { kind: "skipped", reason: result.skip };
  const { choice, priced } = result;
  const { plan } = priced;
  const short = findShort(priced);
  const counts = priced.pricedCart.lines.some((line) => line.counts);
  const [first] = plan.orders;
  if (first && request.expectedDay !== null && first.day !== request.expectedDay) throw new Refused(PAST_CUTOFF);
  const isExpected = request.expectedTotal === null || toDollars(cents(plan.orderTotalCents)) === request.expectedTotal;
  if (request.source === "checkout" && request.expectedHubId !== null && request.expectedHubId !== hubId)
    throw new Refused(marketChanged(priced.facts.hub_name), { quote: serializeQuote(priced) });
  if (!counts && request.source === "checkout" && priced.otherMarket && short.length === 0)
    throw new Refused(otherMarketOf(priced.otherMarket), { quote: serializeQuote(priced) });
  if (!counts && (short.length === 0 || request.source === "auto")) throw await cartEmpty(tx, cart.id, now);
  if (short.length > 0 && (!isExpected || !counts)) return refuseShort(ctx, tx, { id: cart.id, hubId }, held, short);
  assertComplete(ctx, choice, priced);
  if (!isExpected) throw new Refused(TOTAL_CHANGED, { quote: serializeQuote(priced) });
  // The cart that the shopper sees lacks the units of the checkout at the bank that this one replaces: then the total alone says
  // what is bought, because no cart that they can read has these lines.
  if (request.source === "checkout" && request.expectedItems !== null && !held && !buys(priced, request.expectedItems))
    throw new Refused(CART_CHANGED, { quote: serializeQuote(priced) });
  // With this lock the cutoff either sees the attempt and waits for it, or has already closed the delivery. Before the offers,
  // because an order's change locks them in that order.
  const deliveryIds = plan.orders.map(({ deliveryId }) => deliveryId);
  if (!(await lockDeliveriesToOrder(tx, deliveryIds))) throw new Refused(PAST_CUTOFF);
  const locked = await lockUnits(tx, priced);
  if (locked.short) return refuseShort(ctx, tx, { id: cart.id, hubId }, held, locked.short);
  const { paymentMethodId } = priced.choice;
  await deps.failpoint("checkout:chosen");
  if (plan.amountDueCents > 0 && paymentMethodId !== null && !(await keepMethod(tx, customerId, paymentMethodId)))
    throw new Refused(CARD_GONE, { field: "paymentMethodId" });
  // Last, and only here: a refusal leaves the checkout at the bank as it was.
  if (live && !(await markFailed(tx, live, SUPERSEDED, now)))
    throw new Error(`checkout ${live.id} changed under its lock`);
  const id = newUuid();
  const attempt = await insertAttempt(
    tx,
    {
      id,
      customerId,
      cartId: cart.id,
      hubId,
      source: request.source,
      choice: priced.choice,
      plan,
      payment:
        plan.amountDueCents === 0
          ? null
          : {
              id: newUuid(),
              chargeKey: id,
              customerId,
              provider: deps.payments.name,
              amountCents: plan.amountDueCents,
              countedAs: request.source === "checkout" ? request.tries.keys : [],
              now,
            },
      idempotencyKey: request.idempotencyKey,
      leaseUntil: addMs(now, PAYMENT_LEASE_MS),
      expiresAt: addMs(now, HOLD_MS),
      now,
    },
    locked.units,
  );
  await deps.failpoint("checkout:holding");
  return { kind: "held", attempt, superseded: live };
}

const TRIES = 4;

/**
 * First step of placing an order. In one transaction, under the cart's row lock: prices the cart again, refuses a total or
 * day that the shopper did not see, reserves the stock and writes the attempt (failures.md B1: before any money moves).
 *
 * Many checkouts of the last units wait for the same row lock. A lock timeout or an exhausted connection pool occurs before
 * anything is written, so a retry is safe; by then most units are sold and the row is free (failures.md A1). When another
 * request has just started an attempt for the cart, the retry finds that attempt (failures.md M1).
 */
export async function reserveStock(
  ctx: Context,
  customerId: CustomerId,
  hubId: number,
  request: PlaceRequest,
): Promise<Reservation> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await sqlTransaction(ctx.deps.db, (tx) => reserve(ctx, tx, customerId, hubId, request));
    } catch (error) {
      if (error instanceof Refused) return error.refusal;
      const isTransient =
        sqlState(error) === "55P03" ||
        error instanceof PoolExhausted ||
        isUniqueViolation(error, "checkout_attempt_live_key");
      if (!isTransient || tried >= TRIES) throw error;
    }
  }
}
