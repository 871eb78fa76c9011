import { execute, sql, sqlTransaction } from "@marketday/db";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, setCard } from "../../../test/factories.ts";
import { countDeadlocks, waitForLock } from "../../../test/locks.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { findVendorList } from "../week/snapshot-store.ts";
import { importFile } from "./import-file.ts";
import { products } from "./kinds/products.ts";

const market = await buildTestApp();
const { db, deps } = market;
beforeEach(() => market.clock.set(MONDAY));
const context = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });

/** Imports a file of products with one row. */
const take = (cells: Record<string, string>, dryRun = false) => {
  const file = {
    name: "products.csv",
    header: Object.keys(cells),
    // oxlint-disable-next-line typescript/require-await -- rows of a file come one after the other
    rows: (async function* () {
      yield { line: 2, cells, positionOf: () => null };
    })(),
  };
  const how = { dryRun, keepGoing: false, accepted: null, signal: new AbortController().signal };
  return importFile(context(), products, file, how);
};

test("a variant that is renamed between two orders: orders, carts and the vendor's list show one name", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 20 });
  const { variant } = eggs;
  const shopper = async () => {
    const who = await signIn(market, { hubId: hub.id });
    await setCard(db, who.customer.id);
    return who;
  };
  const buy = async (who: Awaited<ReturnType<typeof shopper>>) => {
    const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
    const placed = await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    market.clock.advance(1000);
    return placed.body.orderId as number;
  };
  const [ada, ben] = [await shopper(), await shopper()];
  await ada.put("/cart", [eggs.line(1)]);
  await ben.put("/cart", [eggs.line(2)]);
  const first = await buy(ada);

  const product = await db.product.findUniqueOrThrow({ where: { id: variant.product_id } });
  const { renamed } = await take({ slug: product.slug, variant: "Half brisket", variant_id: String(variant.id) });
  expect(renamed).toEqual([{ subject: product.slug, before: variant.title, after: "Half brisket" }]);

  const second = await buy(ben);
  const items = await db.order_item.findMany({ where: { order_id: { in: [first, second] } } });
  expect(items.map(({ variant_id, variant_title }) => [variant_id, variant_title])).toEqual([
    [variant.id, "Half brisket"],
    [variant.id, "Half brisket"],
  ]);
  market.clock.set("2026-11-25T06:00:00Z");
  await runWeek(context());
  const snapshot = await db.snapshot.findFirstOrThrow({ where: { hub_id: hub.id } });
  const list = await findVendorList(deps.db, snapshot.id, product.vendor_id);
  expect(list!.lines.map(({ variant: title, quantity }) => [title, quantity])).toEqual([["Half brisket", 3]]);
  expect(await market.audit()).toEqual([]);
});

test("a row that renames and counts a variant while an order of it changes: orders are locked before offers, without a deadlock", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 20 });
  const who = await signIn(market, { hubId: hub.id });
  await setCard(db, who.customer.id);
  await who.put("/cart", [eggs.line(2)]);
  const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
  const { orderId } = (await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal })).body;
  const { slug } = await db.product.findUniqueOrThrow({ where: { id: eggs.variant.product_id } });
  const { slug: hubSlug } = await db.hub.findUniqueOrThrow({ where: { id: hub.id } });
  const { id: offerId } = await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } });
  const before = await countDeadlocks(db);
  const imported = await sqlTransaction(db, async (tx) => {
    await execute(tx, sql`select id from orders where id = ${orderId}::int for update`);
    const result = take({
      slug,
      variant: "Crate",
      variant_id: String(eggs.variant.id),
      hub: hubSlug,
      inventory: "17",
      inventory_exported: "18",
    });
    await waitForLock(db, result);
    await execute(tx, sql`select id from offer where id = ${offerId}::int for update`);
    return { result };
  });
  expect(await imported.result).toMatchObject({ renamed: [{ after: "Crate" }], counts: { offers: { changed: 1 } } });
  expect(await countDeadlocks(db)).toBe(before);
  expect(await db.order_item.findMany({ where: { order_id: orderId } })).toMatchObject([{ variant_title: "Crate" }]);
  expect(await market.audit()).toEqual([]);
});

test("a dry run that renames and counts, while an order and the stock change: it finishes, and neither waits for the other", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 20 });
  const who = await signIn(market, { hubId: hub.id });
  await setCard(db, who.customer.id);
  await who.put("/cart", [eggs.line(2)]);
  const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
  const { orderId } = (await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal })).body;
  const { slug } = await db.product.findUniqueOrThrow({ where: { id: eggs.variant.product_id } });
  const { slug: hubSlug } = await db.hub.findUniqueOrThrow({ where: { id: hub.id } });
  const cells = {
    slug,
    variant: "Crate",
    variant_id: String(eggs.variant.id),
    hub: hubSlug,
    price: "9.00",
    inventory: "17",
    inventory_exported: "18",
  };
  await sqlTransaction(db, async (tx) => {
    await execute(tx, sql`select id from orders where id = ${orderId}::int for update`);
    await execute(tx, sql`update offer set inventory = inventory where variant_id = ${eggs.variant.id}::int`);
    // What a new line of an order or a cart locks.
    await execute(tx, sql`select id from variant where id = ${eggs.variant.id}::int for key share`);
    await execute(tx, sql`select id from product where slug = ${slug} for key share`);
    expect(await take(cells, true)).toMatchObject({
      renamed: [{ before: eggs.variant.title, after: "Crate" }],
      counts: { offers: { created: 0, changed: 1 } },
      fields: { changes: [{ field: "inventory", before: "18", after: "17" }] },
    });
    // A new size, and a number that is not the stock now.
    expect(await take({ ...cells, variant: "Box", variant_id: "", price: "5.00" }, true)).toMatchObject({
      counts: { variants: { created: 1 }, offers: { created: 1 } },
    });
    await expect(take({ ...cells, inventory_exported: "19" }, true)).rejects.toMatchObject({
      problems: [{ column: "inventory" }],
    });
  });
  expect(await db.variant.findMany({ where: { product_id: eggs.variant.product_id } })).toMatchObject([
    { title: eggs.variant.title },
  ]);
  expect(await db.offer.findMany({ where: { variant_id: eggs.variant.id } })).toMatchObject([{ inventory: 18 }]);
  expect(await market.audit()).toEqual([]);
});
