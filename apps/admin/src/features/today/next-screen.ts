import type { Me } from "@marketday/contracts/admin/session";
import type { TodayRow } from "@marketday/contracts/admin/today";

import { paths } from "../../lib/paths.ts";
import { withFilter } from "../orders/views.ts";
import { hasPermission } from "../session/api.ts";

/** The screen on which the next thing of a day is done, as far as the person may open it. Null: it is done in the terminal. */
export function nextScreen(
  me: Pick<Me, "permissions">,
  { hub, day, next }: TodayRow,
): { kind: "sheets" | "shorts" | "door" | "charges" | "boxes" | "payouts"; path: string } | null {
  const may = (permission: "day.run" | "orders.adjust" | "orders.refund") => hasPermission(me, permission, hub.id);
  const boxes = paths.boxes(hub.slug, day);
  switch (next.kind) {
    case "create_sheets":
    case "renew_sheets":
      return may("day.run") ? { kind: "sheets", path: paths.day(hub.slug, day) } : null;
    case "settle_shorts":
      return may("orders.adjust") ? { kind: "shorts", path: paths.shorts(hub.slug, day) } : null;
    case "collect_at_door":
      return may("orders.adjust") ? { kind: "door", path: paths.door(hub.slug, day) } : null;
    case "retry_charges":
      return may("orders.refund") ? { kind: "charges", path: withFilter(boxes, "", { view: "declined" }) } : null;
    case "deliver":
      return may("orders.adjust") ? { kind: "boxes", path: boxes } : null;
    // A payout is about every market, with all that is owed up to the day.
    case "pay_vendors":
      return hasPermission(me, "payouts.write", "all") ? { kind: "payouts", path: paths.payoutsTo(day) } : null;
    case "run_late_step":
    case "nothing":
      return null;
  }
}
