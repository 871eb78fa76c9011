import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { isUnavailable, query, sql } from "@marketday/db";
import { importFile } from "@marketday/server/modules/imports/import-file";
import { products } from "@marketday/server/modules/imports/kinds/products";
import type { RawRow } from "@marketday/server/modules/imports/raw-file";
import { createHub } from "@marketday/server/testing/factories";
import { beforeAll, describe, expect, test, vi } from "vitest";

import { fillDemo } from "../demo/fill.ts";
import { withMarket } from "../lib/market-deps.ts";
import { operatedMarket } from "../test/market.ts";

const now = new Date("2026-11-18T15:00:00Z");
const kinds = ["vendors", "products", "collections", "bundles", "posts", "banners", "discounts"];

describe("export and import of a whole market", () => {
  test("importing an export changes nothing, and gives an empty market the same content", async () => {
    const full = await operatedMarket();
    await fillDemo({ db: full.db, now, env: { pepper: "tests", dataDir: full.dir } });
    const empty = await operatedMarket();
    await empty.db.picture.createMany({
      data: await full.db.picture.findMany({ omit: { recipe: true } }),
    });
    const hubs = join(full.dir, "hubs.geojson");
    await full.run("hubs", "export", hubs);
    const same = await full.json<{ hubs: { is: string }[] }>("hubs", "import", hubs);
    expect(same.hubs.map(({ is }) => is)).toEqual(Array.from({ length: 6 }, () => "as it was"));
    await empty.json("hubs", "import", hubs);
    const hubsAgain = join(empty.dir, "hubs.geojson");
    await empty.run("hubs", "export", hubsAgain);
    expect(readFileSync(hubsAgain, "utf8")).toBe(readFileSync(hubs, "utf8"));
    for (const kind of kinds)
      for (const ending of ["csv", "json"]) {
        const file = join(full.dir, `${kind}.${ending}`);
        expect(await full.run(kind, "export", file)).toMatchObject({ code: 0, err: "" });
        // After the CSV file both markets have the same content, so the JSON file is imported into one.
        for (const market of ending === "csv" ? [full, empty] : [empty]) {
          if (market === empty && ending === "csv") await market.json(kind, "import", file);
          const { counts } = await market.json<{ counts: Record<string, object> }>(kind, "import", file);
          for (const count of Object.values(counts))
            expect({ kind, count }).toEqual({ kind, count: { created: 0, changed: 0 } });
          const again = join(market.dir, `${kind}.again.${ending}`);
          await market.run(kind, "export", again);
          expect(readFileSync(again, "utf8")).toBe(readFileSync(file, "utf8"));
        }
      }
    expect(await full.audit()).toEqual([]);
    expect(await empty.audit()).toEqual([]);
    const entries = await empty.db.audit_entry.findMany({ where: { action: "products import" } });
    expect(entries[0]).toMatchObject({ actor: "operator:ada", subject: "file:products.csv" });
  });
});

