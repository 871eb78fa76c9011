import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { execute, query, queryOne, raw, sql } from "@marketday/db";
import { startEmbedded } from "@marketday/db/embedded";
import { migrate } from "@marketday/db/migrate";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, type TestMarket } from "../../../test/app.ts";
import { CHOICE, createCustomer, createHub, createProduct, newKey, PASSWORD } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";

const volume = mkdtempSync(join(tmpdir(), "marketday-small-disk-"));
const sh = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: "ignore" });
/** Whether this machine can mount a disk of 256 MB; otherwise Postgres errors are injected. */
const hasVolume = (() => {
  try {
    sh("mount", "-t", "tmpfs", "-o", "size=256m,mode=0755", "tmpfs", volume);
    return true;
  } catch {
    return false;
  }
})();
afterAll(async () => {
  if (hasVolume) sh("umount", "-l", volume);
  await rm(volume, { recursive: true, force: true });
});

async function buyer(market: TestMarket, hubId: number) {
  const { db } = market;
  const eggs = await createProduct(db, hubId, { inventory: 9 });
  const row = await createCustomer(db, { hubId, pepper: market.deps.env.pepper });
  const browser = market.shopper();
  expect((await browser.post("/auth/login", { username: row.email, password: PASSWORD })).status).toBe(200);
  await browser.put("/cart", [eggs.line(2)]);
  const { orderTotal } = (await browser.post("/checkout/quote", CHOICE)).body;
  const key = { "idempotency-key": newKey() };
  return {
    eggs,
    row,
    browser,
    pay: () => browser.post("/checkout", { ...CHOICE, expectedTotal: orderTotal }, key),
  };
}
type Buyer = Awaited<ReturnType<typeof buyer>>;

/** Asserts that a failed checkout left no order and no email. */
async function expectNothing({ db }: TestMarket, { row }: Buyer) {
  expect(await db.order.count({ where: { customer_id: row.id } })).toBe(0);
  expect(await db.mail.count({ where: { to_email: row.email!, template: "order-confirmation" } })).toBe(0);
}
async function expectOneOrder({ db }: TestMarket, { row, eggs }: Buyer, orderId: number) {
  const orders = await db.order.findMany({ where: { customer_id: row.id }, include: { items: true } });
  expect(orders.map(({ id, items }) => [id, items.length])).toEqual([[orderId, 1]]);
  expect((await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory).toBe(7);
  const attempts = await db.checkout_attempt.findMany({ where: { customer_id: row.id } });
  const charges = await db.test_charge.findMany({ where: { idempotency_key: { in: attempts.map(({ id }) => id) } } });
  expect(charges.filter(({ state }) => state === "authorized")).toHaveLength(1);
}
/** Retries with the same key until the order is placed, as the app does. */
async function untilPlaced(market: TestMarket, who: Buyer) {
  let answer = await who.pay();
  for (let tries = 0; answer.status !== 201 && tries < 5; tries += 1) {
    market.clock.advance(60_000);
    answer = await who.pay();
  }
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.orderId as number;
}

test.runIf(hasVolume)(
  "Postgres disk full: writes are 503, reads work, nothing is partially written, and freeing space restores service",
  { tags: ["fail:D7"] },
  async () => {
    const dataDir = join(volume, "postgres");
    const postgres = await startEmbedded({ dataDir });
    await chmod(volume, 0o755);
    try {
      await migrate({ url: postgres.url });
      const points = failpoints();
      const market = await buildTestApp({ url: postgres.url, overrides: { failpoint: points.at } });
      const { db } = market;
      const hub = await createHub(db);
      const [first, second, third] = [
        await buyer(market, hub.id),
        await buyer(market, hub.id),
        await buyer(market, hub.id),
      ];
      // A new write-ahead log segment, so that the tables run out of space and not the log.
      await query(db, sql`select pg_switch_wal()::text as at`);
      await execute(db, sql`create table room (what text)`);
      const ballast = join(volume, "ballast");
      const fill = () => {
        for (const bytes of [2 ** 22, 2 ** 16, 2 ** 12])
          try {
            for (;;) appendFileSync(ballast, Buffer.alloc(bytes));
          } catch (error) {
            expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
          }
      };
      const free = () => rmSync(ballast, { force: true });

      // Full before anything is written.
      fill();
      await expect(
        execute(db, sql`insert into room select repeat(md5(n::text), 90) from generate_series(1, 5000) n`),
      ).rejects.toMatchObject({ code: "53100" });
      const refused = await first.pay();
      expect([refused.status, refused.headers["retry-after"] !== undefined]).toEqual([503, true]);
      await expectNothing(market, first);
      for (const path of ["/hubs", "/cart", `/products/${first.eggs.id}`])
        expect((await first.browser.get(path)).status).toBe(200);
      free();
      await expectOneOrder(market, first, await untilPlaced(market, first));

      // Full after the payment is authorized and before the order is written: its tables have no free space in their pages.
      await execute(db, sql`truncate room`);
      points.passed.length = 0;
      const gate = Promise.withResolvers<void>();
      points.plan["checkout:placing"] = { until: gate.promise };
      const reached = points.reached("checkout:placing");
      const answer = second.pay();
      await reached;
      fill();
      await fillTables(market);
      delete points.plan["checkout:placing"];
      gate.resolve();
      const late = await answer;
      if (late.status !== 201) {
        expect([late.status, late.headers["retry-after"] !== undefined]).toEqual([503, true]);
        await expectNothing(market, second);
      }
      expect((await third.browser.get("/cart")).status).toBe(200);
      free();
      await expectOneOrder(market, second, await untilPlaced(market, second));
      await expectOneOrder(market, third, await untilPlaced(market, third));
      expect(await market.audit()).toEqual([]);
      await market.close();
    } finally {
      await postgres.stop();
    }
  },
);

/** Fills the free space of the tables an order writes, so that the next row needs a new page. */
async function fillTables({ db }: TestMarket) {
  await expect(
    execute(
      db,
      sql`insert into mail (key, template, to_email, data, created_at)
          select 'filler ' || n, 'x', 'a@example.com', '{}', now() from generate_series(1, 20000) n`,
    ),
  ).rejects.toMatchObject({ code: "53100" });
}

const FULL = ["checkout_attempt", "stock_hold", "payment", "orders", "order_item", "ledger_entry", "mail"];
const Row = z.object({ count: z.number() });

test(
  "checkout: one table of the order has no space: 503, nothing is written, and a later retry succeeds",
  {
    tags: ["fail:D7"],
  },
  async () => {
    const market = await buildTestApp();
    const { db } = market;
    const hub = await createHub(db);
    await execute(
      db,
      sql`create function no_room() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`,
    );
    for (const table of FULL) {
      const who = await buyer(market, hub.id);
      await execute(
        db,
        sql`create trigger no_room before insert on ${raw(table)} for each row execute function no_room()`,
      );
      const refused = await who.pay();
      expect([table, refused.status, refused.headers["retry-after"] !== undefined]).toEqual([table, 503, true]);
      await expectNothing(market, who);
      expect((await who.browser.get("/cart")).body.items).toHaveLength(1);
      expect((await who.browser.get("/orders")).status).toBe(200);
      await execute(db, sql`drop trigger no_room on ${raw(table)}`);
      await expectOneOrder(market, who, await untilPlaced(market, who));
      expect(await market.audit()).toEqual([]);
    }
    expect((await queryOne(db, sql`select count(*)::int as count from orders`, Row))?.count).toBe(FULL.length);
  },
);
