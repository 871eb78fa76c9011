import type { Me } from "@marketday/contracts/admin/session";
import type { TodayRow } from "@marketday/contracts/admin/today";
import type { AttentionCount } from "@marketday/domain/day-steps";

import { paths } from "../../lib/paths.ts";
import { hasPermission } from "../session/api.ts";

/** The screens of the counts that have one: of the first day on which something of it is to be done, the inbox, the payouts, or the settings. */
export function findScreens(
  me: Pick<Me, "permissions">,
  rows: readonly Pick<TodayRow, "hub" | "day" | "shorts" | "steps" | "next">[],
): Partial<Record<AttentionCount, string>> {
  const adjustable = rows.filter(({ hub }) => hasPermission(me, "orders.adjust", hub.id));
  const short = adjustable.find(
    ({ shorts, steps }) => shorts > 0 && steps.some(({ step, state }) => step === "cutoff" && state === "done"),
  );
  const door = adjustable.find(({ next }) => next.kind === "collect_at_door");
  return {
    ...(short && { shorts_to_settle: paths.shorts(short.hub.slug, short.day) }),
    ...(door && { to_collect: paths.door(door.hub.slug, door.day) }),
    ...(hasPermission(me, "money.read", "all") && { payouts_due: paths.payouts }),
    ...(hasPermission(me, "settings.write", "all") && {
      checks_failed: paths.settings,
      mails_waiting: paths.settings,
      jobs_failed: paths.settings,
      backup_age: paths.settings,
    }),
    ...(hasPermission(me, "inbox.reply") && {
      problems_open: paths.inbox,
      questions_waiting: paths.inbox,
      messages_waiting: paths.inbox,
      applications_new: paths.inbox,
    }),
  };
}
