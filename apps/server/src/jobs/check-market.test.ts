import { Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { createHub, createProduct } from "../../test/factories.ts";
import { failpoints } from "../../test/failpoint.ts";
import { readHealth } from "../modules/health/stored-health.ts";
import { checkMarket } from "./check-market.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const run = () => checkMarket({ now: market.clock.now(), actor: { type: "system", job: "checks" }, deps });
const stored = async () => {
  const facts = await db.market_fact.findMany({ select: { key: true, value: true } });
  return readHealth(Object.fromEntries(facts.map(({ key, value }) => [key, value])));
};

test(
  "checks: run once an hour, by one of two servers, and what they found is stored",
  { tags: ["fail:V1"] },
  async () => {
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id);
    expect(await stored()).toMatchObject({ failed: null, checkedAt: null });
    await Promise.all([run(), run()]);
    const first = market.clock.now();
    expect(await stored()).toEqual({ failed: 0, problems: [], checkedAt: first, lastBackupAt: null });
    // Stock that no adjustment explains, and an order that waits for an operator, which is no failed check.
    await db.offer.updateMany({ where: { variant_id: eggs.variant.id }, data: { inventory: { increment: 3 } } });
    await db.job_failure.create({
      data: { job: "wagon-passes", subject: "pass 7", reason: "", since: first, next_at: first },
    });
    market.clock.advance(50 * Minute.ms - 1);
    await run();
    expect(await stored()).toMatchObject({ failed: 0, checkedAt: first });
    market.clock.advance(1);
    await run();
    expect(await stored()).toMatchObject({
      failed: 1,
      problems: [expect.stringMatching(/^V1: /)],
      checkedAt: market.clock.now(),
    });
  },
);

test("checks: a server that stops in the middle leaves the last result, and the next hour checks again", async () => {
  const before = await stored();
  market.clock.advance(60 * Minute.ms);
  points.plan["checks:claimed"] = "throw";
  await expect(run()).rejects.toThrow("failpoint checks:claimed");
  delete points.plan["checks:claimed"];
  expect((await stored()).checkedAt).toEqual(before.checkedAt);
  await run();
  expect((await stored()).checkedAt).toEqual(before.checkedAt);
  market.clock.advance(60 * Minute.ms);
  await run();
  expect((await stored()).checkedAt).toEqual(market.clock.now());
});
