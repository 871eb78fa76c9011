import { type Conn, sqlTransaction } from "@marketday/db";
import { CHECKOUT_GRACE_MS } from "@marketday/domain/limits";
import { addMs, isBefore, Minute } from "@marketday/domain/time";

import type { Context } from "../../lib/context.ts";
import { enqueueMailTo } from "../mail/store.ts";
import { chargeOrders } from "../payments/charge-order.ts";
import { findSetAside, findUncharged } from "../payments/order-charge-store.ts";
import { creditReferrers } from "../referrals/credit-referrers.ts";
import {
  analyzeBoxes,
  beginSnapshot,
  closeBoxes,
  completeSnapshot,
  findBoxesToFreeze,
  findVendorsOf,
  freezeBoxes,
} from "./snapshot.ts";
import { claimRun, type DueDelivery, extendRun, finishRun, lockDeliveryForCutoff, releaseRun } from "./store.ts";

/** Longer than any one step; a run that is silent for this long has died and is taken over. */
export const RUN_LEASE_MS = 2 * Minute.ms;
/** How old the lease may get before it is extended. */
const HEARTBEAT_MS = RUN_LEASE_MS / 4;

/** Tells each vendor by mail what to bring; in the transaction that completes the snapshot. */
async function mailVendors(tx: Conn, snapshotId: number, now: Date): Promise<void> {
  for (const { vendor_id: vendorId, email } of await findVendorsOf(tx, snapshotId))
    await enqueueMailTo(tx, {
      key: `vendor-order:${snapshotId}:${vendorId}`,
      template: "vendor-order",
      to: email,
      data: { snapshotId, vendorId },
      notBefore: null,
      isSecret: false,
      now,
    });
}

/**
 * Closes the day for new orders, then closes its boxes and freezes what its sheets are made from, batch by batch: each box
 * in the transaction that closes its orders. The day's lock makes whoever orders at this very moment come wholly before it
 * or find the day closed. A run that dies goes on after its last batch; with the last one the sheets may be made and the
 * vendors get their mail. `waiting`: a checkout that began in time is still under way; `taken`: another server has the run.
 */
async function close(
  { deps, now }: Context,
  delivery: DueDelivery,
  token: number,
): Promise<"closed" | "waiting" | "taken"> {
  const snapshot = await sqlTransaction(deps.db, async (tx) => {
    await deps.failpoint("cutoff:closing");
    if (!(await lockDeliveryForCutoff(tx, delivery.id, addMs(now, -CHECKOUT_GRACE_MS)))) return null;
    const begun = await beginSnapshot(tx, delivery.id, now);
    await deps.failpoint("cutoff:begun");
    return begun;
  });
  if (snapshot === null) return "waiting";
  if (snapshot.is_complete) return "closed";
  for (let batch = 1; ; batch += 1) {
    const result = await sqlTransaction(deps.db, async (tx) => {
      const lease = addMs(deps.clock.now(), RUN_LEASE_MS);
      if (!(await extendRun(tx, delivery.id, "cutoff", token, lease))) return "taken";
      const boxes = await findBoxesToFreeze(tx, delivery.id);
      await closeBoxes(tx, delivery.id, boxes);
      await freezeBoxes(tx, snapshot.id, delivery.id, boxes);
      await deps.failpoint("cutoff:frozen");
      if (boxes.length > 0) return "more";
      await completeSnapshot(tx, snapshot.id);
      await mailVendors(tx, snapshot.id, now);
      return "closed";
    });
    if (result !== "more") return result;
    if (batch === 1) await analyzeBoxes(deps.db);
    await deps.failpoint("cutoff:batch");
  }
}

/**
 * The cutoff of one delivery day (docs/product.md §4, §7, §8): orders close, what they hold is frozen for the sheets and sent to
 * the vendors, each order is charged separately for what it is now, referrers get their credit. An order that cannot be
 * charged is set aside with the reason and charged again later (docs/product.md §17); the run goes on and ends. Each part
 * takes what is not done yet, so that another server can finish a run that died; the lease is extended while the run works.
 * `waiting`: a checkout is not over, or an order could not even be set aside; the next tick goes on.
 */
export async function runCutoff(ctx: Context, delivery: DueDelivery): Promise<"done" | "taken" | "waiting"> {
  const { deps, now } = ctx;
  // What is due follows `now`; who works on it follows the clock (`market jobs run --at`).
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
    const closed = await close(ctx, delivery, token);
    if (closed === "waiting") await releaseRun(deps.db, delivery.id, "cutoff", token, deps.clock.now());
    if (closed !== "closed") return closed;
    await deps.failpoint("cutoff:closed");
    if (!(await chargeOrders(ctx, await findUncharged(deps.db, delivery.id), heartbeat))) {
      await releaseRun(deps.db, delivery.id, "cutoff", token, deps.clock.now());
      return "waiting";
    }
    await deps.failpoint("cutoff:paid");
    // Those of orders that store credit pays for; the others were credited with the capture.
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
