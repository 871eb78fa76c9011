import type { CheckoutChoice } from "@marketday/contracts/checkout";
import { type Conn, sqlTransaction } from "@marketday/db";
import { CHALLENGE_MS, HOLD_MS, SAVED_CARD_AFTER_MS } from "@marketday/domain/limits";
import { cents, toDollars } from "@marketday/domain/money";
import { planHolds, unitsByVariant } from "@marketday/domain/stock";
import { addMs, Second } from "@marketday/domain/time";

import { AppError } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { newUuid } from "../../lib/tokens.ts";
import { lockCart } from "../cart/store.ts";
import { hubDirectory } from "../hubs/directory.ts";
import type { PaymentTries } from "../payments/payment-tries.ts";
import { keepMethod } from "../payments/store.ts";
import { lockOpenDeliveries } from "../week/store.ts";
import { failAttempt, findLatestOrders, findLiveAttempt, insertAttempt, type AttemptRow } from "./checkout-store.ts";
import { CARD_GONE, PAST_CUTOFF, SUPERSEDED } from "./failures.ts";
import { type LineFilter, prepareCheckout, type PreparedCheckout } from "./prepare-checkout.ts";
import { serializeQuote } from "./serialize-quote.ts";
import { capToStock, lockHeldAndWanted, lockOffers, releaseHolds } from "./stock-store.ts";

/**
 * How long a worker owns an attempt before another may take it over. Longer than a payment call may take (12 s, failures.md
 * B10), so a worker whose lease has expired is considered dead.
 */
export const LEASE_MS = 20 * Second.ms;

/** The result of reserving stock. `busy`: another checkout of this cart is running; the caller waits for it. */
export type HoldOutcome =
  | { kind: "held"; attemptId: string; superseded: AttemptRow | null }
  | { kind: "busy"; attempt: AttemptRow }
  | { kind: "refused"; error: AppError };

export interface HoldInput {
  choice: CheckoutChoice;
  expectedTotal: number;
  /** The first delivery day the shopper saw, `YYYY-MM-DD`; null: the next one. */
  expectedDay: string | null;
  source: "checkout" | "auto";
  idempotencyKey: string | null;
  /** The limit on payment attempts; omitted for automatic orders. */
  tries?: PaymentTries;
  /** Called under the cart's lock; returns which lines are bought, or why none are. Default: all lines (auto-checkout, failures C12). */
  select?: (tx: Conn) => Promise<LineFilter | AppError>;
}

/** The error for an empty cart. Names the orders that emptied it, if any, so that a second tab can show them (failures.md M1). */
async function cartEmpty(tx: Conn, cartId: number, now: Date): Promise<AppError> {
  // The longest time another tab's checkout can have been open.
  const orderIds = await findLatestOrders(tx, cartId, addMs(now, -CHALLENGE_MS));
  return new AppError(409, "This cart was already checked out.", {
    code: "cart_empty",
    ...(orderIds.length > 0 && { orderId: orderIds[0], orderIds }),
  });
}

const pastCutoff = () => new AppError(PAST_CUTOFF.status, PAST_CUTOFF.message, { code: PAST_CUTOFF.code });

/** Validates that the choice has an address or pickup point and a payment method (docs/product.md §7). @throws AppError 422 */
async function assertComplete(
  ctx: Context,
  hubId: number,
  choice: CheckoutChoice,
  prepared: PreparedCheckout,
): Promise<void> {
  const { deps, now } = ctx;
  const { facts, plan } = prepared;
  if (choice.type === "delivery") {
    const address = prepared.choice.address;
    if (!address)
      throw new AppError(422, "Address is required", { code: "address_required", field: "deliveryAddress" });
    const directory = await hubDirectory(deps);
    if (!directory.serving({ zipCode: address.zipCode }).some((hub) => hub.id === hubId))
      throw new AppError(
        422,
        `${facts.hub_name} does not deliver to ${address.zipCode}. Choose a pickup point or another address.`,
        {
          code: "outside_hub",
          field: "deliveryAddress.zipCode",
        },
      );
  } else if (!facts.pickup_points.some(({ id }) => id === choice.pickupPointId))
    throw new AppError(422, "Choose a pickup point.", { code: "pickup_required", field: "pickupPointId" });
  if (!deps.payments.takesCards || plan.amountDueCents === 0) return;
  if (choice.paymentMethodId) {
    if (!facts.payment_methods.some(({ id }) => id === choice.paymentMethodId)) throw cardGone();
  } else if (!choice.card && !choice.confirmationToken)
    throw new AppError(422, "Enter a card.", { code: "payment_required", field: "card" });
  else if (
    !choice.savePaymentMethod &&
    plan.orders.some(({ cutoffAt }) => new Date(cutoffAt).getTime() - now.getTime() > SAVED_CARD_AFTER_MS)
  )
    throw new AppError(
      422,
      "This order closes more than 6 days from now. Please save your card, so that we can charge it then.",
      {
        code: "saved_card_required",
        field: "savePaymentMethod",
      },
    );
}

