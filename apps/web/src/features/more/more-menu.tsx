import { Icon } from "@marketday/ui/icon/icon.tsx";
import { MenuRow, MenuRows } from "@marketday/ui/menu-rows.tsx";
import { setTheme, type Theme, useTheme } from "@marketday/ui/theme.ts";

import { config } from "../../lib/boot.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { useHub } from "../hubs/api.ts";
import { useShopper } from "../session/api.ts";
import { moreRows } from "./rows.ts";

import s from "./more-menu.module.css";

const themes: { value: Theme; label: string }[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** The account menu, in the side panel and on /more. */
export default function MoreMenu() {
  const { profile, hubId, isRegistered } = useShopper();
  const hub = useHub();
  const unread = profile?.unreadCount ?? 0;
  const { hasModal, hasPage, isOverlay, open, openModal } = useNavigation();
  const theme = useTheme();
  const rows = moreRows.filter(
    ({ to, modal, when }) =>
      (when?.({ isRegistered, hubId }) ?? true) &&
      (modal ? hasModal(modal.kind) : to ? hasPage(to) || isOverlay(to) : false),
  );

  return (
    <div className={s.menu}>
      {isRegistered && (
        <p className={s.who}>
          <strong>{profile?.handle ?? profile?.firstName}</strong>
          <small>{profile?.email}</small>
        </p>
      )}
      {[rows.filter(({ words }) => !words), rows.filter(({ words }) => words)].map((part) => (
        <MenuRows key={part[0]?.id}>
          {part.map(({ id, label, icon, to, modal }) => (
            <MenuRow
              key={id}
              id={`more-${id}`}
              mark={<Icon name={icon} />}
              note={id === "hub" ? hub?.name : id === "inbox" && unread > 0 && `${unread} unread`}
              leads
              onClick={() => (modal ? openModal(modal, `more-${id}`) : to && open(to, `more-${id}`))}
            >
              {label}
            </MenuRow>
          ))}
        </MenuRows>
      ))}
      <fieldset className={s.theme}>
        <legend>
          <Icon name="sun" />
          Appearance
        </legend>
        <div className={s.choices}>
          {themes.map(({ value, label }) => (
            <label key={value}>
              <input
                type="radio"
                name="theme"
                value={value}
                checked={theme === value}
                onChange={() => setTheme(value)}
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      {(config.supportEmail || config.supportPhone) && (
        <p className={s.help}>
          Need help? {config.supportEmail && <a href={`mailto:${config.supportEmail}`}>{config.supportEmail}</a>}
          {config.supportEmail && config.supportPhone && " or "}
          {config.supportPhone && (
            <a href={`tel:${config.supportPhone.replace(/[^+\d]/g, "")}`}>{config.supportPhone}</a>
          )}
        </p>
      )}
    </div>
  );
}
