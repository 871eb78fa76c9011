import { initials } from "@marketday/domain/picture";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import * as t from "#messages/shell";

import { paths } from "../../lib/paths.ts";
import { useMe } from "../session/api.ts";
import { wordsOfRoles } from "../session/roles.ts";
import { useHubFilter } from "./hub-filter.ts";
import { Menu } from "./menu.tsx";
import type { FrameActions } from "./use-frame-actions.ts";

import s from "./staff-menu.module.css";

/** The person's first role, and how many more there are. */
export function useRoleWords(): string {
  const [first, ...others] = wordsOfRoles(useMe().roles);
  if (!first) return "";
  return others.length > 0 ? t.manyRoles(first.title, others.length) : first.title;
}

/** The person who is signed in: their role, their security, the way out. */
export function StaffMenu({ actions }: { actions: FrameActions }) {
  const { name, email } = useMe();
  const role = useRoleWords();
  const { to } = useHubFilter();
  return (
    <Menu
      title={name}
      align="end"
      face={
        <span className={s.face}>
          <span className={s.avatar} aria-hidden="true">
            {initials(name)}
          </span>
          <span className={s.words}>
            <b className={s.name}>{name}</b>
            <small className={s.role}>{role}</small>
          </span>
          <VisuallyHidden>{t.yourAccount}</VisuallyHidden>
          <span className={s.arrow}>
            <Icon name="down" size="sm" />
          </span>
        </span>
      }
    >
      <p className={s.email}>{email}</p>
      <ul>
        <li>
          <Link to={to(paths.security)} className={s.item}>
            <Icon name="key" size="sm" />
            <span>{t.security}</span>
          </Link>
        </li>
        <li>
          <button type="button" className={s.item} onClick={actions.signOut}>
            <Icon name="leave" size="sm" />
            <span>{t.signOut}</span>
          </button>
        </li>
      </ul>
    </Menu>
  );
}
