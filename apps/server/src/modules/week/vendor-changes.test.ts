import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, type TestProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { shortOrder } from "../orders/short-order.ts";
import { shortVariant } from "../orders/short-variant.ts";

const sent: { to: string; subject: string; text: string }[] = [];
const market = await buildTestApp({
  overrides: { mailer: { send: async (mail) => void sent.push(mail), describe: () => "a list" } },
});
const { db, deps } = market;
const AFTER = "2026-11-25T09:00:00Z";
const DAY = "2026-11-26";
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "Ada" }, deps });
const WHY = { to: "credit", reason: "frost" } as const;
const closeDay = async () => {
  market.clock.set(AFTER);
  await runWeek({ ...operator(), actor: { type: "system", job: "week" } });
};

/** Creates three vendors (the last without an email address) and an order for each of these quantities of eggs, jam and bread. */
async function openDay(orders: readonly (readonly [eggs: number, jam: number, bread: number])[]) {
  market.clock.set(MONDAY);
  const hub = await createHub(db, { name: "Little market" });
  const goods: TestProduct[] = [];
  for (const title of ["Eggs", "Jam", "Bread"]) {
    const product = await createProduct(db, hub.id, { title, inventory: 50 });
    const email = title === "Bread" ? null : `${title.toLowerCase()}${hub.id}@farm.example`;
    await db.vendor.update({ where: { id: product.vendor_id }, data: { email, name: `${title} Farm` } });
    goods.push(product);
  }
  const [eggs, jam] = goods;
  await db.variant.update({ where: { id: eggs!.variant.id }, data: { title: "Large", unit: "dozen" } });
  const place = async (shopper: Awaited<ReturnType<typeof signIn>>, quantities: readonly number[]) => {
    const lines = quantities.flatMap((quantity, index) => (quantity > 0 ? [goods[index]!.line(quantity)] : []));
    market.clock.advance(1000);
    await shopper.put("/cart", lines);
    const { orderTotal } = (await shopper.post("/checkout/quote", CHOICE)).body;
    const { status, body } = await shopper.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.orderId as number;
  };
  const shoppers = await Promise.all(orders.map(() => signIn(market, { hubId: hub.id })));
  const ids: number[] = [];
  for (const [index, quantities] of orders.entries()) ids.push(await place(shoppers[index]!, quantities));
  /** The changes mailed to vendors since the last call, sorted: vendor and lines. */
  const changes = async () => {
    await sendDueMail(deps);
    const mails = sent.splice(0).toSorted((a, b) => a.to.localeCompare(b.to));
    return mails.flatMap(({ to, subject, text }) => {
      if (!to.endsWith(`${hub.id}@farm.example`) || !subject.includes("bring less")) return [];
      expect(subject).toBe("Little market: bring less for Thursday, November 26");
      expect(text).not.toMatch(/Robin|frost/);
      return [[to.split("@")[0]!.replace(/\d+/, ""), ...text.split("\n").filter((line) => line.includes("(was"))]];
    });
  };
  /** Adds an order to the box of the first one. */
  const addOn = (quantities: readonly number[]) => place(shoppers[0]!, quantities);
  return { hub, ids, eggs: eggs!, jam: jam!, addOn, changes };
}

test("vendors: a cancellation after the cutoff mails each vendor of the box the reduced quantities once", async () => {
  const { ids, addOn, changes } = await openDay([
    [2, 1, 1],
    [3, 0, 0],
  ]);
  await addOn([1, 0, 0]);
  await closeDay();
  expect(await changes()).toEqual([]);
  await cancelOrder(operator(), ids[0]!, { ...WHY, key: null, dryRun: true });
  expect(await changes()).toEqual([]);
  await cancelOrder(operator(), ids[0]!, { ...WHY, key: null });
  await cancelOrder(operator(), ids[0]!, { ...WHY, key: null });
  expect(await changes()).toEqual([
    ["eggs", "Eggs, Large · dozen: 3 (was 6)"],
    ["jam", "Jam, Each: none (was 1)"],
  ]);
  // Vendors of other items get no mail.
  await cancelOrder(operator(), ids[1]!, { ...WHY, key: null });
  expect(await changes()).toEqual([["eggs", "Eggs, Large · dozen: none (was 3)"]]);
});

test("vendors: a short order mails only the vendor of the item", async () => {
  const { ids, eggs, jam, changes } = await openDay([
    [2, 1, 1],
    [3, 2, 0],
  ]);
  await closeDay();
  await changes();
  const missing = [{ variantId: eggs.variant.id, quantity: 1, of: 3 }];
  await shortOrder(operator(), ids[1]!, missing, WHY);
  expect(await changes()).toEqual([["eggs", "Eggs, Large · dozen: 4 (was 5)"]]);
  // The same count again changes nothing.
  await shortOrder(operator(), ids[1]!, missing, WHY);
  expect(await changes()).toEqual([]);
  await shortOrder(
    operator(),
    ids[1]!,
    [
      { variantId: eggs.variant.id, quantity: 2 },
      { variantId: jam.variant.id, quantity: 1 },
    ],
    WHY,
  );
  expect(await changes()).toEqual([
    ["eggs", "Eggs, Large · dozen: 2 (was 4)"],
    ["jam", "Jam, Each: 2 (was 3)"],
  ]);
});

test("vendors: a shortage distributed over many orders is one mail", async () => {
  const { hub, eggs, changes } = await openDay([
    [2, 1, 0],
    [3, 0, 0],
    [2, 0, 0],
  ]);
  await closeDay();
  await changes();
  const { slug } = await db.vendor.findUniqueOrThrow({ where: { id: eggs.vendor_id } });
  const count = { hub: hub.slug, day: DAY, vendor: slug, item: "Eggs", came: 4, of: 7 };
  await shortVariant(operator(), count, { ...WHY, dryRun: true });
  expect(await changes()).toEqual([]);
  expect((await shortVariant(operator(), count, WHY)).boxes.length).toBeGreaterThan(1);
  expect(await changes()).toEqual([["eggs", "Eggs, Large · dozen: 4 (was 7)"]]);
  await shortVariant(operator(), count, WHY);
  expect(await changes()).toEqual([]);
  expect(await market.audit()).toEqual([]);
});

test("vendors: a cancellation before the quantities are mailed, or after midnight of the day, mails none", async () => {
  const { ids, changes } = await openDay([
    [2, 1, 1],
    [3, 0, 0],
    [1, 0, 0],
  ]);
  await cancelOrder(operator(), ids[0]!, { ...WHY, key: null });
  await closeDay();
  expect(await changes()).toEqual([]);
  market.clock.set("2026-11-27T04:59:59.999Z");
  await cancelOrder(operator(), ids[1]!, { ...WHY, key: null });
  expect(await changes()).toEqual([["eggs", "Eggs, Large · dozen: 1 (was 4)"]]);
  market.clock.set("2026-11-27T05:00:00Z");
  await cancelOrder(operator(), ids[2]!, { ...WHY, key: null });
  expect(await changes()).toEqual([]);
});