describe("invalid files", async () => {
  const market = await operatedMarket();
  beforeAll(async () => {
    await createHub(market.db);
    await market.db.hub.updateMany({ data: { slug: "carmel" } });
    await market.db.vendor.create({
      data: { slug: "oak-farm", hash: "0123456789abcdef", name: "Oak Farm", city: "Sheridan", state: "IN" },
    });
  });

  const head = "slug,title,vendor,variant,hub,price,inventory,description,images";
  const good = "eggs,Eggs,oak-farm,Dozen,carmel,6.50,12,,";
  // The content of the file, and its error message.
  const bad: [name: string, text: string, message: string | RegExp][] = [
    ["empty file", "", "The file is empty. Its first row should name its columns: slug, title,"],
    ["wrong header", `slug,titel,variant\n`, 'row 1, column B: there is no column "titel". Did you mean title?'],
    ["header of another table", "name,email\n", 'row 1, column A: there is no column "name". The columns are slug,'],
    ["duplicate column", "slug,slug,variant\n", 'row 1, column B: the header names "slug" twice.'],
    ["missing column", "slug,title\n", "row 1: the header needs the column variant."],
    [
      "price of 1e400",
      `${head}\n${good}\nmilk,Milk,oak-farm,Pint,carmel,1e400,5,,`,
      'row 3, price (column F): "1e400" should be an amount in dollars, such as 4.50.',
    ],
    ["price NaN", `${head}\nmilk,Milk,oak-farm,Pint,carmel,NaN,5,,`, 'row 2, price (column F): "NaN" should be'],
    ["negative price", `${head}\nmilk,Milk,oak-farm,Pint,carmel,-1,5,,`, 'row 2, price (column F): "-1" should be'],
    [
      "a third decimal",
      `${head}\nmilk,Milk,oak-farm,Pint,carmel,1.005,5,,`,
      'row 2, price (column F): "1.005" should be',
    ],
    [
      "negative stock",
      `${head}\nmilk,Milk,oak-farm,Pint,carmel,1,-5,,`,
      'row 2, inventory (column G): "-5" should be a whole number from 0 to 1,000,000.',
    ],
    [
      "unknown vendor",
      `${head}\nmilk,Milk,ash-farm,Pint,carmel,1,5,,`,
      'row 2, vendor (column C): there is no vendor "ash-farm". The only vendor is oak-farm.',
    ],
    [
      "unknown hub",
      `${head}\nmilk,Milk,oak-farm,Pint,fishers,1,5,,`,
      'row 2, hub (column E): there is no hub "fishers". The only hub is carmel.',
    ],
    [
      "missing picture",
      `${head}\nmilk,Milk,oak-farm,Pint,carmel,1,5,,milk.jpg`,
      'row 2, images (column I): there is no picture "milk.jpg". `market images import` brings pictures in.',
    ],
    [
      "two products with the same slug",
      `${head}\n${good}\neggs,Duck eggs,oak-farm,Half dozen,carmel,4,5,,`,
      'row 3, title (column B): "Duck eggs" should be empty, or the same as in row 2: both are of one product.',
    ],
    [
      "duplicate row",
      `${head}\n${good}\neggs,,,Dozen,carmel,6.50,12,,`,
      'row 3, variant (column D): "Dozen" should be something else: row 2 has the same slug, variant, hub.',
    ],
    [
      "slug of digits",
      `${head}\n123,Milk,oak-farm,Pint,carmel,1,5,,`,
      'row 2, slug (column A): "123" should be a short name in lower-case letters',
    ],
    ["slug of a path", `${head}\nsearch,Milk,oak-farm,Pint,carmel,1,5,,`, 'row 2, slug (column A): "search" should be'],
    [
      "missing title",
      `${head}\nmilk,,oak-farm,Pint,carmel,1,5,,`,
      "row 2, title (column B): this is empty. It should be the title of the product, on its first row.",
    ],
    [
      "an unquoted comma",
      `${head}\nmilk,Milk, raw,oak-farm,Pint,carmel,1,5,,`,
      "row 2, column J: this row has 10 cells, and the header has 9. A cell with a comma in it must be in quotes.",
    ],
    [
      "an unclosed quote",
      `${head}\n"milk,Milk,oak-farm,Pint,carmel,1,5,,`,
      'row 2: a cell begins with a quote (") that is never closed.',
    ],
    [
      "a cell of a million characters",
      `${head}\nmilk,Milk,oak-farm,Pint,carmel,1,5,${"x".repeat(1e6)},`,
      'row 2, description (column H): "xxx',
    ],
    [
      "not UTF-8",
      Buffer.concat([
        Buffer.from(`${head}\nmilk,Cr`),
        Buffer.from([0xe8]),
        Buffer.from("me,oak-farm,Pint,carmel,1,5,,"),
      ]) as unknown as string,
      /row 2, title \(column B\): "Cr.me" has a letter that cannot be read: the file is not saved as UTF-8/,
    ],
    ["NUL", `${head}\nmilk,Mi\0lk,oak-farm,Pint,carmel,1,5,,`, /row 2, title \(column B\): .* should be plain text/],
  ];
  test.each(bad)(
    "%s: refused with its place, nothing is written",
    { tags: ["fail:L5"] },
    async (_name, text, message) => {
      const file = join(market.dir, "bad.csv");
      writeFileSync(file, text);
      const before = await market.db.product.count();
      const { code, out, err } = await market.run("products", "import", file);
      expect([code, out]).toEqual([3, ""]);
      if (typeof message === "string") expect(err).toContain(message);
      else expect(err).toMatch(message);
      expect(err).toMatch(new RegExp(`^${file}:[^]*\\nNothing was written.\\n$`));
      expect(err.length).toBeLessThan(1_200);
      expect(await market.db.product.count()).toBe(before);
    },
  );

  const badJson: [name: string, text: string, message: string][] = [
    ["empty list", "[]", "The file is empty"],
    ["not JSON", `[\n{"slug": "a",\n "title": }]`, ":3:11 a value is missing here, or the comma before is too much."],
    ["not objects", `["a"]`, ':1 an object in { }; """ stands here'],
    [
      "an object in a cell",
      `[\n{"slug": "a", "title": {"en": "A"}}]`,
      ":2:24 a text, a number, true, false, null or a list of texts as title",
    ],
    [
      "a wrong price, by line and character",
      `[\n{"slug": "milk", "title": "Milk", "vendor": "oak-farm", "variant": "Pint",\n "hub": "carmel", "price": "cheap"}]`,
      ':2:28 price: "cheap" should be',
    ],
    ["not closed", `[{"slug": "a"`, ":1 an object that is closed again before the file ends"],
  ];
  test.each(badJson)("JSON, %s: refused with its place", async (_name, text, message) => {
    const file = join(market.dir, "bad.json");
    writeFileSync(file, text);
    const { code, err } = await market.run("products", "import", file);
    expect([code, err]).toEqual([
      3,
      expect.stringContaining(`${file}${message.startsWith(":") ? "" : ": "}${message}`),
    ]);
  });

  test("a missing file, as text and as JSON", async () => {
    const file = join(market.dir, "none.csv");
    expect(await market.run("vendors", "import", file)).toEqual({
      code: 3,
      out: "",
      err: `There is no file ${file}. Nothing was written.\n`,
    });
    writeFileSync(file, "slug,name,city,state\nx,X,Y\n");
    const { code, out, err } = await market.run("vendors", "import", file, "--json");
    expect([code, out]).toEqual([3, ""]);
    expect(JSON.parse(err)).toMatchObject({ code: 3, file, count: 1, problems: [{ line: 2, position: 4 }] });
  });

  test("BOM, Windows line ends, commas and line ends in quotes, dollar signs and blank lines are accepted", async () => {
    const file = join(market.dir, "windows.csv");
    writeFileSync(file, `\uFEFF${head}\r\njam,"Jam, ""red""",oak-farm,Jar,carmel,$4.5,3,"Two\r\nlines",\r\n\r\n`);
    expect((await market.json<{ counts: object }>("products", "import", file)).counts).toMatchObject({
      products: { created: 1 },
    });
    const jam = await market.db.product.findUniqueOrThrow({
      where: { slug: "jam" },
      include: { variants: { include: { offers: true } } },
    });
    expect([jam.title, jam.description.replaceAll("\r", "")]).toEqual(['Jam, "red"', "Two\nlines"]);
    expect(jam.variants[0]?.offers[0]).toMatchObject({ price_cents: 450, inventory: 3 });
    expect(await market.audit()).toEqual([]);
  });

  test("a formula is escaped in an export and unescaped on import", async () => {
    const file = join(market.dir, "formula.csv");
    const titles = ["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "'=1", "''@", "'plain", "＝1"];
    const rows = titles.map(
      (title, index) =>
        `formula-${index},"${/^'*[=+\-@＝]/.test(title) ? `'${title}` : title}",oak-farm,Each,carmel,1,1,,`,
    );
    writeFileSync(file, [head, ...rows].join("\n"));
    await market.json("products", "import", file);
    const stored = await market.db.product.findMany({
      where: { slug: { startsWith: "formula-" } },
      orderBy: { id: "asc" },
    });
    expect(stored.map(({ title }) => title)).toEqual(titles);
    const { out } = await market.run("products", "export");
    const exported = out
      .split("\n")
      .filter((line) => line.startsWith("formula-"))
      .map((line) => line.split(",")[1]);
    expect(exported).toEqual(["'=HYPERLINK(1)", "'+1", "'-1", "'@SUM(1)", "''=1", "'''@", "'plain", "'＝1"]);
  });

  test("--keep-going imports valid products, and writes the rejected rows with the reason", async () => {
    const file = join(market.dir, "some.csv");
    const rows = [
      "pears,Pears,oak-farm,Bag,carmel,3,5,,",
      "plums,Plums,oak-farm,Bag,carmel,3,5,,",
      "plums,,,Crate,carmel,cheap,5,,",
      "quince,Quince,elm-farm,Bag,carmel,2,1,,",
    ];
    writeFileSync(file, [head, ...rows].join("\n"));
    const { code, out } = await market.run("products", "import", file, "--keep-going");
    expect([code, out]).toEqual([5, expect.stringContaining("4 rows · 1 product new")]);
    const slugs = await market.db.product.findMany({
      where: { slug: { in: ["pears", "plums", "quince"] } },
      select: { slug: true },
    });
    expect(slugs).toEqual([{ slug: "pears" }]);
    const rejected = readFileSync(`${file}.rejected.csv`, "utf8").trimEnd().split("\n");
    expect(rejected).toEqual([
      `\uFEFF${head},problem`,
      expect.stringMatching(/^plums,Plums,.*row 3: left out with row 4, which is of the same product\."?$/),
      expect.stringMatching(/^plums,,,Crate,carmel,cheap,.*row 4, price \(column F\): ""cheap"" should be/),
      expect.stringMatching(
        /^quince,.*row 5, vendor \(column C\): there is no vendor ""elm-farm"". The only vendor is oak-farm\."$/,
      ),
    ]);
    writeFileSync(
      `${file}.rejected.csv`,
      rejected.join("\n").replace("cheap,5", "30,5").replace("elm-farm", "oak-farm"),
    );
    expect((await market.json<{ counts: object }>("products", "import", `${file}.rejected.csv`)).counts).toMatchObject({
      products: { created: 2 },
    });
    expect(await market.audit()).toEqual([]);
  });

  test("--keep-going: an invalid row without a title is rejected alone", async () => {
    const file = join(market.dir, "posts.csv");
    const posts = "type,vendor,title,text\nstaff-pick,,,One\nvendor-post,,,Two\nstaff-pick,ash-farm,,Three\n";
    writeFileSync(file, posts);
    expect(await market.run("posts", "import", file, "--keep-going")).toMatchObject({ code: 5 });
    expect((await market.db.post.findMany()).map(({ text }) => text)).toEqual(["One"]);
  });

  test("--dry-run checks everything and writes nothing", async () => {
    const file = join(market.dir, "dry.csv");
    writeFileSync(file, `${head}\nkale,Kale,oak-farm,Bunch,carmel,2,9,,`);
    const result = await market.json("products", "import", file, "--dry-run");
    expect(result).toMatchObject({
      dryRun: true,
      counts: { products: { created: 1, changed: 0 }, offers: { created: 1 } },
    });
    expect(await market.db.product.count({ where: { slug: "kale" } })).toBe(0);
    expect(await market.db.audit_entry.count({ where: { subject: "file:dry.csv" } })).toBe(0);
  });

  test("an import updates derived values, and keeps values that the file leaves out", async () => {
    const file = join(market.dir, "change.csv");
    const take = async (text: string, ...flags: string[]) => {
      writeFileSync(file, text);
      return market.json("products", "import", file, ...flags);
    };
    await take(`${head}\nleeks,Leeks,oak-farm,Bunch,carmel,2,0,<p>Big</p><script>x</script>,`);
    const find = () =>
      market.db.product.findUniqueOrThrow({
        where: { slug: "leeks" },
        include: { variants: { include: { offers: { include: { adjustments: true } } } } },
      });
    const before = await find();
    expect(before.description).toBe("<p>Big</p>");
    const soldOutAt = before.variants[0]?.offers[0]?.sold_out_at;
    expect(soldOutAt).toBeInstanceOf(Date);
    // Still sold out: since when it is stays.
    await take("slug,variant,hub,price,inventory\nleeks,Bunch,carmel,2.25,0");
    expect((await find()).variants[0]?.offers[0]).toMatchObject({ price_cents: 225, sold_out_at: soldOutAt });
    await take("slug,variant,hub,price,sale_price,inventory\nleeks,Bunch,carmel,2.50,2,7", "--count");
    const after = await find();
    expect([after.title, after.description]).toEqual(["Leeks", "<p>Big</p>"]);
    const offer = after.variants[0]?.offers[0];
    expect(offer).toMatchObject({ price_cents: 250, sale_price_cents: 200, inventory: 7, sold_out_at: null });
    expect([offer?.restocked_at, offer?.on_sale_since]).not.toContain(null);
    expect(offer?.adjustments.map(({ amount, reason }) => [amount, reason])).toEqual([[7, "import"]]);
    await take("slug,variant,hub,price,sale_price,inventory\nleeks,Bunch,carmel,3,2.25,8", "--count");
    await take("slug,variant,hub,price,inventory\nleeks,Bunch,carmel,3,");
    const unchanged = (await find()).variants[0]?.offers[0];
    // On sale and in stock before and after: since when it is stays.
    expect(unchanged).toMatchObject({
      price_cents: 300,
      sale_price_cents: 225,
      inventory: 8,
      restocked_at: offer?.restocked_at,
      on_sale_since: offer?.on_sale_since,
      published_at: offer?.published_at,
    });
    expect(unchanged?.adjustments).toHaveLength(2);
    writeFileSync(file, "slug,variant,hub,price,sale_price\nleeks,Bunch,carmel,3,3");
    expect(await market.run("products", "import", file)).toMatchObject({
      code: 3,
      err: expect.stringContaining("less than the price, or none for no sale"),
    });
    expect(await market.audit()).toEqual([]);
  });

  test("discounts: an empty cell is once per customer, without a minimum or a limit; a limit below the uses is refused", async () => {
    const file = join(market.dir, "discounts.csv");
    const take = (text: string) => {
      writeFileSync(file, text);
      return market.run("discounts", "import", file);
    };
    const head = "code,percent,amount,minimum,use_limit,once_per_customer,hub";
    expect((await take(`${head}\nten,12.5,,,,,\nFIVE,,5.00,20,4,no,carmel\n`)).code).toBe(0);
    const find = () => market.db.discount_code.findMany({ orderBy: { id: "asc" }, include: { hub: true } });
    expect(await find()).toMatchObject([
      {
        code: "TEN",
        percent_ppm: 125_000,
        amount_cents: null,
        minimum_cents: 0,
        use_limit: null,
        once_per_customer: true,
        hub: null,
      },
      {
        code: "FIVE",
        percent_ppm: null,
        amount_cents: 500,
        minimum_cents: 2_000,
        use_limit: 4,
        once_per_customer: false,
        hub: { slug: "carmel" },
      },
    ]);
    // Dollars in place of a percentage; the columns that are left out stay.
    await market.db.discount_code.updateMany({ where: { code: "FIVE" }, data: { uses: 3 } });
    expect((await take("code,amount\nTEN,3\nFIVE,6\n")).code).toBe(0);
    expect(await find()).toMatchObject([
      { code: "TEN", percent_ppm: null, amount_cents: 300, once_per_customer: true },
      { code: "FIVE", amount_cents: 600, minimum_cents: 2_000, use_limit: 4, once_per_customer: false, uses: 3 },
    ]);
    expect(await take("code,amount,use_limit\nFIVE,6,2\n")).toMatchObject({
      code: 3,
      err: expect.stringContaining('use_limit (column C): "2" should be at least 3'),
    });
    expect((await take("code,amount,use_limit\nFIVE,6,3\n")).code).toBe(0);
    for (const column of ["percent", "amount"])
      expect(await take(`code,${column}\nZERO,0\n`)).toMatchObject({
        code: 3,
        err: expect.stringContaining(`${column} (column B): "0" should be more than 0`),
      });
    expect(await market.db.discount_code.count({ where: { code: "ZERO" } })).toBe(0);
    // It would never be valid.
    const noon = "2026-12-01T12:00:00Z";
    expect(await take(`code,amount,starts_at,ends_at\nNEVER,3,${noon},${noon}\n`)).toMatchObject({
      code: 3,
      err: expect.stringContaining("which should be later than its start"),
    });
  });

  describe("an interrupted import", () => {
    const rows = async function* (onRow: (index: number) => Promise<void> | void): AsyncGenerator<RawRow> {
      for (let index = 0; index < 3_000; index += 1) {
        await onRow(index);
        const cells = {
          slug: `many-${index}`,
          title: "Many",
          vendor: "oak-farm",
          variant: "Each",
          hub: "carmel",
          price: "1",
        };
        yield { line: index + 2, cells, positionOf: () => null };
      }
    };
    const take = (
      signal: AbortSignal,
      onRow: (index: number) => Promise<void> | void,
      onProgress?: (rows: number, step: string) => void,
    ) => {
      vi.stubEnv("DATABASE_URL", market.url);
      vi.stubEnv("DATA_DIR", market.dir);
      return withMarket(
        (deps) =>
          importFile(
            { now, actor: { type: "operator", name: "ada" }, deps },
            products,
            { name: "many.csv", header: ["slug", "title", "vendor", "variant", "hub", "price"], rows: rows(onRow) },
            { dryRun: false, accepted: null, keepGoing: false, signal, ...(onProgress && { onProgress }) },
          ),
        { long: true },
      );
    };
    const countImported = () => market.db.product.count({ where: { slug: { startsWith: "many-" } } });

    test("aborted while reading or writing: nothing is written", async () => {
      for (const step of ["Reading", "Writing"]) {
        const stop = new AbortController();
        const importing = take(
          stop.signal,
          (index) => void (step === "Reading" && index === 2_000 && stop.abort(new Error("stopped"))),
          (_rows, at) => void (step === "Writing" && at === step && stop.abort(new Error("stopped"))),
        );
        await expect(importing).rejects.toThrow("stopped");
        expect(await countImported()).toBe(0);
      }
    });

    test("Ctrl-C in a terminal: exit code 130, nothing is written", async () => {
      const pipe = join(market.dir, "pipe.csv");
      execFileSync("mkfifo", [pipe]);
      const env = { ...process.env, DATABASE_URL: market.url, DATA_DIR: market.dir, NODE_ENV: "test" };
      const child = spawn(process.execPath, ["scripts/market.ts", "products", "import", pipe], {
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
      const into = createWriteStream(pipe);
      // The reader may be gone before everything is written.
      into.on("error", () => undefined);
      const lines = (from: number) =>
        Array.from({ length: 3_000 }, (_, n) => `many-${from + n},Many,oak-farm,Each,carmel,1`).join("\n");
      into.write(`slug,title,vendor,variant,hub,price\n${lines(0)}\n`);
      const copying = sql`select count(*)::int as count from pg_stat_activity where datname = current_database() and query like 'copy incoming%'`;
      await vi.waitUntil(async () => (await query<{ count: number }>(market.db, copying))[0]?.count === 1, {
        timeout: 60_000,
      });
      child.kill("SIGINT");
      into.end(lines(3_000));
      const [out, err, [code]] = await ended;
      expect({ out, err, code }).toEqual({ out: "", err: "Stopped. Nothing was written.\n", code: 130 });
      expect(await countImported()).toBe(0);
    });

    test("a lost database connection: nothing is written", { tags: ["fail:D1"] }, async () => {
      const importing = take(new AbortController().signal, async (index) => {
        // Rows are read once COPY is sent: it may not have reached the database yet.
        const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'marketday command %' and query like 'copy incoming%'`;
        if (index === 1_500)
          await vi.waitUntil(async () => (await query(market.db, cut)).length === 1, { timeout: 60_000 });
      });
      const error = await importing.then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).toSatisfy(isUnavailable);
      expect(await countImported()).toBe(0);
    });

    test("two imports at once: the second is refused, of whatever kind, and the first is complete", async () => {
      const file = join(market.dir, "second.csv");
      writeFileSync(file, `${head}\n`);
      const hubs = join(market.dir, "second.geojson");
      const properties = { slug: "fishers", name: "Fishers", deliveryDay: "Friday", zipCode: "46037" };
      writeFileSync(
        hubs,
        JSON.stringify({ type: "FeatureCollection", features: [{ type: "Feature", properties, geometry: null }] }),
      );
      const others: { code: number; err: string }[] = [];
      await take(new AbortController().signal, async (index) => {
        if (index !== 1_000) return;
        others.push(await market.run("products", "import", file), await market.run("hubs", "import", hubs));
      });
      const refused = { code: 4, err: "Another import is running. Wait until it is done, then try again.\n" };
      expect(others).toMatchObject([refused, refused]);
      expect(await countImported()).toBe(3_000);
      expect(await market.run("products", "import", file)).toMatchObject({ code: 0 });
    });
  });
});
