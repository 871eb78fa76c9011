import { transaction } from "@marketday/db";
import { isBankAwaited, retryAt, wagonPassPrice } from "@marketday/domain/wagon-pass";

import { AppError } from "../../lib/app-error.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { runEach } from "../job-failures/run-each.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { buy } from "../payments/buy.ts";
import { findMethods } from "../payments/method-store.ts";
import { findPurchaseByKey } from "../payments/purchase-store.ts";
import { isUnavailable } from "../payments/refused-payment.ts";
import { findDuePasses, findDueReminders, lapsePass, lockCustomerPass, lockPass, type PassRow } from "./pass-sql.ts";
import { findFirstTry, findMarketDate, isBeingBought, postponeRenewal } from "./store.ts";

/**
 * Schedules the next try of a declined renewal, or ends the pass, and enqueues the email about it in the same transaction.
 * `unconfirmed`: the card whose charge the bank wants the shopper to confirm.
 */
async function decline(
  { deps, now }: Context,
  pass: PassRow,
  unconfirmed: number | null,
): Promise<"declined" | "lapsed" | "skipped"> {
  await deps.failpoint("renewal:refused");
  return transaction(deps.db, async (tx) => {
    await lockCustomerPass(tx, pass.customer_id);
    const current = await lockPass(tx, pass.id);
    // Another server handled it first, or the shopper cancelled, or is paying it.
    if (
      current?.status !== "active" ||
      current.renews_on !== pass.renews_on ||
      current.declined !== pass.declined ||
      (await isBeingBought(tx, pass.customer_id))
    )
      return "skipped";
    const nextTry = retryAt(pass.declined + 1, now);
    if (nextTry) await postponeRenewal(tx, pass.id, nextTry, unconfirmed);
    else await lapsePass(tx, pass.id);
    const isNew = pass.declined === 0 || (unconfirmed !== null && pass.unconfirmed_method_id === null);
    if (nextTry && !isNew) return "declined";
    const template = nextTry
      ? unconfirmed === null
        ? "wagon-pass-declined"
        : "wagon-pass-unconfirmed"
      : "wagon-pass-lapsed";
    await enqueueMail(tx, {
      key: `${template}:${pass.id}:${pass.renews_on}`,
      template,
      customerId: pass.customer_id,
      data: {
        amountCents: wagonPassPrice(pass.plan),
        renewsOn: pass.renews_on,
        isUnconfirmed: unconfirmed !== null,
        today: await findMarketDate(tx, pass.customer_id, now),
      },
      now,
    });
    await deps.failpoint("renewal:declined");
    return nextTry ? "declined" : "lapsed";
  });
}

/**
 * Renews a due pass on the default card, off-session. A declined card is retried over the next days, with one email; then the
 * pass ends, with another email. One that the bank wants the shopper to confirm is not sent again on that card. The idempotency
 * key is the pass, its renewal day and the try, so that concurrent and repeated runs charge it once.
 * @throws when the provider is unavailable, or the bank for at most two weeks since the first try: no try is counted
 */
async function renewWagonPass(ctx: Context, pass: PassRow): Promise<"renewed" | "declined" | "lapsed" | "skipped"> {
  const { deps } = ctx;
  const customerId = asCustomerId(pass.customer_id);
  const firstKey = `wagon-pass ${pass.id}:${pass.renews_on}`;
  const key = pass.declined > 0 ? `${firstKey}:${pass.declined}` : firstKey;
  const [method] = await findMethods(deps.db, customerId, deps.payments.name);
  if (method && method.id === pass.unconfirmed_method_id) return decline(ctx, pass, method.id);
  let charged = method?.id ?? null;
  try {
    if (!method) throw new AppError(422, "no card", { code: "payment_required" });
    await buy(ctx, customerId, {
      amountCents: wagonPassPrice(pass.plan),
      purpose: { kind: "wagon-pass", plan: pass.plan, passId: pass.id },
      card: null,
      paymentMethodId: method.id,
      save: false,
      offSession: true,
      idempotencyKey: key,
      // One charge per try, and none for a pass that was cancelled in the meantime.
      guard: async (tx) => {
        // The shopper may be paying it.
        await lockCustomerPass(tx, pass.customer_id);
        const current = await lockPass(tx, pass.id);
        const earlier = await findPurchaseByKey(tx, customerId, key);
        // A run crashed between the refusal and scheduling the next try.
        if (earlier?.state === "failed") {
          charged = earlier.payment_method_id;
          const code = earlier.is_unconfirmed ? "challenge" : "declined";
          throw new AppError(402, "This renewal was declined.", { code });
        }
        // A voided payment was not declined: it got no response, or the provider or the bank was unavailable.
        if (
          (earlier && earlier.state !== "voided") ||
          current?.status !== "active" ||
          current.renews_on !== pass.renews_on ||
          (await isBeingBought(tx, customerId))
        )
          throw new AppError(409, "This renewal is in progress.", { code: "still_running" });
      },
    });
    return "renewed";
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    if (isUnavailable(error.details.code)) {
      const today = await findMarketDate(deps.db, pass.customer_id, ctx.now);
      const firstTry = await findFirstTry(deps.db, pass.customer_id, firstKey);
      if (firstTry === null || isBankAwaited(firstTry, today)) throw error;
    }
    // Another server is renewing it; the next run handles the result.
    if (error.details.code === "still_running" || error.details.code === "interrupted") return "skipped";
    return decline(ctx, pass, error.details.code === "challenge" ? charged : null);
  }
}

/**
 * Enqueues the reminders that are due, and renews every pass that is due in its market's time zone; one that fails does not stop
 * the others (`runEach`). A reminder that is late moves the charge (docs/product.md §7). While the market takes no cards, passes
 * stay active, and are reminded of and renewed later.
 */
export async function renewWagonPasses(ctx: Context): Promise<void> {
  const { db, payments } = ctx.deps;
  if (!payments.takesCards) return;
  for (const { key, customer_id: customerId, id } of await findDueReminders(db, ctx.now))
    await enqueueMail(db, {
      key,
      template: "wagon-pass-reminder",
      customerId,
      data: { passId: id, key },
      now: ctx.now,
    });
  await runEach(ctx, {
    job: "wagon-passes",
    items: await findDuePasses(db, ctx.now),
    subjectOf: ({ id }) => `pass ${id}`,
    run: (pass) => renewWagonPass(ctx, pass),
    isComplete: true,
  });
}
