import { useMarketNow } from "@marketday/client/clock.ts";
import { calendarDate, dateInZone } from "@marketday/domain/calendar-date";
import { Leaf } from "@marketday/ui/admin/leaf.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { MenuRow, MenuRows } from "@marketday/ui/menu-rows.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { setTheme, type Theme, useTheme } from "@marketday/ui/theme.ts";
import { useState } from "react";
import { useLocation } from "react-router";

import * as t from "#messages/shell";

import { paths } from "../../lib/paths.ts";
import { useCan, useMe } from "../session/api.ts";
import { areShortsOverdue, useCurrentDay } from "./current-day.ts";
import { dayScreen } from "./day-screen.ts";
import { Health } from "./health.tsx";
import { useHubFilter } from "./hub-filter.ts";
import { ShortsCount } from "./shorts-count.tsx";
import { useRoleWords } from "./staff-menu.tsx";
import type { FrameActions } from "./use-frame-actions.ts";
import type { Week } from "./use-week.ts";

import s from "./tab-bar.module.css";

interface TabBarProps {
  week: Week;
  actions: FrameActions;
}

/** At the bottom of a small screen: Today, the delivery days, everything else. */
export function TabBar({ week, actions }: TabBarProps) {
  const [open, setOpen] = useState<"week" | "more" | null>(null);
  const { pathname } = useLocation();
  const { to } = useHubFilter();
  const now = useMarketNow();
  const seesOrders = useCan("orders.read");
  const currentDay = useCurrentDay(week);
  const [boxes, shorts] = [currentDay("orders.read"), currentDay("orders.adjust")];
  const isAt = (path: string) => pathname === path || pathname.startsWith(`${path}/`);
  const isDay = pathname.startsWith(`${paths.today}/days/`);
  const [boxesPath, shortsPath] = [
    boxes && paths.boxes(boxes.hub.slug, boxes.day),
    shorts && paths.shorts(shorts.hub.slug, shorts.day),
  ];
  const isOther = [boxesPath, shortsPath].some((path) => path !== undefined && isAt(path));
  const close = () => setOpen(null);
  const go = (path: string) => {
    close();
    actions.go(path);
  };
  return (
    <>
      <nav className={s.bar} aria-label={t.backOffice}>
        {seesOrders && (
          <Link to={to(paths.today)} className={s.entry} aria-current={pathname === paths.today ? "page" : undefined}>
            <Icon name="today" />
            <span>{t.today}</span>
          </Link>
        )}
        {seesOrders && (
          <button
            type="button"
            className={s.entry}
            aria-haspopup="dialog"
            data-current={isDay && !isOther ? "" : undefined}
            onClick={() => setOpen("week")}
          >
            <Icon name="leaf" />
            <span>{t.deliveryDays}</span>
          </button>
        )}
        {boxesPath !== undefined && (
          <Link to={to(boxesPath)} className={s.entry} aria-current={isAt(boxesPath) ? "page" : undefined}>
            <Icon name="order" />
            <span>{t.boxes}</span>
          </Link>
        )}
        {shortsPath !== undefined && (
          <Link to={to(shortsPath)} className={s.entry} aria-current={isAt(shortsPath) ? "page" : undefined}>
            <Icon name="short" />
            <span>{t.shorts}</span>
            {shorts && <ShortsCount count={shorts.shorts} isOverdue={areShortsOverdue(shorts, now)} />}
          </Link>
        )}
        <button type="button" className={s.entry} aria-haspopup="dialog" onClick={() => setOpen("more")}>
          <Icon name="more" />
          <span>{t.more}</span>
        </button>
      </nav>
      {open === "week" && <WeekDialog week={week} onClose={close} onGo={go} />}
      {open === "more" && <MoreDialog week={week} actions={actions} onClose={close} onGo={go} />}
    </>
  );
}

interface SheetProps {
  week: Week;
  onClose: () => void;
  onGo: (path: string) => void;
}