/** Lines that exceed the stock: `[{ variantId, wanted, left }]` for 409 `sold_out`. */
function findShort({ basket, cart }: PreparedCheckout) {
  const wanted = unitsByVariant(
    cart.lines
      .filter((line) => line.is_published && !line.watching)
      .map((line) => ({ variantId: line.variant_id, quantity: line.quantity })),
  );
  const inventories = new Map(cart.lines.map((line) => [line.variant_id, line.inventory]));
  const planned = planHolds(wanted, inventories);
  return { short: planned.ok ? [] : planned.short, counts: basket.lines.some((line) => line.counts) };
}

const cardGone = () => new AppError(422, CARD_GONE.message, { code: CARD_GONE.code, field: "paymentMethodId" });

const soldOut = (items: unknown) =>
  new AppError(409, "Something in your cart sold out. Please review it.", { code: "sold_out", items });

/**
 * First step of placing an order. In one transaction, under the cart's row lock: prices the cart again, refuses a total or
 * day that the shopper did not see, reserves the stock and writes the attempt (failures.md B1: before any money moves).
 */
export async function holdStock(
  ctx: Context,
  customerId: CustomerId,
  hubId: number,
  input: HoldInput,
): Promise<HoldOutcome> {
  const { deps, now } = ctx;
  return sqlTransaction(deps.db, async (tx): Promise<HoldOutcome> => {
    const cart = await lockCart(tx, { customerId }, now);
    await deps.failpoint("checkout:locked");
    const live = await findLiveAttempt(tx, cart.id);
    // An automatic order does not replace a checkout that waits for the bank's challenge.
    if (live && (live.state !== "challenge" || input.source === "auto")) return { kind: "busy", attempt: live };
    if (live) {
      await deps.failpoint("checkout:superseding");
      // The shopper left the bank's challenge and started over: the new checkout replaces the old one, unless another tab
      // or the webhook has claimed it since it was read (failures.md M1).
      if (!(await failAttempt(tx, live, SUPERSEDED, now))) return { kind: "busy", attempt: live };
      await lockHeldAndWanted(tx, live.id, cart.id, hubId);
      await releaseHolds(tx, live.id);
    }
    const selected = await input.select?.(tx);
    if (selected instanceof AppError) return { kind: "refused", error: selected };
    const prepared = await prepareCheckout(ctx, tx, customerId, hubId, input.choice, selected);
    const { plan } = prepared;
    const { short, counts } = findShort(prepared);
    const [first] = plan.orders;
    if (first && input.expectedDay !== null && first.day !== input.expectedDay)
      return { kind: "refused", error: pastCutoff() };
    const seen = toDollars(cents(plan.orderTotalCents)) === input.expectedTotal;
    if (!counts && short.length === 0) return { kind: "refused", error: await cartEmpty(tx, cart.id, now) };
    if (short.length > 0 && (!seen || !counts)) {
      await capToStock(tx, cart.id, hubId);
      return { kind: "refused", error: soldOut(short) };
    }
    await assertComplete(ctx, hubId, input.choice, prepared);
    if (!seen)
      return {
        kind: "refused",
        error: new AppError(409, "The total has changed. Please review it.", {
          code: "total_changed",
          quote: serializeQuote(prepared),
        }),
      };

    const lines = plan.orders.flatMap((order) => order.lines);
    const offerOf = new Map(lines.map((line) => [line.variantId, line.offerId]));
    const units = unitsByVariant(lines);
    const stock = await lockOffers(
      tx,
      units.map(({ variantId }) => offerOf.get(variantId)!),
    );
    const held = planHolds(
      units,
      new Map(
        units.map(({ variantId }) => [
          variantId,
          stock.find(({ id }) => id === offerOf.get(variantId))?.inventory ?? 0,
        ]),
      ),
    );
    if (!held.ok) {
      await capToStock(tx, cart.id, hubId);
      return { kind: "refused", error: soldOut(held.short) };
    }
    // With this lock the cutoff either sees the attempt and waits for it, or has already closed the delivery.
    if (
      !(await lockOpenDeliveries(
        tx,
        plan.orders.map(({ deliveryId }) => deliveryId),
      ))
    )
      return { kind: "refused", error: pastCutoff() };
    const { paymentMethodId } = prepared.choice;
    await deps.failpoint("checkout:chosen");
    if (plan.amountDueCents > 0 && paymentMethodId !== null && !(await keepMethod(tx, customerId, paymentMethodId)))
      return { kind: "refused", error: cardGone() };
    const attemptId = newUuid();
    await insertAttempt(
      tx,
      {
        id: attemptId,
        customerId,
        cartId: cart.id,
        hubId,
        deliveryId: plan.orders[0]!.deliveryId,
        source: input.source,
        choice: prepared.choice,
        plan,
        paymentId: plan.amountDueCents > 0 ? newUuid() : null,
        provider: deps.payments.name,
        idempotencyKey: input.idempotencyKey,
        countedAs: input.tries?.keys ?? [],
        leaseUntil: addMs(now, LEASE_MS),
        expiresAt: addMs(now, HOLD_MS),
        now,
      },
      held.holds.map(({ variantId, quantity }) => ({ offerId: offerOf.get(variantId)!, quantity })),
    );
    await deps.failpoint("checkout:holding");
    return { kind: "held", attemptId, superseded: live };
  });
}
