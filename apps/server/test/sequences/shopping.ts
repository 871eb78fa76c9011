import { expect } from "vitest";

import { asCustomerId } from "../../src/lib/context.ts";
import { grantCredit } from "../../src/modules/gift-cards/grant-credit.ts";
import { cancelOrder } from "../../src/modules/orders/cancel-order.ts";
import { ADDRESS, newKey } from "../factories.ts";
import { tokenOf, type Trouble } from "../fake-stripe.ts";
import type { RawAnswer } from "../race.ts";
import { allow, call, hook, operator, patiently, type Run, some, wordOf } from "./stall.ts";

export const GOOD = "4242424242424242";
const ASKED = "4000002500003155";
const CARDS: Record<string, string> = { [GOOD]: "201", [ASKED]: "202" };
const REFUSED = ["4000000000000002", "4000000000009995"];
const TROUBLES: readonly Trouble[] = ["500 after", "500 before", "cut after", "cut before", { delayMs: 30 }];
/** What a crowd does to a cart between looking at it and buying it. */
export const MOVED = ["409 sold_out", "409 total_changed", "409 cart_empty", "409 code_gone"];

export async function fillCart(run: Run, always = false): Promise<void> {
  const { day, random } = run;
  const chosen = day.products.filter((one) => one === day.plenty || random.chance(0.35));
  const lines = chosen.map((one) => one.line(always || random.chance(0.9) ? random.between(1, 3) : 0));
  allow(run, "cart", wordOf(await call(run, some(run), "PUT", "/cart", lines)), ["200"]);
}

/** What the shopper chooses and sees before they press: the body of the order, with the total they saw. */
export async function quoted(run: Run, number: string) {
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
  const quote = await call(run, some(run), "POST", "/checkout/quote", choice);
  expect(quote.status, JSON.stringify(quote.body)).toBe(200);
  const { orderTotal, amountDue } = quote.body as { orderTotal: number; amountDue: number };
  return { body: { ...choice, expectedTotal: orderTotal }, token: choice.confirmationToken, isFree: amountDue === 0 };
}

/** One checkout, by any card, with or without trouble at Stripe; the bank's question is answered, or left. */
export async function checkOut(run: Run): Promise<void> {
  const { random, stall } = run;
  const number = random.chance(0.55) ? GOOD : random.chance(0.6) ? ASKED : random.pick(REFUSED);
  const { body, token, isFree } = await quoted(run, number);
  if (random.chance(0.3)) stall.fake.troubleOf(token, "POST payment_intents", random.pick(TROUBLES));
  const answer = await call(run, some(run), "POST", "/checkout", body, newKey());
  const code = number === "4000000000009995" ? "insufficient_funds" : "card_declined";
  const wanted = isFree ? "201" : (CARDS[number] ?? `402 ${code}`);
  allow(run, `checkout ${number.slice(-4)}`, wordOf(answer), [wanted, ...MOVED]);
  if (answer.status === 202 && random.chance(0.8)) await answerBank(run, answer);
}

/** The shopper answers the bank and comes back; Stripe's event comes before, after or at the same moment, elsewhere. */
async function answerBank(run: Run, { body }: RawAnswer): Promise<void> {
  const { random, stall } = run;
  const { attemptId, clientSecret } = body.challenge as { attemptId: string; clientSecret: string };
  const intentId = clientSecret.split("_secret_")[0]!;
  const approve = random.chance(0.7);
  stall.fake.answerBank(intentId, approve);
  const event = stall.fake.events.findLast(({ data }) => (data.object as { id: string }).id === intentId)!;
  const [here, there] = random.shuffle(stall.servers);
  const back = async () =>
    allow(
      run,
      "back from the bank",
      wordOf(await call(run, here!, "POST", `/checkout/${attemptId}/complete`, {}, newKey())),
      approve ? ["201", "409 code_gone"] : ["402 card_declined"],
    );
  const told = () => hook(run, there!, event);
  const how = random.between(0, 2);
  if (how === 0) await Promise.all([back(), told()]);
  else for (const step of how === 1 ? [back, told] : [told, back]) await step();
}

