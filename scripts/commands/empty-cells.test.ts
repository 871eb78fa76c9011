import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readSums } from "@marketday/db/testing/old-database";
import { createHub } from "@marketday/server/testing/factories";
import { beforeAll, describe, expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;

const file = (name: string, text: string): string => {
  const path = join(market.dir, name);
  writeFileSync(path, text);
  return path;
};
/** Imports a file of a kind, and returns the command's result. */
const take = (kind: string, text: string, ...flags: string[]) =>
  market.run(kind, "import", file(`${kind}.${text.startsWith("[") ? "json" : "csv"}`, text), ...flags);
const done = { code: 0, err: "" };
const UNCHANGED = "The market already has all of it; nothing was changed.";

interface Imported {
  counts: Record<string, { created: number; changed: number }>;
  fields: { count: number; changes: { subject: string; field: string; before: string; after: string }[] };
}

beforeAll(async () => {
  for (const slug of ["carmel", "sheridan"]) {
    const hub = await createHub(db);
    await db.hub.update({ where: { id: hub.id }, data: { slug } });
  }
  await db.picture.createMany({
    data: ["eggs.jpg", "farm.jpg"].map((name, place) => ({
      id: `000000000000000${place}`,
      file: `000000000000000${place}-${name}`,
    })),
  });
  expect(
    await take(
      "vendors",
      "slug,name,city,state,email,description,avatar\noak-farm,Oak Farm,Sheridan,IN,hello@oak-farm.example,Forty hens.,farm.jpg\n",
    ),
  ).toMatchObject(done);
  const products = [
    "slug,title,vendor,description,tags,storage,published,images,variant,unit,hub,price,sale_price,inventory,weekly_inventory,offered",
    "ice-cream,Ice cream,oak-farm,Best in town.,sweet|local,frozen,no,eggs.jpg|farm.jpg,Pint,pint,carmel,6.00,5.00,10,10,no",
    "ice-cream,,,,,,,,Pint,,sheridan,6.25,,10,,",
    "brown-eggs,Brown eggs,oak-farm,,eggs,cold,,eggs.jpg,Dozen,dozen,carmel,6.50,,40,40,",
    "brown-eggs,,,,,,,,Half dozen,6,carmel,3.75,,40,40,",
  ];
  expect(await take("products", products.join("\n"))).toMatchObject(done);
});

const readIceCream = async () => {
  const { variants, pictures, ...product } = await db.product.findUniqueOrThrow({
    where: { slug: "ice-cream" },
    include: { pictures: true, variants: { include: { offers: { orderBy: { id: "asc" } } } } },
  });
  return {
    product: { ...product, pictures: pictures.length },
    variant: { ...variants[0]!, offers: undefined },
    offers: variants[0]!.offers,
  };
};

describe("products: empty cells", () => {
  test("a row of a product without its title, description, pictures and more changes only the price that it gives", async () => {
    const before = await readIceCream();
    const text = [
      "slug,title,vendor,tags,storage,published,description,images,variant,unit,hub,price,sale_price,weekly_inventory,offered",
      "ice-cream,,,,,,,,Pint,,sheridan,6.50,,,",
    ].join("\n");
    const dry = await take("products", text, "--dry-run");
    expect(dry).toMatchObject(done);
    expect(dry.out.split("\n").slice(1)).toEqual([
      "Amounts that would change:",
      "  ice-cream, Pint, sheridan: price $6.25 → $6.50",
      "",
    ]);
    expect(await take("products", text)).toMatchObject(done);
    const after = await readIceCream();
    expect({ ...after, offers: [] }).toEqual({ ...before, offers: [] });
    expect(after.offers).toEqual([before.offers[0], { ...before.offers[1], price_cents: 650 }]);
  });

  test("the rows of one hub, taken out of an export, change only what differs", async () => {
    const path = join(market.dir, "export.csv");
    await market.run("products", "export", path);
    const [head, ...rows] = readFileSync(path, "utf8").trimEnd().split("\n");
    const own = rows.filter((row) => row.includes("sheridan")).map((row) => row.replace("6.50", "6.75"));
    const before = await readIceCream();
    const { counts, fields } = await market.json<Imported>(
      "products",
      "import",
      file("sheridan.csv", [head, ...own].join("\n")),
    );
    expect(counts).toEqual({
      products: { created: 0, changed: 0 },
      variants: { created: 0, changed: 0 },
      offers: { created: 0, changed: 1 },
    });
    expect(fields).toEqual({ count: 0, changes: [] });
    expect((await readIceCream()).product).toEqual(before.product);
  });

  test("`none` empties each value that may be empty, and both outputs name it, old and new", async () => {
    const text = [
      "slug,description,tags,images,variant,unit,hub,sale_price,weekly_inventory",
      "ice-cream,none,None, NONE ,Pint,none,carmel,none,none",
    ].join("\n");
    const lines = [
      "  ice-cream: description Best in town. → none",
      "  ice-cream: tags sweet|local → none",
      "  ice-cream: images eggs.jpg|farm.jpg → none",
      "  ice-cream, Pint: unit pint → none",
      "  ice-cream, Pint, carmel: weekly_inventory 10 → none",
    ];
    const before = await readIceCream();
    const dry = await take("products", text, "--dry-run");
    expect(dry.out).toContain(`Values that would change:\n${lines.join("\n")}\n`);
    expect(await readIceCream()).toEqual(before);
    const imported = await take("products", text);
    expect(imported.out).toContain("ice-cream, Pint, carmel: sale_price $5.00 → none\n");
    expect(imported.out).toContain(`Values that changed:\n${lines.join("\n")}\n`);
    const after = await readIceCream();
    expect(after.product).toMatchObject({
      title: "Ice cream",
      description: "",
      tags: [],
      pictures: 0,
      storage: "frozen",
    });
    expect(after.variant.unit).toBeNull();
    expect(after.offers[0]).toMatchObject({ sale_price_cents: null, weekly_inventory: null, inventory: 10 });
    expect((await take("products", text)).out).toContain(UNCHANGED);
    expect(await market.audit()).toEqual([]);
  });

  test("`none` is refused where a value is needed, with what to write", async () => {
    const text = [
      "slug,title,vendor,storage,published,variant,hub,price,inventory,offered",
      "ice-cream,none,none,none,none,Pint,carmel,none,none,none",
    ].join("\n");
    const { code, err } = await take("products", text);
    expect(code).toBe(3);
    const lines = err.split("\n").map((line) => line.replace(/^.*?\.csv: /, ""));
    expect(lines).toEqual([
      'row 2, title (column B): "none" empties a value, and title cannot be empty. Write the title of the product, on its first row.',
      'row 2, vendor (column C): "none" empties a value, and vendor cannot be empty. Write the vendor of the product, on its first row.',
      'row 2, storage (column D): "none" empties a value, and storage cannot be empty. Write one of dry, cold, frozen.',
      'row 2, published (column E): "none" empties a value, and published cannot be empty. Write yes or no.',
      'row 2, price (column H): "none" empties a value, and price cannot be empty. Write the price in this hub, such as 4.50.',
      'row 2, inventory (column I): "none" empties a value, and inventory cannot be empty. Write 0 if nothing is left.',
      'row 2, offered (column J): "none" empties a value, and offered cannot be empty. Write yes or no.',
      "Nothing was written.",
      "",
    ]);
  });

  test("JSON: a missing name, null and an empty text leave a value; `none` and an empty list empty it", async () => {
    await take("products", "slug,tags,ribbon_text,processor,variant\nbrown-eggs,a|b,Fresh,Mill,Dozen\n");
    const json = (row: object) =>
      take("products", `[${JSON.stringify({ slug: "brown-eggs", variant: "Dozen", ...row })}]`);
    for (const row of [{}, { tags: null, ribbon_text: null }, { tags: "", ribbon_text: " ", storage: "", price: null }])
      expect((await json(row)).out).toContain(UNCHANGED);
    expect(await json({ tags: [], ribbon_text: "none" })).toMatchObject(done);
    const eggs = await db.product.findUniqueOrThrow({ where: { slug: "brown-eggs" } });
    expect(eggs).toMatchObject({ tags: [], ribbon_text: null, processor: "Mill", storage: "cold" });
    // A later object may have names that the first one leaves out.
    const later = `[{"slug":"brown-eggs","variant":"Half dozen"},{"slug":"ice-cream","variant":"Pint","ribbon_text":"New"}]`;
    expect(await take("products", later)).toMatchObject(done);
    expect(await db.product.findUniqueOrThrow({ where: { slug: "ice-cream" } })).toMatchObject({ ribbon_text: "New" });
  });

  test("a sorted file: the values of a product and of a variant may be on any of its rows; two that differ are refused", async () => {
    const head = "slug,title,vendor,tags,variant,unit,hub,price";
    const sorted = [
      head,
      "pears,,,,Crate,,sheridan,30",
      "pears,Pears,oak-farm,fruit,Bag,bag,carmel,3",
      "pears,,,,Crate,20 lb,carmel,31",
    ];
    expect(await take("products", sorted.join("\n"))).toMatchObject(done);
    const pears = await db.product.findUniqueOrThrow({ where: { slug: "pears" }, include: { variants: true } });
    expect([pears.title, pears.tags]).toEqual(["Pears", ["fruit"]]);
    expect(Object.fromEntries(pears.variants.map(({ title, unit }) => [title, unit]))).toEqual({
      Crate: "20 lb",
      Bag: "bag",
    });
    const torn = [head, "pears,,,none,Crate,20 lb,sheridan,30", "pears,,,fruit,Crate,25 lb,carmel,31"];
    const { code, err } = await take("products", torn.join("\n"));
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(
        /row 3, tags .*should be empty, or the same as in row 2: both are of one product[^]*row 3, unit .*should be empty, or the same as in row 2: both are of one variant/,
      ),
    ]);
  });

  test("something new: empty cells have the defaults, and what it needs is named", async () => {
    const head =
      "slug,title,vendor,description,tags,storage,published,variant,hub,price,inventory,weekly_inventory,offered";
    expect(await take("products", `${head}\nkale,Kale,oak-farm,,,,,Bunch,carmel,2,1,,\n`)).toMatchObject(done);
    expect(await db.product.findUniqueOrThrow({ where: { slug: "kale" } })).toMatchObject({
      description: "",
      tags: [],
      storage: "dry",
      is_published: true,
    });
    const { err } = await take("products", `${head}\nleeks,,,,,,,Bunch,carmel,,,,\nkale,,,,,,,Bunch,sheridan,,,,\n`);
    expect(err).toContain("row 2, title (column B): this is empty. It should be the title of the product");
    expect(err).toContain("row 2, vendor (column C): this is empty.");
    expect(err).toContain("row 2, price (column J): this is empty. It should be the price in this hub, such as 4.50.");
    expect(err).toContain("row 3, price (column J): this is empty.");
    const homeless = await take("products", "slug,variant,inventory\nkale,Bunch,4\n");
    expect(homeless.err).toContain("row 2, hub: this is empty. It should be the hub that has this inventory.");
  });

  test("a price below a sale price that the file leaves empty is refused", async () => {
    await take("products", "slug,variant,hub,sale_price\nbrown-eggs,Dozen,carmel,6.00\n");
    const { code, err } = await take("products", "slug,variant,hub,price,sale_price\nbrown-eggs,Dozen,carmel,5.50,\n");
    expect([code, err]).toEqual([
      3,
      expect.stringContaining('"6.00" should be less than the price, or none for no sale.'),
    ]);
  });

  test("a dry run of new, changed, counted and emptied rows changes no table", async () => {
    const text = [
      "slug,title,vendor,description,images,tags,variant,unit,hub,price,inventory,weekly_inventory",
      "brown-eggs,Eggs,,New.,farm.jpg,none,Dozen,none,carmel,7.00,30,none",
      "brown-eggs,,,,,,Flat,30,sheridan,15.00,,6",
      "beets,Beets,oak-farm,,,,Bunch,,carmel,2.00,4,",
    ].join("\n");
    const before = await readSums(db);
    const dry = await take("products", text, "--count", "--dry-run");
    expect(dry).toMatchObject(done);
    expect(dry.out).toContain("  brown-eggs, Dozen, carmel: inventory 40 → 30\n");
    expect(await readSums(db)).toEqual(before);
    const imported = await take("products", text, "--count");
    expect(imported.out.replaceAll("changed:", "would change:").replace("Imported", "Would import")).toBe(dry.out);
    await take("products", "slug,title,variant,hub,inventory\nbrown-eggs,Brown eggs,Dozen,carmel,40\n", "--count");
  });

  test("many changes: the first 50 are printed, and the rest counted", async () => {
    const rows = (title: string) =>
      [
        "slug,title,vendor,variant",
        ...Array.from({ length: 60 }, (_, n) => `many-${n},${title} ${n},oak-farm,Each`),
      ].join("\n");
    await take("products", rows("Thing"));
    const { out } = await take("products", rows("Item"), "--dry-run");
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(53);
    expect(lines[2]).toBe("  many-0: title Thing 0 → Item 0");
    expect(lines.at(-1)).toBe("  … and 10 more; --json lists up to 1,000");
  });

  test("a long text that changes is shown from shortly before its first difference", async () => {
    const long = (end: string) => `"${"Picked by hand in the morning. ".repeat(10)}${end}"`;
    const text = (end: string) => `slug,description,variant\nkale,${long(end)},Bunch\n`;
    await take("products", text("Washed twice."));
    const { out } = await take("products", text("Washed once."));
    expect(out).toContain("  kale: description …orning. Washed twice. → …orning. Washed once.\n");
  });
});

