import { Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { SHORT_DAY, shortDay } from "../../../test/short-day.ts";
import { runDueShorts } from "../staff-actions/run-due-actions.ts";

const market = await buildTestApp();
const { db, deps, clock } = market;
/** Does the actions that are due after a minute. */
async function afterMinute() {
  clock.advance(Minute.ms);
  await runDueShorts({ now: clock.now(), actor: { type: "system", job: "settle-shorts" }, deps });
}

test("shorts: a count is planned, settled after a minute, and the boxes lose what the plan says", async () => {
  const { as, url, hub, variantId, orders, count, left, credits, shoppers } = await shortDay(market, [[3], [1], [3]]);
  const empty = await as.get(url);
  expect([empty.status, empty.body]).toEqual([
    200,
    expect.objectContaining({
      hub: { id: hub.id, slug: hub.slug, name: hub.name, timeZone: hub.time_zone },
      day: SHORT_DAY,
      isFrozen: true,
      shortages: [],
      items: [
        expect.objectContaining({
          variantId,
          title: "Eggs, Each",
          each: 7,
          ordered: 7,
          frozen: 7,
          boxes: 3,
          left: null,
        }),
      ],
    }),
  ]);
  const plan = await as.post(`${url}/plan`, count(4, 7));
  expect(plan.status, JSON.stringify(plan.body)).toBe(200);
  const { customer } = shoppers[0]!;
  expect(plan.body.shares).toMatchObject([
    { boxId: orders[0]![0], tote: 1, name: `${customer.first_name} ${customer.last_name}`, ordered: 3, gets: 2 },
    { boxId: orders[1]![0], tote: 2, ordered: 1, gets: 1, money: { back: 0 } },
    { boxId: orders[2]![0], tote: 3, ordered: 3, gets: 1 },
  ]);
  expect(plan.body).toMatchObject({ mails: 2, vendorMails: expect.any(Number) });
  expect(await left()).toEqual([3, 1, 3]);

  const counted = await as.put(url, { ...count(4, 7), expectedVersion: null });
  expect(counted.status, JSON.stringify(counted.body)).toBe(200);
  const [row] = counted.body.shortages;
  expect(row).toMatchObject({ variantId, came: 4, of: 7, state: "counted", version: 1, action: null });
  const settled = await as.post(`${url}/${row.id}/settle`, { expectedVersion: 1 });
  expect(settled.status, JSON.stringify(settled.body)).toBe(200);
  expect(settled.body.shortages).toMatchObject([
    {
      state: "held",
      action: {
        state: "held",
        isOwn: true,
        canUndo: true,
        summary: { kind: "short", came: 4, of: 7, boxes: 2, back: plan.body.money.back },
      },
    },
  ]);
  expect(await left()).toEqual([3, 1, 3]);
  await afterMinute();
  expect(await left()).toEqual([2, 1, 1]);
  const done = (await as.get(url)).body;
  expect(done.shortages).toMatchObject([
    { state: "settled", settledBy: "Ada Kowalski", action: { state: "done" }, came: 4, of: 7 },
  ]);
  expect(done.items).toMatchObject([{ ordered: 4, frozen: 7 }]);
  const back = plan.body.shares.map(({ money }: { money: { credit: number } }) => Math.round(money.credit * 100));
  expect(await credits()).toEqual(back);
  expect(await market.audit()).toEqual([]);
  expect(await db.staff_action.count({ where: { state: { in: ["held", "running"] } } })).toBe(0);
});
