import { messageOf } from "@marketday/client/messages.ts";
import { setTheme } from "@marketday/ui/theme.ts";
import { toast } from "@marketday/ui/toast-store.ts";
import { useNavigate } from "react-router";

import { signOut } from "../session/api.ts";
import type { Command, FrameAction } from "./commands.ts";
import { useHubFilter } from "./hub-filter.ts";
import { setShortcutsOff, useShortcutsOff } from "./shortcuts.ts";

interface FrameDialogs {
  listKeys: () => void;
  listChanges: () => void;
  search: () => void;
}

export type FrameActions = ReturnType<typeof useFrameActions>;

/** What the bars, the menus, the keys and the palette do. */
export function useFrameActions({ listKeys, listChanges, search }: FrameDialogs) {
  const navigate = useNavigate();
  const { to, here } = useHubFilter();
  const areKeysOff = useShortcutsOff();
  const leave = () => void signOut().catch((error: unknown) => toast({ text: messageOf(error), tone: "error" }));
  const byName: Record<FrameAction, () => void> = {
    list_keys: listKeys,
    list_changes: listChanges,
    toggle_keys: () => setShortcutsOff(!areKeysOff),
    theme_light: () => setTheme("light"),
    theme_dark: () => setTheme("dark"),
    theme_system: () => setTheme("system"),
    sign_out: leave,
  };
  return {
    listKeys,
    listChanges,
    search,
    signOut: leave,
    /** Goes to a screen, with the filter kept. */
    go: (path: string) => void navigate(to(path)),
    /** Shows one market, or (null) all. */
    filter: (slug: string | null) => void navigate(here(slug)),
    run: ({ does }: Command) => {
      if ("to" in does) void navigate(to(does.to));
      else if ("filter" in does) void navigate(here(does.filter));
      else byName[does.action]();
    },
  };
}
