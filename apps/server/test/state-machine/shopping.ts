import { expect } from "vitest";

import { grantCredit } from "../../src/modules/gift-cards/grant-credit.ts";
import { asCustomerId } from "../../src/modules/identity/context.ts";
import { cancelOrder } from "../../src/modules/orders/cancel-order.ts";
import { ADDRESS, newKey } from "../factories.ts";
import { tokenOf, type Trouble } from "../fake-stripe.ts";
import type { RawResponse } from "../race.ts";
import {
  expectResult,
  call,
  postEvent,
  operator,
  retryUnavailable,
  type Run,
  anyServer,
  resultOf,
} from "./deployment.ts";

export const GOOD = "4242424242424242";
const CHALLENGE_CARD = "4000002500003155";
const CARDS: Record<string, string> = { [GOOD]: "201", [CHALLENGE_CARD]: "202" };
const DECLINED = ["4000000000000002", "4000000000009995"];
const TROUBLES: readonly Trouble[] = ["500 after", "500 before", "cut after", "cut before", { delayMs: 30 }];
/** Results when other shoppers change stock or prices between quote and checkout. */
export const CART_CHANGED = ["409 sold_out", "409 total_changed", "409 cart_empty", "409 code_gone"];

export async function fillCart(run: Run, always = false): Promise<void> {
  const { day, random } = run;
  const chosen = day.products.filter((product) => product === day.plenty || random.chance(0.35));
  const lines = chosen.map((product) => product.line(always || random.chance(0.9) ? random.between(1, 3) : 0));
  expectResult(run, "cart", resultOf(await call(run, anyServer(run), "PUT", "/cart", lines)), ["200"]);
}

/** Requests a quote for a random choice; returns the body of the checkout with the quoted total. */
export async function requestQuote(run: Run, number: string) {
  const { random } = run;
  const choice = {
    ...(random.chance(0.7)
      ? { type: "delivery", deliveryAddress: { ...ADDRESS, address: `${random.between(1, 2)} Main Street` } }
      : { type: "pickup", pickupPointId: run.day.hub.pickup_points[0]!.id }),
    tipPercentage: random.pick([0, 5, 10, 20]),
    useCredit: random.chance(0.5),
    confirmationToken: tokenOf(number),
    savePaymentMethod: random.chance(0.2),
    ...(random.chance(0.25) && { discountCode: run.day.code }),
  };
  const quote = await call(run, anyServer(run), "POST", "/checkout/quote", choice);
  expect(quote.status, JSON.stringify(quote.body)).toBe(200);
  const { orderTotal, amountDue } = quote.body as { orderTotal: number; amountDue: number };
  return { body: { ...choice, expectedTotal: orderTotal }, token: choice.confirmationToken, isFree: amountDue === 0 };
}

/** One checkout with any card, with or without a fault at Stripe; a challenge is completed or abandoned. */
export async function checkOut(run: Run): Promise<void> {
  const { random, deployment } = run;
  const number = random.chance(0.55) ? GOOD : random.chance(0.6) ? CHALLENGE_CARD : random.pick(DECLINED);
  const { body, token, isFree } = await requestQuote(run, number);
  if (random.chance(0.3)) deployment.fake.troubleOf(token, "POST payment_intents", random.pick(TROUBLES));
  const response = await call(run, anyServer(run), "POST", "/checkout", body, newKey());
  const code = number === "4000000000009995" ? "insufficient_funds" : "card_declined";
  const expected = isFree ? "201" : (CARDS[number] ?? `402 ${code}`);
  expectResult(run, `checkout ${number.slice(-4)}`, resultOf(response), [expected, ...CART_CHANGED]);
  if (response.status === 202 && random.chance(0.8)) await completeChallenge(run, response);
}

/** Completes a challenge; Stripe's event arrives before, after or at the same time, at the other server. */
async function completeChallenge(run: Run, { body }: RawResponse): Promise<void> {
  const { random, deployment } = run;
  const { attemptId, clientSecret } = body.challenge as { attemptId: string; clientSecret: string };
  const intentId = clientSecret.split("_secret_")[0]!;
  const approve = random.chance(0.7);
  deployment.fake.answerBank(intentId, approve);
  const event = deployment.fake.events.findLast(({ data }) => (data.object as { id: string }).id === intentId)!;
  const [server, otherServer] = random.shuffle(deployment.servers);
  const complete = async () =>
    expectResult(
      run,
      "complete challenge",
      resultOf(await call(run, server!, "POST", `/checkout/${attemptId}/complete`, {}, newKey())),
      approve ? ["201", "409 code_gone"] : ["402 card_declined"],
    );
  const deliver = () => postEvent(run, otherServer!, event);
  const variant = random.between(0, 2);
  if (variant === 0) await Promise.all([complete(), deliver()]);
  else for (const step of variant === 1 ? [complete, deliver] : [deliver, complete]) await step();
}

