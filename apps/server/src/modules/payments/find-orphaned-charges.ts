import { type Conn, execute, query, sql } from "@marketday/db";
import { addMs, Day, isBefore, Minute, Second } from "@marketday/domain/time";
import { z } from "zod";

import type { Context } from "../../lib/context.ts";
import { runEach } from "../../lib/job-failures.ts";
import { noteAlert } from "./charge-store.ts";

/** Nobody's request is on its way for longer; a hold that lasts lapses by itself. */
const LOOKED_FOR_MS = Day.ms;
const SOONEST_MS = 20 * Second.ms;
const LATEST_MS = 10 * Minute.ms;
const AT_ONCE = 50;

const DueLook = z.object({
  id: z.string(),
  customer_id: z.number().nullable(),
  state: z.string(),
  charge_key: z.string(),
  next_key: z.string().nullable(),
  unseen_since: z.date(),
});
type DueLook = z.infer<typeof DueLook>;

/** Takes what is due to be looked for; its next time is written with it, so that one server looks, and a dead one's turn comes again. */
const claimLooks = (db: Conn, now: Date): Promise<DueLook[]> =>
  query(
    db,
    sql`update payment p set look_again_at = ${now}::timestamptz + greatest(make_interval(secs => ${SOONEST_MS / 1000}),
          least(make_interval(secs => ${LATEST_MS / 1000}), (${now}::timestamptz - p.unseen_since) / 2))
        where p.id = any(array(select id from payment where look_again_at <= ${now} order by look_again_at limit ${AT_ONCE}::int for update skip locked))
        returning p.id::text as id, p.customer_id, p.state, p.charge_key::text as charge_key, p.next_key::text as next_key, p.unseen_since`,
    DueLook,
  );

const endLook = (db: Conn, { id, unseen_since }: DueLook) =>
  execute(
    db,
    sql`update payment set look_again_at = null, unseen_since = null, next_key = null
        where id = ${id}::uuid and unseen_since = ${unseen_since} and state in ('voided', 'failed', 'captured')`,
  );

/** Lets go of what the provider holds under this key. `unseen`: it knows no such charge, still. */
async function lookFor(ctx: Context, look: DueLook, key: string): Promise<"unseen" | "gone" | "let go"> {
  const { deps } = ctx;
  // Whose person is forgotten is not known there either.
  if (look.customer_id === null) return "gone";
  const charge = { key, customerId: look.customer_id };
  const found = await deps.payments.find(charge);
  if (!found) return "unseen";
  await deps.payments.void({ ...charge, ref: found.ref });
  if (found.state !== "authorized") return "gone";
  const reason = "Money was held for what was given up before. It was let go.";
  const at = { actor: deps.payments.name, subject: `payment:${look.id}`, reason, data: { key }, now: deps.clock.now() };
  await noteAlert(deps.db, at);
  return "let go";
}

/**
 * Charges that were let go though the provider knew of none: a request that was on its way then, from a worker that died or
 * slept, may have been heard since. They are looked for for a day, less and less often, and what is held is let go, once,
 * whichever server finds it; an operator is told (failures.md V4, C7). Returns how many holds were let go.
 */
export async function findOrphanedCharges(ctx: Context): Promise<number> {
  const { deps } = ctx;
  const now = deps.clock.now();
  let done = 0;
  await runEach(ctx, {
    job: "orphaned-charges",
    items: await claimLooks(deps.db, now),
    subjectOf: ({ id }) => `payment ${id}`,
    // A look that fails comes again at the time that was written when it was claimed.
    isComplete: false,
    pauseMaxMs: 0,
    run: async (look) => {
      // A charge that was taken is no stray; the one that was to replace it is.
      const keys = [...(look.state === "captured" ? [] : [look.charge_key]), ...(look.next_key ? [look.next_key] : [])];
      const said: string[] = [];
      for (const key of keys) said.push(await lookFor(ctx, look, key));
      done += said.filter((one) => one === "let go").length;
      if (!said.includes("unseen") || !isBefore(now, addMs(look.unseen_since, LOOKED_FOR_MS)))
        await endLook(deps.db, look);
    },
  });
  return done;
}
