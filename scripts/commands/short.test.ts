import { expect, test } from "vitest";

import { closedDay } from "../test/closed-day.ts";
import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;
const { day, product, vendor, orders } = await closedDay(market, {
  slug: "carmel",
  title: "Eggs",
  boxes: [[3], [1], [2, 2]],
});
await db.variant.update({ where: { id: product.variant.id }, data: { unit: "12 ct" } });
const quantities = () =>
  Promise.all(
    orders.flat().map(async (id) => (await db.order_item.findFirstOrThrow({ where: { order_id: id } })).quantity),
  );
const short = (item: string, count: string, ...more: string[]) =>
  ["short", "carmel", day, vendor.slug, item, count, "--reason", "frost", ...more] as const;

test("short: a dry run lists the boxes, --yes is required, and a repeat reports that nothing was done", async () => {
  const dry = await market.run(...short("eggs", "5/8", "--dry-run"));
  expect(dry.code).toBe(0);
  const [first, , tote1, tote3, last] = dry.out.split("\n");
  expect(first).toBe(`5 of 8 Eggs, Each (${vendor.name}) came: 2 boxes get less.`);
  expect(tote1).toMatch(new RegExp(String.raw`^ +1  ${orders[0]![0]} +3 +2 +\$\d+\.\d\d back to store credit$`));
  expect(tote3).toMatch(
    new RegExp(String.raw`^ +3  ${orders[2]!.join(", ")} +4 +2 +\$\d+\.\d\d back to store credit$`),
  );
  expect(last).toMatch(/^Would record: \$\d+\.\d\d back to store credit\.$/);
  const unconfirmed = await market.run(...short("eggs", "5/8"));
  expect(unconfirmed).toMatchObject({
    code: 2,
    err: expect.stringContaining("Lower them and send the emails? Say --yes"),
  });
  expect(await quantities()).toEqual([3, 1, 2, 2]);
  const done = await market.run(...short("eggs", "5/8", "--yes"));
  expect(done).toMatchObject({ code: 0, out: dry.out.replace("Would record", "Recorded") });
  expect(await quantities()).toEqual([2, 1, 2, 0]);
  expect(await db.mail.count({ where: { template: "order-short" } })).toBe(2);
  expect(await market.run(...short(String(product.variant.id), "5/8", "--yes"))).toMatchObject({
    code: 0,
    out: `No more than 5 of Eggs, Each (${vendor.name}) are still ordered; nothing was done.\n`,
  });
  expect(await market.json(...short("Eggs, Each · 12 ct", "4/5", "--yes"))).toMatchObject({
    boxes: [{ tote: 3, ordered: 2, gets: 1 }],
  });
  expect(await quantities()).toEqual([2, 1, 1, 0]);
  expect(await market.audit()).toEqual([]);
});

test("short: impossible counts and unknown items print the expected format or the items", async () => {
  for (const count of ["3", "12/9", "9/9", "a/3"])
    expect(await market.run(...short("eggs", count, "--yes"))).toMatchObject({
      code: 2,
      err: `Write CAME/ORDERED instead of "${count}", such as 9/12 when 9 of 12 came.\n`,
    });
  expect(await market.run(...short("milk", "1/2", "--yes"))).toMatchObject({
    code: 1,
    err: `There is no "milk" of ${vendor.name}: Eggs, Each (${product.variant.id}).\n`,
  });
  expect(await market.run(...short("eggs", "1/77", "--yes"))).toMatchObject({
    code: 1,
    err: "4 of Eggs, Each are ordered, not 77. Nothing was done.\n",
  });
});

test("orders: show, short and cancel accept a tote number", async () => {
  const tote = ["carmel", day, "--tote"] as const;
  const shown = await market.json<{ id: number }[]>("orders", "show", ...tote, "3");
  expect(shown.map(({ id }) => id)).toEqual(orders[2]);
  expect((await market.run("orders", "show", ...tote, "1")).out).toContain(`Order ${orders[0]![0]} ·`);
  const count = (...counts: string[]) =>
    ["orders", "short", "carmel", day, ...counts, "--tote", "1", "--reason", "fox"] as const;
  expect(await market.run(...count("eggs=1/2"))).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      new RegExp(String.raw`^Removed 1 × Eggs, 12 ct from tote 1 \(order ${orders[0]![0]}\); \$`),
    ),
  });
  expect(await market.run(...count("eggs=1/2"))).toMatchObject({
    code: 0,
    out: `Tote 1 (order ${orders[0]![0]}) already has these counts; nothing was done.\n`,
  });
  expect(await quantities()).toEqual([1, 1, 1, 0]);
  expect(await market.run(...count())).toMatchObject({ code: 2 });
  // A tote with several orders: a command for a single order needs its number.
  const refund = ["orders", "refund", "carmel", day, "1.00", "--tote", "3", "--to", "credit", "--reason", "x", "--yes"];
  expect(await market.run(...refund)).toMatchObject({
    code: 1,
    err: `Tote 3 (order ${orders[2]![0]}) has orders ${orders[2]!.join(", ")}. Give the number of one of them. Nothing was done.\n`,
  });
  expect(await market.json("orders", "cancel", ...tote, "2", "--reason", "truck", "--yes")).toMatchObject({
    orderIds: orders[1],
  });
  expect(await market.run("orders", "show", ...tote, "2")).toMatchObject({
    code: 1,
    err: `Tote 2 (order ${orders[1]![0]}) was cancelled.\nNothing was done.\n`,
  });
  expect(await market.run("orders", "show", ...tote, "2-9")).toMatchObject({ code: 2 });
  expect(await market.run("orders", "show", ...tote, "9")).toMatchObject({
    code: 1,
    err: "There is no tote 9: they go from 1 to 3.\nNothing was done.\n",
  });
  expect(await market.run("orders", "show", "carmel", "--tote", "1")).toMatchObject({ code: 2 });
  expect(await market.run("orders", "show", String(orders[0]![0]), day)).toMatchObject({ code: 2 });
  expect(await market.run("orders", "show", "carmel")).toMatchObject({ code: 2 });
  expect(await market.audit()).toEqual([]);
});
