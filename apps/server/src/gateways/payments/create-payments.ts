import type { Db } from "@marketday/db";

import { type Env, SettingError } from "../../env.ts";
import type { Clock } from "../../lib/clock.ts";
import { offlinePayments } from "./offline.ts";
import type { PaymentProvider } from "./payments.ts";
import { stripePayments } from "./stripe/stripe-payments.ts";
import { testPayments } from "./test-provider.ts";

/** The provider chosen by `PAYMENTS` (docs/product.md §7). */
export function createPayments(env: Env, db: Db, clock: Pick<Clock, "now" | "elapsed">): PaymentProvider {
  if (env.payments === "offline") return offlinePayments();
  if (env.payments === "test") return testPayments(db, () => clock.now());
  if (!env.stripe) throw new SettingError("PAYMENTS is stripe, but its keys are missing.");
  return stripePayments(
    { ...env.stripe, apiUrl: env.stripeApiUrl },
    db,
    () => clock.elapsed(),
    () => clock.now(),
  );
}
