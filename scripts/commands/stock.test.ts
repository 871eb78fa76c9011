import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { createHub } from "@marketday/server/testing/factories";
import { beforeAll, expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;

beforeAll(async () => {
  for (const slug of ["carmel", "denver"]) {
    const hub = await createHub(db);
    await db.hub.update({ where: { id: hub.id }, data: { slug } });
  }
  await db.vendor.create({
    data: { slug: "oak-farm", hash: "0123456789abcdef", name: "Oak Farm", city: "Sheridan", state: "IN" },
  });
  const file = join(market.dir, "products.csv");
  const rows = [
    "slug,title,vendor,storage,variant,unit,hub,price,sale_price,inventory,weekly_inventory",
    "brown-eggs,Brown eggs,oak-farm,cold,Dozen,12,carmel,6.50,,40,40",
    "brown-eggs,,,,Dozen,12,denver,7.50,6.00,20,",
    "brown-eggs,,,,Half dozen,6,carmel,3.75,,40,40",
    "goat-cheese,Goat cheese,oak-farm,cold,Round,5 oz,carmel,7.00,6.00,12,",
  ];
  writeFileSync(file, `${rows.join("\n")}\n`);
  await market.json("products", "import", file);
});

const offers = async (slug: string) =>
  (
    await db.offer.findMany({
      where: { variant: { product: { slug } } },
      orderBy: { id: "asc" },
      include: { variant: true, hub: true, adjustments: { orderBy: { id: "asc" } } },
    })
  ).map((offer) => ({ ...offer, at: `${offer.variant.title} ${offer.hub.slug}` }));
const prices = async (slug: string) =>
  (await offers(slug)).map(({ at, price_cents: price, sale_price_cents: sale }) => [at, price, sale]);

test("products set: sets the price of a variant in all its hubs or in one; a repeat changes nothing", async () => {
  const set = ["products", "set", "brown-eggs", "--variant", "dozen", "--price", "$6.75"];
  const dry = await market.run(...set, "--dry-run");
  expect(dry).toEqual({
    code: 0,
    out: "Would set brown-eggs:\n  Dozen, carmel: price 6.50 → $6.75\n  Dozen, denver: price 7.50 → $6.75\n",
    err: "",
  });
  expect(await prices("brown-eggs")).toContainEqual(["Dozen carmel", 650, null]);
  expect(await market.json(...set)).toMatchObject({ changed: true });
  expect(await prices("brown-eggs")).toEqual([
    ["Dozen carmel", 675, null],
    ["Dozen denver", 675, 600],
    ["Half dozen carmel", 375, null],
  ]);
  expect(await market.run(...set)).toEqual({
    code: 0,
    out: "Nothing changes: brown-eggs already has this value.\n",
    err: "",
  });
  const result = await market.run(
    "products",
    "set",
    "brown-eggs",
    "--variant",
    "Dozen",
    "--hub",
    "denver",
    "--sale-price",
    "none",
    "--inventory",
    "25",
  );
  expect(result.out).toBe(
    "Set brown-eggs:\n  Dozen, denver: sale_price 6.00 → none\n  Dozen, denver: inventory 20 → 25\n",
  );
  const [, denver] = await offers("brown-eggs");
  expect(denver).toMatchObject({ price_cents: 675, sale_price_cents: null, inventory: 25 });
  expect(denver?.adjustments.map(({ amount, reason }) => [amount, reason])).toEqual([
    [20, "import"],
    [5, "products set"],
  ]);
  const entries = await db.audit_entry.findMany({ where: { action: "products set" }, orderBy: { id: "asc" } });
  expect(entries.at(-1)).toMatchObject({ actor: "operator:ada", subject: "product:brown-eggs" });
  expect(JSON.stringify(entries.at(-1)?.data)).toContain('"inventory":"25"');
  expect(await market.audit()).toEqual([]);
});

test("products set: values of the product itself, and a new offer in a hub", async () => {
  const { out } = await market.run(
    "products",
    "set",
    "goat-cheese",
    "--title",
    "Soft goat cheese",
    "--storage",
    "frozen",
    "--published",
    "no",
  );
  expect(out).toBe(
    "Set goat-cheese:\n  title Goat cheese → Soft goat cheese\n  storage cold → frozen\n  published yes → no\n",
  );
  expect(await db.product.findUniqueOrThrow({ where: { slug: "goat-cheese" } })).toMatchObject({
    title: "Soft goat cheese",
    storage: "frozen",
    is_published: false,
  });
  await market.json("products", "set", "goat-cheese", "--hub", "denver", "--price", "8", "--inventory", "3");
  expect(await prices("goat-cheese")).toEqual([
    ["Round carmel", 700, 600],
    ["Round denver", 800, null],
  ]);
});

const rejections: [name: string, args: string[], code: number, err: string][] = [
  ["nothing to set", ["brown-eggs"], 2, "Give a value to set, such as --price 4.50; --help lists all options."],
  ["a mistyped product", ["brown-egs", "--price", "4"], 1, 'There is no product "brown-egs". Did you mean brown-eggs?'],
  [
    "several variants",
    ["brown-eggs", "--price", "4"],
    2,
    "brown-eggs has 2 variants: Dozen, Half dozen. Choose one with --variant.",
  ],
  [
    "an unknown variant",
    ["brown-eggs", "--variant", "Crate", "--price", "4"],
    1,
    'brown-eggs has no variant "Crate". Its variants are Dozen, Half dozen.',
  ],
  [
    "several invalid values",
    ["goat-cheese", "--hub", "carmel", "--price", "cheap", "--inventory", "-1", "--storage", "warm"],
    2,
    '--storage: "warm" should be one of dry, cold, frozen.\n--price: "cheap" should be an amount in dollars, such as 4.50.\n--inventory: "-1" should be a whole number from 0 to 1,000,000.\nNothing was written.',
  ],
  [
    "a price below the current sale price",
    ["goat-cheese", "--hub", "carmel", "--price", "5"],
    2,
    '--sale-price: "6.00" should be less than the price, or none for no sale.',
  ],
  [
    "an unknown hub",
    ["goat-cheese", "--hub", "carmle", "--price", "5"],
    2,
    '--hub: there is no hub "carmle". Did you mean carmel?',
  ],
];
test.each(rejections)(
  "products set, %s: refused with the reason, nothing is written",
  async (_name, args, code, err) => {
    const before = [await offers("brown-eggs"), await offers("goat-cheese")];
    const refused = await market.run("products", "set", ...args);
    expect([refused.code, refused.out, refused.err]).toEqual([code, "", expect.stringContaining(err)]);
    expect([await offers("brown-eggs"), await offers("goat-cheese")]).toEqual(before);
  },
);

test("stock: a vendor's items are listed, and set by number or name, all or none", async () => {
  const { out } = await market.run("stock", "count", "oak-farm", "--hub", "carmel");
  expect(out).toContain("Oak Farm: 3 items\n");
  expect(out).toMatch(/Brown eggs, Half dozen +6 +carmel +40 +40/);
  const [, , half] = await offers("brown-eggs");
  const number = String(half?.variant_id);
  const set = ["stock", "set", "oak-farm", `${number}=7`, "Brown eggs, Dozen=0", "--hub", "carmel"];
  expect((await market.run(...set, "--dry-run")).out).toBe(
    "Would set 2 counts of oak-farm:\n  Brown eggs, Half dozen, carmel: 40 → 7\n  Brown eggs, Dozen, carmel: 40 → 0\n",
  );
  expect((await market.run(...set)).out).toContain("Set 2 counts of oak-farm:");
  expect((await market.run(...set)).out).toBe("Nothing changes: the items already have these counts.\n");
  const counted = await offers("brown-eggs");
  expect(counted.map(({ at, inventory }) => [at, inventory])).toEqual([
    ["Dozen carmel", 0],
    ["Dozen denver", 25],
    ["Half dozen carmel", 7],
  ]);
  expect(counted[0]?.sold_out_at).not.toBeNull();
  expect(counted[2]?.adjustments.at(-1)).toMatchObject({ amount: -33, reason: "stock set" });

  const refused: [string[], number, string][] = [
    [
      ["stock", "set", "oak-farm", `${number}=9`, "Brown eggs, Dozen=5"],
      2,
      "Brown eggs, Dozen is sold in carmel, denver. Choose one with --hub.",
    ],
    [
      ["stock", "set", "oak-farm", `${number}=9`, "Brown eggs=5"],
      1,
      '"Brown eggs" may be more than one item of Oak Farm: Brown eggs, Dozen',
    ],
    [["stock", "set", "oak-farm", `${number}=9`, "Duck eggs=5"], 1, 'Oak Farm has no "Duck eggs"'],
    [["stock", "set", "oak-farm", `${number}=few`], 2, "is not a count. Write ITEM=UNITS"],
    [["stock", "set", "oak-farm", `${number}=9`, `${number}=8`], 2, "should be something else"],
    [["stock", "count", "oakfarm"], 1, 'There is no vendor "oakfarm". Did you mean oak-farm?'],
  ];
  for (const [args, code, err] of refused) {
    const result = await market.run(...args);
    expect([args, result.code, result.err]).toEqual([args, code, expect.stringContaining(err)]);
  }
  expect((await offers("brown-eggs"))[2]?.inventory).toBe(7);
  expect(await market.audit()).toEqual([]);
});

test("stock set: an item of a size that is called None is set by its number", async () => {
  await db.variant.updateMany({ where: { title: "Round" }, data: { title: "None" } });
  const [offer] = await offers("goat-cheese");
  expect(await market.run("stock", "set", "oak-farm", `${offer!.variant_id}=5`, "--hub", "carmel")).toMatchObject({
    code: 0,
    err: "",
  });
  expect((await offers("goat-cheese"))[0]).toMatchObject({ inventory: 5, variant: { title: "None" } });
});

test("a product on sale without a size is named by dry run, import and doctor with what to do, until its unit says it", async () => {
  const file = join(market.dir, "sizes.csv");
  const rows = [
    "slug,title,vendor,variant,unit,measure,measure_amount,hub,price,inventory,published",
    "strawberry-jam,Strawberry jam,oak-farm,Each,,,,carmel,8.00,9,",
    "plum-jam,Plum jam,oak-farm,Default Title,,,,carmel,8.00,9,",
    "plum-jam,,,Default Title,,,,denver,8.50,9,",
    "peach-jam,Peach jam,oak-farm,Each,8 oz,,,carmel,8.00,9,",
    "fig-jam,Fig jam,oak-farm,Each,,oz,8,carmel,8.00,9,",
    '"pear-jam","Pear jam, 8 oz",oak-farm,Each,,,,carmel,8.00,9,',
    "peppers,Bell peppers,oak-farm,Each,each,,,carmel,1.00,9,",
    "quince-jam,Quince jam,oak-farm,Each,,,,carmel,8.00,9,no",
    "grape-jam,Grape jam,oak-farm,Each,,,,,,,",
  ];
  writeFileSync(file, `${rows.join("\n")}\n`);
  const note =
    "Without a size, so shoppers don't see how much they buy: row 2 (strawberry-jam, Each); row 3 (plum-jam, Default Title). Write it in variant or unit, such as 8 oz, or in measure and measure_amount; what is sold by the piece has each in unit.\n";
  for (const flags of [["--dry-run"], []])
    expect(await market.run("products", "import", file, ...flags)).toMatchObject({
      code: 0,
      out: expect.stringContaining(note),
    });
  const sizes = async () => {
    const { code, out } = await market.run("doctor", "--json");
    const found = JSON.parse(out) as { invariant: string; problem: string; advice: string }[];
    return [code, ...found.filter(({ invariant }) => invariant === "size").map(({ problem }) => problem)];
  };
  const jams = ["plum-jam: Plum jam, Default Title (Oak Farm)", "strawberry-jam: Strawberry jam, Each (Oak Farm)"];
  expect(await sizes()).toEqual([0, ...jams]);
  expect((await market.run("doctor")).out).toMatch(/^Everything adds up\.\n(.*\n)*size: Shoppers don't see how much/);
  await market.json("products", "set", "strawberry-jam", "--unit", "8 oz");
  await market.json("products", "set", "plum-jam", "--unit", "each");
  expect(await sizes()).toEqual([0]);
});
