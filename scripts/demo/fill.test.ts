import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createDb, type Db, execute, query, queryOne, sql } from "@marketday/db";
import { createTestDatabase, type TestDatabase } from "@marketday/db/testing";
import { testPayments } from "@marketday/server/gateways/payments/test-provider";
import { verifyPassword } from "@marketday/server/lib/password";
import { findUnmatchedHolds } from "@marketday/server/modules/doctor/find-unmatched-holds";
import { audit } from "@marketday/server/modules/doctor/violation-sql";
import { findCards } from "@marketday/server/modules/feed/feed-sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { DemoError } from "../lib/demo.ts";
import { shoppers } from "./data/people.ts";
import { pictureRows } from "./data/pictures.ts";
import { allRecipes } from "./data/recipes.ts";
import { recipeId } from "./drawing/recipe.ts";
import { fillDemo } from "./fill.ts";

const now = new Date("2026-11-18T15:00:00Z");
const env = { pepper: "a pepper of the tests", dataDir: mkdtempSync(join(tmpdir(), "marketday-demo-")) };
const uploads = join(env.dataDir, "pictures", "uploads");
afterAll(() => rmSync(env.dataDir, { recursive: true, force: true }));
const count = async (db: Db, table: "hub" | "product" | "orders"): Promise<number> => {
  const row = await queryOne<{ hub: number; product: number; orders: number }>(
    db,
    sql`select (select count(*)::int from hub) as hub, (select count(*)::int from product) as product, (select count(*)::int from orders) as orders`,
  );
  return row?.[table] ?? -1;
};

describe("a filled market", () => {
  let base: TestDatabase;
  let db: Db;
  const steps: string[] = [];
  let left: unknown[];
  beforeAll(async () => {
    base = await createTestDatabase();
    db = createDb({ url: base.url });
    const failing = fillDemo({
      db,
      now,
      env,
      onProgress: (step) => {
        if (step.startsWith("Packing")) throw new Error("interrupted");
      },
    });
    await expect(failing).rejects.toThrow("interrupted");
    left = [await count(db, "hub"), await count(db, "product"), readdirSync(uploads)];
    const onProgress = (step: string, done: number, total: number) => steps.push(`${step} ${done <= total}`);
    await Promise.all([fillDemo({ db, now, env, onProgress }), fillDemo({ db, now, env, onProgress })]);
  });
  afterAll(async () => {
    await db.close();
    await base.drop();
  });

  test("demo: a fill that fails leaves no row and no file; two concurrent fills fill once", async () => {
    expect(left).toEqual([0, 0, []]);
    expect([await count(db, "hub"), await count(db, "product")]).toEqual([6, 1200]);
  });

  test("demo: a filled market has 6 hubs, 1,200 products and over 1,000 orders", async () => {
    expect(await count(db, "hub")).toBe(6);
    expect(await count(db, "product")).toBe(1200);
    expect(await count(db, "orders")).toBeGreaterThan(1000);
    const zones = await query<{ time_zone: string }>(db, sql`select distinct time_zone from hub order by 1`);
    expect(zones.map((row) => row.time_zone)).toEqual([
      "America/Chicago",
      "America/Denver",
      "America/Indiana/Indianapolis",
      "America/New_York",
    ]);
    expect(await queryOne(db, sql`select name from hub where id = 126`)).toEqual({ name: "Bloomington market" });
    expect(new Set(steps).size).toBeGreaterThan(8);
    expect(steps.at(-1)).toBe("The market is open true");
  });

  test("demo: stock, orders, ledger and payments pass the audit", { tags: ["fail:V1", "fail:V3"] }, async () => {
    expect(await audit(db, now)).toEqual([]);
  });

  test("demo: the test provider holds what the payments count on, so the doctor finds nothing", async () => {
    const payments = testPayments(db, () => now);
    expect((await payments.listOpen()).length).toBeGreaterThan(0);
    expect(await findUnmatchedHolds({ db, payments })).toEqual({ unmatched: [], uncheckedCount: 0 });
  });

  test("demo: each order has a mail that was sent", async () => {
    const missing = await query(
      db,
      sql`select o.id from orders o left join mail m on m.key = 'order-confirmation:' || o.id where m.id is null or m.sent_at is null`,
    );
    expect(missing).toEqual([]);
  });

  test("demo: store credit matches the ledger, and uses of discount codes are counted", async () => {
    const wrong = await query(
      db,
      sql`select c.id from customer c
          where c.credit_cents <> coalesce((select sum(amount_cents) from ledger_entry where account = 'store_credit' and customer_id = c.id), 0)
          union all
          select d.id from discount_code d where d.uses <> (select count(*) from discount_use u where u.discount_code_id = d.id)`,
    );
    expect(wrong).toEqual([]);
  });

  test("demo: each hub's feed has at least 40 cards of 7 types", async () => {
    for (const { id } of await query<{ id: number }>(db, sql`select id from hub`)) {
      const cards = await findCards(db, id, now);
      expect(cards.length).toBeGreaterThanOrEqual(40);
      expect(new Set(cards.map((card) => card.type)).size).toBeGreaterThanOrEqual(7);
      expect(cards.every((card) => card.created_at <= now)).toBe(true);
    }
  });

  test("demo: new rows get ids after those of the demo", async () => {
    const row = await queryOne<{ id: number }>(
      db,
      sql`insert into hub_closure (hub_id, day) values (1, '2030-01-01') returning (select nextval(pg_get_serial_sequence('product', 'id'))::int) as id`,
    );
    expect(row?.id).toBe(1201);
  });

  test("demo: the passwords of the three shoppers are valid", async () => {
    for (const { email, password } of shoppers) {
      const row = await queryOne<{ password_hash: string }>(
        db,
        sql`select password_hash from customer where email = ${email}`,
      );
      expect(await verifyPassword(row?.password_hash ?? null, password, env.pepper)).toBe(true);
    }
  });

  test("demo: filling again changes nothing and returns the same shoppers", async () => {
    const before = await count(db, "orders");
    expect(await fillDemo({ db, now, env })).toEqual({ shoppers: [...shoppers] });
    expect(await count(db, "orders")).toBe(before);
  });

  test("demo: the pictures of an earlier version, stored as recipes, become files wherever they are used", async () => {
    const used = sql`select product_id, position, picture_id from product_picture order by product_id, position`;
    const before = await query(db, used);
    const recipes = JSON.stringify(
      allRecipes.map(({ recipe }, place) => ({ id: pictureRows()[place]?.id, recipe_id: recipeId(recipe), recipe })),
    );
    await execute(
      db,
      sql`update picture p set id = r.recipe_id, recipe = r.recipe, file = null
          from (select distinct on (recipe_id) * from jsonb_to_recordset(${recipes}::jsonb) as r(id text, recipe_id text, recipe jsonb)) r
          where p.id = r.id`,
    );
    expect(await query(db, used)).not.toEqual(before);
    rmSync(uploads, { recursive: true });
    await fillDemo({ db, now, env });
    expect(await query(db, used)).toEqual(before);
    expect(await query(db, sql`select id from picture where recipe is not null`)).toEqual([]);
    expect(readdirSync(uploads).toSorted()).toEqual(
      pictureRows()
        .map(({ file }) => file)
        .toSorted(),
    );
  });

  test("demo: a market with other hubs is rejected", async () => {
    await query(db, sql`delete from market_fact returning key`);
    await expect(fillDemo({ db, now, env })).rejects.toThrow(DemoError);
  });
});
