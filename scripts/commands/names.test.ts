import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createHub } from "@marketday/server/testing/factories";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;
beforeAll(async () => {
  const hub = await createHub(db);
  await db.hub.update({ where: { id: hub.id }, data: { slug: "carmel" } });
  await db.vendor.create({
    data: { slug: "oak-farm", hash: "0123456789abcdef", name: "Oak Farm", city: "Sheridan", state: "IN" },
  });
});
beforeEach(async () => {
  await db.bundle.deleteMany();
  await db.product.deleteMany();
});

const file = (lines: readonly string[], name = "names.csv"): string => {
  const path = join(market.dir, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
};
/** Imports rows; the messages of a refused file. */
async function imported(kind: string, lines: readonly string[], ...options: string[]) {
  const path = file(lines);
  const { code, out, err } = await market.run(kind, "import", path, ...options);
  if (code === 70) throw new Error(err);
  return { code, out, problems: err.split("\n").map((line) => line.replace(`${path}: `, "")) };
}

const HEAD = "slug,title,vendor,variant,unit,hub,price,inventory,weekly_inventory";
const BRISKET = ["brisket,Brisket,oak-farm,1/2,half,carmel,48.00,6,6", "brisket,,,2-4,pack,carmel,30.00,10,10"];
const variants = async () =>
  (await db.variant.findMany({ orderBy: { id: "asc" } })).map(({ title, unit }) => [title, unit]);

describe("cells that a spreadsheet changed", () => {
  test("sizes that became dates are refused by row and column, and no size is new", async () => {
    expect((await imported("products", [HEAD, ...BRISKET])).code).toBe(0);
    const dates = [
      HEAD,
      "brisket,Brisket,oak-farm,2-Jan,half,carmel,48.00,6,6",
      "brisket,,,4-Feb,pack,carmel,30,10,10",
    ];
    for (const options of [[], ["--dry-run"]]) {
      const { code, problems } = await imported("products", dates, ...options);
      expect(code).toBe(3);
      expect(problems.slice(0, 2)).toEqual([
        'row 2, variant (column D): "2-Jan" looks like a date that a spreadsheet made; was it 1/2? Or 1-2? If it is meant so, --accept-names takes it.',
        'row 3, variant (column D): "4-Feb" looks like a date that a spreadsheet made; was it 2/4? Or 2-4? If it is meant so, --accept-names takes it.',
      ]);
    }
    expect(await variants()).toEqual([
      ["1/2", "half"],
      ["2-4", "pack"],
    ]);
  });

  test("a file in which every row is doubtful: each cell is refused but those that the market has, and the first 50 are printed", async () => {
    const count = 5_000;
    const rows = (from: number) =>
      Array.from({ length: count }, (_, n) => `p-${from + n},2-Jan,oak-farm,4-Feb,1.00E+05,carmel,3,1,`);
    expect((await imported("products", [HEAD, ...rows(0).slice(0, 10)], "--accept-names")).code).toBe(0);
    const { code, problems } = await imported("products", [HEAD, ...rows(0)]);
    expect(code).toBe(3);
    expect(problems[0]).toMatch(/^row 12, title \(column B\): "2-Jan" looks like a date/);
    // Three cells of each row.
    expect(problems[50]).toBe(
      `… and ${(3 * (count - 10) - 50).toLocaleString("en-US")} more. With --keep-going all of them are written to a file beside it.`,
    );
    expect(await db.product.count()).toBe(10);
  });

  test("a title that is really like a date is taken with --accept-names, and its export changes nothing", async () => {
    const lines = [HEAD, "brisket,Brisket,oak-farm,2-Jan,2026-01-02,carmel,48.00,6,6"];
    expect((await imported("products", lines)).code).toBe(3);
    expect((await imported("products", lines, "--accept-names")).code).toBe(0);
    expect(await variants()).toEqual([["2-Jan", "2026-01-02"]]);
    const path = join(market.dir, "export.csv");
    await market.run("products", "export", path);
    expect((await market.run("products", "import", path)).out).toContain("nothing was changed");
    const set = ["products", "set", "brisket", "--unit", "1.00E+05"];
    expect((await market.run(...set)).err).toContain(
      '--unit: "1.00E+05" looks like a number that a spreadsheet shortened',
    );
    expect((await market.run(...set, "--accept-names")).code).toBe(0);
  });

  const cells: [kind: string, lines: string[], problem: string][] = [
    [
      "products",
      [HEAD, "10-Mar,Brisket,oak-farm,Each,,carmel,4,1,"],
      'row 2, slug (column A): "10-Mar" looks like a date that a spreadsheet made; was it mar-10? Or 3-10? It should be a short name',
    ],
    [
      "products",
      [HEAD, "2026-01-02,Brisket,oak-farm,Each,,carmel,4,1,"],
      'row 2, slug (column A): "2026-01-02" looks like',
    ],
    ["products", [HEAD, "a,#NAME?,oak-farm,Each,,carmel,4,1,"], 'row 2, title (column B): "#NAME?" is what'],
    ["products", [HEAD, "a,=A1,oak-farm,Each,,carmel,4,1,"], 'row 2, title (column B): "=A1" begins like a formula'],
    ["products", [HEAD, "a,A,oak-farm,45323,,carmel,4,1,"], 'row 2, variant (column D): "45323" looks like a date'],
    ["products", [HEAD, "a,A,oak-farm,Each,6.0,carmel,4,1,"], 'row 2, unit (column E): "6.0" looks like a number'],
    [
      "products",
      ["slug,title,vendor,variant,description,tags", "a,A,oak-farm,Each,#REF!,farm|2-Jan"],
      'row 2, description (column E): "#REF!" is what',
    ],
    [
      "products",
      ["slug,title,vendor,variant,tags", "a,A,oak-farm,Each,farm|2-Jan"],
      'row 2, tags (column E): "2-Jan" looks like a date',
    ],
    ["vendors", ["slug,name,city,state", "elm,02/01/2026,Sheridan,IN"], 'row 2, name (column B): "02/01/2026" looks'],
    ["vendors", ["slug,name,city,state", "elm,Elm,########,IN"], 'row 2, city (column C): "########" is what'],
    [
      "collections",
      ["slug,title", "1-Dec,December"],
      'row 2, slug (column A): "1-Dec" looks like a date that a spreadsheet made; was it dec-1?',
    ],
    ["collections", ["slug,title", "december,TRUE"], 'row 2, title (column B): "TRUE" looks like'],
    ["bundles", ["slug,title,items", "b,2-janv,1 x a / Each"], 'row 2, title (column B): "2-janv" looks like a date'],
    ["discounts", ["code,percent", "2-Jan,5"], 'row 2, code (column A): "2-Jan" looks like a date'],
    ["discounts", ["code,percent", "1E5,5"], 'row 2, code (column A): "1E5" looks like a number'],
    ["discounts", ["code,percent", "1.00E+05,5"], 'row 2, code (column A): "1.00E+05" looks like a number'],
    ["banners", ["type,title", "information,2-Jan"], 'row 2, title (column B): "2-Jan" looks like a date'],
    ["posts", ["type,title", "staff-pick,#N/A"], 'row 2, title (column B): "#N/A" is what'],
  ];
  test.each(cells)("%s %j: refused with %s", async (kind, lines, problem) => {
    const { code, problems } = await imported(kind, lines);
    expect([code, problems[0]]).toEqual([3, expect.stringContaining(problem)]);
    expect(problems[0]).not.toMatch(/Did you mean/);
  });

  test("a code of digits, a percentage and a size in inches are names", async () => {
    const lines = [
      HEAD,
      "milk,Milk,oak-farm,2%,1 gal,carmel,4,1,",
      "milk,,,1/2,8 in,carmel,4,1,",
      "milk,,,12,6,carmel,4,1,",
    ];
    expect((await imported("products", lines)).code).toBe(0);
    expect((await imported("discounts", ["code,percent", "45323,5"])).code).toBe(0);
  });
});

describe("names that differ only in how they are written", () => {
  const first: [kind: string, lines: string[], again: string[], problem: string][] = [
    [
      "products",
      [HEAD, "eggs,Eggs,oak-farm,Half dozen,6,carmel,4,1,"],
      [HEAD, "eggs,,,half-dozen,6,carmel,4,1,"],
      'row 2, variant (column D): "half-dozen" is nearly the same name: there is a variant "Half dozen" already. Did you mean Half dozen? To rename it, write its variant_id in the row, as `market products export` has it. If it is meant so, --accept-names takes it.',
    ],
    [
      "products",
      [HEAD, "brown-eggs,Brown eggs,oak-farm,Each,,carmel,4,1,"],
      [HEAD, "browneggs,Eggs of hens,oak-farm,Each,,carmel,4,1,"],
      'row 2, slug (column A): "browneggs" is nearly the same name: there is a product "brown-eggs" already. Did you mean brown-eggs?',
    ],
    [
      "products",
      [HEAD, "creme,Crème fraîche,oak-farm,Each,,carmel,4,1,"],
      [HEAD, "cream,Creme Fraiche,oak-farm,Each,,carmel,4,1,"],
      'row 2, title (column B): "Creme Fraiche" is nearly the same name: there is a product of the vendor "Crème fraîche" (creme) already. Did you mean creme?',
    ],
    [
      "vendors",
      ["slug,name,city,state", "rose-hill,Rose Hill,Sheridan,IN"],
      ["slug,name,city,state", "rose,ROSE  HILL,Sheridan,IN"],
      'row 2, name (column B): "ROSE HILL" is nearly the same name: there is a vendor "Rose Hill" (rose-hill) already. Did you mean rose-hill?',
    ],
    [
      "collections",
      ["slug,title", "dairy-case,Dairy case"],
      ["slug,title", "dairy,Dairy\u2013Case"],
      'row 2, title (column B): "Dairy\u2013Case" is nearly the same name: there is a collection "Dairy case" (dairy-case) already. Did you mean dairy-case?',
    ],
    [
      "discounts",
      ["code,percent", "HARVEST-10,10"],
      ["code,percent", "harvest10,10"],
      'row 2, code (column A): "HARVEST10" is nearly the same name: there is a code "HARVEST-10" already. Did you mean HARVEST-10?',
    ],
    [
      "banners",
      ["type,title", "information,We are open"],
      ["type,title", "information,We are Open"],
      'row 2, title (column B): "We are Open" is nearly the same name: there is a banner "We are open" already. Did you mean We are open?',
    ],
    [
      "posts",
      ["type,title,text", "staff-pick,Best honey,A"],
      ["type,title,text", "staff-pick,Best Honey,A"],
      'row 2, title (column B): "Best Honey" is nearly the same name: there is a post "Best honey" already. Did you mean Best honey?',
    ],
  ];
  test.each(first)("%s %j, then %j: refused with did you mean", async (kind, lines, again, problem) => {
    expect((await imported(kind, lines)).code).toBe(0);
    const { code, problems } = await imported(kind, again);
    expect([code, problems[0]]).toEqual([3, expect.stringContaining(problem)]);
    expect((await imported(kind, lines)).out).toContain("nothing was changed");
    expect((await imported(kind, again, "--accept-names")).code).toBe(0);
  });

  test("two rows of one file are refused too", async () => {
    const { code, problems } = await imported("products", [
      HEAD,
      "eggs,Eggs,oak-farm,Dozen,,carmel,4,1,",
      "eggs,,,dozen ,,carmel,4,1,",
      "eggs,,,Do\u200Bzen,,carmel,4,1,",
    ]);
    expect([code, problems.length]).toEqual([3, 4]);
    expect(problems[0]).toContain(
      'row 3, variant (column D): "dozen" is nearly the same name: row 2 has "Dozen". Did you mean Dozen?',
    );
    expect(problems[1]).toContain("row 4, variant (column D)");
  });

  test("sizes of other digits, titles of other vendors and collections below others are other names", async () => {
    const sizes = [
      HEAD,
      "ham,Ham,oak-farm,1-2 lb,,carmel,4,1,",
      "ham,,,12 lb,,carmel,4,1,",
      "ham,,,1/2 lb,,carmel,4,1,",
    ];
    expect((await imported("products", sizes)).code).toBe(0);
    const below = ["slug,title,parent", "meat,Meat,", "milk,Milk,", "meat-other,Other,meat", "milk-other,other,milk"];
    expect((await imported("collections", below)).code).toBe(0);
  });
});

test("the item of a bundle whose product or size is written in another way is refused with the one that is meant, whichever is nearer by letters", async () => {
  const sizes = ["12 oz jar", "1/2 lb", "2 lb", "12 lb", "1-2 lb", "Caf\u00E9 blend"];
  const rows = sizes.map((size) => `wildflower-honey,Wildflower Honey,oak-farm,${size},,carmel,8.00,6,6`);
  expect((await imported("products", [HEAD, ...rows], "--accept-names")).code).toBe(0);
  for (const [item, meant] of [
    ["wildflower-honey / 12 OZ jar", "12 oz jar"],
    ["wildflower-honey / 12  oz  jar", "12 oz jar"],
    ["Wildflower-Honey / 12 oz jar", "12 oz jar"],
    ["Wildflower honey / 12\u00A0oz jar", "12 oz jar"],
    ["wildflower-honey / \u00BD lb", "1/2 lb"],
    ["wildflower-honey / 1 - 2 lb", "1-2 lb"],
    ["wildflower-honey / 1\u20132 LB", "1-2 lb"],
    ["wildflower-honey / cafe Blend", "Caf\u00E9 blend"],
    ["wildflower-honey / Cafe\u0301 Blend", "Caf\u00E9 blend"],
  ]) {
    const { code, problems } = await imported("bundles", ["slug,title,items", `box,Box,2 x ${item}`]);
    expect([item, code, problems[0]]).toEqual([
      item,
      3,
      expect.stringContaining(`Did you mean wildflower-honey / ${meant}?`),
    ]);
  }
  expect((await imported("bundles", ["slug,title,items", `box,Box,2 x wildflower-honey / 1-2 lb`])).code).toBe(0);
});

describe("a variant that is renamed by its variant_id", () => {
  const exported = async (change: (text: string) => string): Promise<string> => {
    const path = join(market.dir, "renamed.csv");
    await market.run("products", "export", path);
    writeFileSync(path, change(readFileSync(path, "utf8")));
    return path;
  };

  test("stays the same variant, with its offer, and the dry run names old and new", async () => {
    await imported("products", [HEAD, ...BRISKET]);
    const before = await db.variant.findMany({ include: { offers: true }, orderBy: { id: "asc" } });
    const path = await exported((text) => text.replace(",1/2,half,", ",Half brisket,half,"));
    const dry = await market.run("products", "import", path, "--dry-run");
    expect(dry.out).toContain("Would rename:\n  brisket: 1/2 → Half brisket\n");
    expect(await variants()).toEqual([
      ["1/2", "half"],
      ["2-4", "pack"],
    ]);
    const done = await market.run("products", "import", path);
    expect(done.out).toContain("Renamed:\n  brisket: 1/2 → Half brisket\n");
    expect(done.out).toContain("0 variants new");
    const after = await db.variant.findMany({ include: { offers: true }, orderBy: { id: "asc" } });
    expect(after.map(({ id, offers }) => [id, offers])).toEqual(before.map(({ id, offers }) => [id, offers]));
    expect(after[0]!.title).toBe("Half brisket");
    expect((await market.run("products", "import", path)).out).toContain("nothing was changed");
    expect(await market.audit()).toEqual([]);
  });

  test("two variants may swap their titles; one may change its capitals", async () => {
    await imported("products", [HEAD, ...BRISKET]);
    const [half, pack] = await db.variant.findMany({ orderBy: { id: "asc" } });
    const head = "slug,variant,variant_id";
    expect((await imported("products", [head, `brisket,2-4,${half!.id}`, `brisket,1/2,${pack!.id}`])).code).toBe(0);
    expect(await variants()).toEqual([
      ["2-4", "half"],
      ["1/2", "pack"],
    ]);
    await imported("products", [head, `brisket,Half Dozen,${half!.id}`]);
    expect((await imported("products", [head, `brisket,Half dozen,${half!.id}`])).code).toBe(0);
    expect((await variants())[0]).toEqual(["Half dozen", "half"]);
  });

  test("keeps its title where the cell or the column is empty, and its other values where those are", async () => {
    await imported("products", [HEAD, ...BRISKET]);
    const [half, pack] = await db.variant.findMany({ orderBy: { id: "asc" } });
    const head = "slug,variant,variant_id,unit,measure";
    const lines = [head, `brisket,,${half!.id},whole,`, `brisket,2-4 lb,${pack!.id},,lb`];
    const before = await db.variant.findMany({ orderBy: { id: "asc" } });
    const report = (first: string, second: string) =>
      [
        `${first}:`,
        "  brisket: 2-4 → 2-4 lb",
        `${second}:`,
        "  brisket, 1/2: unit half → whole",
        "  brisket, 2-4 lb: measure none → lb",
        "",
      ].join("\n");
    expect((await imported("products", lines, "--dry-run")).out).toContain(
      report("Would rename", "Values that would change"),
    );
    expect(await db.variant.findMany({ orderBy: { id: "asc" } })).toEqual(before);
    expect((await imported("products", lines)).out).toContain(report("Renamed", "Values that changed"));
    expect(await variants()).toEqual([
      ["1/2", "whole"],
      ["2-4 lb", "pack"],
    ]);
    const numbers = ["slug,variant_id,hub,price", `brisket,${half!.id},carmel,49`];
    expect((await imported("products", numbers)).out).toContain("brisket, 1/2, carmel: price $48.00 → $49.00");
    expect((await variants()).length).toBe(2);
  });

  test("an empty title is the new one of another row with the same number", async () => {
    await imported("products", [HEAD, ...BRISKET]);
    const [half] = await db.variant.findMany({ orderBy: { id: "asc" } });
    const head = "slug,variant,variant_id,hub,price";
    expect(
      (await imported("products", [head, `brisket,,${half!.id},carmel,48`, `brisket,Half,${half!.id},,`])).code,
    ).toBe(0);
    expect(await variants()).toEqual([
      ["Half", "half"],
      ["2-4", "pack"],
    ]);
  });

  test("an empty title without the number of a variant of the product is refused", async () => {
    await imported("products", [HEAD, ...BRISKET]);
    const title = "how the product is sold, such as Dozen";
    const refusals: [string[], string][] = [
      [["slug,variant,variant_id", "brisket,,999999"], 'variant_id (column C): "999999" should be the number of a'],
      [
        ["slug,variant,variant_id,unit", "brisket,,,lb"],
        `row 2, variant (column B): this is empty. It should be ${title}`,
      ],
      [["slug,variant_id,unit", "brisket,,lb"], `row 2, variant: this is empty. It should be ${title}`],
      [["slug,variant_id", "brisket,none"], '"none" empties a value, and variant_id cannot be empty'],
      [["slug,title,vendor,variant,variant_id", "ham,Ham,oak-farm,,7"], "row 2, variant (column D): this is empty."],
    ];
    for (const [lines, problem] of refusals) {
      const { code, problems } = await imported("products", lines);
      expect([code, problems[0]]).toEqual([3, expect.stringContaining(problem)]);
    }
  });

  test("a unit that the market has is taken as it is exported, the word none too", async () => {
    await imported("products", [HEAD, "brisket,Brisket,oak-farm,'none,2-Jan,carmel,4,1,"], "--accept-names");
    expect(await variants()).toEqual([["none", "2-Jan"]]);
    const path = await exported((text) => text.replace(",'none,", ",,").replace(",2-Jan,", ",,"));
    expect((await market.run("products", "import", path)).out).toContain("nothing was changed");
    const again = await exported((text) => text.replace(",'none,", ",Whole,"));
    expect((await market.run("products", "import", again)).out).toContain("Renamed:\n  brisket: none → Whole\n");
    expect(await variants()).toEqual([["Whole", "2-Jan"]]);
  });

  test("a product that moves to a vendor with nearly the same product is refused", async () => {
    await imported("vendors", ["slug,name,city,state", "pine-farm,Pine Farm,Sheridan,IN"]);
    await imported("products", [HEAD, ...BRISKET, "ham,BRISKET,pine-farm,Each,,carmel,4,1,"]);
    const { code, problems } = await imported("products", ["slug,title,vendor,variant", "ham,,oak-farm,Each"]);
    expect([code, problems[0]]).toEqual([
      3,
      expect.stringContaining('product of the vendor "Brisket" (brisket) already'),
    ]);
  });

  const refused: [rows: (half: number, pack: number) => string[], problem: string][] = [
    [
      (half) => [`brisket,2-4,${half}`],
      'row 2, variant (column B): "2-4" should be another title: the variant with the variant_id',
    ],
    [
      (half) => [`brisket,Half,${half}`, `brisket,1/2,${half}`],
      'row 3, variant (column B): "1/2" should be the same title as in row 2 ("Half")',
    ],
    [
      (half) => [`brisket,Half,${half}`, "brisket,1/2,"],
      'row 3, variant (column B): "1/2" should be "Half": row 2 renames it',
    ],
    [
      (half, pack) => [`brisket,Half,${half}`, `brisket,Half,${pack}`],
      'row 3, variant (column B): "Half" should be another title: row 2 gives it',
    ],
    [
      () => ["brisket,Third,999999"],
      'row 2, variant_id (column C): "999999" should be the number of a variant of brisket',
    ],
    [(half) => [`brisket,2\u20134,${half}`], 'there is a variant "2-4" already'],
  ];
  test.each(refused)("refused where it is not clear what is meant: %s", async (rows, problem) => {
    await imported("products", [HEAD, ...BRISKET]);
    const [half, pack] = await db.variant.findMany({ orderBy: { id: "asc" } });
    const { code, problems } = await imported("products", ["slug,variant,variant_id", ...rows(half!.id, pack!.id)]);
    expect([code, problems.find((line) => line.includes(problem))]).toEqual([3, expect.any(String)]);
    expect((await variants()).map(([title]) => title)).toEqual(["1/2", "2-4"]);
  });

  test("--keep-going: the renaming of a rejected product is taken back", async () => {
    await imported("products", [HEAD, ...BRISKET, "ham,Ham,oak-farm,Each,,carmel,4,1,"]);
    const [half, , ham] = await db.variant.findMany({ orderBy: { id: "asc" } });
    const head = "slug,variant,variant_id,hub,price";
    const lines = [head, `brisket,Half,${half!.id},carmel,cheap`, `ham,Whole,${ham!.id},carmel,4`];
    const { code, out } = await imported("products", lines, "--keep-going");
    expect(code).toBe(5);
    expect(out).toContain("Renamed:\n  ham: Each → Whole\n");
    expect((await variants()).map(([title]) => title)).toEqual(["1/2", "2-4", "Whole"]);
  });

  test("an export is imported into another market, whose numbers are others", async () => {
    await imported("products", [HEAD, ...BRISKET]);
    const path = await exported((text) => text);
    await db.product.deleteMany();
    expect((await market.run("products", "import", path)).out).toContain("2 variants new");
    expect((await market.run("products", "import", path)).out).toContain("nothing was changed");
  });
});
