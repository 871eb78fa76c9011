import { addMs, Day, isBefore } from "@marketday/domain/time";

import type { Context } from "../identity/context.ts";
import { runEach } from "../job-failures/run-each.ts";
import { noteAlert } from "./note-alert.ts";
import { claimLooks, type DueLook } from "./orphaned-charge-sql.ts";
import { endLookup } from "./payment-store.ts";

/** No request is in flight for longer than this; an authorization that appears later lapses automatically. */
const LOOKUP_MS = Day.ms;

/** Voids what the provider holds under this key. `unseen`: the provider still has no such charge. */
async function lookFor(ctx: Context, look: DueLook, key: string): Promise<"unseen" | "gone" | "voided"> {
  const { deps } = ctx;
  // The provider's customer of a deleted account is deleted too.
  if (look.customer_id === null) return "gone";
  const charge = { key, customerId: look.customer_id };
  const found = await deps.payments.find(charge);
  if (!found) return "unseen";
  await deps.payments.void({ ...charge, ref: found.ref });
  if (found.state !== "authorized") return "gone";
  const reason = "The provider held money for a payment that had already ended. The charge was voided.";
  const at = { actor: deps.payments.name, subject: `payment:${look.id}`, reason, data: { key }, now: deps.clock.now() };
  await noteAlert(deps.db, at);
  return "voided";
}

/**
 * Looks up charges that were voided while the provider did not have them: a request in flight, from a worker that was killed
 * or suspended, may have arrived since. They are looked up for a day with growing pauses; a charge that is found is voided
 * once and an alert is written for the operator (failures.md V4, C7). Returns how many charges were voided.
 *
 * A refusal before the request is sent leaves nothing to look up (`isUnsent`). A worker that was killed between writing the
 * payment and sending the request leaves a row like that of a request in flight, in a checkout, a purchase or a renewal: only
 * a write before each request could tell them apart, one more for every order, so these rare ones are looked up too.
 */
export async function findOrphanedCharges(ctx: Context): Promise<number> {
  const { deps } = ctx;
  const now = deps.clock.now();
  let done = 0;
  await runEach(ctx, {
    job: "orphaned-charges",
    items: await claimLooks(deps.db, now),
    subjectOf: ({ id }) => `payment ${id}`,
    // A failed lookup is retried at the time written with the claim.
    isComplete: false,
    pauseMaxMs: 0,
    run: async (look) => {
      // A captured charge is not orphaned; the one that was to replace it is.
      const keys = [...(look.state === "captured" ? [] : [look.charge_key]), ...(look.next_key ? [look.next_key] : [])];
      const results: string[] = [];
      for (const key of keys) results.push(await lookFor(ctx, look, key));
      done += results.filter((result) => result === "voided").length;
      if (!results.includes("unseen") || !isBefore(now, addMs(look.unseen_since, LOOKUP_MS)))
        await endLookup(deps.db, look.id, look.unseen_since);
    },
  });
  return done;
}
