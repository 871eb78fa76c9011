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
  for (const [slug, hash] of [
    ["oak-farm", "0123456789abcdef"],
    ["elm-farm", "0123456789abcdf0"],
  ] as const)
    await db.vendor.create({
      data: { slug, hash, name: slug, city: "Sheridan", state: "IN" },
    });
});
beforeEach(() => db.product.deleteMany());

const HEAD = ["slug", "title", "vendor", "variant", "unit", "hub", "price", "sale_price", "tags"];
const row = (slug: string, changes: Partial<Record<string, string>> = {}): string[] => {
  const cells: Partial<Record<string, string>> = {
    slug,
    title: slug,
    vendor: "oak-farm",
    variant: "Each",
    hub: "carmel",
    price: "4.00",
    ...changes,
  };
  return HEAD.map((name) => cells[name] ?? "");
};

/** The forms in which spreadsheets save a table as text. */
const FORMS: Record<string, (rows: readonly (readonly string[])[]) => Buffer> = {
  "commas, UTF-8": (rows) => Buffer.from(textOf(rows, ",")),
  "semicolons with a byte order mark": (rows) => Buffer.from(`\uFEFF${textOf(rows, ";")}`),
  "tabs, UTF-16": (rows) => Buffer.from(`\uFEFF${textOf(rows, "\t")}`, "utf16le"),
};
const textOf = (rows: readonly (readonly string[])[], separator: string): string =>
  rows
    .map((cells) => cells.map((cell) => (cell.includes(separator) ? `"${cell}"` : cell)).join(separator))
    .map((line) => `${line}\r\n`)
    .join("");

const importOf = async (content: Buffer, ...flags: readonly string[]) => {
  const path = join(market.dir, "products.csv");
  writeFileSync(path, content);
  const { code, err } = await market.run("products", "import", path, ...flags);
  const messages = err
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(`${path}: `, ""));
  return { code, messages, products: await db.product.count() };
};
const refused = (...messages: readonly string[]) => ({
  code: 3,
  messages: [...messages, "Nothing was written."],
  products: 0,
});
const wide = (...cells: readonly string[]): string[] => HEAD.map((_, place) => cells[place] ?? "");

describe.each(Object.entries(FORMS))("%s", (_form, save) => {
  test("a title and a note above the header: the row of the header is named", async () => {
    const rows = [wide("Pioneer Valley Market, fall"), wide(), wide("", "Prices in dollars"), HEAD, row("eggs")];
    expect(await importOf(save(rows))).toEqual(
      refused(
        'row 1: "Pioneer Valley Market, fall" is not the name of a column: the header seems to be row 4. Delete rows 1 to 3.',
      ),
    );
  });

  test("a row of sums below the data, with a label or without one: the row is named and nothing is imported", async () => {
    for (const [sums, shown] of [
      [["Total", "", "", "", "", "", "1,204.50"], 'row 3, column A: this looks like a row of sums ("Total")'],
      [["", "", "", "", "Grand total:", "", "$12"], 'row 3, column E: this looks like a row of sums ("Grand total:")'],
      [["", "", "", "", "", "", "12.00", "3.50"], 'row 3, column G: this looks like a row of sums ("12.00")'],
    ] as const)
      expect(await importOf(save([HEAD, row("eggs"), wide(...sums)]))).toEqual(refused(`${shown}. Delete the row.`));
  });

  test("headings and notes between the rows: each is named once", async () => {
    const rows = [HEAD, wide("VEGETABLES"), row("kale"), wide("", "Prices valid until Friday"), row("leeks")];
    expect(await importOf(save(rows))).toEqual(
      refused(
        'row 2, column A: only this cell of the row is filled ("VEGETABLES"). If it is a heading or a note, delete the row.',
        'row 4, column B: only this cell of the row is filled ("Prices valid until Friday"). If it is a heading or a note, delete the row.',
      ),
    );
  });

  test("a vendor's cell merged over its products: one message with the rows", async () => {
    const merged = (slug: string) => row(slug, { vendor: "" });
    const rows = [
      HEAD,
      row("a"),
      ...["b", "c", "d"].map(merged),
      row("e", { vendor: "elm-farm" }),
      ...["f", "g"].map(merged),
    ];
    expect(await importOf(save(rows))).toEqual(
      refused(
        "row 3, vendor (column C): this is empty in the rows 3 to 5 and 7 to 8. It should be the vendor of the product, on its first row. If cells are merged, unmerge them and fill the value into each row.",
      ),
    );
  });

  test("prices with a decimal comma: the comma is named", async () => {
    expect(await importOf(save([HEAD, row("eggs", { price: "6,50" })]))).toEqual(
      refused(
        'row 2, price (column G): "6,50" should be an amount in dollars, such as 4.50. Did you mean 6.50, with a point instead of the comma?',
      ),
    );
  });
});

const save = FORMS["commas, UTF-8"]!;

