import { wagonPassPrice } from "@marketday/domain/wagon-pass";

import { AppError } from "../../lib/app-error.ts";
import { asCustomerId, type Context } from "../../lib/context.ts";
import { enqueueMail } from "../mail/store.ts";
import { buy } from "../payments/buy.ts";
import { findMethods } from "../payments/store.ts";
import { lapsePass, type PassRow } from "./store.ts";

/**
 * Renews a pass whose day has come, on the default card, off-session; a card that is refused lets it lapse, with a mail.
 * The key is the pass and its day, so that two servers, or a second run, renew it once.
 */
export async function renewWagonPass(ctx: Context, pass: PassRow): Promise<"renewed" | "lapsed" | "waiting"> {
  const { deps, now } = ctx;
  const customerId = asCustomerId(pass.customer_id);
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
      idempotencyKey: `wagon-pass ${pass.id}:${pass.renews_on}`,
    });
    return "renewed";
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    // Another server is at it; the next tick sees what came of it.
    if (error.details.code === "still_running" || error.details.code === "interrupted") return "waiting";
    await lapsePass(deps.db, pass.id);
    await enqueueMail(deps.db, {
      key: `wagon-pass-lapsed:${pass.id}:${pass.renews_on}`,
      template: "wagon-pass-lapsed",
      customerId,
      data: { plan: pass.plan },
      now,
    });
    return "lapsed";
  }
}
