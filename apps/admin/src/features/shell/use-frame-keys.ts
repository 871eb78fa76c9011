import { useLocation } from "react-router";

import * as t from "#messages/shell";

import { paths } from "../../lib/paths.ts";
import { hasPermission, useMe } from "../session/api.ts";
import { useHubFilter } from "./hub-filter.ts";
import { type Shortcut, useShortcuts } from "./shortcuts.ts";
import type { FrameActions } from "./use-frame-actions.ts";
import type { Week } from "./use-week.ts";

/** The keys of the frame, those of the person's permissions alone; the markets' numbers on Today. */
export function useFrameKeys({ week, actions }: { week: Week; actions: FrameActions }): void {
  const me = useMe();
  const { pathname } = useLocation();
  const { hub } = useHubFilter();
  const seesOrders = hasPermission(me, "orders.read");
  const nextDay = (hub ? week.days?.filter((row) => row.hub.id === hub.id) : week.days)?.[0];
  const frame: (Shortcut | false | undefined)[] = [
    { keys: "$mod+k", label: t.openPalette, run: actions.search },
    { keys: "[Shift]+/", shown: "/", label: t.goSearch, run: actions.search },
    { keys: "[Shift]+?", shown: "?", label: t.listKeys, run: actions.listKeys },
    seesOrders && { keys: "g t", label: t.goToday, run: () => actions.go(paths.today) },
    nextDay && { keys: "g d", label: t.goDay, run: () => actions.go(paths.day(nextDay.hub.slug, nextDay.day)) },
  ];
  useShortcuts(
    frame.filter((shortcut) => shortcut !== false && shortcut !== undefined),
    true,
  );

  const markets: Shortcut[] =
    pathname === paths.today && me.hubs.length > 1
      ? [
          {
            keys: "([1-9])",
            shown: t.digits,
            label: t.jumpToMarket,
            run: ({ key }) => {
              const chosen = me.hubs[Number(key) - 1];
              if (chosen) actions.filter(chosen.slug);
            },
          },
          { keys: "0", label: t.clearMarket, run: () => actions.filter(null) },
        ]
      : [];
  useShortcuts(markets);
}
