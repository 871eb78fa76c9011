import { type Conn, execute, query, queryOne, sql, sqlTransaction } from "@marketday/db";
import { CARD_MINIMUM, HOLD_RENEW_BEFORE_MS, SAVED_CARD_AFTER_MS } from "@marketday/domain/limits";
import { addMs, Day } from "@marketday/domain/time";
import { z } from "zod";

import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { retryOf } from "../../gateways/payments/refusals.ts";
import { newUuid } from "../../lib/tokens.ts";
import type { Context } from "../identity/context.ts";
import { runEach } from "../job-failures/run-each.ts";
import { enqueueMail } from "../mail/store.ts";

const DueHold = z.object({
  payment_id: z.string(),
  customer_id: z.number(),
  charge_key: z.string(),
  provider_ref: z.string().nullable(),
  next_key: z.string().nullable(),
  hold_lost_at: z.date().nullable(),
  /** The provider's reference of the card; null: it is removed, and only a renewal that was interrupted can be finished. */
  method_ref: z.string().nullable(),
  order_id: z.number(),
  due_cents: z.number(),
});
type DueHold = z.infer<typeof DueHold>;

/**
 * Authorizations that would lapse before their cutoff: made more than 6 days before it, with the cutoff now at most 4 days
 * away; and lost ones. A declined renewal is retried a day later. A renewal that was interrupted is always due: between the
 * void of the old charge and the swap, only `next_key` names the new one.
 */
export const findDueHolds = (db: Conn, provider: string, now: Date): Promise<DueHold[]> =>
  query(
    db,
    sql`with interrupted as (
          select id from payment where next_key is not null and state = 'authorized' and provider = ${provider} and customer_id is not null),
        lapsing as (
          select p.id
          from payment p
          join orders o on o.payment_id = p.id and o.status in ('open', 'future')
          join delivery d on d.id = o.delivery_id
          join payment_method m on m.id = p.payment_method_id and m.deleted_at is null
          where p.state = 'authorized' and p.provider = ${provider} and p.purpose is null and p.unconfirmed_at is null
            and (p.authorized_at < ${addMs(now, HOLD_RENEW_BEFORE_MS - SAVED_CARD_AFTER_MS)} or p.hold_lost_at is not null)
          group by p.id
          having min(d.cutoff_at) > ${now} and min(d.cutoff_at) <= ${addMs(now, HOLD_RENEW_BEFORE_MS)}
            and sum(o.order_total_cents - o.credit_cents) >= ${CARD_MINIMUM}::int
            and (p.authorized_at < min(d.cutoff_at) - make_interval(secs => ${SAVED_CARD_AFTER_MS / 1000}) or p.hold_lost_at is not null)
            and (p.hold_lost_at is null or p.hold_lost_at <= ${addMs(now, -Day.ms)}))
        select p.id::text as payment_id, p.customer_id, p.charge_key::text as charge_key, p.provider_ref, p.next_key::text as next_key,
          p.hold_lost_at, m.provider_ref as method_ref, min(o.id) as order_id, sum(o.order_total_cents - o.credit_cents)::int as due_cents
        from payment p
        join orders o on o.payment_id = p.id and o.status in ('open', 'future')
        join delivery d on d.id = o.delivery_id
        left join payment_method m on m.id = p.payment_method_id and m.deleted_at is null
        where p.id in (select id from interrupted union select id from lapsing)
        group by p.id, m.provider_ref
        order by min(d.cutoff_at), p.id`,
    DueHold,
  );

/** The charge and the renewal of a payment as they were read: another server may have moved on. */
interface SeenHold {
  chargeKey: string;
  /** The key of the renewal; null: none was under way. */
  nextKey: string | null;
}

/**
 * The authorization lapsed, its renewal was declined, or the bank wants the shopper to confirm it (`unconfirmed`): the shopper is
 * mailed, the order stays open and is charged at its cutoff. False, and nothing is lost, when the hold is being renewed or was renewed since it was read.
 */
export async function loseHold(
  ctx: Context,
  paymentId: string,
  { chargeKey, nextKey }: SeenHold,
  reason: "lost" | "unconfirmed" = "lost",
): Promise<boolean> {
  return sqlTransaction(ctx.deps.db, async (tx) => {
    const lost = await queryOne(
      tx,
      sql`update payment p set hold_lost_at = ${ctx.now}, next_key = null,
            unconfirmed_at = case when ${reason} = 'unconfirmed' then ${ctx.now}::timestamptz else p.unconfirmed_at end
          where p.id = ${paymentId}::uuid and p.state = 'authorized' and p.charge_key = ${chargeKey}::uuid
            and p.next_key is not distinct from ${nextKey}::uuid
          returning p.customer_id, (select min(o.id) from orders o where o.payment_id = p.id and o.status in ('open', 'future')) as order_id`,
      z.object({ customer_id: z.number().nullable(), order_id: z.number().nullable() }),
    );
    if (!lost) return false;
    if (lost.order_id === null || lost.customer_id === null) return true;
    await enqueueMail(tx, {
      key: `hold-${reason}:${paymentId}`,
      template: `hold-${reason}`,
      customerId: lost.customer_id,
      data: { orderId: lost.order_id },
      now: ctx.now,
    });
    return true;
  });
}

