import type { Context } from "../lib/context.ts";
import { runEach } from "../lib/job-failures.ts";
import { renewWagonPass } from "../modules/wagon-pass/renew-wagon-pass.ts";
import { findDuePasses } from "../modules/wagon-pass/store.ts";

/**
 * Renews every pass that is due in its market's time zone; one that fails does not stop the others (`runEach`). While the
 * market takes no cards, passes stay active and are renewed later.
 */
export async function renewWagonPasses(ctx: Context): Promise<void> {
  const { db, payments } = ctx.deps;
  if (!payments.takesCards) return;
  await runEach(ctx, {
    job: "wagon-passes",
    items: await findDuePasses(db, ctx.now),
    subjectOf: ({ id }) => `pass ${id}`,
    run: (pass) => renewWagonPass(ctx, pass),
    isComplete: true,
  });
}
