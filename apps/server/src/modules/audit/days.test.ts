import { sqlTransaction } from "@marketday/db";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";
import { replanDeliveries } from "../hubs/replan-deliveries.ts";

const market = await buildTestApp();
const { db, deps } = market;
beforeEach(() => market.clock.set(MONDAY));
const problems = async () => (await market.audit()).map(({ invariant, problem }) => `${invariant}: ${problem}`);

async function buyer() {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id);
  const who = await signIn(market, { hubId: hub.id });
  await who.put("/cart", [eggs.line(1)]);
  const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
  const placed = await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
  expect(placed.status).toBe(201);
  return { hub, orderId: placed.body.orderId as number };
}

test(
  "a cutoff that is not over an hour after its time, while others are, is named",
  { tags: ["fail:V8"] },
  async () => {
    const [stuck] = [await buyer(), await buyer()];
    const { id, cutoff_at: cutoff } = stuck.hub.deliveries[0]!;
    const lease = new Date(cutoff.getTime() + 1440 * 60_000);
    const run = { delivery_id: id, step: "cutoff", state: "running", lease_until: lease, started_at: cutoff };
    await db.delivery_run.create({ data: run });
    market.clock.set(new Date(cutoff.getTime() + 60 * 60_000));
    expect(await problems()).toEqual([]);
    market.clock.advance(1000);
    const week = () => runWeek({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });
    await week();
    expect((await problems()).toSorted()).toEqual([
      expect.stringMatching(`^V8: cutoff of delivery ${id} is open since `),
      expect.stringMatching(`^V8: order ${stuck.orderId} is open, its cutoff was `),
    ]);
    await db.delivery_run.updateMany({ where: { delivery_id: id }, data: { lease_until: cutoff } });
    await week();
    expect(await problems()).toEqual([]);
  },
);

test(
  "the market's weekday changed and its days did not: the empty ones of eight weeks are named, the ordered one is not",
  { tags: ["fail:C19", "fail:V8"] },
  async () => {
    const { hub } = await buyer();
    await db.hub.update({ where: { id: hub.id }, data: { delivery_day: "Saturday" } });
    const named = /^V8: delivery \d+ is on Thursday, ([\d-]+), market \d+ delivers on Saturday$/;
    const said = (await problems()).map((problem) => named.exec(problem)?.[1] ?? problem);
    expect(said.toSorted()).toEqual([
      "2026-12-03",
      "2026-12-10",
      "2026-12-17",
      "2026-12-24",
      "2026-12-31",
      "2027-01-07",
      "2027-01-14",
    ]);
    await sqlTransaction(db, (tx) => replanDeliveries(tx, hub.id, market.clock.now()));
    expect(await problems()).toEqual([]);
    const days = await db.delivery.findMany({ where: { hub_id: hub.id }, orderBy: { day: "asc" } });
    const dates = days.slice(0, 9).map(({ day }) => day.toISOString().slice(0, 10));
    expect(dates).toEqual([
      "2026-11-26",
      "2026-11-28",
      "2026-12-05",
      "2026-12-12",
      "2026-12-19",
      "2026-12-26",
      "2027-01-02",
      "2027-01-09",
      "2027-01-16",
    ]);
  },
);
