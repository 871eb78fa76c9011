import type { PaymentMethod } from "@marketday/contracts/payments";

import type { MethodRow } from "./store.ts";

/** Row → contract: never the provider's reference. */
export const serializeMethod = (row: MethodRow): PaymentMethod => ({
  id: row.id,
  brand: row.brand,
  last4: row.last4,
  expMonth: row.exp_month,
  expYear: row.exp_year,
  isDefault: row.is_default,
});
