import type { NextBox } from "@marketday/contracts/subscriptions";
import type { Conn } from "@marketday/db";
import { CART_LINES_MAX, CART_QUANTITY_MAX } from "@marketday/domain/limits";
import { addCents, cents, subtractCents, toDollars } from "@marketday/domain/money";
import { AUTO_CHECKOUT } from "@marketday/domain/subscription";
import { isBefore } from "@marketday/domain/time";

import { loginRequired } from "../../lib/app-error.ts";
import { type CartLineRow, type CartRow, findLinesToBe, loadCart } from "../cart/cart-sql.ts";
import { loadPictured, type Pictured } from "../cart/load-view.ts";
import { CheckoutFacts, loadCheckoutFacts } from "../checkout/checkout-facts-sql.ts";
import { type PricedCheckout, priceWithReferral } from "../checkout/price-checkout.ts";
import { findOpenDays, type OpenDay } from "../hubs/day-sql.ts";
import { type HubDirectory, hubDirectory } from "../hubs/directory.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import type { PlannedOrder } from "../orders/plan.ts";
import { serializePictureOrNull } from "../pictures/picture-row.ts";
import { nameOfLine } from "../products/size-sql.ts";
import { problemOf, serializeFulfillment } from "../profile/fulfillment.ts";
import { autoCard, autoChoice, keepFor, openBox } from "./auto-choice.ts";
import { isDueOn } from "./due.ts";
import { type SubscribedLine, findSubscribedLines } from "./fill-sql.ts";
import { type BoxState, findBoxState } from "./find-box-state.ts";
import { findSettings } from "./store.ts";

const BOXES = 3;

const stateOf = (state: BoxState, deliveryId: number): NextBox["state"] => {
  if (state.orders.some((order) => order.delivery_id === deliveryId && order.is_auto)) return "ordered";
  if (state.skipped.includes(deliveryId)) return "skipped";
  return state.over.includes(deliveryId) ? "closed" : "planned";
};

/** What the boxes are serialized with. */
interface Shown {
  facts: CheckoutFacts;
  state: BoxState;
  directory: HubDirectory;
  takesCards: boolean;
}

/** Where a box goes: as its order does, or the order that it joins, else where the customer receives. */
function fulfillmentOf(delivery: OpenDay, { facts, state, directory }: Shown): NextBox["fulfillment"] {
  const hub = { name: facts.hub_name, delivery_fee_cents: facts.delivery_fee_cents };
  const ordered = state.orders.filter((order) => order.delivery_id === delivery.id);
  const joined = openBox({ ...facts, open_orders: [...facts.open_orders, ...state.future] }, delivery.id);
  const order = ordered.find(({ is_auto }) => is_auto) ?? ordered.find(({ id }) => id === joined?.id);
  if (!order) {
    const problem = problemOf(directory, facts.hub_id, facts);
    return serializeFulfillment(facts, hub, problem, state.passes.includes(delivery.id));
  }
  const place = { pickup_point: order.pickup_point, default_address: order.address };
  const fee = order.is_auto ? order.delivery_fee_cents : 0;
  return serializeFulfillment(place, { ...hub, delivery_fee_cents: fee }, null, false);
}

