import { size } from "@marketday/db/testing";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import {
  ADDRESS,
  createBundle,
  createCustomer,
  createHub,
  createProduct,
  GOOD_CARD,
  PASSWORD,
} from "../../../test/factories.ts";
import { randomness } from "../../../test/randomness.ts";

const market = await buildTestApp();
const { db, deps } = market;

const CARTS = size(250, 10_000, 1000);
const CARTS_EACH = 10;
const AT_ONCE = 4;
const toCents = (dollars: number) => Math.round(dollars * 100);

test(
  `${CARTS} random carts: the shown total, the charge and the ledger are one number`,
  { tags: ["fail:K7", "fail:K8", "fail:B16", "spec:9-20"] },
  async () => {
    const SEED = 20261121;
    const random = randomness(SEED);
    const hub = await createHub(db, { taxRatePpm: 72_500, processingPpm: 29_000, pickupPoints: 1 });
    const products: Awaited<ReturnType<typeof createProduct>>[] = [];
    for (let n = 0; n < 12; n += 1) {
      const priceCents = random.between(33, 4999);
      products.push(
        await createProduct(db, hub.id, {
          priceCents,
          salePriceCents: random.chance(0.3) ? random.between(1, priceCents - 1) : null,
          inventory: 2_000_000,
          preOrderDate: n === 11 ? "2026-12-03" : null,
        }),
      );
    }
    const [first, second, third] = products as [
      (typeof products)[number],
      (typeof products)[number],
      (typeof products)[number],
    ];
    const bundle = await createBundle(db, [hub.id], {
      discountPpm: 133_333,
      items: [{ product: first, quantity: 3 }, { product: second }, { product: third, quantity: 2 }],
    });
    const codes = await Promise.all(
      [
        { code: "TENTH", percent_ppm: 100_000 },
        { code: "ODD", percent_ppm: 33_333 },
        { code: "FIVER", amount_cents: 500 },
        { code: "ALL", amount_cents: 1_000_000 },
      ].map((data) => db.discount_code.create({ data: { ...data, once_per_customer: false } })),
    );

    /** A separate random generator per cart, so that concurrency does not change the carts. */
    async function oneCart(place: number): Promise<void> {
      const random = randomness(SEED + place);
      const customer = await createCustomer(db, {
        hubId: hub.id,
        pepper: deps.env.pepper,
        creditCents: random.chance(0.3) ? random.between(1, 6000) : 0,
      });
      const browser = market.shopper();
      await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
      for (let time = 0; time < CARTS_EACH; time += 1) {
        const lines = products.filter(() => random.chance(0.3)).map((product) => product.line(random.between(1, 9)));
        if (random.chance(0.3))
          for (const [product, units] of [
            [first, 3],
            [second, 1],
            [third, 2],
          ] as const)
            lines.push({ ...product.line(units * random.between(1, 2)), fromBundleId: bundle.id } as never);
        if (lines.length === 0) lines.push(first.line(1));
        await browser.put("/cart", lines);
        const choice = {
          ...(random.chance(0.7)
            ? { type: "delivery", deliveryAddress: { ...ADDRESS, address: `${random.between(1, 99_999)} Main Street` } }
            : { type: "pickup", pickupPointId: hub.pickup_points[0]!.id }),
          tipPercentage: random.pick([0, 5, 10, 20]),
          discountCode: random.chance(0.4) ? random.pick(codes).code : null,
          useCredit: random.chance(0.5),
          card: GOOD_CARD,
          savePaymentMethod: true,
        };
        const quote = (await browser.post("/checkout/quote", choice)).body;
        const shown = toCents(quote.orderTotal);
        expect(
          quote.orders.reduce((sum: number, order: { orderTotal: number }) => sum + toCents(order.orderTotal), 0),
        ).toBe(shown);
        // Amounts in the request body are ignored.
        const placed = await browser.post("/checkout", {
          ...choice,
          expectedTotal: quote.orderTotal,
          orderTotal: 0.01,
          tip: -1,
          tax: 0,
        });
        expect(placed.status, JSON.stringify([quote, placed.body])).toBe(201);
        const { orderIds } = placed.body as { orderIds: number[] };
        const orders = await db.order.findMany({
          where: { id: { in: orderIds } },
          include: { payment: true, attempt: true },
        });
        const owed = await db.ledger_entry.aggregate({
          where: { account: "shopper", transaction: { kind: "sale", order_id: { in: orderIds } } },
          _sum: { amount_cents: true },
        });
        const charge = await db.test_charge.findUnique({ where: { idempotency_key: orders[0]!.attempt_id! } });
        const charged = (charge?.amount_cents ?? 0) + toCents(quote.credit);
        const seen = await Promise.all(orderIds.map(async (id) => (await browser.get(`/orders/${id}`)).body));
        const receipts = seen.reduce((sum, order) => {
          const own = orders.find(({ id }) => id === order.id);
          return sum + (own ? toCents(order.orderTotal) : 0);
        }, 0);
        expect([
          charged,
          -(owed._sum.amount_cents ?? 0),
          orders.reduce((sum, order) => sum + order.order_total_cents, 0),
        ]).toEqual([shown, shown, shown]);
        expect(receipts).toBe(
          shown -
            orders
              .filter(({ id }) => !seen.some((order) => order.id === id))
              .reduce((sum, order) => sum + order.order_total_cents, 0),
        );
      }
    }

    const people = CARTS / CARTS_EACH;
    let started = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (started < people) {
          started += 1;
          await oneCart(started);
        }
      }),
    );
    expect(await market.audit()).toEqual([]);
  },
);
