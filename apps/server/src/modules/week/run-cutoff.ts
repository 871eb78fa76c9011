import { type Conn, sqlTransaction } from "@marketday/db";
import { captureEntries, referralEntries } from "@marketday/domain/ledger";
import { CHECKOUT_GRACE_MS, REFERRAL_CREDIT } from "@marketday/domain/limits";
import { cents } from "@marketday/domain/money";
import { addMs, Minute } from "@marketday/domain/time";

import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import type { Context } from "../../lib/context.ts";
import { uuidOf } from "../../lib/tokens.ts";
import { enqueueMail, enqueueMailTo } from "../mail/store.ts";
import { bookPurchase } from "../payments/store.ts";
import {
  beginSnapshot,
  closeBoxes,
  completeSnapshot,
  findBoxesToFreeze,
  findVendorsOf,
  freezeBoxes,
} from "./snapshot.ts";
import {
  type CaptureRow,
  claimReferralCredits,
  claimRun,
  dropHold,
  type DueDelivery,
  extendRun,
  findCaptures,
  findUnpaid,
  finishRun,
  insertCapturedPayment,
  lockDayToClose,
  recordCapture,
  releaseRun,
  type UnpaidRow,
} from "./store.ts";

/** Longer than any one step; a run that is silent for this long has died and is taken over. */
export const RUN_LEASE_MS = 2 * Minute.ms;

/** Takes the money of one charge for what its orders of this day are now. The key makes a second try harmless. */
async function capture(ctx: Context, delivery: DueDelivery, row: CaptureRow): Promise<void> {
  const { deps, now } = ctx;
  const charge = { key: row.charge_key, customerId: row.customer_id, ref: row.provider_ref };
  if (row.due_cents === 0) await deps.payments.void(charge);
  else if ((await deps.payments.capture({ ...charge, amountCents: row.due_cents })) === "gone") {
    // The bank let go of the hold: its orders are charged anew, on the saved card.
    await dropHold(deps.db, row.payment_id, deps.clock.now());
    return;
  }
  await deps.at("cutoff:captured");
  await sqlTransaction(deps.db, async (tx) => {
    if (!(await recordCapture(tx, delivery.id, row, deps.clock.now())) || row.due_cents === 0) return;
    const booking = { kind: "capture", paymentId: row.payment_id, note: `cutoff ${delivery.id}`, now };
    await bookPurchase(tx, booking, captureEntries(row.customer_id, cents(row.due_cents)));
  });
}

/** Charges an order whose first hold went with an earlier box, on the saved card. A refused card is told by mail. */
async function charge(ctx: Context, delivery: DueDelivery, order: UnpaidRow): Promise<string | null> {
  const { deps, now } = ctx;
  const key = uuidOf(`order ${order.order_id} cutoff ${delivery.id}`);
  const said = order.provider_ref
    ? await deps.payments.authorize({
        key,
        customerId: order.customer_id,
        amountCents: order.due_cents,
        means: { savedRef: order.provider_ref, save: false, offSession: true },
      })
    : null;
  if (said?.state !== "authorized") {
    if (said?.state === "challenge") await deps.payments.void({ key, customerId: order.customer_id, ref: said.ref });
    await enqueueMail(deps.db, {
      key: `payment-failed:${order.order_id}`,
      template: "payment-failed",
      customerId: order.customer_id,
      data: { orderId: order.order_id },
      now,
    });
    return `order ${order.order_id} could not be charged`;
  }
  const charged = { key, customerId: order.customer_id, ref: said.ref, amountCents: order.due_cents };
  if ((await deps.payments.capture(charged)) === "gone") return `order ${order.order_id} could not be charged`;
  await sqlTransaction(deps.db, async (tx) => {
    if ((await insertCapturedPayment(tx, { id: key, provider: deps.payments.name, ref: said.ref }, order, now)) === 0)
      return;
    const booking = { kind: "capture", paymentId: key, note: `cutoff ${delivery.id}`, now };
    await bookPurchase(tx, booking, captureEntries(order.customer_id, cents(order.due_cents)));
  });
  return null;
}

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
    await deps.at("cutoff:closing");
    if (!(await lockDayToClose(tx, delivery.id, addMs(now, -CHECKOUT_GRACE_MS)))) return null;
    const begun = await beginSnapshot(tx, delivery.id, now);
    await deps.at("cutoff:begun");
    return begun;
  });
  if (snapshot === null) return "waiting";
  if (snapshot.is_complete) return "closed";
  for (;;) {
    const result = await sqlTransaction(deps.db, async (tx) => {
      const lease = addMs(deps.clock.now(), RUN_LEASE_MS);
      if (!(await extendRun(tx, delivery.id, "cutoff", token, lease))) return "taken";
      const boxes = await findBoxesToFreeze(tx, delivery.id);
      await closeBoxes(tx, delivery.id, boxes);
      await freezeBoxes(tx, snapshot.id, delivery.id, boxes);
      await deps.at("cutoff:frozen");
      if (boxes.length > 0) return "more";
      await completeSnapshot(tx, snapshot.id);
      await mailVendors(tx, snapshot.id, now);
      return "closed";
    });
    if (result !== "more") return result;
    await deps.at("cutoff:batch");
  }
}

/**
 * The cutoff of one delivery day (decisions §4, §7, §8): orders close, what they hold is frozen
 * for the sheets and told to the vendors, money is taken for what they are now, referrers get
 * their credit. Each part asks what is not done yet, so that a run that died, or a second server, goes on where it stood.
 * One order that cannot be charged does not stop the others. A provider that is away, a checkout that is not
 * over: the run waits for the next tick.
 */
export async function runCutoff(ctx: Context, delivery: DueDelivery): Promise<"done" | "taken" | "waiting"> {
  const { deps, now } = ctx;
  // What is due follows `now`; who works on it follows the clock (`market jobs run --at`).
  const clock = deps.clock.now();
  const token = await claimRun(deps.db, delivery.id, "cutoff", clock, addMs(clock, RUN_LEASE_MS));
  if (token === null) return "taken";
  const errors: string[] = [];
  try {
    const closed = await close(ctx, delivery, token);
    if (closed === "waiting") await releaseRun(deps.db, delivery.id, "cutoff", token, deps.clock.now());
    if (closed !== "closed") return closed;
    await deps.at("cutoff:closed");
    if (deps.payments.name !== "offline") {
      for (const row of await findCaptures(deps.db, delivery.id, deps.payments.name)) await capture(ctx, delivery, row);
      for (const order of await findUnpaid(deps.db, delivery.id, deps.payments.name)) {
        const error = await charge(ctx, delivery, order);
        if (error) errors.push(error);
      }
    }
    await deps.at("cutoff:paid");
    await sqlTransaction(deps.db, async (tx) => {
      for (const { referrer_id, friend_id } of await claimReferralCredits(tx, delivery.id, now, REFERRAL_CREDIT)) {
        const booking = { kind: "referral", paymentId: null, note: `friend ${friend_id}`, now };
        await bookPurchase(tx, booking, referralEntries(referrer_id, REFERRAL_CREDIT));
        await enqueueMail(tx, {
          key: `referral-credit:${friend_id}`,
          template: "referral-credit",
          customerId: referrer_id,
          data: { amountCents: REFERRAL_CREDIT },
          now,
        });
      }
    });
  } catch (error) {
    await releaseRun(deps.db, delivery.id, "cutoff", token, deps.clock.now());
    if (error instanceof ProviderUnavailable) return "waiting";
    throw error;
  }
  await finishRun(deps.db, delivery.id, "cutoff", token, errors, deps.clock.now());
  return "done";
}