test("without a variant: the message says what a variant is", async () => {
  expect(await importOf(save([HEAD, row("eggs", { variant: "" })]))).toEqual(
    refused(
      "row 2, variant (column D): this is empty. It should be how the product is sold, such as Dozen or 1 lb, in at most 100 characters; Each, where it is sold by the piece.",
    ),
  );
});

test("new texts that a spreadsheet took for dates or numbers: refused with what they were", async () => {
  const sentence = (text: string, looks: string) =>
    `"${text}" looks like ${looks} If it is meant so, --accept-names takes it.`;
  const date = (was: string, or: string) => `a date that a spreadsheet made; was it ${was}? Or ${or}?`;
  const rows = [
    row("a", { unit: "1/2/2026" }),
    row("b", { unit: "2-Jan" }),
    row("c", { title: "Dec-24" }),
    row("d", { unit: "1.00E+05" }),
    row("e", { variant: "16-Dec" }),
  ];
  expect(await importOf(save([HEAD, ...rows]))).toEqual(
    refused(
      `row 2, unit (column E): ${sentence("1/2/2026", date("1/2", "1-2"))}`,
      `row 3, unit (column E): ${sentence("2-Jan", date("1/2", "1-2"))}`,
      `row 4, title (column B): ${sentence("Dec-24", date("12/24", "12-24"))}`,
      `row 5, unit (column E): ${sentence("1.00E+05", "a number that a spreadsheet shortened; was it 100000?")}`,
      `row 6, variant (column D): ${sentence("16-Dec", date("12/16", "12-16"))}`,
    ),
  );
});

test("names and units that only look like dates or numbers are imported as they are", async () => {
  const units = ["1/2", "2-4", "10-12 lb", "16/20/24", "1/32/2026", "32-Jan", "3-Bag", "5/8"];
  const titles = ["Mar-Bella", "16/20 shrimp", "5/8 bushel", "Dec. pick", "May apples", "Ham-12"];
  const variants = ["3-Pack", "10-LB", "Jan-3", "1/2", "Dozen"];
  const rows = [
    ...units.map((unit, place) => row(`unit-${place}`, { unit })),
    ...titles.map((title, place) => row(`title-${place}x`, { title })),
    ...variants.map((variant, place) => row(`variant-${place}`, { variant })),
  ];
  expect(await importOf(save([HEAD, ...rows]))).toMatchObject({ code: 0, products: rows.length });
  const saved = await db.variant.findMany({
    select: { title: true, unit: true, product: { select: { title: true } } },
  });
  expect(saved.map(({ unit }) => unit)).toEqual(expect.arrayContaining(units));
  expect(saved.map(({ title }) => title)).toEqual(expect.arrayContaining(variants));
  expect(saved.map(({ product }) => product.title)).toEqual(expect.arrayContaining(titles));
});

describe("texts of a market that look like mistakes and were stored before", () => {
  const store = async () => {
    const stored = row("eggs", { title: "Eggs", variant: "Half", unit: "half", tags: "farm" });
    expect(await importOf(save([HEAD, stored]))).toMatchObject({ code: 0 });
    await db.product.updateMany({ data: { title: "Dec-24", tags: ["eggs, local", "farm"] } });
    await db.variant.updateMany({ data: { title: "2-Jan", unit: "1/2/2026" } });
  };
  const offer = () =>
    db.offer.findFirstOrThrow({
      select: { price_cents: true, inventory: true, is_published: true, variant: { select: { unit: true } } },
    });

  test("the price, the stock, the unit and whether it is offered can be set", async () => {
    await store();
    const set = ["products", "set", "eggs", "--variant", "2-Jan"];
    await market.json(...set, "--price", "5.00", "--unit", "half dozen");
    await market.json(...set, "--offered", "no");
    await market.json("stock", "set", "oak-farm", "Dec-24, 2-Jan=12");
    expect(await offer()).toEqual({
      price_cents: 500,
      inventory: 12,
      is_published: false,
      variant: { unit: "half dozen" },
    });
  });

  test("the export of the market is imported again, with other prices too", async () => {
    await store();
    const path = join(market.dir, "exported.csv");
    await market.json("products", "export", path);
    expect(await market.run("products", "import", path)).toMatchObject({ code: 0, err: "" });
    const exported = readFileSync(path, "utf8");
    writeFileSync(path, exported.replace("4.00", "4.50"));
    expect(await market.run("products", "import", path)).toMatchObject({ code: 0, err: "" });
    expect(await offer()).toMatchObject({ price_cents: 450, variant: { unit: "1/2/2026" } });
  });

  test("such a text is refused for another product and another value", async () => {
    await store();
    const rows = [
      row("eggs", { title: "Dec-25", variant: "2-Jan", unit: "1/2/2026" }),
      row("milk", { variant: "2-Jan" }),
    ];
    const { code, messages } = await importOf(save([HEAD, ...rows]));
    expect({ code, messages: messages.map((message) => message.replace(/ looks like .*/, "")) }).toEqual({
      code: 3,
      messages: ['row 2, title (column B): "Dec-25"', 'row 3, variant (column D): "2-Jan"', "Nothing was written."],
    });
  });
});

