import { query, sql } from "@marketday/db";
import { z } from "zod";

import type { Context } from "../../lib/context.ts";
import { runEach } from "../../lib/job-failures.ts";

/**
 * Deletes at the payment provider whoever deleted their account here and is still known there: the provider was away then, or
 * a restored backup had them again (failures.md L2, L3). One that fails is tried again (`runEach`).
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
    run: ({ id }) => deps.payments.forgetPayer(id),
    isComplete: true,
  });
}
