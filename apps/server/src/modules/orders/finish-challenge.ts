import { addMs } from "@marketday/domain/time";

import type { Authorization, Found } from "../../gateways/payments/payments.ts";
import type { Context } from "../../lib/context.ts";
import { claimAttempt } from "./checkout-store.ts";
import { LEASE_MS } from "./hold-stock.ts";
import { authorizeAttempt, chargeOf, type Settled, settleOrVoid } from "./settle-attempt.ts";

const toAuthorization = (found: Found | null): Authorization => {
  switch (found?.state) {
    case "authorized":
    case "challenge":
    case "declined":
      return found;
    case "captured":
      return {
        state: "authorized",
        ref: found.ref,
        saved: found.saved ?? null,
        cardFingerprint: found.cardFingerprint ?? null,
      };
    default:
      return { state: "declined", ref: null, code: "card_declined", reason: "Your card was declined." };
  }
};

/**
 * Finishes an attempt when the provider's webhook reports the result of the bank's challenge. The shopper may return at the
 * same moment (failures.md B4); the lease lets only one of the two finish it. Returns null when the attempt is not waiting
 * for a challenge.
 */
export async function finishChallenge(ctx: Context, attemptId: string): Promise<Settled | null> {
  const { deps } = ctx;
  const now = deps.clock.now();
  const attempt = await claimAttempt(deps.db, attemptId, now, addMs(now, LEASE_MS), "challenge");
  if (!attempt) return null;
  const authorization = await authorizeAttempt(ctx, attempt, async () =>
    toAuthorization(await deps.payments.find(chargeOf(attempt))),
  );
  await deps.failpoint("challenge:claimed");
  return settleOrVoid(ctx, attempt, authorization);
}
