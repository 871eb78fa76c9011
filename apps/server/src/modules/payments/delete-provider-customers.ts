import { query, sql } from "@marketday/db";
import { z } from "zod";

import type { Context } from "../../lib/context.ts";
import { runEach } from "../../lib/job-failures.ts";

/**
 * Deletes from the payment provider the customers who deleted their account here: the provider was unavailable then, or
 * a backup was restored (failures.md L2, L3). A failed one is retried (`runEach`).
 */
export async function deleteProviderCustomers(ctx: Context): Promise<void> {
  const { deps } = ctx;
  const left = await query(
    deps.db,
    sql`select id from customer where deleted_at is not null and stripe_customer_id is not null order by id`,
    z.object({ id: z.number() }),
  );
  await runEach(ctx, {
    job: "forget-payers",
    items: left,
    subjectOf: ({ id }) => `former customer ${id}`,
    run: ({ id }) => deps.payments.deleteCustomer(id),
    isComplete: true,
  });
}