/** Checkout on both servers at once, with one key or two: one order. */
export async function checkOutTwice(run: Run): Promise<void> {
  const { random, deployment } = run;
  const { body } = await requestQuote(run, GOOD);
  const isOneKey = random.chance(0.5);
  const key = newKey();
  const responses = await Promise.all(
    deployment.servers.map((server) => call(run, server, "POST", "/checkout", body, isOneKey ? key : newKey())),
  );
  const busy = "409 still_running";
  const results = responses.map(resultOf);
  // A confirmation token is valid once. When another shopper takes the code's last use after the first request has authorized
  // the card, the second request's payment is refused: the card has to be entered again.
  const usedToken = results.includes("409 code_gone") ? ["402 card_declined"] : [];
  for (const result of results)
    expectResult(run, "two checkouts", result, ["201", busy, ...usedToken, ...CART_CHANGED]);
  const ids = responses.filter(({ status }) => status === 201).map((response) => String(response.body.orderIds));
  if (isOneKey) expect(new Set(ids).size, "one key").toBeLessThanOrEqual(1);
  else expect(ids.length, "two keys").toBeLessThanOrEqual(1);
}

/** A random open order of the shopper with its items and payment. */
async function openOrder({ deployment, shopper, random }: Run) {
  const orders = await deployment.market.db.order.findMany({
    where: { customer_id: shopper.id, status: "open" },
    include: { items: { where: { quantity: { gt: 0 } }, orderBy: { id: "asc" } }, payment: true },
    orderBy: { id: "asc" },
  });
  return orders.length > 0 ? random.pick(orders) : null;
}
type OpenOrder = NonNullable<Awaited<ReturnType<typeof openOrder>>>;

const reduced = ({ random }: Run, order: OpenOrder) => ({
  order: {
    id: order.id,
    items: order.items
      .map(({ variant_id, quantity }) => ({
        quantity: random.chance(0.3) ? 0 : random.between(1, quantity),
        product: { variant: { id: variant_id } },
      }))
      .filter(({ quantity }) => quantity > 0),
  },
});

/** Reduces an order, tries to raise it, or sends two edits or an edit and a cancellation at once. */
export async function edit(run: Run): Promise<void> {
  const { random, deployment } = run;
  const order = await openOrder(run);
  if (!order) return void run.steps.push("edit: nothing open");
  if (order.payment?.provider_ref && random.chance(0.3))
    deployment.fake.troubleOf(order.payment.provider_ref, "POST payment_intents cancel", random.pick(TROUBLES));
  const variant = random.between(0, 4);
  if (variant === 0 && order.items.length > 0) {
    const raised = order.items.map(({ variant_id, quantity }) => ({
      quantity: quantity + 1,
      product: { variant: { id: variant_id } },
    }));
    const response = await call(run, anyServer(run), "POST", "/orders/edit-order", {
      order: { id: order.id, items: raised },
    });
    return expectResult(run, "raise", resultOf(response), ["422 raised"]);
  }
  if (variant === 1) {
    const responses = await Promise.all(
      deployment.servers.map((server) => call(run, server, "POST", "/orders/edit-order", reduced(run, order))),
    );
    // The second edit may request more than the first one left, or an order without items.
    for (const response of responses)
      expectResult(run, "two edits", resultOf(response), ["200", "422 raised", "422 added", "404 not_found"]);
    return expect(responses.some(({ status }) => status === 200)).toBe(true);
  }
  if (variant === 2) {
    const [response] = await Promise.all([
      call(run, anyServer(run), "POST", "/orders/edit-order", reduced(run, order)),
      cancel(run, order.id, random.pick(["card", "credit"])),
    ]);
    return expectResult(run, "edit and cancel", resultOf(response), ["200", "404 not_found"]);
  }
  expectResult(
    run,
    "edit",
    resultOf(await call(run, anyServer(run), "POST", "/orders/edit-order", reduced(run, order))),
    ["200"],
  );
}

const cancel = ({ deployment }: Run, id: number, to: "card" | "credit") =>
  retryUnavailable(() => cancelOrder(operator(deployment), id, { to, reason: "", key: null }));

/** Cancels an open order as the market. */
export async function cancelOpenOrder(run: Run): Promise<void> {
  const order = await openOrder(run);
  if (!order) return void run.steps.push("cancel: nothing open");
  const { orderIds } = await cancel(run, order.id, "card");
  run.steps.push(`cancel: ${orderIds.join()}`);
  expect(orderIds).toContain(order.id);
}

export async function giveCredit(run: Run): Promise<void> {
  const cents = run.random.between(1, 3000);
  const shopper = { id: asCustomerId(run.shopper.id), email: "a@example.com" };
  const options = { amountCents: cents, reason: "sequence", key: newKey(), dryRun: false };
  await retryUnavailable(() => grantCredit(operator(run.deployment), shopper, options));
  run.steps.push(`credit: ${cents}`);
}

/** Sends Stripe's earlier events again, in any order, to both servers. */
export async function resendEvents(run: Run): Promise<void> {
  const { deployment, random, shopper } = run;
  const { stripe_customer_id } = await deployment.market.db.customer.findUniqueOrThrow({ where: { id: shopper.id } });
  const events = deployment.fake.events.filter(
    ({ data }) => stripe_customer_id !== null && (data.object as { customer?: string }).customer === stripe_customer_id,
  );
  for (const event of random.shuffle(events).slice(0, 3))
    await Promise.all(deployment.servers.map((server) => postEvent(run, server, event)));
}
