import { sqlTransaction, transaction, type Tx } from "@marketday/db";
import { CHECKOUT_GRACE_MS } from "@marketday/domain/limits";
import { addMs, isBefore, Minute, Second } from "@marketday/domain/time";

import type { Context } from "../identity/context.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { processCharges } from "../payments/charge-order.ts";
import { enqueueFrozen, enqueueUncharged, hasUncharged } from "../payments/order-charge-sql.ts";
import { findSetAside } from "../payments/set-aside-store.ts";
import { creditReferrers } from "../referrals/credit-referrers.ts";
import { type DueDelivery, lockDeliveryForCutoff } from "./day-sql.ts";
import { issueHarvestLink } from "./harvest-links.ts";
import { analyzeBoxes, findBoxesToFreeze, freezeBoxes } from "./snapshot-sql.ts";
import { beginSnapshot, closeBoxes, completeSnapshot, findVendorsOf } from "./snapshot-store.ts";
import { claimRun, extendRun, finishRun, releaseRun } from "./store.ts";

/** Longer than any single step. A run without a heartbeat for this long is taken over. */
export const RUN_LEASE_MS = 2 * Minute.ms;
/** The time that one batch may take: it ends before the lease. */
export const BATCH_LIMIT_MS = 90 * Second.ms;
/** The age of the lease at which it is extended. */
const HEARTBEAT_MS = RUN_LEASE_MS / 4;

/** Emails each vendor the quantities to bring and the link to confirm them, in the transaction that completes the snapshot. */
async function mailVendors(tx: Tx, deliveryId: number, snapshotId: number, now: Date): Promise<void> {
  for (const { id: vendorId, email } of await findVendorsOf(tx, snapshotId)) {
    const linkId = await issueHarvestLink(tx, { deliveryId, vendorId }, email, now);
    await enqueueMailTo(tx, {
      key: `vendor-order:${snapshotId}:${vendorId}`,
      template: "vendor-order",
      to: email,
      data: { snapshotId, vendorId, linkId },
      notBefore: null,
      isSecret: false,
      now,
    });
  }
}

/**
 * Closes the day for new orders, then closes its boxes and freezes them in batches: each box in the transaction that closes its
 * orders and enqueues their charges. With the day's lock, a concurrent order is either complete before the freeze or finds the day closed. A run that is
 * taken over continues after the last batch. The last batch completes the snapshot and emails the vendors. `waiting`: a checkout
 * that began in time is in progress, or the process stops; `taken`: another server has the run.
 */
async function closeAndFreeze(
  { deps, now, signal }: Context,
  delivery: DueDelivery,
  token: number,
): Promise<"closed" | "waiting" | "taken"> {
  const snapshot = await transaction(deps.db, async (tx) => {
    await deps.failpoint("cutoff:closing");
    if (!(await lockDeliveryForCutoff(tx, delivery.id, addMs(now, -CHECKOUT_GRACE_MS)))) return null;
    const begun = await beginSnapshot(tx, delivery.id, now);
    await deps.failpoint("cutoff:begun");
    return begun;
  });
  if (snapshot === null) return "waiting";
  if (snapshot.is_complete) return "closed";
  for (let batch = 1; ; batch += 1) {
    const result = await transaction(
      deps.db,
      async (tx) => {
        const lease = addMs(deps.clock.now(), RUN_LEASE_MS);
        if (!(await extendRun(tx, delivery.id, "cutoff", token, lease))) return "taken";
        const boxes = await findBoxesToFreeze(tx, delivery.id);
        await closeBoxes(tx, delivery.id, boxes);
        await freezeBoxes(tx, snapshot.id, delivery.id, boxes);
        await enqueueFrozen(tx, delivery.id, boxes, deps.clock.now());
        await deps.failpoint("cutoff:frozen");
        if (boxes.length > 0) return "more";
        await completeSnapshot(tx, snapshot.id);
        await mailVendors(tx, delivery.id, snapshot.id, now);
        return "closed";
      },
      { timeoutMs: BATCH_LIMIT_MS },
    );
    if (result !== "more") return result;
    if (signal?.aborted) return "waiting";
    if (batch === 1) await analyzeBoxes(deps.db);
    await deps.failpoint("cutoff:batch");
  }
}

/**
 * The cutoff of one delivery day (docs/product.md §4, §7, §8): closes the orders, freezes them for the sheets, emails the vendors,
 * charges each order separately for its current total, as jobs that all servers work on, and credits referrers. An order that
 * cannot be charged is set aside with the reason and charged again later (docs/product.md §17), and the run continues. Each part
 * processes only what is not done, so that another server can finish an interrupted run. The lease is extended while the run
 * works. `waiting`: a checkout is in progress, another server is still charging an order, or the process
 * stops; the next tick continues.
 */
export async function runCutoff(ctx: Context, delivery: DueDelivery): Promise<"done" | "taken" | "waiting"> {
  const { deps, now } = ctx;
  // `now` decides which work is due, the clock decides about leases (`market jobs run --at`).
  const clock = deps.clock.now();
  const token = await claimRun(deps.db, delivery.id, "cutoff", clock, addMs(clock, RUN_LEASE_MS));
  if (token === null) return "taken";
  let extendedAt = clock;
  const heartbeat = async (): Promise<boolean> => {
    const instant = deps.clock.now();
    if (isBefore(instant, addMs(extendedAt, HEARTBEAT_MS))) return true;
    extendedAt = instant;
    return (await extendRun(deps.db, delivery.id, "cutoff", token, addMs(instant, RUN_LEASE_MS))) !== null;
  };
  try {
    const closed = await closeAndFreeze(ctx, delivery, token);
    if (closed === "waiting") await releaseRun(deps.db, delivery.id, "cutoff", token, deps.clock.now());
    if (closed !== "closed") return closed;
    await deps.failpoint("cutoff:closed");
    await enqueueUncharged(deps.db, delivery.id, deps.clock.now());
    await processCharges(ctx, heartbeat);
    if (await hasUncharged(deps.db, delivery.id)) {
      await releaseRun(deps.db, delivery.id, "cutoff", token, deps.clock.now());
      return "waiting";
    }
    await deps.failpoint("cutoff:paid");
    // Referrers of orders paid with store credit; the others were credited with the capture.
    await sqlTransaction(deps.db, (tx) => creditReferrers(tx, { deliveryId: delivery.id }, now));
    await deps.failpoint("cutoff:credited");
  } catch (error) {
    await releaseRun(deps.db, delivery.id, "cutoff", token, deps.clock.now());
    throw error;
  }
  const errors = (await findSetAside(deps.db, delivery.id)).map(
    ({ id, reason }) => `order ${id} was not charged: ${reason}`,
  );
  await finishRun(deps.db, delivery.id, "cutoff", token, errors, deps.clock.now());
  return "done";
}
