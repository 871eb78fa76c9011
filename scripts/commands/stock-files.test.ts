import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { execute, sql } from "@marketday/db";
import { readSums } from "@marketday/db/testing/old-database";
import { buildTestApp } from "@marketday/server/testing/app";
import { CHOICE, createHub, createHubNow, createProduct } from "@marketday/server/testing/factories";
import { signIn } from "@marketday/server/testing/sign-in";
import { beforeEach, describe, expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;

const file = (name: string, text: string): string => {
  const path = join(market.dir, name);
  writeFileSync(path, text);
  return path;
};
const products = (...args: string[]) => market.run("products", ...args);

/** A hub, a vendor, and eggs of which 40 are for sale. */
beforeEach(async () => {
  await execute(db, sql`truncate product, hub, vendor cascade`);
  const hub = await createHub(db);
  await db.hub.update({ where: { id: hub.id }, data: { slug: "carmel" } });
  await db.vendor.create({
    data: { slug: "oak-farm", hash: "0123456789abcdef", name: "Oak Farm", city: "Sheridan", state: "IN" },
  });
  const text = [
    "slug,title,vendor,variant,unit,hub,price,inventory,weekly_inventory",
    "brown-eggs,Brown eggs,oak-farm,Dozen,dozen,carmel,6.50,40,40",
    "goat-cheese,Goat cheese,oak-farm,Round,5 oz,carmel,7.00,12,",
  ];
  expect(await products("import", file("start.csv", text.join("\n")))).toMatchObject({ code: 0 });
});

const offer = (slug = "brown-eggs") => db.offer.findFirstOrThrow({ where: { variant: { product: { slug } } } });
/** What a checkout does to the stock of an offer: units are reserved, or a hold ends. */
const sell = (units: number) =>
  execute(
    db,
    sql`update offer set inventory = inventory - ${units}::int where id = (
          select o.id from offer o join variant v on v.id = o.variant_id join product p on p.id = v.product_id where p.slug = 'brown-eggs')`,
  );

/** Exports products, and changes the file. @returns its path */
async function exported(ending: "csv" | "json", change: (text: string) => string): Promise<string> {
  const path = join(market.dir, `products.${ending}`);
  await products("export", path);
  writeFileSync(path, change(readFileSync(path, "utf8")));
  return path;
}
const asCsv = (from: string, to: string) => (text: string) => text.replace(from, to);
const eggsOf = (price: string, stock: number, base: number | "") => `carmel,${price},,${stock},${base},40`;

describe("the stock of an exported file", () => {
  for (const ending of ["csv", "json"] as const)
    test(`${ending}: a price that changes leaves what was sold since the export sold`, async () => {
      const path = await exported(ending, (text) => text.replace("6.50", "6.75"));
      await sell(12);
      const { out, code } = await products("import", path);
      expect([code, out]).toEqual([0, expect.stringContaining("price $6.50 → $6.75")]);
      expect(out).not.toContain("inventory");
      expect(await offer()).toMatchObject({ inventory: 28, price_cents: 675, sold_out_at: null });
    });

  for (const ending of ["csv", "json"] as const)
    test(`${ending}: a count is imported while the stock is as it was exported, and named, old and new`, async () => {
      const path = await exported(
        ending,
        ending === "csv"
          ? asCsv(eggsOf("6.50", 40, 40), eggsOf("6.50", 36, 40))
          : (text) => text.replace('"inventory":"40"', '"inventory":36'),
      );
      const change = "  brown-eggs, Dozen, carmel: inventory 40 → 36\n";
      const dry = await products("import", path, "--dry-run");
      expect([dry.code, dry.out]).toEqual([0, expect.stringContaining(`Values that would change:\n${change}`)]);
      expect((await offer()).inventory).toBe(40);
      expect((await products("import", path)).out).toContain(`Values that changed:\n${change}`);
      expect((await offer()).inventory).toBe(36);
      expect((await products("import", path)).out).toContain("nothing was changed");
    });

  test("a count is refused after a sale, with the numbers, in the dry run too; --count is what is there now", async () => {
    const path = await exported("csv", asCsv(eggsOf("6.50", 40, 40), eggsOf("6.75", 36, 40)));
    await sell(12);
    const before = await readSums(db);
    for (const flags of [["--dry-run"], []]) {
      const { code, out, err } = await products("import", path, ...flags);
      expect([code, out]).toEqual([3, ""]);
      expect(err).toMatch(
        /row 2, inventory \(column [A-Z]+\): the stock was 40 when the file was exported, is 28 now, and the file says 36\. Export again, or leave the cell empty; if 36 is what is there now, import with --count\.\nNothing was written/,
      );
    }
    expect(await readSums(db)).toEqual(before);
    const { out } = await products("import", path, "--count");
    expect(out).toContain("inventory 28 → 36");
    // What the file was exported with is no value of the market.
    expect(out).not.toContain("inventory_exported");
    expect(await offer()).toMatchObject({ inventory: 36, price_cents: 675 });
  });

  test("--count leaves rows as they are whose numbers are equal", async () => {
    const path = await exported("csv", asCsv(",12,12,", ",9,12,"));
    await sell(12);
    expect(await products("import", path, "--count")).toMatchObject({ code: 0 });
    expect([(await offer()).inventory, (await offer("goat-cheese")).inventory]).toEqual([28, 9]);
  });

  test("a sale between the dry run and the import: the count is refused", async () => {
    const path = await exported("csv", asCsv(eggsOf("6.50", 40, 40), eggsOf("6.50", 36, 40)));
    expect(await products("import", path, "--dry-run")).toMatchObject({ code: 0 });
    await sell(1);
    expect(await products("import", path)).toMatchObject({ code: 3, err: expect.stringContaining("is 39 now") });
    expect((await offer()).inventory).toBe(39);
  });

  test("a sale while the file is imported: the stock is what is left of both, and never more", async () => {
    const counted = await exported("csv", asCsv(eggsOf("6.50", 40, 40), eggsOf("6.50", 36, 40)));
    const [{ code }] = await Promise.all([products("import", counted), sell(5)]);
    // Whichever is first: the count and then the sale, or the sale, after which the count is refused.
    expect((await offer()).inventory).toBe(code === 0 ? 31 : 35);
    const unchanged = await exported("csv", asCsv("Brown eggs", "Eggs"));
    const { inventory } = await offer();
    await Promise.all([products("import", unchanged), sell(5)]);
    expect((await offer()).inventory).toBe(inventory - 5);
  });

  test("a new week refills between export and import: the file does not take it back", async () => {
    await sell(30);
    const path = await exported("csv", asCsv("6.50", "6.75"));
    await sell(-30);
    expect(await products("import", path)).toMatchObject({ code: 0 });
    expect((await offer()).inventory).toBe(40);
  });

  test("--keep-going: only the product whose stock has changed is left out", async () => {
    const path = await exported("csv", (text) =>
      text.replace(eggsOf("6.50", 40, 40), eggsOf("6.75", 36, 40)).replace("7.00,,12,12", "7.25,,10,12"),
    );
    await sell(12);
    expect(await products("import", path, "--keep-going")).toMatchObject({ code: 5 });
    expect(await offer()).toMatchObject({ inventory: 28, price_cents: 650 });
    expect(await offer("goat-cheese")).toMatchObject({ inventory: 10, price_cents: 725 });
  });

  test("an empty cell of stock leaves it, and `none` of the weekly stock ends the refills", async () => {
    const path = await exported("csv", asCsv("6.50,,40,40,40", "6.50,,,40,none"));
    await sell(12);
    expect((await products("import", path)).out).toContain("brown-eggs, Dozen, carmel: weekly_inventory 40 → none");
    expect(await offer()).toMatchObject({ inventory: 28, weekly_inventory: null });
  });

  test("a market that has none of the products gets them with their stock", async () => {
    const path = await exported("csv", (text) => text);
    await execute(db, sql`truncate product cascade`);
    expect(await products("import", path)).toMatchObject({ code: 0 });
    expect([(await offer()).inventory, (await offer("goat-cheese")).inventory]).toEqual([40, 12]);
  });
});

describe("a file without the exported stock", () => {
  const own = (...rows: string[]) => file("own.csv", ["slug,variant,hub,price,inventory", ...rows].join("\n"));

  test("a number that differs from the stock is refused with both; --count imports it; an equal one passes", async () => {
    const same = own("brown-eggs,Dozen,carmel,6.75,40");
    expect(await products("import", same)).toMatchObject({ code: 0 });
    await sell(12);
    const { code, err } = await products("import", same);
    expect([code, err]).toEqual([
      3,
      expect.stringContaining(
        "the stock is 28 now and the file says 40, without the number it had when the file was exported (inventory_exported).",
      ),
    ]);
    expect((await offer()).inventory).toBe(28);
    const counted = await products("import", own("brown-eggs,Dozen,carmel,6.75,30"), "--count");
    expect([counted.code, counted.out]).toEqual([0, expect.stringContaining("inventory 28 → 30")]);
    expect((await offer()).inventory).toBe(30);
  });

  test("without a column inventory the stock stays", async () => {
    await sell(12);
    const path = file("prices.csv", "slug,variant,hub,price\nbrown-eggs,Dozen,carmel,6.75\n");
    expect(await products("import", path)).toMatchObject({ code: 0 });
    expect(await offer()).toMatchObject({ inventory: 28, price_cents: 675 });
  });
});

describe("new offers without a number", () => {
  const sizes = async (text: string, ...flags: string[]) => products("import", file("new.csv", text), ...flags);
  const stockOf = async (slug: string) => {
    const { inventory, sold_out_at: soldOutAt } = await offer(slug);
    return [inventory, soldOutAt !== null];
  };

  test("they start with their weekly stock, and dry run and import name them", async () => {
    const text = [
      "slug,title,vendor,variant,unit,hub,price,inventory,weekly_inventory",
      "sweet-corn,Sweet corn,oak-farm,Six ears,6,carmel,4.00,,40",
    ].join("\n");
    const note =
      "New offers without a number in inventory start with their weekly stock: sweet-corn, Six ears, carmel.";
    expect((await sizes(text, "--dry-run")).out).toContain(note);
    expect((await sizes(text)).out).toContain(note);
    expect(await stockOf("sweet-corn")).toEqual([40, false]);
    expect((await sizes(text)).out).not.toContain("New offers");
    expect(await market.audit()).toEqual([]);
  });

  test("without a weekly stock they start sold out, and both outputs say so; a number of 0 needs no note", async () => {
    const text = [
      "slug,title,vendor,variant,hub,price,inventory",
      "plums,Plums,oak-farm,Bag,carmel,4.00,",
      "quince,Quince,oak-farm,Bag,carmel,4.00,0",
    ].join("\n");
    const note = "New offers without a number in inventory or weekly_inventory start sold out: plums, Bag, carmel.\n";
    expect((await sizes(text, "--dry-run")).out).toContain(note);
    expect((await sizes(text)).out).toContain(note);
    expect([await stockOf("plums"), await stockOf("quince")]).toEqual([
      [0, true],
      [0, true],
    ]);
  });

  test("a new size of a product that exists starts with its weekly stock, also without a column inventory and in JSON", async () => {
    const csv = "slug,variant,hub,price,weekly_inventory\nbrown-eggs,Half dozen,carmel,3.75,12\n";
    expect((await sizes(csv)).out).toContain("start with their weekly stock: brown-eggs, Half dozen, carmel.");
    const json = [{ slug: "brown-eggs", variant: "Flat", hub: "carmel", price: 15, weekly_inventory: 5 }];
    const path = file("new.json", JSON.stringify(json));
    expect((await products("import", path)).out).toContain("start with their weekly stock: brown-eggs, Flat, carmel.");
    const offers = await db.offer.findMany({
      where: { variant: { product: { slug: "brown-eggs" } } },
      orderBy: { id: "asc" },
    });
    expect(offers.map(({ inventory }) => inventory)).toEqual([40, 12, 5]);
  });
});

test("products set and stock set count by hand, and leave the price that another operator set", async () => {
  await sell(12);
  expect(await products("set", "brown-eggs", "--inventory", "30")).toMatchObject({ code: 0 });
  expect((await offer()).inventory).toBe(30);
  expect(await market.run("stock", "set", "oak-farm", "Brown eggs, Dozen=36")).toMatchObject({ code: 0 });
  expect(await offer()).toMatchObject({ inventory: 36, price_cents: 650 });
  const refused = await products("set", "brown-eggs", "--inventory", "none");
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("Write 0 if nothing is left") });
});