describe("other kinds: empty cells", () => {
  /** A kind with a complete row, a row that is empty but for its key, one of `none`, and the values that these leave and give. */
  interface Kind {
    kind: string;
    columns: string;
    full: string;
    empty: string;
    cleared: string;
    lines: string[];
    read: () => Promise<object | null>;
    left: object;
  }
  const kinds: Kind[] = [
    {
      kind: "vendors",
      columns: "slug,name,city,state,description,email,avatar,hero,published,hash",
      full: "elm-farm,Elm Farm,Carmel,IN,Cows.,moo@elm.example,farm.jpg,eggs.jpg,no,0123456789abcdef",
      empty: "elm-farm,,,,,,,,,",
      cleared: "elm-farm,,,,none,none,none,none,,",
      lines: [
        "  elm-farm: description Cows. → none",
        "  elm-farm: email moo@elm.example → none",
        "  elm-farm: avatar farm.jpg → none",
        "  elm-farm: hero eggs.jpg → none",
      ],
      read: () => db.vendor.findUnique({ where: { slug: "elm-farm" } }),
      left: { name: "Elm Farm", description: "", email: null, avatar_id: null, hero_id: null, is_published: false },
    },
    {
      kind: "collections",
      columns: "slug,title,description,image,parent,position,in_collections,in_main_menu,published,products",
      full: "dairy,Dairy,Milk.,eggs.jpg,,3,yes,yes,no,brown-eggs|ice-cream",
      empty: "dairy,,,,,,,,,",
      cleared: "dairy,,none,none,none,,,,,none",
      lines: [
        "  dairy: description Milk. → none",
        "  dairy: image eggs.jpg → none",
        "  dairy: products brown-eggs|ice-cream → none",
      ],
      read: () => db.collection.findUnique({ where: { slug: "dairy" }, include: { products: true } }),
      left: { title: "Dairy", position: 3, show_in_collections: true, is_published: false, products: [] },
    },
    {
      kind: "bundles",
      columns: "slug,title,description,image,percent,published,hubs,items",
      full: "box,Box,All.,eggs.jpg,5,no,carmel|sheridan,1 x brown-eggs / Dozen",
      empty: "box,,,,,,,",
      cleared: "box,,none,none,,,none,",
      lines: ["  box: description All. → none", "  box: image eggs.jpg → none", "  box: hubs carmel|sheridan → none"],
      read: () => db.bundle.findUnique({ where: { slug: "box" }, include: { items: true, hubs: true } }),
      left: {
        title: "Box",
        discount_ppm: 50_000,
        is_published: false,
        image_id: null,
        items: [{ quantity: 1 }],
        hubs: [],
      },
    },
    {
      kind: "discounts",
      columns: "code,reason,percent,amount,minimum,starts_at,ends_at,use_limit,once_per_customer,hub",
      full: "SPRING,Spring,10,,20.00,2027-03-01T05:00:00Z,2027-04-01T05:00:00Z,9,no,carmel",
      empty: "SPRING,,,,,,,,,",
      cleared: "SPRING,none,,,,none,none,none,,none",
      lines: [
        "  SPRING: reason Spring → none",
        "  SPRING: starts_at 2027-03-01T05:00:00Z → none",
        "  SPRING: ends_at 2027-04-01T05:00:00Z → none",
        "  SPRING: use_limit 9 → none",
        "  SPRING: hub carmel → none",
      ],
      read: () => db.discount_code.findUnique({ where: { code: "SPRING" } }),
      left: { reason: "", percent_ppm: 100_000, minimum_cents: 2_000, use_limit: null, hub_id: null },
    },
    {
      kind: "posts",
      columns: "type,hub,vendor,product,title,subtitle,text,avatar_label,image,posted_at,expires_at",
      full: "vendor-post,carmel,oak-farm,brown-eggs,Hens,Out,On grass.,Oak,eggs.jpg,2026-11-21T12:00:00Z,2027-11-21T12:00:00Z",
      empty: "vendor-post,carmel,oak-farm,brown-eggs,Hens,,,,,,",
      cleared: "vendor-post,carmel,oak-farm,brown-eggs,Hens,none,none,none,none,,none",
      lines: [
        "subtitle Out → none",
        "text On grass. → none",
        "avatar_label Oak → none",
        "image eggs.jpg → none",
        "expires_at 2027-11-21T12:00:00Z → none",
      ].map((change) => `  vendor-post, carmel, oak-farm, brown-eggs, Hens, 2026-11-21T12:00:00Z: ${change}`),
      read: () => db.post.findFirst({ where: { title: "Hens" } }),
      left: { subtitle: "", text: "", avatar_label: "", text_image_id: null, expires_at: null },
    },
    {
      kind: "banners",
      columns: "hub,type,title,body,action,position,starts_at,ends_at",
      full: "carmel,information,Open,Come.,/shop,2,,2027-11-21T12:00:00Z",
      empty: "carmel,information,Open,,,,,",
      cleared: "carmel,information,Open,none,none,,,none",
      lines: ["body Come. → none", "action /shop → none", "ends_at 2027-11-21T12:00:00Z → none"].map(
        (change) => `  carmel, information, Open: ${change}`,
      ),
      read: () => db.banner.findFirst({ where: { title: "Open" } }),
      left: { body: "", action: null, position: 2, ends_at: null },
    },
  ];

  test.each(kinds)("$kind: empty cells change nothing; `none` empties, and the outputs name it", async (each) => {
    const { kind, columns, full, empty, cleared, lines, read, left } = each;
    expect(await take(kind, `${columns}\n${full}\n`)).toMatchObject(done);
    const before = await read();
    for (const text of [`${columns}\n${empty}\n`, `${columns}\n${full}\n`]) {
      const { out, ...result } = await take(kind, text);
      expect([result, out]).toEqual([done, expect.stringContaining(UNCHANGED)]);
      expect(await read()).toEqual(before);
    }
    const dry = await take(kind, `${columns}\n${cleared}\n`, "--dry-run");
    expect(dry.out).toContain(`Values that would change:\n${lines.join("\n")}\n`);
    expect(await read()).toEqual(before);
    const imported = await take(kind, `${columns}\n${cleared}\n`);
    expect(imported.out).toContain(`Values that changed:\n${lines.join("\n")}\n`);
    expect(await read()).toMatchObject(left);
    expect((await take(kind, `${columns}\n${cleared}\n`)).out).toContain(UNCHANGED);
  });

  test.each(kinds)("$kind: a dry run of new, changed and emptied rows changes no table", async (each) => {
    const { kind, columns, full, cleared } = each;
    await take(kind, `${columns}\n${full}\n`);
    const fresh = full
      .replace(/^[A-Za-z]+-?[a-z]*,/, (key) => (kind === "posts" || kind === "banners" ? key : `new-${key}`))
      .replace("0123456789abcdef", "")
      .replace(/Hens|Open|Elm Farm|Dairy/, "Other");
    const text = `${columns}\n${cleared}\n${fresh}\n`;
    const before = await readSums(db);
    const dry = await take(kind, text, "--dry-run");
    expect(dry).toMatchObject(done);
    expect(await readSums(db)).toEqual(before);
    expect((await take(kind, text)).out.replace(/^.*\n/, "").replaceAll(" changed:", " would change:")).toBe(
      dry.out.replace(/^.*\n/, ""),
    );
  });

  test("what is new needs its values even where the file has no such column", async () => {
    const { code, err } = await take("vendors", "slug,email\nash-farm,a@ash.example\n");
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(/row 2, name: this is empty[^]*row 2, city: this is empty[^]*row 2, state: this is empty/),
    ]);
    expect(await take("vendors", "slug,email\noak-farm,new@oak-farm.example\n")).toMatchObject(done);
    expect(await db.vendor.findUniqueOrThrow({ where: { slug: "oak-farm" } })).toMatchObject({
      name: "Oak Farm",
      email: "new@oak-farm.example",
    });
  });

  test("discounts: an amount takes the place of a percentage, and the output names both", async () => {
    await take("discounts", "code,percent,amount\nFALL,10,\n");
    const { out } = await take("discounts", "code,percent,amount\nFALL,,4.00\n", "--accept-large-changes");
    expect(out).toContain("  FALL: percent 10% → none\n  FALL: amount none → $4.00\n");
    const both = await take("discounts", "code,percent,amount\nFALL,10,4.00\n");
    expect(both.err).toContain('row 2, percent (column B): "10" should be a percentage, or empty with an amount');
    const neither = await take("discounts", "code,percent,amount\nFALL,none,none\n");
    expect(neither).toMatchObject({ code: 3 });
  });

  test("texts that are the word none survive an export and an import", async () => {
    const columns = "slug,title,vendor,description,tags,processor,variant,unit";
    const text = `${columns}\nplain,'none,oak-farm,''None,'none,'NONE,'None,'none\n`;
    expect(await take("products", text)).toMatchObject(done);
    const read = () => db.product.findUniqueOrThrow({ where: { slug: "plain" }, include: { variants: true } });
    const stored = await read();
    expect(stored).toMatchObject({
      title: "none",
      description: "'None",
      tags: ["none"],
      processor: "NONE",
      variants: [{ title: "None", unit: "none" }],
    });
    for (const name of ["words.csv", "words.json"]) {
      const path = join(market.dir, name);
      await market.run("products", "export", path);
      const { counts } = await market.json<Imported>("products", "import", path);
      for (const count of Object.values(counts)) expect(count).toEqual({ created: 0, changed: 0 });
    }
    expect(await read()).toEqual(stored);
  });
});