/** The provider or the bank took no charge right now: the next try has another key, because it would answer this one in the same way. */
const dropRenewal = (db: Conn, paymentId: string, nextKey: string) =>
  execute(db, sql`update payment set next_key = null where id = ${paymentId}::uuid and next_key = ${nextKey}::uuid`);

/** Voids the refused charge of a renewal whose result is written. */
async function voidRefused({ deps }: Context, hold: DueHold, charge: { key: string; customerId: number }) {
  try {
    await deps.payments.void(charge);
  } catch (error) {
    deps.log.warn({ err: error, payment: hold.payment_id }, "a refused renewal was not voided");
  }
}

async function renew(ctx: Context, hold: DueHold): Promise<"renewed" | "lost" | "waiting"> {
  const { deps, now } = ctx;
  await deps.failpoint("hold:due");
  // Only while the charge is still the one that was loaded: another server may have renewed it since.
  const written = await queryOne(
    deps.db,
    sql`update payment set next_key = coalesce(next_key, ${newUuid()}::uuid)
        where id = ${hold.payment_id}::uuid and state = 'authorized' and charge_key = ${hold.charge_key}::uuid
          and (next_key is not null or (${hold.next_key}::uuid is null and hold_lost_at is not distinct from ${hold.hold_lost_at}::timestamptz))
        returning next_key::text as key`,
    z.object({ key: z.string() }),
  );
  if (!written) return "waiting";
  const next = { key: written.key, customerId: hold.customer_id };
  // The charge of a renewal that was interrupted is fetched first: its state may have changed, or its key may have expired.
  const before = hold.next_key === null ? null : await deps.payments.find(next);
  // Its request may still arrive: the key is kept, and looked up until the cutoff.
  if (before === null && (hold.method_ref === null || hold.due_cents < CARD_MINIMUM)) return "waiting";
  const renewal =
    before ??
    (await deps.payments.authorize({
      ...next,
      amountCents: hold.due_cents,
      means: { savedRef: hold.method_ref, save: false, offSession: true },
    }));
  await deps.failpoint("hold:authorized");
  if (renewal.state !== "authorized" && renewal.state !== "captured") {
    if (renewal.state === "declined" && retryOf(renewal.code) === "soon") {
      // Voided last: a voided charge has no reason, and the next run would take it for a hold that is lost.
      const isDropped = (await dropRenewal(deps.db, hold.payment_id, next.key)) === 1;
      await deps.failpoint("hold:dropped");
      if (isDropped) await voidRefused(ctx, hold, next);
      throw new ProviderUnavailable(renewal.detail ?? renewal.reason);
    }
    await deps.failpoint("hold:refused");
    const isUnconfirmed =
      renewal.state === "challenge" || (renewal.state === "declined" && renewal.code === "challenge");
    const isLost = await loseHold(
      ctx,
      hold.payment_id,
      { chargeKey: hold.charge_key, nextKey: next.key },
      isUnconfirmed ? "unconfirmed" : "lost",
    );
    // Voided last: a voided charge has no reason, which the next run needs after a kill before `loseHold`. A refused charge that
    // is never voided holds nothing.
    if (isLost) await voidRefused(ctx, hold, next);
    return isLost ? "lost" : "waiting";
  }
  // The old charge is voided before the row changes: after a kill here, the next run finds the new charge by its key.
  await deps.payments.void({ key: hold.charge_key, customerId: hold.customer_id, ref: hold.provider_ref });
  await deps.failpoint("hold:swapping");
  const swapped = await execute(
    deps.db,
    sql`update payment set charge_key = next_key, next_key = null, provider_ref = ${renewal.ref}, authorized_at = ${now}, hold_lost_at = null, unconfirmed_at = null,
            amount_cents = ${renewal.amountCents ?? hold.due_cents}::int
          where id = ${hold.payment_id}::uuid and state = 'authorized' and next_key = ${next.key}::uuid`,
  );
  if (swapped === 1) return "renewed";
  // Canceled meanwhile, or swapped by another server; in the second case the key is the current one and stays.
  const isPresent = await queryOne(
    deps.db,
    sql`select true as present from payment where id = ${hold.payment_id}::uuid and charge_key = ${next.key}::uuid and state in ('authorized', 'captured')`,
    z.object({ present: z.boolean() }),
  );
  if (!isPresent) await deps.payments.void({ ...next, ref: renewal.ref });
  return "waiting";
}

/**
 * Renews every authorization that would lapse before its cutoff, off-session, on the same card (docs/product.md §7). A failure does
 * not stop the others (`runEach`).
 */
export async function renewHolds(ctx: Context): Promise<void> {
  const { deps } = ctx;
  if (!deps.payments.takesCards) return;
  await runEach(ctx, {
    job: "holds",
    items: await findDueHolds(deps.db, deps.payments.name, ctx.now),
    subjectOf: (hold) => `hold of order ${hold.order_id}`,
    run: (hold) => renew(ctx, hold),
    isComplete: true,
  });
}