function serializeBox(delivery: OpenDay, shown: Shown, priced: PricedCheckout | null, pictured: Pictured): NextBox {
  const { facts, state } = shown;
  const card = shown.takesCards ? autoCard(facts) : undefined;
  const orders = priced?.plan.orders ?? [];
  const sum = (of: (order: PlannedOrder) => number) => addCents(...orders.map((order) => cents(of(order))));
  return {
    deliveryDate: delivery.day,
    cutoff: delivery.cutoff_at.toISOString(),
    autoCheckoutAt: delivery.auto_checkout_at.toISOString(),
    timeZone: facts.time_zone,
    state: stateOf(state, delivery.id),
    isSkipped: state.skipped.includes(delivery.id),
    orderIds: state.orders.filter((order) => order.delivery_id === delivery.id).map(({ id }) => id),
    lines: (priced?.pricedCart.lines ?? [])
      .filter(({ counts }) => counts)
      .map(({ line: { row }, quantity, unitCents }) => ({
        productId: row.product_id,
        variantId: row.variant_id,
        slug: row.product_slug,
        title: nameOfLine(row),
        vendor: row.vendor_name,
        image: serializePictureOrNull(pictured.get(row.variant_id)?.picture ?? null),
        quantity,
        inventory: row.inventory,
        price: toDollars(unitCents),
        reason: row.subscription_interval === null ? "cart" : "subscription",
        subscription_interval: row.subscription_interval,
        fromBundleId: row.bundle_id,
        bundleTitle: row.bundle_title,
      })),
    subtotal: toDollars(
      subtractCents(
        sum((order) => order.itemsCents),
        sum((order) => order.discountCents),
      ),
    ),
    tip: toDollars(sum((order) => order.tipCents)),
    fees: toDollars(sum((order) => order.deliveryFeeCents + order.cardFeeCents)),
    deliveryFee: toDollars(sum((order) => order.deliveryFeeCents)),
    tax: toDollars(sum((order) => order.taxCents)),
    waived: toDollars(sum((order) => order.waivedCents)),
    orderTotal: toDollars(cents(priced?.plan.orderTotalCents ?? 0)),
    fulfillment: fulfillmentOf(delivery, shown),
    card: card ? { brand: card.brand, last4: card.last4 } : null,
  };
}

/** Sets the last day of the subscriptions whose lines would be ordered, as the order will. */
function markOrdered(subscribed: readonly SubscribedLine[], priced: PricedCheckout, day: string): SubscribedLine[] {
  const lines = priced.plan.orders.flatMap((order) => order.lines);
  return subscribed.map((row) =>
    (row.last_day === null || row.last_day < day) &&
    lines.some((line) => (row.bundle_id === null ? line.variantId === row.variant_id : line.bundleId === row.bundle_id))
      ? { ...row, last_day: day }
      : row,
  );
}

/** The lines that remain in the cart after the order. A quantity that exceeds the stock remains as a line without subscription. */
const remainingLines = ({ pricedCart }: PricedCheckout): CartLineRow[] =>
  pricedCart.lines.flatMap(({ line: { row }, counts, quantity }) => {
    if (!counts) return [row];
    if (quantity >= row.quantity) return [];
    return [{ ...row, quantity: row.quantity - quantity, inventory: 0, subscription_interval: null }];
  });

/**
 * "Your next boxes": the orders that auto-checkout would place for the next three deliveries, priced by the same function as orders,
 * as of the instant of the auto-checkout. The next box is the current cart. Later boxes are the lines that remain in it and the
 * lines that will be due, at today's prices and assuming stock. With auto-checkout off: the subscribed lines. A hub that is not
 * published has no boxes.
 */
export const nextBoxes = async (ctx: Context, customerId: CustomerId, hubId: number): Promise<NextBox[]> =>
  (await planBoxes(ctx, customerId, hubId)).map(({ box }) => box);

