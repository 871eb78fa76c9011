import { size } from "@marketday/db/testing";
import { Minute } from "@marketday/domain/time";
import fc from "fast-check";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { shortDay } from "../../../test/short-day.ts";
import { runDueActions } from "../staff-actions/run-due-actions.ts";

const market = await buildTestApp();
const { db, deps, clock } = market;
const cents = (dollars: number) => Math.round(dollars * 100);

/** The sum of each account of these orders. */
async function accounts(orders: readonly number[]): Promise<Record<string, number>> {
  const entries = await db.ledger_entry.findMany({
    where: { transaction: { order_id: { in: [...orders] } } },
    select: { account: true, amount_cents: true },
  });
  const sums: Record<string, number> = {};
  for (const { account, amount_cents: amount } of entries) sums[account] = (sums[account] ?? 0) + amount;
  return sums;
}

/** Shares by hand of what came: each box in its order gets a random part. */
function someShares(boxes: readonly { boxId: number; ordered: number }[], came: number, parts: readonly number[]) {
  let left = came;
  const gets: Record<string, number> = {};
  for (const [place, { boxId, ordered }] of boxes.entries()) {
    const later = boxes.slice(place + 1).reduce((sum, box) => sum + box.ordered, 0);
    const least = Math.max(0, left - later);
    const most = Math.min(ordered, left);
    gets[boxId] = least + Math.floor((parts[place] ?? 0) * (most - least + 1));
    left -= gets[boxId];
  }
  return gets;
}

const Case = fc.record({
  boxes: fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }), {
    minLength: 1,
    maxLength: 4,
  }),
  part: fc.double({ min: 0, max: 0.999, noNaN: true }),
  parts: fc.option(fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 4, maxLength: 4 })),
  priceCents: fc.integer({ min: 60, max: 2_500 }),
  refundTo: fc.constantFrom("card", "credit"),
  bearer: fc.constantFrom("vendor", "market"),
});

test(
  "shorts: what a plan says of money, boxes and emails is what happens, for any boxes, shares, destination and bearer",
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(Case, async ({ boxes, part, parts, priceCents, refundTo, bearer }) => {
        const day = await shortDay(market, boxes, { priceCents });
        const { as, url, orders } = day;
        const of = boxes.flat().reduce((sum, units) => sum + units, 0);
        const came = Math.floor(part * of);
        const heads = orders.map((ids, place) => ({
          boxId: ids[0]!,
          ordered: boxes[place]!.reduce((sum, units) => sum + units, 0),
        }));
        const count = day.count(came, of, { refundTo, bearer, gets: parts && someShares(heads, came, parts) });
        const before = await accounts(orders.flat());
        const plan = await as.post(`${url}/plan`, count);
        expect(plan.status, JSON.stringify(plan.body)).toBe(200);
        expect(await accounts(orders.flat())).toEqual(before);
        const [{ id }] = (await as.put(url, { ...count, expectedVersion: null })).body.shortages;
        const settled = await as.post(`${url}/${id}/settle`, { expectedVersion: 1 });
        expect(settled.status, JSON.stringify(settled.body)).toBe(200);
        const { summary } = settled.body.shortages[0].action;
        clock.advance(Minute.ms);
        await runDueActions({ now: clock.now(), actor: { type: "system", job: "staff-actions" }, deps });
        expect((await as.get(url)).body.shortages).toMatchObject([{ id, state: "settled" }]);

        const after = await accounts(orders.flat());
        const fall = (account: string) => (before[account] ?? 0) - (after[account] ?? 0);
        const { money, mails, vendorMails, shares } = plan.body;
        expect({
          vendor: fall("vendor"),
          commission: fall("commission"),
          tip: fall("tips"),
          tax: fall("tax"),
          fees: fall("card_fees") + fall("delivery_fees"),
          discounts: 0 - fall("discounts") - fall("write_offs"),
        }).toEqual({
          vendor: cents(money.vendor),
          commission: cents(money.commission),
          tip: cents(money.tip),
          tax: cents(money.tax),
          fees: cents(money.fees),
          discounts: cents(money.discounts),
        });
        expect(cents(money.market)).toBe(bearer === "market" ? fall("refunds") : 0);
        // Each box gives back what its total falls by, and all of them what the accounts fall by.
        const total = ({ card, credit, door, uncharged, bank, earlier }: typeof money) =>
          cents(card) + cents(credit) + cents(door) + cents(uncharged) + cents(bank) + cents(earlier);
        expect(total(money)).toBe(
          shares.reduce((sum: number, share: { money: typeof money }) => sum + total(share.money), 0),
        );
        expect(total(money)).toBe(
          cents(money.vendor) +
            cents(money.market) +
            cents(money.commission) +
            cents(money.tip) +
            cents(money.tax) +
            cents(money.fees) -
            cents(money.discounts),
        );
        const refunds = await db.refund.findMany({ where: { order_id: { in: orders.flat() } } });
        const sumOf = (to: string) =>
          refunds.reduce((sum, row) => sum + (row.destination === to ? row.amount_cents : 0), 0);
        expect(sumOf("card")).toBe(cents(money.card));
        const credits = await day.credits();
        expect(credits.reduce((sum, credit) => sum + credit, 0)).toBe(cents(money.credit));
        expect(summary).toMatchObject({
          refunds: shares.filter((share: { money: typeof money }) => share.money.back > 0).length,
          mails: mails + vendorMails,
        });
        const left = await day.left();
        const units = boxes.map((box) => left.splice(0, box.length).reduce((sum, one) => sum + one, 0));
        expect(units).toEqual(shares.map(({ gets }: { gets: number }) => gets));
        const sent = await Promise.all(
          orders.flat().map((orderId) => db.mail.count({ where: { key: { startsWith: `order-short:${orderId}:` } } })),
        );
        expect(sent.reduce((sum, one) => sum + one, 0)).toBe(mails);
        expect(await db.mail.count({ where: { key: { startsWith: `vendor-change:${day.deliveryId}:` } } })).toBe(
          vendorMails,
        );
        expect(await market.audit()).toEqual([]);
      }),
      { numRuns: size(4, 60) },
    );
  },
);
