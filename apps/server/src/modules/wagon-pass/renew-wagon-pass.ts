import { sqlTransaction } from "@marketday/db";
import { retryAt, wagonPassPrice } from "@marketday/domain/wagon-pass";

import { AppError } from "../../lib/app-error.ts";
import { asCustomerId, type Context } from "../../lib/context.ts";
import { enqueueMail } from "../mail/store.ts";
import { buy } from "../payments/buy.ts";
import { findMethods } from "../payments/method-store.ts";
import { findPurchaseByKey } from "../payments/purchase-store.ts";
import { lapsePass, lockPass, type PassRow, postponeRenewal } from "./store.ts";

/** The mail of a declined renewal goes with what it says: the next try, or the end of the pass. */
async function decline({ deps, now }: Context, pass: PassRow): Promise<"declined" | "lapsed" | "waiting"> {
  return sqlTransaction(deps.db, async (tx) => {
    const current = await lockPass(tx, pass.id);
    // Another server was faster, or the shopper cancelled meanwhile.
    if (current?.status !== "active" || current.renews_on !== pass.renews_on || current.declined !== pass.declined)
      return "waiting";
    const again = retryAt(pass.declined + 1, now);
    if (again) await postponeRenewal(tx, pass.id, again);
    else await lapsePass(tx, pass.id);
    if (again && pass.declined > 0) return "declined";
    const template = again ? "wagon-pass-declined" : "wagon-pass-lapsed";
    await enqueueMail(tx, {
      key: `${template}:${pass.id}:${pass.renews_on}`,
      template,
      customerId: pass.customer_id,
      data: {},
      now,
    });
    return again ? "declined" : "lapsed";
  });
}

/**
 * Renews a pass whose day has come, on the default card, off-session. A declined card is tried again over the next days,
 * which a mail says once, and then the pass ends, with a mail. The key is the pass, its day and the try, so that two servers,
 * or a second run, charge it once.
 */
export async function renewWagonPass(
  ctx: Context,
  pass: PassRow,
): Promise<"renewed" | "declined" | "lapsed" | "waiting"> {
  const { deps } = ctx;
  const customerId = asCustomerId(pass.customer_id);
  const key = `wagon-pass ${pass.id}:${pass.renews_on}${pass.declined > 0 ? `:${pass.declined}` : ""}`;
  const [method] = await findMethods(deps.db, customerId, deps.payments.name);
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
      // One charge for each try, and none for a pass that was cancelled since it was found.
      guard: async (tx) => {
        const current = await lockPass(tx, pass.id);
        const tried = await findPurchaseByKey(tx, key);
        // A run died between the refusal and the next try.
        if (tried?.state === "failed") throw new AppError(402, "This renewal was declined.", { code: "declined" });
        // One that was voided got no answer: it declined nothing.
        if ((tried && tried.state !== "voided") || current?.status !== "active")
          throw new AppError(409, "This renewal is in progress.", { code: "still_running" });
      },
    });
    return "renewed";
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    // Another server is at it; the next tick sees what came of it.
    if (error.details.code === "still_running" || error.details.code === "interrupted") return "waiting";
    return decline(ctx, pass);
  }
}
