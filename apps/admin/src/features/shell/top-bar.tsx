import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";

import * as t from "#messages/shell";

import { useCan } from "../session/api.ts";
import { HubMenu } from "./hub-menu.tsx";
import { capsOf } from "./shortcuts.ts";
import { StaffMenu } from "./staff-menu.tsx";
import type { FrameActions } from "./use-frame-actions.ts";

import s from "./top-bar.module.css";

/** The market that is shown, the search, the keys, the person. */
export function TopBar({ actions }: { actions: FrameActions }) {
  const seesOrders = useCan("orders.read");
  return (
    <div className={s.bar}>
      <HubMenu />
      <button
        type="button"
        id="search"
        className={s.search}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={actions.search}
      >
        <Icon name="find" size="sm" />
        <span className={s.hint}>{t.searchHint}</span>
        <Kbd keys={capsOf({ keys: "$mod+k" }).join(" ")} />
      </button>
      <div className={s.end}>
        {seesOrders && (
          <button
            type="button"
            className={s.help}
            aria-label={t.recentChanges}
            aria-haspopup="dialog"
            title={t.recentChanges}
            onClick={actions.listChanges}
          >
            <Icon name="undo" size="sm" />
          </button>
        )}
        <button
          type="button"
          className={s.help}
          aria-label={t.shortcuts}
          title={t.shortcuts}
          onClick={actions.listKeys}
        >
          <Icon name="help" size="sm" />
        </button>
        <StaffMenu actions={actions} />
      </div>
    </div>
  );
}
