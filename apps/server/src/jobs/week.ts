import { type AnyTx, type Prisma, transaction, type Tx } from "@marketday/db";
import { CHECKOUT_GRACE_MS, REMIND_LEAD_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import { ensureDeliveries } from "../modules/hubs/deliveries.ts";
import { hubDirectory } from "../modules/hubs/directory.ts";
import type { Context } from "../modules/identity/context.ts";
import { isolateRefused, type Refused, refusedError, writeInBatches } from "../modules/job-failures/isolate-refused.ts";
import { WEEK_PAUSE_MAX_MS, runEach } from "../modules/job-failures/run-each.ts";
import { lockOffers } from "../modules/stock/stock-sql.ts";
import { fillCarts } from "../modules/subscriptions/fill-carts.ts";
import { findSubscribers } from "../modules/subscriptions/store.ts";
import { type DueDelivery, findDueCutoffs, findDueOpenings, refillWeekly } from "../modules/week/day-sql.ts";
import {
  findDueReminders,
  findHubsWithWatched,
  insertReminders,
  lockWatchedInStock,
  type ReminderStep,
  returnWatched,
} from "../modules/week/remind-sql.ts";
import { findReaders } from "../modules/week/remind-store.ts";
import { BATCH_LIMIT_MS, RUN_LEASE_MS, runCutoff } from "../modules/week/run-cutoff.ts";
import {
  claimRun,
  closeOrders,
  extendRun,
  findDueCloses,
  findWeeklyOffers,
  finishRun,
  formatDelivery,
  openOrders,
  releaseRun,
  saveProgress,
} from "../modules/week/store.ts";

/** Runs all due delivery days of a step one after the other. One that fails is tried again each minute (`runEach`). */
const runDays = (
  ctx: Context,
  [job, what]: readonly [job: string, what: string],
  items: readonly DueDelivery[],
  run: (delivery: DueDelivery) => Promise<"done" | "skipped">,
) =>
  runEach(ctx, {
    job,
    items,
    atOnce: 1,
    subjectOf: (delivery) => `${what} of ${formatDelivery(delivery)}`,
    run,
    isComplete: true,
    pauseMaxMs: WEEK_PAUSE_MAX_MS,
  });

/** Rows of one batch: orders, customers with their carts, offers. */
const BATCH = 500;

/** What a batch leaves: the next progress; with an `error` the step stops there, and the next run continues. Null: it was the last. */
type Left = { progress: Prisma.InputJsonObject; error?: Error } | null;

/**
 * Runs a step of a delivery day in batches. Each is a transaction that also saves the progress, so that a batch runs once even
 * when another server continues the step. "skipped": another server has the step, or the process stops.
 */
async function inBatches(
  ctx: Context,
  delivery: DueDelivery,
  step: "open" | "close" | ReminderStep,
  batch: (tx: Tx, progress: Record<string, unknown>) => Promise<Left>,
): Promise<"done" | "skipped"> {
  const { deps } = ctx;
  const lease = () => addMs(deps.clock.now(), RUN_LEASE_MS);
  const token = await claimRun(deps.db, delivery.id, step, deps.clock.now(), lease());
  if (token === null) return "skipped";
  try {
    for (;;) {
      const result = await transaction(
        deps.db,
        async (tx) => {
          const run = await extendRun(tx, delivery.id, step, token, lease());
          if (!run) return "skipped";
          const left = await batch(tx, run.progress);
          if (left) await saveProgress(tx, delivery.id, step, left.progress);
          else await finishRun(tx, delivery.id, step, token, [], ctx.now);
          return left ?? "done";
        },
        { timeoutMs: BATCH_LIMIT_MS },
      );
      await deps.failpoint(`${step}:batch`);
      if (typeof result === "string") return result;
      if (result.error) throw result.error;
      if (ctx.signal?.aborted) {
        await releaseRun(deps.db, delivery.id, step, token, deps.clock.now());
        return "skipped";
      }
    }
  } catch (error) {
    await releaseRun(deps.db, delivery.id, step, token, deps.clock.now());
    throw error;
  }
}

/** Runs the cutoffs that are due, oldest first, caught up after any downtime. */
const runCutoffs = async (ctx: Context) =>
  runDays(
    ctx,
    ["cutoffs", "cutoff"],
    await findDueCutoffs(ctx.deps.db, ctx.now, addMs(ctx.now, -CHECKOUT_GRACE_MS)),
    async (delivery) => ((await runCutoff(ctx, delivery)) === "done" ? "done" : "skipped"),
  );

/** Marks the remaining orders of days that are over as delivered (docs/product.md §8). */
const runCloses = async (ctx: Context) =>
  runDays(ctx, ["closings", "closing"], await findDueCloses(ctx.deps.db, ctx.now), (delivery) =>
    inBatches(ctx, delivery, "close", async (tx) =>
      (await closeOrders(tx, delivery.id, ctx.now, BATCH)) < BATCH ? null : { progress: {} },
    ),
  );

const OPENING = ["orders", "carts", "offers", "refused"] as const;
/** `refused`: customers whose cart or reminder could not be written; they are tried again last. */
const Reached = z.object({ after: z.number().default(0), refused: z.array(z.number()).default([]) });
const Progress = Reached.extend({ part: z.enum(OPENING).default("orders") });

const idsOf = (refused: readonly Refused[]): number[] => refused.map(({ id }) => id);

/** The last part of a step: tries the refused customers again. While one is refused the step is not over, but stops nothing else. */
async function retryRefused(
  tx: AnyTx,
  progress: z.infer<typeof Reached>,
  work: (customerIds: readonly number[]) => Promise<unknown>,
): Promise<Left> {
  const refused = await isolateRefused(tx, progress.refused, work, progress.refused.length);
  return refused.length === 0
    ? null
    : { progress: { ...progress, refused: idsOf(refused) }, error: refusedError("Customer", refused) };
}

/**
 * One batch of opening a cycle. A customer's cart is filled for the new cycle at once, or not yet; auto-checkout and reminders
 * wait until all carts are filled, but for those that cannot be written (`isOpened`).
 */
async function openBatch(
  { now }: Context,
  delivery: DueDelivery,
  tx: Tx,
  stored: Record<string, unknown>,
): Promise<Left> {
  const progress = Progress.parse(stored);
  const { part, after, refused } = progress;
  const fill = (customerIds: readonly number[]) =>
    fillCarts(tx, { hubId: delivery.hub_id, customerIds, only: null, day: delivery.day, now });
  if (part === "orders")
    return { progress: (await openOrders(tx, delivery.id, BATCH)) < BATCH ? { ...progress, part: "carts" } : progress };
  if (part === "carts") {
    const customerIds = await findSubscribers(tx, delivery.hub_id, after, BATCH);
    const last = customerIds.at(-1);
    if (last === undefined) return { progress: { ...progress, part: "offers", after: 0 } };
    const more = await isolateRefused(tx, customerIds, fill);
    return { progress: { ...progress, after: last, refused: [...refused, ...idsOf(more)] } };
  }
  if (part === "refused") return retryRefused(tx, progress, fill);
  const offerIds = await findWeeklyOffers(tx, delivery.hub_id, after, BATCH);
  await lockOffers(tx, offerIds);
  await refillWeekly(tx, offerIds, now);
  const last = offerIds.at(-1);
  if (last !== undefined) return { progress: { ...progress, after: last } };
  return refused.length === 0 ? null : { progress: { ...progress, part: "refused" } };
}

/** Opens the cycles that are due: opens the day's future orders, adds due subscriptions to the carts, refills weekly stock. */
export const runOpenings = async (ctx: Context) =>
  runDays(ctx, ["openings", "opening"], await findDueOpenings(ctx.deps.db, ctx.now), (delivery) =>
    inBatches(ctx, delivery, "open", (tx, progress) => openBatch(ctx, delivery, tx, progress)),
  );

/** Runs the steps of the week, in the order in which they depend on each other. A day that fails does not stop the others. */
export async function runWeek(ctx: Context): Promise<void> {
  await runCutoffs(ctx);
  await runOpenings(ctx);
  await runCloses(ctx);
}

type Reminder = { step: ReminderStep; template: string; what: string };
const REMINDERS: readonly Reminder[] = [
  { step: "remind_auto_checkout", template: "auto-checkout-soon", what: "reminder of the auto-checkout" },
  { step: "remind_order_by", template: "order-by-soon", what: "reminder of the cutoff" },
];
/** Watched lines of one transaction: its locks are short. */
const WATCHED_BATCH = 1000;

/** One batch of a reminder. */
async function remindBatch(
  now: Date,
  { step, template, delivery }: Reminder & { delivery: DueDelivery },
  tx: Tx,
  stored: Record<string, unknown>,
): Promise<Left> {
  const progress = Reached.parse(stored);
  const remind = (customerIds: readonly number[]) =>
    insertReminders(tx, step, { deliveryId: delivery.id, template, customerIds }, now);
  const customerIds = await findReaders(tx, delivery.hub_id, progress.after, BATCH);
  const last = customerIds.at(-1);
  if (last === undefined) return retryRefused(tx, progress, remind);
  const more = await isolateRefused(tx, customerIds, remind);
  return { progress: { after: last, refused: [...progress.refused, ...idsOf(more)] } };
}

/**
 * Sends reminders a day before auto-checkout and a day before the cutoff, each once per delivery, and not after their instant.
 * Moves watched lines that are in stock again back into their carts. A delivery or hub that fails does not stop the others
 * (`runEach`), nor does a customer (`isolateRefused`).
 */
export async function sendReminders(ctx: Context): Promise<void> {
  const { deps, now } = ctx;
  const due: (Reminder & { delivery: DueDelivery })[] = [];
  for (const reminder of REMINDERS)
    for (const delivery of await findDueReminders(deps.db, reminder.step, now, REMIND_LEAD_MS))
      due.push({ ...reminder, delivery });
  await runEach(ctx, {
    job: "reminders",
    items: due,
    atOnce: 1,
    subjectOf: ({ what, delivery }) => `${what} of ${formatDelivery(delivery)}`,
    run: (reminder) =>
      inBatches(ctx, reminder.delivery, reminder.step, (tx, progress) => remindBatch(now, reminder, tx, progress)),
    isComplete: true,
    pauseMaxMs: WEEK_PAUSE_MAX_MS,
  });
  await runEach(ctx, {
    job: "watched-items",
    items: await findHubsWithWatched(deps.db),
    atOnce: 1,
    subjectOf: ({ slug }) => `items back in stock of ${slug}`,
    run: ({ id }) =>
      writeInBatches(
        ctx,
        { what: "Cart line", failpoint: "watched:batch" },
        (tx, after) => lockWatchedInStock(tx, id, after, WATCHED_BATCH),
        (tx, ids) => returnWatched(tx, ids, now),
      ),
    isComplete: true,
    pauseMaxMs: WEEK_PAUSE_MAX_MS,
  });
}

/** Inserts every hub's delivery days 12 weeks ahead (docs/product.md §4). A hub that fails does not stop the others (`runEach`). */
export async function planDeliveries(ctx: Context): Promise<void> {
  const { deps, now } = ctx;
  const directory = await hubDirectory(deps);
  await runEach(ctx, {
    job: "deliveries",
    items: directory.all(),
    atOnce: 1,
    subjectOf: ({ slug }) => `delivery days of ${slug}`,
    run: (hub) => ensureDeliveries(deps.db, hub, now),
    isComplete: true,
    pauseMaxMs: WEEK_PAUSE_MAX_MS,
  });
}
