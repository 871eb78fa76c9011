import { sqlTransaction, type SqlTx } from "@marketday/db";
import { CHECKOUT_GRACE_MS, REMIND_LEAD_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import type { Context } from "../lib/context.ts";
import { ensureDeliveries } from "../modules/hubs/deliveries.ts";
import { hubDirectory } from "../modules/hubs/directory.ts";
import { fillCarts, findSubscribers } from "../modules/subscriptions/fill-carts.ts";
import { findDueReminders, insertReminders, type ReminderStep, returnWatched } from "../modules/week/remind-store.ts";
import { RUN_LEASE_MS, runCutoff } from "../modules/week/run-cutoff.ts";
import {
  claimRun,
  closeOrders,
  type DueDelivery,
  extendRun,
  findDueCloses,
  findDueCutoffs,
  findDueOpenings,
  findWeeklyOffers,
  finishRun,
  openOrders,
  refillWeekly,
  releaseRun,
  saveProgress,
} from "../modules/week/store.ts";

/** Runs the days one after the other. A day that fails is logged and does not stop the others. */
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

/** Rows of one batch: orders, customers with their carts, offers. */
const BATCH = 500;

/**
 * Runs a step of a delivery day in batches. Each is a transaction that also saves the progress, so that a batch runs once even
 * when another server continues the step. `batch` returns the next progress, or null after the last one.
 */
async function inBatches(
  ctx: Context,
  delivery: DueDelivery,
  step: "open" | "close",
  batch: (tx: SqlTx, progress: Record<string, unknown>) => Promise<Record<string, unknown> | null>,
): Promise<void> {
  const { deps } = ctx;
  const lease = () => addMs(deps.clock.now(), RUN_LEASE_MS);
  const token = await claimRun(deps.db, delivery.id, step, deps.clock.now(), lease());
  if (token === null) return;
  try {
    for (let isOver = false; !isOver;) {
      isOver = await sqlTransaction(deps.db, async (tx) => {
        const run = await extendRun(tx, delivery.id, step, token, lease());
        if (!run) return true;
        const progress = await batch(tx, run.progress);
        if (progress) await saveProgress(tx, delivery.id, step, progress);
        else await finishRun(tx, delivery.id, step, token, [], ctx.now);
        return progress === null;
      });
      await deps.failpoint(`${step}:batch`);
    }
  } catch (error) {
    await releaseRun(deps.db, delivery.id, step, token, deps.clock.now());
    throw error;
  }
}

/** Runs the cutoffs that are due, oldest first, caught up after any downtime. */
const runCutoffs = async (ctx: Context) =>
  each(ctx, await findDueCutoffs(ctx.deps.db, ctx.now, addMs(ctx.now, -CHECKOUT_GRACE_MS)), (delivery) =>
    runCutoff(ctx, delivery),
  );

/** Marks the remaining orders of days that are over as delivered (docs/product.md §8). */
const runCloses = async (ctx: Context) =>
  each(ctx, await findDueCloses(ctx.deps.db, ctx.now), (delivery) =>
    inBatches(ctx, delivery, "close", async (tx) =>
      (await closeOrders(tx, delivery.id, ctx.now, BATCH)) < BATCH ? null : {},
    ),
  );

const OPENING = ["orders", "carts", "offers"] as const;
const Progress = z.object({ part: z.enum(OPENING).default("orders"), after: z.number().default(0) });

/**
 * One batch of opening a cycle. A customer's cart is filled for the new cycle at once, or not yet; auto-checkout and reminders
 * wait until the step is done.
 */
async function openBatch({ now }: Context, delivery: DueDelivery, tx: SqlTx, progress: Record<string, unknown>) {
  const { part, after } = Progress.parse(progress);
  if (part === "orders")
    return (await openOrders(tx, delivery.id, BATCH)) < BATCH ? { part: "carts", after: 0 } : { part, after };
  if (part === "carts") {
    const customerIds = await findSubscribers(tx, delivery.hub_id, after, BATCH);
    await fillCarts(tx, { hubId: delivery.hub_id, customerIds, only: null, day: delivery.day, now });
    const last = customerIds.at(-1);
    return last === undefined ? { part: "offers", after: 0 } : { part, after: last };
  }
  const offerIds = await findWeeklyOffers(tx, delivery.hub_id, after, BATCH);
  await refillWeekly(tx, offerIds, now);
  const last = offerIds.at(-1);
  return last === undefined ? null : { part, after: last };
}

/** Opens the cycles that are due: opens the day's future orders, adds due subscriptions to the carts, refills weekly stock. */
export const runOpenings = async (ctx: Context) =>
  each(ctx, await findDueOpenings(ctx.deps.db, ctx.now), (delivery) =>
    inBatches(ctx, delivery, "open", (tx, progress) => openBatch(ctx, delivery, tx, progress)),
  );

/** Runs the steps of the week, in the order in which they depend on each other. */
export async function runWeek(ctx: Context): Promise<void> {
  await runCutoffs(ctx);
  await runOpenings(ctx);
  await runCloses(ctx);
}

const REMINDERS: readonly [ReminderStep, template: string][] = [
  ["remind_auto_checkout", "auto-checkout-soon"],
  ["remind_order_by", "order-by-soon"],
];
/** Watched lines of one statement: its locks are short. */
const WATCHED_BATCH = 1000;

/**
 * Sends reminders a day before auto-checkout and a day before the cutoff, each once per delivery, and not after their instant.
 * Moves watched lines that are in stock again back into their carts.
 */
export async function sendReminders({ deps, now }: Context): Promise<void> {
  for (const [step, template] of REMINDERS)
    for (const { id } of await findDueReminders(deps.db, step, now, REMIND_LEAD_MS))
      await sqlTransaction(deps.db, (tx) => insertReminders(tx, step, id, template, now));
  while ((await sqlTransaction(deps.db, (tx) => returnWatched(tx, now, WATCHED_BATCH))) === WATCHED_BATCH);
}

/** Inserts every hub's delivery days 12 weeks ahead (docs/product.md §4). */
export async function planDeliveries({ deps, now }: Context): Promise<void> {
  const directory = await hubDirectory(deps);
  for (const hub of directory.all()) await ensureDeliveries(deps.db, hub, now);
}