describe("a file of discount codes", () => {
  const discountsOf = async (...lines: readonly string[]) => {
    const path = join(market.dir, "discounts.csv");
    writeFileSync(path, `${lines.join("\n")}\n`);
    await db.discount_code.deleteMany();
    const { code, err } = await market.run("discounts", "import", path);
    const saved = await db.discount_code.findMany({ orderBy: { id: "asc" } });
    return { code, err: err.replace(`${path}: `, ""), codes: saved.map((each) => each.code) };
  };
  const sumsRefused = (line: number, column: string, shown: string) => ({
    code: 3,
    err: `row ${line}, column ${column}: this looks like a row of sums ("${shown}"). Delete the row.\nNothing was written.\n`,
    codes: [],
  });

  test("months in capitals, digits and letters are codes; what a spreadsheet wrote is refused", async () => {
    const codes = ["MAY-25", "NOV-10", "20-MAY", "2026", "45323"];
    const lines = codes.map((code) => `${code},10`);
    expect(await discountsOf("code,percent", ...lines)).toEqual({ code: 0, err: "", codes });
    expect(await discountsOf("code,percent", ...lines, "Dec-24,10")).toEqual({
      code: 3,
      err: 'row 7, code (column A): "Dec-24" looks like a date that a spreadsheet made; was it 12/24? Or 12-24? If it is meant so, --accept-names takes it.\nNothing was written.\n',
      codes: [],
    });
  });

  test("codes that begin with total or sum, or are these words, are imported", async () => {
    const codes = ["TOTAL-20", "SUM-10", "SUB-TOTAL-5", "TOTALLY10", "TOTAL", "SUM"];
    const lines = codes.map((code, place) => `${code},${10 + place}`);
    expect(await discountsOf("code,percent", ...lines)).toEqual({ code: 0, err: "", codes });
    expect(await discountsOf("code,amount", "FALL,10.00", "Total,10.00")).toMatchObject({ codes: ["FALL", "TOTAL"] });
    expect(await discountsOf("reason,code,percent", "Total,A5,5", "Total,2026,10")).toMatchObject({
      codes: ["A5", "2026"],
    });
  });

  test("a row with the sum of each column, or with no valid code, is a row of sums", async () => {
    const head = "code,amount,use_limit";
    const data = ["FALL,$10.50,100", "HARVEST,5,20"];
    expect(await discountsOf(head, ...data, "Total,$15.50,120")).toEqual(sumsRefused(4, "A", "Total"));
    expect(await discountsOf(head, ...data, "SUM,15.5,")).toEqual(sumsRefused(4, "A", "SUM"));
    expect(await discountsOf(head, ...data, "Grand total:,1,2")).toEqual(sumsRefused(4, "A", "Grand total:"));
    expect(await discountsOf("reason,code,amount", "a,A,1", "Total October,,7")).toEqual(
      sumsRefused(3, "A", "Total October"),
    );
    expect(await discountsOf(head, ...data, ",15.50,120")).toEqual(sumsRefused(4, "B", "15.50"));
  });
});

test("a comma in a tag is refused: tags have | between them", async () => {
  const { messages } = await importOf(save([HEAD, row("eggs", { tags: "eggs, local" })]));
  expect(messages[0]).toBe(
    'row 2, tags (column I): "eggs, local" should be at most 40 values with | between them, each plain text of at most 60 characters without a comma.',
  );
});

test("the dash of the accounting format is an empty cell", async () => {
  expect(
    await importOf(save([HEAD, row("eggs", { sale_price: " $-   " }), row("milk", { sale_price: "-" })])),
  ).toMatchObject({
    code: 0,
    products: 2,
  });
  expect(await db.offer.count({ where: { sale_price_cents: null } })).toBe(2);
  expect(await importOf(save([HEAD, row("milk", { price: "$ -" })]))).toMatchObject({ code: 0 });
  expect(await importOf(save([HEAD, row("butter", { price: "$ -" })]))).toMatchObject({ code: 3 });
});

test("--keep-going: rows of sums and headings are rejected with the reason, each other row is imported", async () => {
  const rows = [HEAD, wide("DAIRY"), row("milk"), wide("Total", "", "", "", "", "", "4.00")];
  expect(await importOf(save(rows), "--keep-going")).toMatchObject({ code: 5, products: 1 });
  const rejected = readFileSync(join(market.dir, "products.csv.rejected.csv"), "utf8");
  expect(rejected).toMatch(/^DAIRY,.*If it is a heading or a note, delete the row\.\W*$/m);
  expect(rejected).toMatch(/^Total,.*this looks like a row of sums .*$/m);
});
