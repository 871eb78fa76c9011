import { Icon } from "@marketday/ui/icon/icon.tsx";

import * as t from "#messages/list";

import { Menu } from "../shell/menu.tsx";
import type { NamedView } from "./saved-views.ts";

import s from "./list-menu.module.css";

/** What can be done, in a word. */
interface MenuItem {
  label: string;
  run: () => void;
}

interface ListMenuProps {
  view: NamedView;
  /** The list shows something else than the view holds. */
  isEdited: boolean;
  isNarrow: boolean;
  /** Of the list: before and after what is done with its views. */
  before?: readonly MenuItem[];
  after?: readonly MenuItem[];
  onUpdate: () => void;
  onDelete: () => void;
  onOpen: (dialog: "save" | "rename") => void;
}

/** What can be done with a list and its views, besides what has a button. */
export function ListMenu({ view, isEdited, isNarrow, before = [], after = [], ...on }: ListMenuProps) {
  const canChange = view.saved?.canChange === true;
  const items: readonly MenuItem[] = [
    ...before,
    ...(canChange && isEdited ? [{ label: t.saveChanges(view.name), run: on.onUpdate }] : []),
    { label: t.saveNew, run: () => on.onOpen("save") },
    ...(canChange
      ? [
          { label: t.renameView(view.name), run: () => on.onOpen("rename") },
          { label: t.deleteView(view.name), run: on.onDelete },
        ]
      : []),
    ...after,
  ];
  return (
    <Menu
      align="end"
      title={t.screenMenu}
      face={
        <span className={s.face}>
          <span className={isNarrow ? "sr" : undefined}>{t.more}</span>
          <Icon name={isNarrow ? "more" : "down"} size="sm" />
        </span>
      }
    >
      {items.map(({ label, run }) => (
        <button key={label} type="button" className={s.item} onClick={run}>
          {label}
        </button>
      ))}
    </Menu>
  );
}
