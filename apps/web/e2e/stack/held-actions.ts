import { setTimeout } from "node:timers/promises";

import { type Db, execute, sql } from "../../../../prisma/src/client.ts";
import type { Context } from "../../../server/src/modules/identity/context.ts";
import { runDueActions } from "../../../server/src/modules/staff-actions/run-due-actions.ts";

/**
 * Makes every hold half an hour longer, so that the server does nothing of what is held before the test says so (`doHeldActions`): on a slow
 * machine, ten seconds may be over before a click arrives.
 */
export async function lengthenHolds(db: Db): Promise<void> {
  await execute(
    db,
    sql`create function lengthen_hold() returns trigger language plpgsql as $$
        begin
          new.due_at := new.due_at + interval '30 minutes';
          return new;
        end $$`,
  );
  await execute(
    db,
    sql`create trigger staff_action_held before insert on staff_action for each row when (new.state = 'held') execute function lengthen_hold()`,
  );
}

/** What the app has held. Actions of the control `staffAction` have no input: there is nothing to do. */
const held = { input: { not: {} } };

/** Does what the staff did and is held, as when its time has come. Answers when all of it has ended, also what the server's job has taken. */
export async function doHeldActions({ db, context }: { db: Db; context: () => Context }): Promise<void> {
  await db.staff_action.updateMany({ where: { ...held, state: "held" }, data: { due_at: new Date() } });
  for (;;) {
    await runDueActions(context());
    if ((await db.staff_action.count({ where: { ...held, state: { in: ["held", "running"] } } })) === 0) return;
    await setTimeout(50);
  }
}