/** Place order pressed on both servers at once, with one key or with two: one order. */
export async function pressTwice(run: Run): Promise<void> {
  const { random, stall } = run;
  const { body } = await quoted(run, GOOD);
  const isOneKey = random.chance(0.5);
  const key = newKey();
  const answers = await Promise.all(
    stall.servers.map((server) => call(run, server, "POST", "/checkout", body, isOneKey ? key : newKey())),
  );
  const busy = "409 still_running";
  for (const answer of answers) allow(run, "pressed twice", wordOf(answer), ["201", busy, ...MOVED]);
  const ids = answers.filter(({ status }) => status === 201).map((answer) => String(answer.body.orderIds));
  if (isOneKey) expect(new Set(ids).size, "one key").toBeLessThanOrEqual(1);
  else expect(ids.length, "two keys").toBeLessThanOrEqual(1);
}

/** An order of the shopper's that may still be changed, a box or an add-on, and what it has. */
async function openOrder({ stall, who, random }: Run) {
  const orders = await stall.market.db.order.findMany({
    where: { customer_id: who.id, status: "open" },
    include: { items: { where: { quantity: { gt: 0 } }, orderBy: { id: "asc" } }, payment: true },
    orderBy: { id: "asc" },
  });
  return orders.length > 0 ? random.pick(orders) : null;
}
type OpenOrder = NonNullable<Awaited<ReturnType<typeof openOrder>>>;

const lowered = ({ random }: Run, order: OpenOrder) => ({
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

/** Lowers an order; or tries to raise it; or both servers are told two different things at once. */
export async function edit(run: Run): Promise<void> {
  const { random, stall } = run;
  const order = await openOrder(run);
  if (!order) return void run.steps.push("edit: nothing open");
  if (order.payment?.provider_ref && random.chance(0.3))
    stall.fake.troubleOf(order.payment.provider_ref, "POST payment_intents cancel", random.pick(TROUBLES));
  const how = random.between(0, 4);
  if (how === 0 && order.items.length > 0) {
    const raised = order.items.map(({ variant_id, quantity }) => ({
      quantity: quantity + 1,
      product: { variant: { id: variant_id } },
    }));
    const answer = await call(run, some(run), "POST", "/orders/edit-order", { order: { id: order.id, items: raised } });
    return allow(run, "raise", wordOf(answer), ["422 raised"]);
  }
  if (how === 1) {
    const answers = await Promise.all(
      stall.servers.map((server) => call(run, server, "POST", "/orders/edit-order", lowered(run, order))),
    );
    // Who comes second may ask for more than the first left, or find nothing left.
    for (const answer of answers)
      allow(run, "two edits", wordOf(answer), ["200", "422 raised", "422 added", "404 not_found"]);
    return expect(answers.some(({ status }) => status === 200)).toBe(true);
  }
  if (how === 2) {
    const [answer] = await Promise.all([
      call(run, some(run), "POST", "/orders/edit-order", lowered(run, order)),
      cancel(run, order.id, random.pick(["card", "credit"])),
    ]);
    return allow(run, "edit and cancel", wordOf(answer), ["200", "404 not_found"]);
  }
  allow(run, "edit", wordOf(await call(run, some(run), "POST", "/orders/edit-order", lowered(run, order))), ["200"]);
}

const cancel = ({ stall }: Run, id: number, to: "card" | "credit") =>
  patiently(() => cancelOrder(operator(stall), id, { to, reason: "", key: null }));

/** The market calls an open order off. */
export async function callOff(run: Run): Promise<void> {
  const order = await openOrder(run);
  if (!order) return void run.steps.push("call off: nothing open");
  const { orderIds } = await cancel(run, order.id, "card");
  run.steps.push(`call off: ${orderIds.join()}`);
  expect(orderIds).toContain(order.id);
}

export async function giveCredit(run: Run): Promise<void> {
  const cents = run.random.between(1, 3000);
  const who = { id: asCustomerId(run.who.id), email: "a@example.com" };
  const how = { amountCents: cents, reason: "sequence", key: newKey(), dryRun: false };
  await patiently(() => grantCredit(operator(run.stall), who, how));
  run.steps.push(`credit: ${cents}`);
}

/** Stripe tells again what it told before: in any order, any number of times, on any server. */
export async function tellAgain(run: Run): Promise<void> {
  const { stall, random, who } = run;
  const { stripe_customer_id } = await stall.market.db.customer.findUniqueOrThrow({ where: { id: who.id } });
  const mine = stall.fake.events.filter(
    ({ data }) => stripe_customer_id !== null && (data.object as { customer?: string }).customer === stripe_customer_id,
  );
  for (const event of random.shuffle(mine).slice(0, 3))
    await Promise.all(stall.servers.map((server) => hook(run, server, event)));
}
