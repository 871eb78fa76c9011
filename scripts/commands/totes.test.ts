import { expect, test } from "vitest";

import { closedDay } from "../test/closed-day.ts";
import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;
const offline = await closedDay(market, {
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
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const states = async (ids: readonly number[]) =>
  Promise.all(
    ids.map(
      async (id) => (await db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } })).payment!.state,
    ),
  );
const [tote1, tote2, tote3, tote4, tote5] = offline.orders as [number[], number[], number[], number[], number[]];

test("orders deliver: the number of an add-on delivers its whole box", async () => {
  const [box, addOn] = card.orders[0] as [number, number];
  expect(await market.json("orders", "deliver", String(addOn), "--dry-run")).toMatchObject({
    orderIds: [box, addOn].toSorted((a, b) => a - b),
  });
  expect(await card.statusOf(box)).toBe("pending");
  // The day has not come yet.
  const early = `${card.hub.name} on ${card.day} has not come yet.`;
  expect((await market.run("orders", "deliver", String(addOn), "--dry-run")).out).toMatch(
    new RegExp(`^${early}\nWould close`),
  );
  expect(await market.run("orders", "deliver", String(addOn))).toMatchObject({
    code: 2,
    err: `${early} Mark its orders as delivered? Say --include-future to do it; nothing was done.\n`,
  });
  expect(await card.statusOf(box)).toBe("pending");
  expect(await market.json("orders", "deliver", String(addOn), "--include-future")).toMatchObject({
    orderIds: [box, addOn].toSorted((a, b) => a - b),
  });
  expect([await card.statusOf(box), await card.statusOf(addOn)]).toEqual(["closed", "closed"]);
  expect(await market.run("orders", "deliver", String(box), String(addOn))).toMatchObject({
    code: 0,
    out: `Already closed: order ${box}, order ${addOn}.\nNothing was done.\n`,
  });
});

test("orders paid: a range of totes is marked as paid with add-ons, and totes already paid are listed", async () => {
  const range = ["orders", "paid", "carmel", offline.day, "--tote"] as const;
  const cents = await due([...tote1, ...tote2]);
  expect(await market.run(...range, "1-2", "--dry-run")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Would mark as paid/),
  });
  expect(await states(tote2)).toEqual(["authorized", "authorized"]);
  expect(await market.run(...range, "1-2")).toMatchObject({
    code: 0,
    out: `Marked as paid ${dollars(cents)}: tote 1 (order ${tote1[0]}) ${dollars(await due(tote1))}, tote 2 (order ${tote2[0]}) ${dollars(await due(tote2))}.\n`,
  });
  expect(await states([...tote1, ...tote2])).toEqual(["captured", "captured", "captured"]);
  expect(await market.run(...range, "2,3")).toMatchObject({
    code: 0,
    out: `Marked as paid ${dollars(await due(tote3))}: tote 3 (order ${tote3[0]}) ${dollars(await due(tote3))}.\nAlready paid: tote 2 (order ${tote2[0]}).\n`,
  });
  expect(await market.run(...range, "1-3")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Already paid: .*\.\nNothing was done\.\n$/),
  });
  // Order numbers work as well; each order was booked once.
  expect(await market.json("orders", "paid", String(tote2[1]))).toMatchObject({ amountCents: 0 });
  expect(await db.audit_entry.count({ where: { action: "orders paid" } })).toBe(4);
  expect(await market.audit()).toEqual([]);
});

test("orders undo-paid: totes are marked as not paid, with the amounts, and a second run finds nothing to undo", async () => {
  const range = ["orders", "undo-paid", "carmel", offline.day, "--tote", "1-2", "--reason", "wrong tote"] as const;
  const cents = await due([...tote1, ...tote2]);
  const totes = `tote 1 (order ${tote1[0]}) ${dollars(await due(tote1))}, tote 2 (order ${tote2[0]}) ${dollars(await due(tote2))}.\n`;
  expect(await market.run(...range, "--dry-run")).toMatchObject({
    code: 0,
    out: `Would mark as not paid ${dollars(cents)}: ${totes}`,
  });
  expect(await states(tote2)).toEqual(["captured", "captured"]);
  expect(await market.run(...range)).toMatchObject({ code: 0, out: `Marked as not paid ${dollars(cents)}: ${totes}` });
  expect(await states([...tote1, ...tote2])).toEqual(["authorized", "authorized", "authorized"]);
  expect(await market.run(...range)).toMatchObject({
    code: 0,
    out: `Not marked as paid: tote 1 (order ${tote1[0]}), tote 2 (order ${tote2[0]}).\nThere is nothing to undo. Nothing was done.\n`,
  });
  expect((await market.run("orders", "show", String(tote2[1]))).out).toContain("orders undo-paid (wrong tote)");
  expect(await market.audit()).toEqual([]);
  expect(await market.json("orders", "paid", "carmel", offline.day, "--tote", "1-2")).toMatchObject({
    amountCents: cents,
  });
});

