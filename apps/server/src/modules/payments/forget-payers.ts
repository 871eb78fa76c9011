import { query, sql } from "@marketday/db";
import { z } from "zod";

import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import type { Context } from "../../lib/context.ts";

/**
 * Deletes at the payment provider whoever deleted their account here and is still known there: the provider was away then, or
 * a restored backup had them again (failures.md L2, L3). A provider that is away is asked again at the next tick.
 */
export async function forgetPayers({ deps }: Context): Promise<void> {
  const left = await query(
    deps.db,
    sql`select id from customer where deleted_at is not null and stripe_customer_id is not null order by id`,
    z.object({ id: z.number() }),
  );
  for (const { id } of left) {
    try {
      await deps.payments.forgetPayer(id);
    } catch (error) {
      deps.log.warn({ err: error, customer: id }, "a former customer is left at the payment provider");
      if (error instanceof ProviderUnavailable) return;
    }
  }
}
