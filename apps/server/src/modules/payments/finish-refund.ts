import { type Conn, execute, query, queryOne, sql, transaction } from "@marketday/db";
import { refundToCreditEntries } from "@marketday/domain/ledger";
import { PAYMENT_LEASE_MS } from "@marketday/domain/limits";
import { cents } from "@marketday/domain/money";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import type { Context } from "../identity/context.ts";
import { runEach, SWEEP_PAUSE_MAX_MS } from "../job-failures/run-each.ts";
import { isNotPaused } from "../job-failures/store.ts";
import { bookPurchase } from "../ledger/booking-store.ts";
import { enqueueMail } from "../mail/store.ts";

const AT_ONCE = 50;
const JOB = "refunds";

/** Money that another provider than today's took. */
class OtherProvider extends Error {}

const OpenRefund = z.object({
  id: z.string(),
  order_id: z.number().nullable(),
  payment_id: z.string(),
  customer_id: z.number().nullable(),
  provider: z.string(),
  charge_key: z.string(),
  provider_ref: z.string().nullable(),
  amount_cents: z.number(),
});
type OpenRefund = z.infer<typeof OpenRefund>;

const openRefund = (which: ReturnType<typeof sql>) => sql`
  select r.id::text as id, r.order_id, p.id::text as payment_id, p.customer_id, p.provider, p.provider_ref, r.amount_cents,
    p.charge_key::text as charge_key
  from refund r join payment p on p.id = r.payment_id
  where r.destination = 'card' and ${which}`;

const markDone = (db: Conn, id: string, ref: string, now: Date) =>
  execute(
    db,
    sql`update refund set state = 'done', provider_ref = ${ref}, done_at = ${now} where id = ${id}::uuid and state = 'created'`,
  );

/**
 * The card does not take the money back: it becomes store credit, with a mail. Once, whether the provider says so at once
 * or days later. Does nothing for a refund that failed before.
 */
export async function turnIntoCredit(ctx: Context, refundId: string): Promise<void> {
  await transaction(ctx.deps.db, async (tx) => {
    const failed = await queryOne(
      tx,
      sql`with failed as (
            update refund set state = 'failed', done_at = ${ctx.now} where id = ${refundId}::uuid and state <> 'failed' and destination = 'card'
            returning payment_id, order_id, amount_cents),
          off as (update payment p set refunded_cents = p.refunded_cents - f.amount_cents from failed f where p.id = f.payment_id returning p.customer_id),
          credited as (update customer c set credit_cents = c.credit_cents + f.amount_cents from failed f, off where c.id = off.customer_id)
          select f.payment_id::text as payment_id, f.order_id, f.amount_cents, off.customer_id from failed f, off`,
      z.object({
        payment_id: z.string(),
        order_id: z.number().nullable(),
        amount_cents: z.number(),
        customer_id: z.number().nullable(),
      }),
    );
    if (!failed || failed.customer_id === null) return;
    await bookPurchase(
      tx,
      {
        kind: "refund",
        paymentId: failed.payment_id,
        note: `refund ${refundId} came back from the card`,
        now: ctx.now,
      },
      refundToCreditEntries(failed.customer_id, cents(failed.amount_cents)),
    );
    if (failed.order_id !== null)
      await enqueueMail(tx, {
        key: `refund-failed:${refundId}`,
        template: "refund-as-credit",
        customerId: failed.customer_id,
        data: { orderId: failed.order_id, amountCents: failed.amount_cents },
        now: ctx.now,
      });
  });
}

/** @throws ProviderUnavailable; Error when it is money of another provider than today's */
async function ask(ctx: Context, refund: OpenRefund): Promise<"done" | "failed"> {
  const { payments, db } = ctx.deps;
  // Paid at the door: it is given back there, by hand.
  if (refund.provider === "offline") {
    await markDone(db, refund.id, refund.id, ctx.now);
    return "done";
  }
  if (refund.provider !== payments.name)
    throw new OtherProvider(
      `It was paid with "${refund.provider}", and this market uses "${payments.name}" now. Refund it there by hand.`,
    );
  const result = await payments.refund({
    key: refund.charge_key,
    customerId: refund.customer_id ?? 0,
    ref: refund.provider_ref,
    refundKey: refund.id,
    amountCents: refund.amount_cents,
  });
  await ctx.deps.failpoint("refund:given");
  if (result.state === "done") {
    await markDone(db, refund.id, result.ref, ctx.now);
    return "done";
  }
  await turnIntoCredit(ctx, refund.id);
  return "failed";
}

/**
 * Asks the provider for a refund that is written down. `failed`: the card did not take it, and it is store credit now.
 * `waiting`: the provider is away; the sweep asks again under the same key.
 */
export async function finishRefund(ctx: Context, refundId: string): Promise<"done" | "failed" | "waiting"> {
  const refund = await queryOne(
    ctx.deps.db,
    openRefund(sql`r.id = ${refundId}::uuid and r.state = 'created'`),
    OpenRefund,
  );
  if (!refund) return "done";
  try {
    return await ask(ctx, refund);
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof OtherProvider) return "waiting";
    throw error;
  }
}

/** Every refund whose request died or whose provider was away. Returns how many were ended. */
export async function resumeRefunds(ctx: Context): Promise<number> {
  const before = addMs(ctx.deps.clock.now(), -PAYMENT_LEASE_MS);
  const left = await query(
    ctx.deps.db,
    sql`${openRefund(sql`r.state = 'created' and r.created_at <= ${before} and ${isNotPaused(ctx, JOB, sql`'refund ' || r.id`)}`)}
        order by r.created_at limit ${AT_ONCE}::int`,
    OpenRefund,
  );
  return runEach(ctx, {
    job: JOB,
    items: left,
    subjectOf: ({ id }) => `refund ${id}`,
    run: (refund) => ask(ctx, refund),
    isComplete: left.length < AT_ONCE,
    pauseMaxMs: SWEEP_PAUSE_MAX_MS,
  });
}