test("orders undo-deliver: a box is pending again, and a second run finds nothing to undo", async () => {
  const [box, addOn] = card.orders[0] as [number, number];
  const ids = [box, addOn].toSorted((a, b) => a - b).join(", ");
  const args = ["orders", "undo-deliver", String(addOn), "--reason", "still in the van"] as const;
  expect(await market.run(...args, "--dry-run")).toMatchObject({
    code: 0,
    out: `Would mark as not delivered ${ids}.\n`,
  });
  expect(await card.statusOf(box)).toBe("closed");
  expect(await market.run(...args)).toMatchObject({ code: 0, out: `Marked as not delivered ${ids}.\n` });
  expect([await card.statusOf(box), await card.statusOf(addOn)]).toEqual(["pending", "pending"]);
  expect(await market.run(...args)).toMatchObject({
    code: 0,
    out: `Not marked as delivered: order ${addOn}.\nThere is nothing to undo. Nothing was done.\n`,
  });
  expect(await market.audit()).toEqual([]);
});

test("orders paid and deliver: invalid orders are listed, nothing is done, and the arguments for the others are printed", async () => {
  await market.json("orders", "cancel", "carmel", offline.day, "--tote", "4", "--reason", "away", "--yes");
  expect(await market.run("orders", "paid", "carmel", offline.day, "--tote", "3-7")).toMatchObject({
    code: 1,
    err: `Tote 4 (order ${tote4[0]}) was cancelled.\nThere is no tote 6: they go from 1 to 5.\nThere is no tote 7: they go from 1 to 5.\nNothing was done. For the others: --tote 3,5\n`,
  });
  const byCard = card.orders[1]![0]!;
  expect(await market.run("orders", "paid", String(tote5[0]), String(byCard), "100000001")).toMatchObject({
    code: 1,
    err: `Order ${byCard}: This order is not paid at the door.\nOrder 100000001: Not found.\nNothing was done. For the others: ${tote5[0]}\n`,
  });
  for (const action of ["paid", "deliver"])
    expect(await market.run("orders", action, "100000001")).toMatchObject({
      code: 1,
      err: "There is no order 100000001. `./market orders list` lists them; nothing was done.\n",
    });
  expect(await states(tote5)).toEqual(["authorized"]);
  expect(await market.run("orders", "deliver", String(tote5[0]), String(tote4[0]))).toMatchObject({
    code: 1,
    err: `Order ${tote4[0]}: This order is cancelled.\nNothing was done. For the others: ${tote5[0]}\n`,
  });
  expect(await offline.statusOf(tote5[0]!)).toBe("pending");
  expect(
    await market.json("orders", "deliver", "carmel", offline.day, "--tote", "1-3,5", "--include-future"),
  ).toMatchObject({
    orders: [
      { orderIds: tote1 },
      { orderIds: tote2.toSorted((a, b) => a - b) },
      { orderIds: tote3 },
      { orderIds: tote5 },
    ],
  });
  expect(await market.run("orders", "paid", "carmel", "--tote", "1")).toMatchObject({ code: 2 });
  expect(await market.run("orders", "paid", "carmel", offline.day)).toMatchObject({
    code: 2,
    err: '"carmel" is not an order number. Give order numbers, or the hub and the delivery day with --tote. Nothing was done.\n',
  });
  expect(await market.audit()).toEqual([]);
});

test("sheets: changes name the amount to collect of a tote that was paid at the door, after all that changes what is packed", async () => {
  const [first, second] = offline.orders.map(([id]) => id);
  const { out } = await market.run("sheets", "carmel", offline.day, "--drivers", "2", "--dry-run");
  expect(out).not.toContain("collect");
  const made = await market.run("sheets", "carmel", offline.day, "--drivers", "2");
  expect(made.code).toBe(0);
  const changes = made.out.split("\n").filter((line) => line.startsWith("  tote "));
  const amounts = changes.filter((line) => line.includes(": collect "));
  for (const [tote, id] of [first, second].entries())
    expect(amounts[tote]).toMatch(
      new RegExp(String.raw`^ {2}tote ${tote + 1}, order ${id}: collect \$0\.00, was \$\d+\.\d\d$`),
    );
  expect(changes.slice(-amounts.length)).toEqual(amounts);
});
