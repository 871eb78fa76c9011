import { query, sql } from "@marketday/db";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { cancelOrder } from "./cancel-order.ts";
import { shortOrder } from "./short-order.ts";

const AFTER_CUTOFF = "2026-11-25T06:00:01Z";

const market = await buildTestApp();
const { db, deps } = market;
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
const back = { to: "card", reason: "The jars were broken.", key: null } as const;

beforeEach(() => market.clock.set(MONDAY));

/** An order of 3 eggs at 7.00 and 2 jams at 9.99 from two vendors, of which the market keeps 15 percent; closed and charged or open. */
async function orderOfTwo({ isClosed }: { isClosed: boolean }) {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { priceCents: 700 });
  const jam = await createProduct(db, hub.id, { priceCents: 999 });
  const who = await signIn(market, { hubId: hub.id });
  await who.put("/cart", [eggs.line(3), jam.line(2)]);
  const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
  const placed = await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  const id: number = placed.body.orderId;
  if (isClosed) {
    market.clock.set(AFTER_CUTOFF);
    await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
  }
  /** Cents of the vendors of the eggs and the jam by the ledger. */
  const accounts = async () => {
    const rows = await query(
      db,
      sql`select vendor_id, sum(amount_cents)::int as cents from ledger_entry where account = 'vendor' group by vendor_id`,
      z.object({ vendor_id: z.number(), cents: z.number() }),
    );
    const centsOf = new Map(rows.map((row) => [row.vendor_id, row.cents]));
    return [eggs, jam].map(({ vendor_id }) => centsOf.get(vendor_id) ?? 0);
  };
  return { id, who, eggs, jam, accounts };
}

describe("an order of two vendors: each vendor's account", () => {
  test("at the sale has the vendor's own lines, less the commission", async () => {
    const { accounts } = await orderOfTwo({ isClosed: false });
    // 21.00 less 3.15, and 19.98 less 3.00.
    expect(await accounts()).toEqual([1785, 1698]);
    expect(await market.audit()).toEqual([]);
  });

  test("after an edit is lowered by the vendor's own units alone", async () => {
    const { id, who, eggs, jam, accounts } = await orderOfTwo({ isClosed: false });
    const edit = async (eggsLeft: number, jamLeft: number) => {
      const items = [
        { quantity: eggsLeft, product: { variant: { id: eggs.variant.id } } },
        { quantity: jamLeft, product: { variant: { id: jam.variant.id } } },
      ].filter(({ quantity }) => quantity > 0);
      const { status, body } = await who.post("/orders/edit-order", { order: { id, items } });
      expect(status, JSON.stringify(body)).toBe(200);
    };
    await edit(3, 1);
    // 9.99 less 1.50.
    expect(await accounts()).toEqual([1785, 849]);
    await edit(1, 1);
    expect(await accounts()).toEqual([595, 849]);
    await edit(1, 0);
    expect(await accounts()).toEqual([595, 0]);
    await edit(0, 0);
    expect(await accounts()).toEqual([0, 0]);
    expect(await market.audit()).toEqual([]);
  });

  test.each([
    ["the vendor bears is lowered by the vendor's own units alone", "vendor", [1785, 849]],
    ["the market bears stays as it was", "market", [1785, 1698]],
  ] as const)("after a shortage that %s", async (_what, bearer, expected) => {
    const { id, jam, accounts } = await orderOfTwo({ isClosed: true });
    await shortOrder(operator(), id, [{ variantId: jam.variant.id, quantity: 1 }], { ...back, bearer });
    expect(await accounts()).toEqual(expected);
    expect(await market.audit()).toEqual([]);
  });

  test.each([
    ["open", false],
    ["charged", true],
  ])("after the cancellation of an order that is %s is empty", async (_state, isClosed) => {
    const { id, accounts } = await orderOfTwo({ isClosed });
    await cancelOrder(operator(), id, back);
    expect(await accounts()).toEqual([0, 0]);
    expect(await market.audit()).toEqual([]);
  });
});