test("JSON on one line: each object is a row", async () => {
  const rows = ["apples", "pears", "plums"].map((slug, place) => ({
    slug,
    title: slug,
    vendor: "oak-farm",
    variant: "Bag",
    hub: "carmel",
    price: place + 2,
    inventory: place + 10,
  }));
  expect(await products("import", file("line.json", JSON.stringify(rows)))).toMatchObject({ code: 0 });
  const found = await Promise.all(["apples", "pears", "plums"].map((slug) => offer(slug)));
  expect(found.map((each) => [each.price_cents, each.inventory])).toEqual([
    [200, 10],
    [300, 11],
    [400, 12],
  ]);
});

test("units that a shopper ordered after the export stay sold; a count of them is refused, and --count leaves the books in order", async () => {
  const shop = await operatedMarket();
  const app = await buildTestApp({ url: shop.url, now: new Date().toISOString() });
  const hub = await createHubNow(shop.db);
  const eggs = await createProduct(shop.db, hub.id, { title: "Eggs", priceCents: 650, inventory: 40 });
  const path = join(shop.dir, "products.csv");
  await shop.run("products", "export", path);
  const text = readFileSync(path, "utf8");

  const shopper = await signIn(app, { hubId: hub.id });
  await shopper.put("/cart", [eggs.line(12)]);
  const { body: quote } = await shopper.post("/checkout/quote", CHOICE);
  const placed = await shopper.post("/checkout", { ...CHOICE, expectedTotal: quote.orderTotal });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);

  const readOffer = () => shop.db.offer.findFirstOrThrow();
  writeFileSync(path, text.replace("6.50", "6.75"));
  expect(await shop.run("products", "import", path)).toMatchObject({ code: 0 });
  expect(await readOffer()).toMatchObject({ inventory: 28, price_cents: 675 });
  writeFileSync(path, text.replace(",40,40,", ",36,40,"));
  expect(await shop.run("products", "import", path)).toMatchObject({
    code: 3,
    err: expect.stringContaining("the stock was 40 when the file was exported, is 28 now, and the file says 36."),
  });
  expect((await readOffer()).inventory).toBe(28);
  expect(await shop.run("products", "import", path, "--count")).toMatchObject({ code: 0 });
  expect((await readOffer()).inventory).toBe(36);
  expect(await shop.audit()).toEqual([]);
});
