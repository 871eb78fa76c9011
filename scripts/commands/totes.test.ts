import { expect, test } from "vitest";

import { closedDay } from "../test/closed-day.ts";
import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;
const door = await closedDay(market, {
  slug: "carmel",
  title: "Eggs",
  boxes: [[1], [1, 2], [1], [1], [2]],
  payments: "offline",
});
const card = await closedDay(market, { slug: "zionsville", title: "Milk", boxes: [[1, 1], [1]] });
const due = async (ids: readonly number[]) =>
  (await db.order.findMany({ where: { id: { in: [...ids] } } })).reduce(
    (sum, order) => sum + order.order_total_cents,
    0,
  );
const words = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const states = async (ids: readonly number[]) =>
  Promise.all(
    ids.map(
      async (id) => (await db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } })).payment!.state,
    ),
  );
const [one, two, three, four, five] = door.orders as [number[], number[], number[], number[], number[]];

test("orders deliver: the number of an add-on delivers its box with all its parts", async () => {
  const [box, addOn] = card.orders[0] as [number, number];
  expect(await market.json("orders", "deliver", String(addOn), "--dry-run")).toMatchObject({
    orderIds: [box, addOn].toSorted((a, b) => a - b),
  });
  expect(await card.statusOf(box)).toBe("pending");
  expect(await market.json("orders", "deliver", String(addOn))).toMatchObject({
    orderIds: [box, addOn].toSorted((a, b) => a - b),
  });
  expect([await card.statusOf(box), await card.statusOf(addOn)]).toEqual(["closed", "closed"]);
  expect(await market.run("orders", "deliver", String(box), String(addOn))).toMatchObject({
    code: 0,
    out: `Closed already: order ${box}, order ${addOn}.\nNothing was done.\n`,
  });
});

test("orders paid: a range of totes notes what each box has to collect, add-ons too, and says which were noted before", async () => {
  const range = ["orders", "paid", "carmel", door.day, "--tote"] as const;
  const cents = await due([...one, ...two]);
  expect(await market.run(...range, "1-2", "--dry-run")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Would note/),
  });
  expect(await states(two)).toEqual(["authorized", "authorized"]);
  expect(await market.run(...range, "1-2")).toMatchObject({
    code: 0,
    out: `Noted ${words(cents)}: tote 1 (order ${one[0]}) ${words(await due(one))}, tote 2 (order ${two[0]}) ${words(await due(two))}.\n`,
  });
  expect(await states([...one, ...two])).toEqual(["captured", "captured", "captured"]);
  expect(await market.run(...range, "2,3")).toMatchObject({
    code: 0,
    out: `Noted ${words(await due(three))}: tote 3 (order ${three[0]}) ${words(await due(three))}.\nPaid already: tote 2 (order ${two[0]}).\n`,
  });
  expect(await market.run(...range, "1-3")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Paid already: .*\.\nNothing was done\.\n$/),
  });
  // Order numbers do the same; each was booked once.
  expect(await market.json("orders", "paid", String(two[1]))).toMatchObject({ amountCents: 0 });
  expect(await db.audit_entry.count({ where: { action: "orders paid" } })).toBe(4);
  expect(await market.audit()).toEqual([]);
});

test("orders paid and deliver: one wrong order of several is named, nothing is done, and the others are offered", async () => {
  await market.json("orders", "cancel", "carmel", door.day, "--tote", "4", "--reason", "away", "--yes");
  expect(await market.run("orders", "paid", "carmel", door.day, "--tote", "3-7")).toMatchObject({
    code: 1,
    err: `Tote 4 (order ${four[0]}) was cancelled.\nThere is no tote 6: they go from 1 to 5.\nThere is no tote 7: they go from 1 to 5.\nNothing was done. For the others: --tote 3,5\n`,
  });
  const byCard = card.orders[1]![0]!;
  expect(await market.run("orders", "paid", String(five[0]), String(byCard), "100000001")).toMatchObject({
    code: 1,
    err: `Order ${byCard}: This order is not paid at the door.\nOrder 100000001: Not found.\nNothing was done. For the others: ${five[0]}\n`,
  });
  expect(await states(five)).toEqual(["authorized"]);
  expect(await market.run("orders", "deliver", String(five[0]), String(four[0]))).toMatchObject({
    code: 1,
    err: `Order ${four[0]}: This order is cancelled.\nNothing was done. For the others: ${five[0]}\n`,
  });
  expect(await door.statusOf(five[0]!)).toBe("pending");
  expect(await market.json("orders", "deliver", "carmel", door.day, "--tote", "1-3,5")).toMatchObject({
    orders: [{ orderIds: one }, { orderIds: two.toSorted((a, b) => a - b) }, { orderIds: three }, { orderIds: five }],
  });
  expect(await market.run("orders", "paid", "carmel", "--tote", "1")).toMatchObject({ code: 2 });
  expect(await market.run("orders", "paid", "carmel", door.day)).toMatchObject({
    code: 2,
    err: '"carmel" is not an order number. Give order numbers, or the hub and the delivery day with --tote. Nothing was done.\n',
  });
  expect(await market.audit()).toEqual([]);
});
