import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { closedDay } from "../../test/closed-day.ts";
import { operatedMarket } from "../../test/market.ts";

const market = await operatedMarket();
const { db } = market;
const eggs = await closedDay(market, { slug: "carmel", title: "Eggs", boxes: [[1], [2, 3]] });
const milk = await closedDay(market, { slug: "zionsville", title: "Milk", boxes: [[4]] });
const [[first], [second, addOn]] = eggs.orders as [[number], [number, number]];
const [[third]] = milk.orders as [[number]];
await db.order.update({ where: { id: second }, data: { delivery_notes: "Gate 100% blue_door" } });
const customer = await db.order.findUniqueOrThrow({ where: { id: first }, include: { customer: true } });
await db.customer.update({
  where: { id: customer.customer_id! },
  data: { first_name: "=Ada", last_name: "Rivera", phone: "(317) 555-0142" },
});

const list = async (...args: string[]): Promise<number[]> =>
  (await market.json<{ id: number }[]>("orders", "list", ...args)).map(({ id }) => id);
const sorted = (...ids: number[]) => ids.toSorted((a, b) => a - b);

test.each([
  ["a name in any case", "rIVera", [first]],
  ["an email", eggs.emails[1]!, sorted(second, addOn)],
  ["a phone number", "555-0142", [first]],
  ["an order number", String(third), [third]],
  ["a delivery note, with characters that have a meaning in patterns", "100% blue_", [second]],
  ["a pattern instead of text", "1__%", []],
])("orders list --find: finds %s", async (_, text, ids) => {
  expect(sorted(...(await list("--find", text)))).toEqual(ids);
});

test("orders list: by product, vendor and note, each narrows the others", async () => {
  expect(sorted(...(await list("--product", eggs.product.slug)))).toEqual(sorted(first, second, addOn));
  expect(await list("--vendor", milk.vendor.slug)).toEqual([third]);
  expect(await list("--product", eggs.product.slug, "--noted")).toEqual([second]);
  expect(await list("--product", eggs.product.slug, "--vendor", milk.vendor.slug)).toEqual([]);
});

test("orders list --owing: closed and packed orders of which something is to be collected", async () => {
  const set = (id: number, data: object) => db.order.update({ where: { id }, data });
  const before = await db.order.findMany({ where: { id: { in: [first, second] } } });
  expect(await list("--owing")).toEqual([]);
  const failed = { status: "pending", charge_failed_at: new Date() };
  await set(first, failed);
  await set(second, { ...failed, status: "open" });
  expect(await list("--owing")).toEqual([first]);
  await db.hub.updateMany({ data: { pack_unpaid: false } });
  expect(await list("--owing")).toEqual([]);
  await db.hub.updateMany({ data: { pack_unpaid: true } });
  for (const { id, status, charge_failed_at } of before) await set(id, { status, charge_failed_at });
});

test("orders recall: everyone who gets the product, with how to reach them; without canceled orders and units that came short", async () => {
  const recalled = async (...args: string[]) => {
    const { rows } = await market.json<{ rows: { order_id: number; units: number }[] }>("orders", "recall", ...args);
    return new Map(rows.map((row) => [row.order_id, row]));
  };
  const span = ["--from", eggs.day, "--to", eggs.day] as const;
  const all = await recalled("--product", eggs.product.slug, ...span);
  expect(all.size).toBe(3);
  expect(all.get(first)).toMatchObject({
    units: 1,
    name: "=Ada Rivera",
    email: eggs.emails[0],
    phone: "(317) 555-0142",
    hub: "carmel",
    status: "pending",
  });
  expect([all.get(second)?.units, all.get(addOn)?.units]).toEqual([2, 3]);
  await market.json("orders", "short", String(second), `${eggs.product.variant.id}=1/2`, "--reason", "frost");
  await market.json("orders", "cancel", String(addOn), "--reason", "called", "--yes");
  const left = await recalled("--vendor", eggs.vendor.slug, ...span);
  expect([left.size, left.get(first)?.units, left.get(second)?.units]).toEqual([2, 1, 1]);
  expect((await recalled("--product", eggs.product.slug, "--from", "2020-01-01", "--to", "2020-01-02")).size).toBe(0);
});

test("orders recall: the file is CSV for spreadsheets, without formulas", async () => {
  const span = ["--from", eggs.day, "--to", eggs.day] as const;
  expect(
    await market.run("orders", "recall", join(market.dir, "called.csv"), "--product", eggs.product.slug, ...span),
  ).toMatchObject({
    code: 0,
    out: `2 units for 2 people: ${join(market.dir, "called.csv")}.\n`,
  });
  const [header, ...lines] = readFileSync(join(market.dir, "called.csv"), "utf8").split(/\r?\n/);
  expect(header).toBe("\uFEFFday,hub,order,status,name,email,phone,where,item,units");
  expect(lines.join("\n")).toContain(`,${first},pending,'=Ada Rivera,${eggs.emails[0]},(317) 555-0142,`);
});

test.each([
  [[], 2, "Give --product or --vendor"],
  [["--product", "none-such"], 1, "There is no product none-such."],
  [["--vendor", "none-such"], 1, "There is no vendor none-such."],
  [["--product", eggs.product.slug, "--vendor", milk.vendor.slug], 1, `of ${milk.vendor.slug}.`],
])("orders recall %j: refused with exit code %i", async (args, code, sentence) => {
  expect(await market.run("orders", "recall", ...args, "--from", "2026-11-01", "--to", "2026-11-30")).toMatchObject({
    code,
    err: expect.stringContaining(sentence),
  });
});
