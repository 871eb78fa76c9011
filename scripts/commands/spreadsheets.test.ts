import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createHub } from "@marketday/server/testing/factories";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;
beforeAll(async () => {
  const carmel = await createHub(db);
  await db.hub.update({
    where: { id: carmel.id },
    data: { slug: "carmel", time_zone: "America/Indiana/Indianapolis" },
  });
  await db.vendor.createMany({
    data: [
      { slug: "oak-farm", hash: "0123456789abcdef", name: "Oak Farm", city: "Sheridan", state: "IN" },
      { slug: "blackbird-farm", hash: "0123456789abcdf0", name: "Blackbird Farm", city: "Sheridan", state: "IN" },
    ],
  });
});

const file = (name: string, content: string | Buffer): string => {
  const path = join(market.dir, name);
  writeFileSync(path, content);
  return path;
};
const utf16 = (text: string, order: "le" | "be"): Buffer => {
  const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
  return order === "le" ? bytes : bytes.swap16();
};

describe("CSV files as spreadsheets save them", () => {
  const head = ["slug", "title", "vendor", "variant", "hub", "price", "inventory", "description"];
  const rows = [
    ["creme", "Crème fraîche", "oak-farm", "Jar", "carmel", "6.50", "1200", "Thick, sweet"],
    ["creme", "", "", "Pint", "carmel", "4.25", "40", ""],
  ];
  const quoted = (cell: string, separator: string): string =>
    cell.includes(separator) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
  const text = (separator: string, end = "\r\n", table: readonly (readonly string[])[] = [head, ...rows]): string =>
    table.map((cells) => cells.map((cell) => quoted(cell, separator)).join(separator) + end).join("");
  const changed = (from: string, to: string): string => text(",").replaceAll(from, to);

  const accepted: [name: string, content: () => string | Buffer][] = [
    ["semicolons", () => text(";")],
    ["tabs", () => text("\t")],
    ["a sep= line", () => `sep=;\r\n${text(";")}`],
    ["a quoted sep= line", () => `"sep=|"\n${text("|")}`],
    ["UTF-8 with a byte order mark", () => `\uFEFF${text(",")}`],
    ["UTF-16 little-endian with tabs (Excel's Unicode text)", () => utf16(text("\t"), "le")],
    ["UTF-16 big-endian", () => utf16(text(","), "be")],
    ["line ends of an old Mac", () => text(",", "\r")],
    ["mixed line ends", () => `${text(",", "\r\n", [head, rows[0]!])}${text(",", "\n", [rows[1]!])}`],
    [
      "rows of empty cells",
      () => text(",", "\r\n", [[...head].fill(""), head, rows[0]!, [...head].fill(" "), rows[1]!]),
    ],
    ["trailing empty cells left out", () => changed("40,\r\n", "40\r\n")],
    [
      "empty columns behind the last",
      () =>
        text(
          ",",
          "\r\n",
          [head, ...rows].map((cells) => [...cells, "", ""]),
        ),
    ],
    [
      "a header with capitals and spaces",
      () => text(",").replace(/^[^\r]*/, "Slug, Title,VENDOR,Variant ,Hub,Price,Inventory,Description"),
    ],
    ["spaces around cells", () => text(",", "\r\n", [head, ...rows.map((cells) => cells.map((cell) => ` ${cell}  `))])],
    ["a dollar sign", () => changed("6.50", "$6.50")],
    ["commas for thousands and decimals of zero", () => changed("1200", '"1,200"').replace(",40,", ",40.0,")],
    ["prices with more zeros", () => changed("4.25", "$ 4.2500")],
  ];
  beforeEach(() => db.product.deleteMany({ where: { slug: { in: ["creme", "roast"] } } }));
  test.each(accepted)("%s: imported like the plain file", async (_name, content) => {
    const { rows: count } = await market.json("products", "import", file("spreadsheet.csv", content()));
    expect(count).toBe(2);
    const product = await db.product.findUniqueOrThrow({
      where: { slug: "creme" },
      include: { variants: { orderBy: { position: "asc" }, include: { offers: true } } },
    });
    expect([product.title, product.description]).toEqual(["Crème fraîche", "Thick, sweet"]);
    expect(product.variants.map(({ title, offers }) => [title, offers[0]?.price_cents, offers[0]?.inventory])).toEqual([
      ["Jar", 650, 1_200],
      ["Pint", 425, 40],
    ]);
  });

  test("dates as Excel rewrites them, sale prices with commas, and capitalized values are accepted", async () => {
    const price = '"1,200.00"';
    const path = file(
      "dates.csv",
      `Slug,Title,Vendor,Variant,Hub,Price,Sale Price,Pre-Order Date,Storage,Published\nroast,Roast,oak-farm,Whole,carmel,${price},"$1,100.00",11/26/26,Frozen,TRUE\nroast,,,Half,carmel,600,,11/6/2026,,\n`,
    );
    await market.json("products", "import", path);
    const { storage, variants } = await db.product.findUniqueOrThrow({
      where: { slug: "roast" },
      include: { variants: { orderBy: { position: "asc" }, include: { offers: true } } },
    });
    expect(storage).toBe("frozen");
    expect(variants.map(({ pre_order_date: day }) => day?.toISOString().slice(0, 10))).toEqual([
      "2026-11-26",
      "2026-11-06",
    ]);
    expect(variants[0]?.offers[0]).toMatchObject({ price_cents: 120_000, sale_price_cents: 110_000 });
    // Another date for one size, with its measure: only those values change.
    const later = "slug,variant,unit,measure,measure_amount,pre_order_date\nroast,Half,8 lb,lb,8,12/3/26\n";
    await market.json("products", "import", file("later.csv", later));
    const sizes = await db.variant.findMany({ where: { product: { slug: "roast" } }, orderBy: { position: "asc" } });
    expect(sizes.map(({ pre_order_date: day }) => day?.toISOString().slice(0, 10))).toEqual([
      "2026-11-26",
      "2026-12-03",
    ]);
    expect(sizes[1]).toMatchObject({ unit: "8 lb", measure: "lb" });
    expect(sizes[0]).toEqual({ ...variants[0], offers: undefined });
  });

  test("local times are in the time zone of the row's hub, or of all hubs when they share one", async () => {
    const times = [
      "2026-11-26 12:00",
      "11/26/26 12:00 PM",
      "11/26/2026 12:00",
      "2026-11-26T17:00:00Z",
      "2026-11-26 11:00:00-06:00",
    ];
    const rows = times.map((time, index) => `${index % 2 ? "carmel" : ""},information,Banner ${index},${time}`);
    await market.json("banners", "import", file("banners.csv", `hub,type,title,starts_at\n${rows.join("\n")}\n`));
    const banners = await db.banner.findMany({ select: { starts_at: true } });
    expect(banners.map(({ starts_at: at }) => at?.toISOString())).toEqual(times.map(() => "2026-11-26T17:00:00.000Z"));
    // July is on daylight time in Denver.
    const denver = await createHub(db);
    await db.hub.update({ where: { id: denver.id }, data: { slug: "denver", time_zone: "America/Denver" } });
    const summer = file("summer.csv", "hub,type,title,starts_at\ndenver,information,Summer,7/4/26 6:30 AM\n");
    await market.json("banners", "import", summer);
    const { starts_at: at } = await db.banner.findFirstOrThrow({ where: { title: "Summer" } });
    expect(at?.toISOString()).toBe("2026-07-04T12:30:00.000Z");
    const night = file("night.csv", "hub,type,title,starts_at\ncarmel,information,Night,11/26/26 12:30 AM\n");
    await market.json("banners", "import", night);
    const { starts_at: atNight } = await db.banner.findFirstOrThrow({ where: { title: "Night" } });
    expect(atNight?.toISOString()).toBe("2026-11-26T05:30:00.000Z");
    const anywhere = file("anywhere.csv", "hub,type,title,starts_at\n,information,Anywhere,2026-11-26 12:00\n");
    const refused = await market.run("banners", "import", anywhere);
    expect(refused.err).toContain(
      'row 2, starts_at (column D): "2026-11-26 12:00" is a local time, but this row names no hub',
    );
    await db.hub.delete({ where: { id: denver.id } });
  });

  test("every exported CSV begins with a byte order mark, except on a terminal, and can be imported without a change", async () => {
    await market.json("products", "import", file("creme.csv", text(",")));
    for (const kind of ["vendors", "products", "collections", "bundles", "posts", "banners", "discounts"]) {
      const path = join(market.dir, `${kind}.out.csv`);
      await market.run(kind, "export", path);
      expect([kind, readFileSync(path, "utf8").startsWith("\uFEFF")]).toEqual([kind, true]);
      const { counts } = await market.json<{ counts: Record<string, object> }>(kind, "import", path);
      for (const count of Object.values(counts)) expect([kind, count]).toEqual([kind, { created: 0, changed: 0 }]);
    }
    expect((await market.run("products", "export")).out.startsWith("\uFEFFslug,")).toBe(true);
    // A terminal shows the mark as a letter, or moves the first column.
    const { isTTY } = process.stdout;
    process.stdout.isTTY = true;
    try {
      expect((await market.run("products", "export")).out.startsWith("slug,")).toBe(true);
    } finally {
      process.stdout.isTTY = isTTY;
    }
  });

  test("text with a broken encoding is refused, unless the market already has the same text", async () => {
    const plain = text(",");
    const broken = plain.replace("Crème fraîche", "CrÃ¨me fraÃ®che");
    await market.json("products", "import", file("creme.csv", plain));
    const path = file("broken.csv", broken);
    const { code, err } = await market.run("products", "import", path);
    expect([code, err]).toEqual([
      3,
      `${path}: row 2, title (column B): "CrÃ¨me fraÃ®che" was probably "Crème fraîche" before another program broke its letters. Export the file again, open the new one, and save it as "CSV UTF-8".\nNothing was written.\n`,
    ]);
    await db.product.update({ where: { slug: "creme" }, data: { title: "CrÃ¨me fraÃ®che" } });
    expect((await market.json<{ counts: object }>("products", "import", path)).counts).toMatchObject({
      products: { created: 0, changed: 0 },
    });
  });

  test("a file with only a header: the output says that it has no rows", async () => {
    const { code, out } = await market.run("products", "import", file("header.csv", `${head.join(",")}\r\n`));
    expect([code, out]).toEqual([
      0,
      `${join(market.dir, "header.csv")} has a header and no rows: nothing to import.\n`,
    ]);
  });

  test("all mistakes of all rows are listed at once, in row order, with the row numbers of the spreadsheet", async () => {
    const path = file(
      "many.csv",
      [
        head.join(","),
        'kale,Kale,oak-farm,Bunch,carmel,2,1,"Two\nlines\nand a third"',
        "",
        "Brown Eggs,Eggs,Blackbird Farm,Dozen,Carmel,cheap,-5,",
        "milk,,black-bird-farm,Pint,carmell,1.005,1.5,",
      ].join("\n"),
    );
    const { code, err } = await market.run("products", "import", path);
    expect(code).toBe(3);
    expect(err.split("\n").map((line) => line.replace(`${path}: `, ""))).toEqual([
      'row 4, slug (column A): "Brown Eggs" should be a short name in lower-case letters, digits and dashes, such as wildflower-honey. It needs a letter, and "vendor", "subscribed" and "search" are taken. Did you mean brown-eggs?',
      'row 4, vendor (column C): there is no vendor "Blackbird Farm". Did you mean blackbird-farm?',
      'row 4, hub (column E): there is no hub "Carmel". Did you mean carmel?',
      'row 4, price (column F): "cheap" should be an amount in dollars, such as 4.50.',
      'row 4, inventory (column G): "-5" should be a whole number from 0 to 1,000,000.',
      "row 5, title (column B): this is empty. It should be the title of the product, on its first row.",
      'row 5, vendor (column C): there is no vendor "black-bird-farm". Did you mean blackbird-farm?',
      'row 5, hub (column E): there is no hub "carmell". Did you mean carmel?',
      'row 5, price (column F): "1.005" should be an amount in dollars, such as 4.50.',
      'row 5, inventory (column G): "1.5" should be a whole number from 0 to 1,000,000.',
      "Nothing was written.",
      "",
    ]);
  });

  test("many mistakes: the first 50 and the number of the rest are printed; --keep-going writes all of them", async () => {
    const bad = Array.from({ length: 362 }, (_, index) => `p-${index},P,oak-farm,Each,carmel,cheap,1,`);
    const path = file("most.csv", [head.join(","), ...bad].join("\n"));
    const { err } = await market.run("products", "import", path);
    const lines = err.trimEnd().split("\n");
    expect(lines).toHaveLength(52);
    expect(lines[50]).toBe("… and 312 more. With --keep-going all of them are written to a file beside it.");
    expect(await market.run("products", "import", path, "--keep-going")).toMatchObject({ code: 5 });
    expect(readFileSync(`${path}.rejected.csv`, "utf8").trimEnd().split("\n")).toHaveLength(363);
  });

  test("--keep-going with mixed line ends rejects only the invalid row", async () => {
    const rows = ["pears,Pears,oak-farm,Bag,carmel,3,5,", "plums,Plums,oak-farm,Bag,carmel,3,5,"];
    const path = file(
      "mixed.csv",
      `${[head.join(","), ...rows].join("\r\n")}\r\nquince,Quince,oak-farm,Bag,carmel,cheap,1,\n`,
    );
    const { code, out } = await market.run("products", "import", path, "--keep-going");
    expect([code, out]).toEqual([5, expect.stringContaining("3 rows · 2 products new")]);
    expect(out).toContain("1 row rejected");
    expect(out).toContain(`${path}: row 4, price (column F): "cheap" should be`);
    await db.product.deleteMany({ where: { slug: { in: ["pears", "plums"] } } });
  });
});
