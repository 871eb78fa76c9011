import { setTimeout as pause } from "node:timers/promises";

import { size } from "@marketday/db/testing";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE, createCustomer, createHubNow, createProduct, newKey, PASSWORD } from "../../../test/factories.ts";
import { ownPostgres } from "../../../test/own-postgres.ts";
import { startProcess } from "../../../test/processes.ts";
import { type RawResponse, send } from "../../../test/race.ts";

test(
  "Postgres is killed during checkouts: the server survives, returns 503, and every shopper ends with one order",
  { tags: ["fail:D1", "fail:B9", "fail:L12"] },
  async () => {
    const postgres = await ownPostgres();
    try {
      const market = await buildTestApp({ url: postgres.url, now: new Date().toISOString() });
      const hub = await createHubNow(market.db);
      const server = await startProcess({ databaseUrl: postgres.url, dataDir: market.dataDir });
      for (let round = 0; round < size(1, 10); round += 1) {
        const eggs = await createProduct(market.db, hub.id, { inventory: 900 });
        const shoppers: {
          customer: Awaited<ReturnType<typeof createCustomer>>;
          cookie: string;
          orderTotal: number;
          key: string;
        }[] = [];
        for (let n = 0; n < 24; n += 1) {
          const customer = await createCustomer(market.db, { hubId: hub.id, pepper: market.deps.env.pepper });
          const browser = market.shopper();
          await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
          await browser.put("/cart", [eggs.line(1)]);
          const { orderTotal } = (await browser.post("/checkout/quote", CHOICE)).body as { orderTotal: number };
          shoppers.push({ customer, cookie: browser.cookieHeader(), orderTotal, key: newKey() });
        }
        const answers: RawResponse[] = [];
        let acknowledged = 0;
        const firstOrders = Promise.withResolvers<void>();
        const away = Promise.withResolvers<void>();
        const buy = async ({ cookie, orderTotal, key }: (typeof shoppers)[number]): Promise<RawResponse> => {
          for (;;) {
            const answer = await send({
              port: server.port,
              method: "POST",
              path: "/api/checkout",
              body: { ...CHOICE, expectedTotal: orderTotal },
              cookie,
              headers: { "idempotency-key": key },
            });
            answers.push(answer);
            if (answer.status === 201) {
              acknowledged += 1;
              if (acknowledged === 4) firstOrders.resolve();
              return answer;
            }
            expect([409, 503], JSON.stringify(answer.body)).toContain(answer.status);
            if (answer.status === 503) expect(answer.headers["retry-after"]).toBeDefined();
            await pause(200);
          }
        };
        // Spread out so that some requests arrive while the database is down.
        const buying = shoppers.map((shopper, place) =>
          (place < 20 ? pause(place * 15) : away.promise).then(() => buy(shopper)),
        );
        await firstOrders.promise;
        const before = await market.db.order.findMany({
          where: { items: { some: { variant_id: eggs.variant.id } } },
          select: { id: true },
        });
        postgres.kill();
        await expect
          .poll(() => send({ port: server.port, method: "GET", path: "/readyz" }).then(({ status }) => status), {
            timeout: 60_000,
          })
          .toBe(503);
        away.resolve();
        await expect.poll(() => answers.some(({ status }) => status === 503), { timeout: 60_000 }).toBe(true);
        expect((await send({ port: server.port, method: "GET", path: "/healthz" })).status).toBe(200);
        await postgres.restart();
        const placed = await Promise.all(buying);
        for (const { id } of before) expect(await market.db.order.findUnique({ where: { id } })).not.toBeNull();
        for (const [place, { customer }] of shoppers.entries()) {
          const orders = await market.db.order.findMany({ where: { customer_id: customer.id } });
          expect(orders.map(({ id }) => id)).toEqual([placed[place]!.body.orderId]);
        }
        expect(await market.audit()).toEqual([]);
      }
      await server.kill();
      await market.close();
    } finally {
      await postgres.stop();
    }
  },
);
