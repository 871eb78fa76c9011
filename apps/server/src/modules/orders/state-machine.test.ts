import { isLarge, size } from "@marketday/db/testing";
import { addMs, Second } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { CRASH_POINTS } from "../../../test/crash-points.ts";
import { CHOICE, newKey } from "../../../test/factories.ts";
import { tokenOf } from "../../../test/fake-stripe.ts";
import type { ServerProcess } from "../../../test/processes.ts";
import { randomness } from "../../../test/randomness.ts";
import { failRefund, adjustOrder, closeDay, expectConsistency } from "../../../test/state-machine/adjustments.ts";
import {
  call,
  type MarketDay,
  openDay,
  startDeployment,
  type Run,
  type Shopper,
} from "../../../test/state-machine/deployment.ts";
import { endOutage, shopAfterOutage, shopDuringOutage } from "../../../test/state-machine/outage.ts";
import {
  cancelOpenOrder,
  checkOut,
  edit,
  fillCart,
  giveCredit,
  checkOutTwice,
  resendEvents,
} from "../../../test/state-machine/shopping.ts";

/** The seed of the random series. A failure also reports the seed of its sequence. */
const SEED = Number(process.env["SEED"] ?? 20_261_121);
const SEQUENCES = size(80, 3000, 500);
const A_DAY = size(40, 125, 125);
const PEOPLE = 15;
/** Concurrent shoppers; fewer than the consecutive failures that open Stripe's circuit breaker. */
const AT_ONCE = 4;

/** One day in this many has a long Stripe outage. */
const A_DARK_DAY_IN = size(2, 4, 4);

const deployment = await startDeployment();

/** Runs a sequence; a failure reports its seed and the steps so far. */
async function withSteps(run: Run, seed: number, sequence: () => Promise<void>): Promise<void> {
  try {
    await sequence();
  } catch (error) {
    throw new Error(`sequence ${seed} of SEED=${SEED}: ${run.steps.join(", ")}`, { cause: error });
  }
}

async function shop(run: Run): Promise<void> {
  const { random } = run;
  const more = [fillCart, edit, edit, checkOutTwice, resendEvents, giveCredit, cancelOpenOrder, checkOut] as const;
  await fillCart(run, true);
  await checkOut(run);
  for (let left = random.between(1, 3); left > 0; left -= 1) {
    const act = random.pick(more);
    if (act === checkOut || act === checkOutTwice) await fillCart(run);
    await act(run);
  }
}

/** Kills a server at a failpoint of placing an order; the shopper retries with the same key at another server. */
async function shopAndDie(run: Run, point: string): Promise<void> {
  const { day, shopper } = run;
  const { db } = deployment.market;
  const doomed: ServerProcess = await deployment.start({ [point]: "kill" });
  await call(run, deployment.servers[0], "PUT", "/cart", [day.plenty.line(run.random.between(1, 3))]);
  const { card: _card, ...choice } = CHOICE;
  const chosen = { ...choice, confirmationToken: tokenOf("4242424242424242") };
  const { orderTotal } = (await call(run, deployment.servers[1], "POST", "/checkout/quote", chosen)).body;
  const body = { ...chosen, expectedTotal: orderTotal as number };
  const key = newKey();
  await expect(call(run, doomed, "POST", "/checkout", body, key)).rejects.toThrow("cut without an answer");
  await doomed.gone;
  run.steps.push(`died at ${point}`);
  // The leases of the attempt and the key have expired.
  const past = addMs(new Date(), -Second.ms);
  await db.checkout_attempt.updateMany({
    where: { customer_id: shopper.id, state: "held" },
    data: { lease_until: past },
  });
  await db.idempotency_key.updateMany({ where: { key, state: "running" }, data: { lease_until: past } });
  await expect
    .poll(
      async () => {
        const answer = await call(run, run.random.pick(deployment.servers), "POST", "/checkout", body, key);
        run.steps.push(String(answer.status));
        return answer.status === 409 && answer.body[1].code === "still_running" ? null : answer.status;
      },
      { timeout: 120_000, interval: 200 },
    )
    .toBe(201);
  const orders = await db.order.findMany({ where: { customer_id: shopper.id } });
  expect(orders).toHaveLength(1);
  const { stripe_customer_id } = await db.customer.findUniqueOrThrow({ where: { id: shopper.id } });
  const held = [...deployment.fake.intents.values()].filter(({ customer }) => customer === stripe_customer_id);
  expect(held.map(({ amount, status }) => [amount, status])).toEqual([
    [orders[0]!.order_total_cents, "requires_capture"],
  ]);
}

/** Runs the lists with limited concurrency. */
async function allOf(lists: readonly (() => Promise<void>)[]): Promise<void> {
  let next = 0;
  const seat = async () => {
    while (next < lists.length) await lists[next++]!();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, seat));
}

const runOf = (day: MarketDay, shopper: Shopper, seed: number): Run => ({
  deployment,
  day,
  shopper,
  random: randomness(seed),
  steps: [],
});

const DAYS = Array.from({ length: SEQUENCES / A_DAY }, (_, n) => n);

describe(`${SEQUENCES} sequences of cart, checkout, edit, refund, webhook and fault on two servers`, () => {
  test.for(DAYS)(
    "market day %i",
    { tags: ["fail:V1", "fail:V4", "fail:A3", "fail:A11", "fail:B1", "fail:B4", "fail:B6", "fail:B10", "fail:K1"] },
    async (place) => {
      const first = SEED + place * A_DAY;
      // In `pnpm test` only crashes.test.ts kills servers at these points.
      const deaths = isLarge && place === 0 ? CRASH_POINTS : [];
      const day = await openDay(deployment, randomness(first), PEOPLE + deaths.length);
      const runs = Array.from({ length: A_DAY - deaths.length }, (_, n) => ({
        seed: first + n,
        run: runOf(day, day.shoppers[n % PEOPLE]!, first + n),
      }));
      const each = (work: (run: Run) => Promise<void>) =>
        day.shoppers.slice(0, PEOPLE).map((shopper) => async () => {
          for (const { seed, run } of runs) if (run.shopper === shopper) await withSteps(run, seed, () => work(run));
        });
      const dying = deaths.map((point, n) => async () => {
        const run = runOf(day, day.shoppers[PEOPLE + n]!, SEED - 1 - n);
        await withSteps(run, SEED - 1 - n, () => shopAndDie(run, point));
      });
      await allOf([...dying, ...each(shop)]);
      if (place % A_DARK_DAY_IN === A_DARK_DAY_IN - 1) {
        deployment.fake.down = true;
        await allOf(each(shopDuringOutage));
        await endOutage(deployment);
        await allOf(each(shopAfterOutage));
      }
      await closeDay(deployment, day, ["500 after", "cut before", "cut after", "500 before"]);
      await allOf(
        each(async (run) => {
          await adjustOrder(run);
          if (run.random.chance(0.3)) await failRefund(run);
        }),
      );
      await expectConsistency(deployment, day);
    },
  );
});
