import * as t from "#messages/shell";

import { paths } from "../../lib/paths.ts";
import { hasPermission, useMe } from "../session/api.ts";
import { useCurrentDay } from "./current-day.ts";
import { dayScreen } from "./day-screen.ts";
import { useHubFilter } from "./hub-filter.ts";
import { type Shortcut, useShortcuts } from "./shortcuts.ts";
import type { FrameActions } from "./use-frame-actions.ts";
import type { Week } from "./use-week.ts";

/** The keys of the frame, those of the person's permissions alone. */
export function useFrameKeys({ week, actions }: { week: Week; actions: FrameActions }): void {
  const me = useMe();
  const { hub } = useHubFilter();
  const seesOrders = hasPermission(me, "orders.read");
  const nextDay = (hub ? week.days?.filter((row) => row.hub.id === hub.id) : week.days)?.[0];
  const dayPath = nextDay ? dayScreen(me, nextDay) : null;
  const currentDay = useCurrentDay(week);
  const [boxes, adjusted] = [currentDay("orders.read"), currentDay("orders.adjust")];
  const frame: (Shortcut | false | undefined)[] = [
    { keys: "$mod+k", label: t.openPalette, isEverywhere: true, run: actions.search },
    { keys: "[Shift]+/", shown: "/", label: t.goSearch, run: actions.search },
    { keys: "[Shift]+?", shown: "?", label: t.listKeys, run: actions.listKeys },
    seesOrders && { keys: "g t", label: t.goToday, run: () => actions.go(paths.today) },
    seesOrders && { keys: "g o", label: t.goOrders, run: () => actions.go(paths.orders) },
    seesOrders && { keys: "g p", label: t.goProducts, run: () => actions.go(paths.products) },
    hasPermission(me, "people.read") && { keys: "g u", label: t.goCustomers, run: () => actions.go(paths.customers) },
    hasPermission(me, "money.read", "all") && {
      keys: "g y",
      label: t.goPayouts,
      run: () => actions.go(paths.payouts),
    },
    (hasPermission(me, "inbox.reply") || hasPermission(me, "moderation.write")) && {
      keys: "g i",
      label: t.goInbox,
      run: () => actions.go(paths.inbox),
    },
    hasPermission(me, "audit.read") && { keys: "g a", label: t.goAudit, run: () => actions.go(paths.audit) },
    hasPermission(me, "settings.write", "all") && {
      keys: "g e",
      label: t.goSettings,
      run: () => actions.go(paths.settings),
    },
    seesOrders && { keys: "g h", label: t.recentChanges, run: actions.listChanges },
    dayPath !== null && { keys: "g d", label: t.goDay, run: () => actions.go(dayPath) },
    boxes && { keys: "g b", label: t.goBoxes, run: () => actions.go(paths.boxes(boxes.hub.slug, boxes.day)) },
    adjusted && {
      keys: "g s",
      label: t.goShorts,
      run: () => actions.go(paths.shorts(adjusted.hub.slug, adjusted.day)),
    },
    adjusted && { keys: "g m", label: t.goDoor, run: () => actions.go(paths.door(adjusted.hub.slug, adjusted.day)) },
  ];
  useShortcuts(
    frame.filter((shortcut) => shortcut !== false && shortcut !== undefined),
    true,
  );
}
