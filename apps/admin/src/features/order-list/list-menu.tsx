import { Icon } from "@marketday/ui/icon/icon.tsx";

import * as t from "#messages/order-list";

import { Menu } from "../shell/menu.tsx";
import type { ListView } from "./views.ts";

import s from "./order-list.module.css";

interface ListMenuProps {
  view: ListView;
  /** The list shows something else than the view holds. */
  isEdited: boolean;
  isNarrow: boolean;
  /** How many orders match. */
  count: number;
  onPrint: () => void;
  onExport: () => void;
  onUpdate: () => void;
  onDelete: () => void;
  onOpen: (dialog: "save" | "rename" | "recall") => void;
}

/** What can be done with the list and its view, besides what has a button. */
export function ListMenu({ view, isEdited, isNarrow, count, ...on }: ListMenuProps) {
  const canChange = view.saved?.canChange === true;
  const items: [label: string, run: () => void, isThere: boolean][] = [
    // A phone has no buttons for these.
    [t.print, on.onPrint, isNarrow && count > 0],
    [t.exportCount(count), on.onExport, isNarrow && count > 0],
    [t.saveChanges(view.name), on.onUpdate, canChange && isEdited],
    [t.saveNew, () => on.onOpen("save"), true],
    [t.renameView(view.name), () => on.onOpen("rename"), canChange],
    [t.deleteView(view.name), on.onDelete, canChange],
    [t.recall, () => on.onOpen("recall"), true],
  ];
  return (
    <Menu
      align="end"
      title={t.screenMenu}
      face={
        <span className={s.menuFace}>
          <span className={isNarrow ? "sr" : undefined}>{t.more}</span>
          <Icon name={isNarrow ? "more" : "down"} size="sm" />
        </span>
      }
    >
      {items.map(
        ([label, run, isThere]) =>
          isThere && (
            <button key={label} type="button" className={s.menuItem} onClick={run}>
              {label}
            </button>
          ),
      )}
    </Menu>
  );
}
