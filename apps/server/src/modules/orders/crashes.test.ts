import { setTimeout as pause } from "node:timers/promises";

import { size } from "@marketday/db/testing";
import { addMs } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { CRASH_POINTS } from "../../../test/crash-points.ts";
import { CHOICE, createCustomer, createHubNow, createProduct, newKey, PASSWORD } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { startProcess as startAny } from "../../../test/processes.ts";
import { send, type RawResponse } from "../../../test/race.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";

/** Starts a server without scheduled jobs: a job could hit the failpoint on another test's cart. */
const startProcess = (options: Parameters<typeof startAny>[0]) => startAny({ ...options, jobs: false });

const points = failpoints();
const market = await buildTestApp({ now: new Date().toISOString(), overrides: { failpoint: points.at } });
const { db, deps } = market;
/** Another server of the market, where the shopper retries. */
const next = await startProcess({ databaseUrl: market.url, dataDir: market.dataDir });
const hub = await createHubNow(db);

async function shopperWithCart() {
  const eggs = await createProduct(db, hub.id, { inventory: 5 });
  const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
  await browser.put("/cart", [eggs.line(1)]);
  const { orderTotal } = (await browser.post("/checkout/quote", CHOICE)).body as { orderTotal: number };
  const request = (port: number, key: string) => ({
    port,
    method: "POST" as const,
    path: "/api/checkout",
    body: { ...CHOICE, expectedTotal: orderTotal },
    cookie: browser.cookieHeader(),
    headers: { "idempotency-key": key },
  });
  return { eggs, customer, browser, request };
}

/** Retries with the same key until the response is final, as the app does. */
async function untilAnswered(ask: () => Promise<RawResponse>): Promise<RawResponse> {
  for (;;) {
    const answer = await ask();
    const comeBack = answer.status === 503 || (answer.status === 409 && answer.body[1].code === "still_running");
    if (!comeBack) return answer;
    await pause(100);
  }
}

async function expectOneOrder(customerId: number, variantId: number) {
  const orders = await db.order.findMany({ where: { customer_id: customerId }, include: { items: true } });
  expect(orders).toHaveLength(1);
  expect(orders[0]!.items).toMatchObject([{ variant_id: variantId, quantity: 1 }]);
  const attempts = await db.checkout_attempt.findMany({ where: { customer_id: customerId } });
  const charges = await db.test_charge.findMany({
    where: { idempotency_key: { in: attempts.map(({ id }) => id) }, state: { in: ["authorized", "captured"] } },
  });
  expect(charges).toHaveLength(1);
  expect(charges[0]!.amount_cents).toBe(orders[0]!.order_total_cents);
  expect((await db.offer.findFirstOrThrow({ where: { variant_id: variantId } })).inventory).toBe(4);
}

describe.concurrent("the server is killed at a step of placing an order, then the shopper retries with the same key: one order", () => {
  test.for(CRASH_POINTS)("%s", { tags: ["fail:B1", "fail:B2", "fail:A10"] }, async (point, { expect }) => {
    for (let round = 0; round < size(1, 10); round += 1) {
      const { eggs, customer, request } = await shopperWithCart();
      const key = newKey();
      const doomed = await startProcess({
        databaseUrl: market.url,
        dataDir: market.dataDir,
        failpoints: { [point]: "kill" },
      });
      await expect(send(request(doomed.port, key))).rejects.toThrow("cut without an answer");
      await doomed.gone;
      const answer = await untilAnswered(() => send(request(next.port, key)));
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      await expectOneOrder(customer.id, eggs.variant.id);
      // The response is stored with the retry; one more returns the same one.
      const replayed = await send(request(next.port, key));
      expect(replayed.headers["idempotent-replayed"]).toBe("true");
      expect(replayed.body).toEqual(answer.body);
      expect(await market.audit()).toEqual([]);
    }
  });
});

describe("a step of placing an order fails once, then the shopper retries: one order", () => {
  test.for(CRASH_POINTS)("%s", { tags: ["fail:B9", "fail:D13"] }, async (point) => {
    market.clock.set(new Date());
    const { eggs, customer, request } = await shopperWithCart();
    points.plan[point] = "throw";
    const key = newKey();
    const first = await send(request(market.port, key));
    delete points.plan[point];
    expect([first.status, first.body[0]]).toEqual([500, "Something went wrong."]);
    expect(first.body[1]).toEqual({ code: "internal", requestId: expect.any(String) });
    const answer = await untilAnswered(() => send(request(next.port, key)));
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    await expectOneOrder(customer.id, eggs.variant.id);
    expect(await market.audit()).toEqual([]);
  });
});

describe("the server is killed and the shopper does not return: the sweep finishes the attempt once and leaves nothing behind", () => {
  test.for([
    ["checkout:start", false],
    ["checkout:held", false],
    ["checkout:paid", true],
    ["checkout:placed", true],
  ] as const)("at %s", { tags: ["fail:B1", "fail:A10", "fail:V12"] }, async ([point, isPaid]) => {
    market.clock.set(new Date());
    const { eggs, customer, browser, request } = await shopperWithCart();
    const doomed = await startProcess({
      databaseUrl: market.url,
      dataDir: market.dataDir,
      failpoints: { [point]: "kill" },
    });
    const key = newKey();
    const checkout = request(doomed.port, key);
    await expect(send(checkout)).rejects.toThrow("cut without an answer");
    await doomed.gone;
    const sweep = async () => {
      const ctx = { now: market.clock.now(), actor: { type: "system" as const, job: "checkouts" }, deps };
      await Promise.all([resumeAbandoned(ctx), resumeAbandoned(ctx)]);
    };
    const attempt = await db.checkout_attempt.findFirst({ where: { customer_id: customer.id } });
    market.clock.set(addMs(attempt?.lease_until ?? new Date(), 1));
    await sweep();
    if (isPaid) await expectOneOrder(customer.id, eggs.variant.id);
    else expect(await db.order.count({ where: { customer_id: customer.id } })).toBe(0);
    // Long enough for every lease and grace period to expire.
    market.clock.advance(6 * 60_000);
    await sweep();
    expect(await market.audit()).toEqual([]);

    const again = await browser.post("/checkout", checkout.body, { "idempotency-key": key });
    expect(again.status, JSON.stringify(again.body)).toBe(201);
    const [order] = await db.order.findMany({ where: { customer_id: customer.id } });
    expect(again.body.orderIds).toEqual([order!.id]);
    await expectOneOrder(customer.id, eggs.variant.id);
  });
});