test("lists that change alone are counted as a change, and the same file again changes nothing", async () => {
  const start = {
    collections: "slug,title,parent,products\ntop,Top shelf,,\nshelf,Shelf,,brown-eggs|ice-cream\n",
    bundles: "slug,title,hubs,items\ncrate,Crate,carmel,1 x brown-eggs / Dozen\n",
    products: "slug,title,vendor,variant,images\nplum-jam,Plum jam,oak-farm,Jar,eggs.jpg\n",
  };
  for (const [kind, text] of Object.entries(start)) expect(await take(kind, text)).toMatchObject(done);
  for (const [kind, text] of [
    ["collections", "slug,products\nshelf,ice-cream|brown-eggs\n"],
    ["collections", "slug,products\nshelf,brown-eggs\n"],
    ["collections", "slug,parent\nshelf,top\n"],
    ["bundles", "slug,hubs\ncrate,sheridan\n"],
    ["bundles", "slug,items\ncrate,2 x brown-eggs / Dozen\n"],
    ["products", "slug,variant,images\nplum-jam,Jar,farm.jpg|eggs.jpg\n"],
  ] as const) {
    const dry = await take(kind, text, "--dry-run");
    expect([text, dry.out]).toEqual([text, expect.stringMatching(/0 \w+ new, 1 changed/)]);
    expect(dry.out).not.toContain(UNCHANGED);
    const { out } = await take(kind, text);
    expect(out).toMatch(/0 \w+ new, 1 changed/);
    expect((await take(kind, text)).out).toContain(UNCHANGED);
  }
  // Products that change places between two collections of one file are each in one of them.
  for (const [top, shelf] of [
    ["ice-cream", "brown-eggs"],
    ["brown-eggs", "ice-cream"],
  ]) {
    expect(await take("collections", `slug,products\ntop,${top}\nshelf,${shelf}\n`)).toMatchObject(done);
    const rows = await db.collection_product.findMany({
      where: { collection: { slug: { in: ["top", "shelf"] } } },
      select: { collection: { select: { slug: true } }, product: { select: { slug: true } } },
      orderBy: { collection_id: "asc" },
    });
    expect(rows.map(({ collection, product }) => [collection.slug, product.slug])).toEqual([
      ["top", top],
      ["shelf", shelf],
    ]);
  }
});