/** `nextBoxes` with the delivery of each. */
export async function planBoxes(
  ctx: Context,
  customerId: CustomerId,
  hubId: number,
): Promise<{ deliveryId: number; box: NextBox }[]> {
  const { deps, now } = ctx;
  const { db } = deps;
  const directory = await hubDirectory(deps);
  if (!directory.byId(hubId)) return [];
  const deliveries = (await findOpenDays(db, hubId, now)).slice(0, BOXES);
  const state = await findBoxState(
    db,
    customerId,
    deliveries.map(({ id }) => id),
    now,
  );
  const settings = await findSettings(db, customerId);
  const facts = await loadCheckoutFacts(db, customerId, hubId, deps.payments.name, now);
  if (!facts || !settings) throw loginRequired();
  const cart = await loadCart(db, { customerId }, hubId);
  const status =
    settings.auto_checkout_status === AUTO_CHECKOUT.off ? AUTO_CHECKOUT.subscribedOnly : settings.auto_checkout_status;
  let subscribed = await findSubscribedLines(db, hubId, [customerId]);
  let lines = cart.lines;
  let isFirstOrder = true;
  const boxes: { delivery: OpenDay; priced: PricedCheckout | null }[] = [];
  for (const [place, delivery] of deliveries.entries()) {
    if (place > 0) lines = await refillLines(db, hubId, lines, subscribed, delivery.day);
    if (stateOf(state, delivery.id) !== "planned") {
      boxes.push({ delivery, priced: null });
      continue;
    }
    const keep = keepFor(directory, status, { day: delivery.day, hub_id: hubId });
    const at = isBefore(now, delivery.auto_checkout_at) ? delivery.auto_checkout_at : now;
    const then: CheckoutFacts = {
      ...facts,
      has_wagon_pass: state.passes.includes(delivery.id),
      deliveries: facts.deliveries.slice(facts.deliveries.findIndex(({ id }) => id === delivery.id)),
      open_orders: [...facts.open_orders, ...state.future],
    };
    const asCart: CartRow = {
      ...cart,
      lines: lines.filter(keep),
      code: isFirstOrder ? cart.code : null,
      has_referral: isFirstOrder && cart.has_referral,
    };
    const choice = autoChoice(then, delivery.id, settings.default_tip, deps.payments.takesCards);
    const input = { cart: asCart, facts: then };
    const priced = await priceWithReferral({ ...ctx, now: at }, db, customerId, hubId, input, choice);
    boxes.push({ delivery, priced });
    lines = [...lines.filter((line) => !keep(line)), ...remainingLines(priced)];
    subscribed = markOrdered(subscribed, priced, delivery.day);
    if (priced.plan.orders.length > 0) isFirstOrder = false;
  }
  const lineIds = boxes.flatMap(({ priced }) => priced?.cart.lines.map((line) => line.variant_id) ?? []);
  const pictured = await loadPictured(deps, hubId, lineIds);
  const shown = { facts, state, directory, takesCards: deps.payments.takesCards };
  return boxes.map(({ delivery, priced }) => ({
    deliveryId: delivery.id,
    box: serializeBox(delivery, shown, priced, pictured),
  }));
}

const keyOf = (line: { variant_id: number; bundle_id: number | null }) => `${line.variant_id} ${line.bundle_id}`;

/** The cart lines after the cycle of a day opens, like `fillCarts`: due lines are added, other subscribed ones removed. */
async function refillLines(
  db: Conn,
  hubId: number,
  cartLines: readonly CartLineRow[],
  subscribed: readonly SubscribedLine[],
  day: string,
): Promise<CartLineRow[]> {
  const due = new Map(subscribed.filter((row) => isDueOn(day, row)).map((row) => [keyOf(row), row]));
  const remaining = cartLines.flatMap((line) => {
    const row = due.get(keyOf(line));
    if (!row) return line.subscription_interval === null ? [line] : [];
    due.delete(keyOf(line));
    const isElsewhere = line.hub_id !== null && line.hub_id !== hubId;
    const quantity = isElsewhere ? row.quantity : Math.max(line.quantity, row.quantity);
    return [
      { ...line, quantity, hub_id: hubId, subscription_interval: row.interval_weeks, inventory: CART_QUANTITY_MAX },
    ];
  });
  if (due.size === 0) return remaining;
  const added = await findLinesToBe(
    db,
    hubId,
    [...due.values()].slice(0, Math.max(0, CART_LINES_MAX - remaining.length)).map((row) => ({
      variantId: row.variant_id,
      bundleId: row.bundle_id,
      quantity: row.quantity,
      weeks: row.interval_weeks,
    })),
  );
  // Negative ids, which no stored line has. Future stock is unknown, so the maximum is assumed.
  return [...added.map((line) => ({ ...line, id: -line.id, inventory: CART_QUANTITY_MAX })), ...remaining];
}
