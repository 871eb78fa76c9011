import { buildTestApp } from "@marketday/server/testing/app";
import { CHOICE, createHub, createProduct } from "@marketday/server/testing/factories";
import { tokenOf } from "@marketday/server/testing/fake-stripe";
import { signIn } from "@marketday/server/testing/sign-in";
import { testStripe } from "@marketday/server/testing/test-stripe";
import { expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const SECRET = "whsec_of_the_tests_alone_0123456789";
const market = await operatedMarket();
const { db } = market;
const fake = await testStripe({ webhookSecret: SECRET });
const env = {
  PAYMENTS: "stripe",
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  STRIPE_WEBHOOK_SECRET: SECRET,
  STRIPE_API_URL: fake.url,
};
const app = await buildTestApp({ url: market.url, env, now: new Date().toISOString() });
const run = (...args: string[]) => market.runWith(env, ...args);
const { card: _card, ...WITHOUT_CARD } = CHOICE;

/** An order that is charged at its cutoff. */
async function chargedOrder() {
  const hub = await createHub(db, { now: new Date() });
  const ham = await createProduct(db, hub.id, { priceCents: 2500, inventory: 20 });
  const who = await signIn(app, { hubId: hub.id });
  await who.put("/cart", [ham.line(1)]);
  const choice = { ...WITHOUT_CARD, confirmationToken: tokenOf("4242424242424242"), savePaymentMethod: true };
  const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
  const placed = await who.post("/checkout", { ...choice, expectedTotal: orderTotal });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  const at = new Date(hub.deliveries[0]!.cutoff_at.getTime() + 1000).toISOString();
  expect(await run("jobs", "run", "--at", at, "--yes")).toMatchObject({ code: 0 });
  const order = await db.order.findUniqueOrThrow({ where: { id: placed.body.orderId }, include: { payment: true } });
  expect(order.payment!.state).toBe("captured");
  return {
    id: String(order.id),
    ref: order.payment!.provider_ref!,
    customerId: who.customer.id,
    total: order.order_total_cents,
    usd: `$${(order.order_total_cents / 100).toFixed(2)}`,
  };
}
async function deliver(from: number) {
  for (const event of fake.events.slice(from)) {
    const { payload, signature } = fake.signed(event, app.clock.now());
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    const answer = await app.app.inject({ method: "POST", url: "/api/webhooks/stripe", headers, payload });
    expect(answer.statusCode).toBe(200);
  }
}
const creditOf = async (id: number) => (await db.customer.findUniqueOrThrow({ where: { id } })).credit_cents;

test("a disputed order: doctor, disputes and orders show name amount and day; refund is refused, cancel gives nothing back", async () => {
  const order = await chargedOrder();
  const from = fake.events.length;
  const dispute = fake.dispute(order.ref, { reason: "product_not_received" });
  const unseen = await run("doctor");
  expect(unseen).toMatchObject({ code: 1, out: expect.stringContaining(`provider: The payment provider has this`) });
  await deliver(from);
  const due = fake.disputes.get(dispute)!.evidence_details.due_by;
  const day = new Date(due * 1000).toISOString().slice(0, 10);
  const named = `chargeback ${dispute} of ${order.usd} (product_not_received): open, answer by ${day}`;
  const doctor = await run("doctor");
  expect(doctor.code).toBe(1);
  expect(doctor.out).toContain(named);
  expect(doctor.out).toContain(`order ${order.id}, not delivered yet`);
  expect(doctor.out).not.toContain("Everything adds up");
  expect((await run("disputes", "list")).out).toContain(named);
  expect((await run("orders", "show", order.id)).out).toContain(
    `Disputed: chargeback ${dispute} of ${order.usd} (product_not_received): open, answer by`,
  );

  expect(await run("orders", "refund", order.id, "5.00", "--reason", "bruised", "--yes")).toMatchObject({
    code: 1,
    err: expect.stringContaining("bank has taken back"),
  });
  expect(await run("orders", "cancel", order.id, "--reason", "x", "--yes")).toMatchObject({
    code: 0,
    out: `Cancelled ${order.id}; ${order.usd} with the shopper's bank, which disputes the payment: not refunded again.\n`,
  });
  expect(await creditOf(order.customerId)).toBe(0);

  const later = fake.events.length;
  fake.moveDispute(dispute, "lost");
  await deliver(later);
  expect((await run("doctor")).out).not.toContain(dispute);
  expect((await run("disputes", "list")).out).toBe("No open disputes.\n");
  expect((await run("orders", "show", order.id)).out).toContain("lost: the bank keeps the money, closed on");
});

test("a refused refund: cancel says that the money did not go back, and an operator gives or closes it once", async () => {
  const order = await chargedOrder();
  fake.refuseRefunds("expired_card");
  const canceled = await run("orders", "cancel", order.id, "--reason", "x", "--yes");
  expect(canceled).toMatchObject({
    code: 1,
    out: `Cancelled ${order.id}; ${order.usd} did NOT go back to the card: The card has expired or was closed. \`./market refunds list\` has it.\n`,
  });
  expect(await creditOf(order.customerId)).toBe(0);
  const [refund] = await db.refund.findMany({ where: { order_id: Number(order.id) } });
  const line = `refund ${refund!.id} of order ${order.id}: ${order.usd} did not go back to the card`;
  for (const command of ["doctor", "refunds list"]) expect((await run(...command.split(" "))).out).toContain(line);
  expect((await run("orders", "show", order.id)).out).toContain(`market refunds send ${refund!.id}`);

  const send = ["refunds", "send", refund!.id, "--to", "credit", "--reason", "card closed", "--yes"];
  expect(await run(...send, "--dry-run")).toMatchObject({ code: 0, out: `Would give ${order.usd} as store credit.\n` });
  expect(await creditOf(order.customerId)).toBe(0);
  expect(await run(...send)).toMatchObject({ code: 0, out: `${order.usd} is store credit now.\n` });
  expect(await run(...send)).toMatchObject({ code: 1, err: expect.stringContaining("Nothing was done") });
  expect(await run("refunds", "close", refund!.id, "--reason", "x", "--yes")).toMatchObject({ code: 1 });
  expect(await creditOf(order.customerId)).toBe(order.total);
  expect((await run("refunds", "list")).out).toBe("None.\n");

  const second = await chargedOrder();
  fake.refuseRefunds("expired_card", "expired_card");
  const words = ["orders", "refund", second.id, "5.00", "--reason", "bruised", "--yes"];
  expect(await run(...words)).toMatchObject({
    code: 1,
    out: `$5.00 of order ${second.id} did NOT go back to the card: The card has expired or was closed. \`./market refunds list\` has it.\n`,
  });
  const failed = await db.refund.findFirstOrThrow({ where: { order_id: Number(second.id) } });
  const again = ["refunds", "send", failed.id, "--to", "card", "--reason", "new card", "--yes"];
  expect(await run(...again)).toMatchObject({ code: 1, out: expect.stringContaining("did NOT go back") });
  const next = await db.refund.findFirstOrThrow({ where: { order_id: Number(second.id), resolved_at: null } });
  const close = ["refunds", "close", next.id, "--reason", "cash", "--yes"];
  expect(await run(...close, "--dry-run")).toMatchObject({ code: 0, out: "Would close the refund of $5.00.\n" });
  expect(await run(...close)).toMatchObject({ code: 0, out: "Closed the refund of $5.00.\n" });
  expect(await run(...close)).toMatchObject({ code: 1, err: expect.stringContaining("Nothing was done") });
  expect(await creditOf(second.customerId)).toBe(0);
  expect(await market.audit()).toEqual([]);
});