function WeekDialog({ week: { days, isFailed, refetch }, onClose, onGo }: SheetProps) {
  const me = useMe();
  const { hub } = useHubFilter();
  const now = useMarketNow();
  const shown = hub ? days?.filter((row) => row.hub.id === hub.id) : days;
  return (
    <Dialog onClose={onClose}>
      <DialogTitle>{t.deliveryDays}</DialogTitle>
      <DialogBody>
        {shown && shown.length > 0 ? (
          <MenuRows>
            {shown.map(({ hub: { id, slug, name, timeZone }, day }) => (
              <MenuRow
                key={`${id} ${day}`}
                mark={<Leaf size="md" date={day} />}
                note={t.dayShort(calendarDate(day), dateInZone(now, timeZone))}
                leads
                onClick={() => onGo(dayScreen(me, { hub: { id, slug }, day }) ?? paths.today)}
              >
                {name}
              </MenuRow>
            ))}
          </MenuRows>
        ) : !shown && !isFailed ? (
          <Skeleton label={t.loadingDays}>
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
          </Skeleton>
        ) : (
          <Stack gap={3} align="start">
            <p>{isFailed ? t.daysFailed : t.noDays}</p>
            {isFailed && (
              <button type="button" className={s.retry} onClick={refetch}>
                {t.tryAgain}
              </button>
            )}
          </Stack>
        )}
      </DialogBody>
    </Dialog>
  );
}

const nextTheme: Record<Theme, { theme: Theme; label: string }> = {
  system: { theme: "dark", label: t.dark },
  dark: { theme: "light", label: t.light },
  light: { theme: "system", label: t.likeDevice },
};

function MoreDialog({ week, actions, onClose, onGo }: SheetProps & { actions: FrameActions }) {
  const { name } = useMe();
  const role = useRoleWords();
  const managesStaff = useCan("staff.write", "all");
  const seesSettings = useCan("settings.write", "all");
  const seesOrders = useCan("orders.read");
  const seesPeople = useCan("people.read");
  const seesMoney = useCan("money.read", "all");
  const [answers, moderates] = [useCan("inbox.reply"), useCan("moderation.write")];
  const seesInbox = answers || moderates;
  const seesAudit = useCan("audit.read");
  const { theme, label } = nextTheme[useTheme()];
  return (
    <Dialog onClose={onClose}>
      <DialogTitle>{t.more}</DialogTitle>
      <DialogBody>
        <Stack gap={4}>
          <MenuRows>
            {seesOrders && (
              <MenuRow
                mark={<Icon name="undo" />}
                onClick={() => {
                  onClose();
                  actions.listChanges();
                }}
              >
                {t.recentChanges}
              </MenuRow>
            )}
            {seesOrders && (
              <MenuRow mark={<Icon name="order" />} leads onClick={() => onGo(paths.orders)}>
                {t.orders}
              </MenuRow>
            )}
            {seesOrders && (
              <MenuRow mark={<Icon name="apple" />} leads onClick={() => onGo(paths.products)}>
                {t.products}
              </MenuRow>
            )}
            {seesPeople && (
              <MenuRow mark={<Icon name="person" />} leads onClick={() => onGo(paths.customers)}>
                {t.customers}
              </MenuRow>
            )}
            {seesMoney && (
              <MenuRow mark={<Icon name="coins" />} leads onClick={() => onGo(paths.payouts)}>
                {t.payouts}
              </MenuRow>
            )}
            {seesInbox && (
              <MenuRow mark={<Icon name="mail" />} leads onClick={() => onGo(paths.inbox)}>
                {t.inbox}
              </MenuRow>
            )}
            {seesAudit && (
              <MenuRow mark={<Icon name="audit" />} leads onClick={() => onGo(paths.audit)}>
                {t.audit}
              </MenuRow>
            )}
            {managesStaff && (
              <MenuRow mark={<Icon name="key" />} leads onClick={() => onGo(paths.staff)}>
                {t.staff}
              </MenuRow>
            )}
            {seesSettings && (
              <MenuRow mark={<Icon name="sliders" />} leads onClick={() => onGo(paths.settings)}>
                {t.settings}
              </MenuRow>
            )}
            <MenuRow mark={<Icon name="lock" />} note={name} leads onClick={() => onGo(paths.security)}>
              {t.security}
            </MenuRow>
            <MenuRow
              mark={<Icon name="keys" />}
              onClick={() => {
                onClose();
                actions.listKeys();
              }}
            >
              {t.shortcuts}
            </MenuRow>
            <MenuRow mark={<Icon name="sun" />} onClick={() => setTheme(theme)}>
              {label}
            </MenuRow>
            <MenuRow mark={<Icon name="leave" />} note={role} onClick={actions.signOut}>
              {t.signOut}
            </MenuRow>
          </MenuRows>
          {week.health && <Health health={week.health} />}
        </Stack>
      </DialogBody>
    </Dialog>
  );
}
