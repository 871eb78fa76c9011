import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { AmountComparison } from "@marketday/server/lib/amount-changes";
import { createHub } from "@marketday/server/testing/factories";
import { beforeAll, describe, expect, test } from "vitest";

import { withAcceptedChanges } from "../lib/files/amount-changes.ts";
import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;
const FLAG = "--accept-large-changes";
const MUCH = "by more than a factor of three, or to zero";

const file = (name: string, ...lines: readonly string[]): string => {
  const path = join(market.dir, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
};

beforeAll(async () => {
  const hub = await createHub(db);
  await db.hub.update({ where: { id: hub.id }, data: { slug: "fishers" } });
  await db.vendor.create({
    data: { slug: "oak-farm", hash: "0123456789abcdef", name: "Oak Farm", city: "Sheridan", state: "IN" },
  });
});

interface Amounts {
  amounts: { count: number; largeCount: number; changes: { field: string; isLarge: boolean }[] };
}

const refusedWith = (path: string, ...changes: readonly string[]) => ({
  code: 2,
  out: "",
  err: [
    `${path}: ${changes.length} ${changes.length === 1 ? "amount" : "amounts"} would change ${MUCH}:`,
    ...changes.map((change) => `  ${change}`),
    `${changes.length === 1 ? "Is it" : "Are they"} right? Say ${FLAG} to do it; nothing was done.\n`,
  ].join("\n"),
});

describe("amounts in a file of hubs", () => {
  const hubFile = (properties: object): string =>
    file(
      "hubs.geojson",
      JSON.stringify({
        type: "FeatureCollection",
        features: [
          {
            type: "Feature",
            properties: { slug: "carmel", name: "Carmel", deliveryDay: "Thursday", zipCode: "46032", ...properties },
            geometry: null,
          },
        ],
      }),
    );
  const readHub = async () => {
    const { delivery_fee_cents, commission_ppm } = await db.hub.findUniqueOrThrow({ where: { slug: "carmel" } });
    return [delivery_fee_cents, commission_ppm];
  };

  test("a fee and a share that change much are listed, old and new, and imported only with their flag; --yes is not enough", async () => {
    const right = hubFile({ deliveryFee: 7.5, commission: 15 });
    const opened = await market.run("hubs", "import", right);
    expect([opened.code, opened.out]).toEqual([0, expect.stringContaining("carmel: deliveryFee none → $7.50\n")]);
    const wrong = hubFile({ deliveryFee: 750, commission: 0.15, taxRate: 0 });
    const changes = ["carmel: deliveryFee $7.50 → $750.00", "carmel: commission 15% → 0.15%"] as const;

    const dry = await market.run("hubs", "import", wrong, "--dry-run");
    expect(dry).toMatchObject({ code: 0, err: "" });
    expect(dry.out.trimEnd().split("\n").slice(2)).toEqual([
      "Amounts that would change much:",
      ...changes.map((change) => `  ${change}`),
      `2 amounts would change ${MUCH}: the import asks, or needs ${FLAG}.`,
    ]);
    for (const flags of [[], ["--yes"], ["--keep-going"]])
      expect(await market.run("hubs", "import", wrong, ...flags)).toEqual(refusedWith(wrong, ...changes));
    expect(await readHub()).toEqual([750, 150_000]);
    expect(await db.audit_entry.count({ where: { action: "hubs import" } })).toBe(1);

    const done = await market.run("hubs", "import", wrong, FLAG);
    expect([done.code, done.out]).toEqual([0, expect.stringContaining(`  ${changes[0]}\n  ${changes[1]}\n`)]);
    expect(await readHub()).toEqual([75_000, 1_500]);
    const repeated = await market.json<Amounts>("hubs", "import", wrong);
    expect(repeated.amounts).toEqual({ count: 0, largeCount: 0, changes: [] });
  });

  test("an ordinary change is listed and needs no flag; none is the market's fee", async () => {
    await market.json("hubs", "import", hubFile({ deliveryFee: 9.95, commission: 15 }), FLAG);
    const { out } = await market.run("hubs", "import", hubFile({ deliveryFee: "none", commission: 12.5 }));
    expect(out.trimEnd().split("\n").slice(2)).toEqual([
      "Amounts that changed:",
      "  carmel: deliveryFee $9.95 → $8.95",
      "  carmel: commission 15% → 12.5%",
    ]);
    const wrong = hubFile({ deliveryFee: 75, commission: 12.5 });
    expect(await market.run("hubs", "import", wrong)).toEqual(refusedWith(wrong, "carmel: deliveryFee $8.95 → $75.00"));
  });

  test("a new hub's fee and share are compared with the market's", async () => {
    const wrong = hubFile({ slug: "zionsville", zipCode: "46077", deliveryFee: 7.5, commission: 0.15, taxRate: 7 });
    expect(await market.run("hubs", "import", wrong)).toEqual(
      refusedWith(wrong, "zionsville: commission none → 0.15%"),
    );
    expect(await db.hub.count({ where: { slug: "zionsville" } })).toBe(0);
  });
});

describe("amounts in tables", () => {
  const products = (...rows: readonly string[]): string =>
    file("products.csv", "slug,title,vendor,variant,hub,price,sale_price", ...rows);
  const eggs = (price: string, sale = "") => `eggs,Eggs,oak-farm,Dozen,fishers,${price},${sale}`;
  const readOffer = async () => {
    const offer = await db.offer.findFirstOrThrow({ where: { variant: { product: { slug: "eggs" } } } });
    return [offer.price_cents, offer.sale_price_cents];
  };

  test("products: a price that changes much needs the flag; so does a sale price far below the price, and a price of 0", async () => {
    await market.json("products", "import", products(eggs("6.50")));
    const ordinary = await market.run("products", "import", products(eggs("7.00", "6.00")));
    expect(ordinary.out.trimEnd().split("\n").slice(1)).toEqual([
      "Amounts that changed:",
      "  eggs, Dozen, fishers: price $6.50 → $7.00",
      "  eggs, Dozen, fishers: sale_price none → $6.00",
    ]);
    for (const [row, change] of [
      [eggs("700"), "eggs, Dozen, fishers: price $7.00 → $700.00"],
      [eggs("0.70", "none"), "eggs, Dozen, fishers: price $7.00 → $0.70"],
      [eggs("7", "0.60"), "eggs, Dozen, fishers: sale_price $6.00 → $0.60"],
      ["milk,Milk,oak-farm,Pint,fishers,0,", "milk, Pint, fishers: price none → $0.00"],
      ["milk,Milk,oak-farm,Pint,fishers,5,0.50", "milk, Pint, fishers: sale_price none → $0.50"],
    ] as const) {
      const path = products(row);
      expect(await market.run("products", "import", path)).toEqual(refusedWith(path, change));
    }
    expect(await readOffer()).toEqual([700, 600]);
    expect(await db.product.count({ where: { slug: "milk" } })).toBe(0);
    const { amounts } = await market.json<Amounts>("products", "import", products(eggs("70", "none")), FLAG);
    expect(amounts).toMatchObject({ count: 2, largeCount: 1, changes: [{ field: "price" }, { field: "sale_price" }] });
    expect(await readOffer()).toEqual([7_000, null]);
  });

  test("products: new rows with ordinary prices list no amounts, and a file without prices changes none", async () => {
    const fresh = products("kale,Kale,oak-farm,Bunch,fishers,3.00,2.50");
    expect((await market.json<Amounts>("products", "import", fresh)).amounts.count).toBe(0);
    const titles = file("titles.csv", "slug,title,variant", "kale,Curly kale,Bunch");
    const { amounts, ...rest } = await market.json<Amounts>("products", "import", titles);
    expect([amounts.count, rest]).toEqual([0, expect.objectContaining({ rows: 1 })]);
  });

  test("products set: a price that changes much needs the flag", async () => {
    await market.json("products", "import", products("leeks,Leeks,oak-farm,Bunch,fishers,4.00,"));
    const set = ["products", "set", "leeks", "--price", "400"];
    const dry = await market.run(...set, "--dry-run");
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining(`1 amount would change ${MUCH}`) });
    expect(await market.run(...set)).toEqual(refusedWith("leeks", "leeks, Bunch, fishers: price $4.00 → $400.00"));
    expect(await market.json(...set, FLAG)).toMatchObject({ changed: true });
  });

  test("discounts and bundles: a percentage or an amount that changes much needs the flag", async () => {
    const discounts = (percent: string, amount: string): string =>
      file("discounts.csv", "code,percent,amount,minimum", `WELCOME,${percent},${amount},20`);
    await market.json("discounts", "import", discounts("10", ""));
    const free = discounts("100", "");
    expect(await market.run("discounts", "import", free)).toEqual(refusedWith(free, "WELCOME: percent 10% → 100%"));
    const other = await market.run("discounts", "import", discounts("", "10"));
    expect(other).toMatchObject({ code: 0, out: expect.stringContaining("WELCOME: amount none → $10.00") });
    const high = discounts("", "1000");
    expect(await market.run("discounts", "import", high)).toEqual(
      refusedWith(high, "WELCOME: amount $10.00 → $1,000.00"),
    );
    await market.json("products", "import", products("jam,Jam,oak-farm,Jar,fishers,5.00,"));
    const bundles = (percent: string): string =>
      file("bundles.csv", "slug,title,percent,hubs,items", `box,Box,${percent},fishers,1 x jam / Jar`);
    await market.json("bundles", "import", bundles("5"));
    const wrong = bundles("50");
    expect(await market.run("bundles", "import", wrong)).toEqual(refusedWith(wrong, "box: percent 5% → 50%"));
    expect((await db.bundle.findUniqueOrThrow({ where: { slug: "box" } })).discount_ppm).toBe(50_000);
    await market.json("bundles", "import", wrong, FLAG);
  });
});

test("the question about large changes: what is large only since the question is listed in another one", async () => {
  const change = (subject: string, after: number) =>
    ({ subject, field: "price", unit: "cents", before: 650, after }) as const;
  const file = [change("eggs", 65_000), change("milk", 700)];
  const questions: string[] = [];
  const tools = {
    options: {},
    confirm(question: string) {
      questions.push(question);
      if (questions.length === 1) file.push(change("kale", 0));
      return Promise.resolve();
    },
  };
  const { largeCount } = await withAcceptedChanges(tools, "products.csv", (accepted) => {
    const comparison = new AmountComparison();
    for (const each of file) comparison.add(each);
    return Promise.resolve().then(() => comparison.finish({ dryRun: false, accepted }));
  });
  expect(largeCount).toBe(2);
  expect(questions).toEqual([
    `products.csv: 1 amount would change ${MUCH}:\n  eggs: price $6.50 → $650.00\nIs it right?`,
    `products.csv: 2 amounts would change ${MUCH}:\n  eggs: price $6.50 → $650.00\n  kale: price $6.50 → $0.00\nAre they right?`,
  ]);
});
