import { Minute } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import type { PaymentProvider } from "../../gateways/payments/payments.ts";
import type { Refused } from "../../gateways/payments/refusals.ts";
import { noteFailure } from "../job-failures/failure-sql.ts";
import { clearFailure } from "../job-failures/failure-store.ts";

/** Names of the row of `job_failure`, which `market doctor` shows. */
const JOB = "payments";
const SUBJECT = "new card payments";
/** After this time a success deletes the row again, which another server may have written. */
const CLEARED_FOR_MS = 10 * Minute.ms;

/**
 * A provider that tells operators when it refuses the market's charges, and not the card: an expired key, a closed account, a limit
 * (`payments_down` with a `detail`). The row stays until a charge succeeds. A report that cannot be written is logged.
 */
export function reportRefusals(payments: PaymentProvider, deps: Pick<Deps, "db" | "clock" | "log">): PaymentProvider {
  let clearedAt: number | null = null;
  const report = async (refused: Refused | null): Promise<void> => {
    const now = deps.clock.elapsed();
    try {
      if (refused?.code === "payments_down") {
        clearedAt = null;
        deps.log.error({ reason: refused.detail }, "the payment provider takes no cards for this market");
        await noteFailure({ deps }, JOB, SUBJECT, `The payment provider refused: ${refused.detail ?? refused.reason}.`);
      } else if (refused === null && (clearedAt === null || now - clearedAt >= CLEARED_FOR_MS)) {
        await clearFailure(deps.db, JOB, SUBJECT);
        clearedAt = now;
      }
    } catch (error) {
      deps.log.warn({ err: error }, "a refusal of the payment provider was not reported");
    }
  };
  return {
    ...payments,
    async authorize(request) {
      const result = await payments.authorize(request);
      await report(result.state === "declined" ? result : null);
      return result;
    },
    async saveCard(customer, means) {
      const result = await payments.saveCard(customer, means);
      await report("reason" in result ? result : null);
      return result;
    },
  };
}
