import { addMs, Minute } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { CHOICE, createHub, createProduct, GOOD_CARD, newKey } from "../../test/factories.ts";
import { signIn } from "../../test/sign-in.ts";
import { claimKey } from "../lib/idempotency-sql.ts";
import { customerActor } from "../lib/idempotency-store.ts";
import { findAttemptByKey } from "../modules/checkout/attempt-store.ts";
import { resumeAbandoned } from "../modules/checkout/resume-attempt.ts";
import { asCustomerId } from "../modules/identity/context.ts";
import { findPurchaseByKey } from "../modules/payments/purchase-store.ts";

const market = await buildTestApp();
const { db } = market;
const hub = await createHub(db);
const gift = {
  amount: 50,
  recipientEmail: "friend@example.com",
  message: "",
  deliverOn: "2026-11-23",
  card: GOOD_CARD,
};

const twoCustomers = () =>
  Promise.all(
    [1, 2].map(async () => {
      const browser = await signIn(market, { hubId: hub.id });
      return { browser, customerId: asCustomerId(browser.customer.id) };
    }),
  );

test("idempotency key: visitors and guests are refused without a row, so no one's key can be blocked", async () => {
  const key = newKey();
  const guests = Array.from({ length: 5 }, () => market.shopper());
  for (const guest of guests) expect((await guest.post("/auth/guest?zipCode=46032")).status).toBe(200);
  const visitors = Array.from({ length: 5 }, () => market.shopper());
  const answers: [number, string][] = [];
  const statements = await market.statements(async () => {
    const all = await Promise.all(
      [...visitors, ...guests].map((who, place) =>
        who.post("/gift-cards", { ...gift, amount: 25 + place }, { "idempotency-key": key }),
      ),
    );
    answers.push(...all.map(({ status, body }): [number, string] => [status, body[1].code]));
  });
  expect(answers).toEqual(answers.map(() => [401, "login_required"]));
  expect(answers).toHaveLength(10);
  expect(statements.filter((text) => text.includes("idempotency_key"))).toEqual([]);
  const customer = await signIn(market, { hubId: hub.id });
  expect((await customer.post("/gift-cards", gift, { "idempotency-key": key })).status).toBe(201);
});

test("idempotency key: a refusal is not kept, so the same request is placed once its reason is gone", async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 50 });
  const browser = await signIn(market, { hubId: hub.id });
  await browser.put("/cart", [eggs.line(2)]);
  const { body: quote } = await browser.post("/checkout/quote", CHOICE);
  const send = (key: string) =>
    browser.post("/checkout", { ...CHOICE, expectedTotal: quote.orderTotal }, { "idempotency-key": key });
  const key = newKey();
  await browser.put("/cart", [eggs.line(3)]);
  const refused = await send(key);
  expect([refused.status, refused.body[1].code]).toEqual([409, "total_changed"]);
  await browser.put("/cart", [eggs.line(2)]);
  const placed = await send(key);
  expect([placed.status, placed.headers["idempotent-replayed"]]).toEqual([201, undefined]);
  const again = await send(key);
  expect([again.status, again.headers["idempotent-replayed"], again.body.orderId]).toEqual([
    201,
    "true",
    placed.body.orderId,
  ]);
});

describe("two customers with one idempotency key", { tags: ["fail:B3"] }, () => {
  /** The states of a customer's charges. */
  const chargesOf = async (customerId: number) =>
    (await db.payment.findMany({ where: { customer_id: customerId } })).map(({ state }) => state);

  test("checkout: two orders and two charges", async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 50 });
    const key = newKey();
    const both = await twoCustomers();
    for (const { browser } of both) await browser.put("/cart", [eggs.line(2)]);
    const { body: quote } = await both[0]!.browser.post("/checkout/quote", CHOICE);
    const choice = { ...CHOICE, expectedTotal: quote.orderTotal };
    const placed = [];
    for (const { browser } of both) placed.push(await browser.post("/checkout", choice, { "idempotency-key": key }));
    expect(placed.map(({ status, headers }) => [status, headers["idempotent-replayed"]])).toEqual([
      [201, undefined],
      [201, undefined],
    ]);
    for (const [place, { customerId }] of both.entries()) {
      const order = await db.order.findFirstOrThrow({ where: { customer_id: customerId } });
      expect(order.id).toBe(placed[place]!.body.orderId);
      expect(await chargesOf(customerId)).toEqual(["authorized"]);
    }
    const [one, other] = both;
    const stored = `c${one!.customerId} ${key}`;
    expect(await findAttemptByKey(db, one!.customerId, stored)).toMatchObject({ customer_id: one!.customerId });
    expect(await findAttemptByKey(db, other!.customerId, stored)).toBeNull();
    expect(await market.audit()).toEqual([]);
  });

  test.each([
    ["gift cards", "/gift-cards", gift],
    ["wagon passes", "/wagon-pass", { plan: "yearly", card: GOOD_CARD }],
  ])("%s: two purchases and two charges", async (_, path, body) => {
    const key = newKey();
    const both = await twoCustomers();
    const bought = [];
    for (const { browser } of both) bought.push(await browser.post(path, body, { "idempotency-key": key }));
    expect(bought.map(({ status, headers }) => [status < 300, headers["idempotent-replayed"]])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
    for (const { customerId } of both) expect(await chargesOf(customerId)).toEqual(["captured"]);
    const [one, other] = both;
    const stored = `c${one!.customerId} ${key}`;
    expect(await findPurchaseByKey(db, one!.customerId, stored)).toMatchObject({ customer_id: one!.customerId });
    expect(await findPurchaseByKey(db, other!.customerId, stored)).toBeNull();
    expect(await market.audit()).toEqual([]);
  });
});

test("idempotency key: of a request whose server died it is freed a minute after its lease, not before", async () => {
  const { customerId } = (await twoCustomers())[0]!;
  const id = { actor: customerActor(customerId), key: newKey() };
  await claimKey(db, id, "hash", market.clock.now());
  const { lease_until: lease } = await db.idempotency_key.findFirstOrThrow({ where: id });
  const isLeftAt = async (instant: Date) => {
    market.clock.set(instant.toISOString());
    await resumeAbandoned({ now: instant, actor: { type: "system", job: "test" }, deps: market.deps });
    return (await db.idempotency_key.count({ where: id })) === 1;
  };
  expect(await isLeftAt(addMs(lease, Minute.ms - 1))).toBe(true);
  expect(await isLeftAt(addMs(lease, Minute.ms))).toBe(false);
});
