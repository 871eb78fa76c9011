import { sqlTransaction } from "@marketday/db";
import { CHECKOUT_GRACE_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";

import type { Context } from "../lib/context.ts";
import { fillCarts } from "../modules/subscriptions/fill-carts.ts";
import { RUN_LEASE_MS, runCutoff } from "../modules/week/run-cutoff.ts";
import {
  claimRun,
  closeOrders,
  type DueDelivery,
  findDueCloses,
  findDueCutoffs,
  findDueOpenings,
  finishRun,
  openOrders,
  refillWeekly,
} from "../modules/week/store.ts";

/** One day's failure is said and does not stop the others. */
async function each(
  ctx: Context,
  due: readonly DueDelivery[],
  work: (delivery: DueDelivery) => Promise<unknown>,
): Promise<void> {
  for (const delivery of due) {
    await work(delivery).catch((error: unknown) =>
      ctx.deps.log.error({ err: error, delivery: delivery.id }, "a delivery day could not be run"),
    );
  }
}

/** A step that is one transaction: claimed, done and marked done together. */
async function inOneGo(
  ctx: Context,
  delivery: DueDelivery,
  step: "open" | "close",
  work: (tx: Parameters<Parameters<typeof sqlTransaction>[1]>[0]) => Promise<unknown>,
) {
  const { deps, now } = ctx;
  await sqlTransaction(deps.db, async (tx) => {
    const token = await claimRun(tx, delivery.id, step, deps.clock.now(), addMs(deps.clock.now(), RUN_LEASE_MS));
    if (token === null) return;
    await work(tx);
    await finishRun(tx, delivery.id, step, token, [], now);
  });
}

/** Cutoffs that have come, oldest first, caught up after any downtime. */
export const runCutoffs = async (ctx: Context) =>
  each(ctx, await findDueCutoffs(ctx.deps.db, ctx.now, addMs(ctx.now, -CHECKOUT_GRACE_MS)), (delivery) =>
    runCutoff(ctx, delivery),
  );

/** Days that are over: what was not delivered by an operator's word is delivered by itself (decisions §8). */
export const runCloses = async (ctx: Context) =>
  each(ctx, await findDueCloses(ctx.deps.db, ctx.now), (delivery) =>
    inOneGo(ctx, delivery, "close", (tx) => closeOrders(tx, delivery.id, ctx.now)),
  );

/**
 * New cycles: future orders of the day open, due subscriptions go into the carts, weekly stock is filled up. Carts before
 * offers: a checkout locks them in this order too.
 */
export const runOpenings = async (ctx: Context) =>
  each(ctx, await findDueOpenings(ctx.deps.db, ctx.now), (delivery) =>
    inOneGo(ctx, delivery, "open", async (tx) => {
      await openOrders(tx, delivery.id);
      await fillCarts(tx, {
        hubId: delivery.hub_id,
        customerId: null,
        only: null,
        day: delivery.day,
        now: ctx.now,
      });
      await refillWeekly(tx, delivery.hub_id, ctx.now);
    }),
  );

/** The week, in the order in which its steps build on each other. */
export async function runWeek(ctx: Context): Promise<void> {
  await runCutoffs(ctx);
  await runOpenings(ctx);
  await runCloses(ctx);
}
