import { useMarketNow } from "@marketday/client/clock.ts";
import type { Today } from "@marketday/contracts/admin/today";
import { calendarDate, dateInZone } from "@marketday/domain/calendar-date";
import { Leaf } from "@marketday/ui/admin/leaf.tsx";
import { Icon, type IconName } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import type { ReactNode } from "react";
import { useLocation } from "react-router";

import * as t from "#messages/shell";

import { paths } from "../../lib/paths.ts";
import { useCan, useMe } from "../session/api.ts";
import { Awning } from "./awning.tsx";
import { areShortsOverdue, useCurrentDay } from "./current-day.ts";
import { dayScreen } from "./day-screen.ts";
import { Health } from "./health.tsx";
import { useHubFilter } from "./hub-filter.ts";
import { RailTip, useRailTip } from "./rail-tip.tsx";
import { ShortsCount } from "./shorts-count.tsx";
import type { Week } from "./use-week.ts";

import s from "./rail.module.css";

interface RailProps {
  marketName: string;
  week: Week;
}

/** On the left: the logo, the awning, the screens that there are for this person, and the health of the market. */
export function Rail({ marketName, week }: RailProps) {
  const seesOrders = useCan("orders.read");
  const managesStaff = useCan("staff.write", "all");
  const seesSettings = useCan("settings.write", "all");
  const seesPeople = useCan("people.read");
  const seesMoney = useCan("money.read", "all");
  const [answers, moderates] = [useCan("inbox.reply"), useCan("moderation.write")];
  const seesInbox = answers || moderates;
  const seesAudit = useCan("audit.read");
  const { pathname } = useLocation();
  const isBelow = (path: string) => `${pathname}/`.startsWith(`${path}/`);
  const { to } = useHubFilter();
  const tip = useRailTip();
  return (
    <nav className={s.rail} aria-label={t.backOffice} {...tip.listeners}>
      <Link to={to(paths.today)} className={s.logo} aria-label={t.home(marketName)} data-tip={marketName}>
        <Icon name="wagon" size="lg" />
        <span className={s.label}>{marketName}</span>
      </Link>
      <Awning />
      <div className={s.groups}>
        {seesOrders && (
          <ul>
            <RailItem to={to(paths.today)} icon="today" tip={t.today}>
              {t.today}
            </RailItem>
            <RailItem to={to(paths.orders)} icon="order" tip={t.orders} isCurrent={isBelow(paths.orders)}>
              {t.orders}
            </RailItem>
          </ul>
        )}
        {seesOrders && <Days week={week} />}
        {seesOrders && (
          <section aria-labelledby="rail-market">
            <h2 id="rail-market" className={s.group}>
              {t.market}
            </h2>
            <ul>
              <RailItem to={to(paths.products)} icon="apple" tip={t.products} isCurrent={isBelow(paths.products)}>
                {t.products}
              </RailItem>
            </ul>
          </section>
        )}
        {(seesPeople || seesMoney || seesInbox) && (
          <section aria-labelledby="rail-people">
            <h2 id="rail-people" className={s.group}>
              {t.people}
            </h2>
            <ul>
              {seesPeople && (
                <RailItem to={to(paths.customers)} icon="person" tip={t.customers} isCurrent={isBelow(paths.customers)}>
                  {t.customers}
                </RailItem>
              )}
              {seesMoney && (
                <RailItem to={to(paths.payouts)} icon="coins" tip={t.payouts} isCurrent={isBelow(paths.payouts)}>
                  {t.payouts}
                </RailItem>
              )}
              {seesInbox && (
                <RailItem to={to(paths.inbox)} icon="mail" tip={t.inbox} isCurrent={isBelow(paths.inbox)}>
                  {t.inbox}
                </RailItem>
              )}
            </ul>
          </section>
        )}
        {(managesStaff || seesAudit || seesSettings) && (
          <section aria-labelledby="rail-system">
            <h2 id="rail-system" className={s.group}>
              {t.system}
            </h2>
            <ul>
              {seesAudit && (
                <RailItem to={to(paths.audit)} icon="audit" tip={t.audit}>
                  {t.audit}
                </RailItem>
              )}
              {managesStaff && (
                <RailItem to={to(paths.staff)} icon="key" tip={t.staff}>
                  {t.staff}
                </RailItem>
              )}
              {seesSettings && (
                <RailItem to={to(paths.settings)} icon="sliders" tip={t.settings} isCurrent={isBelow(paths.settings)}>
                  {t.settings}
                </RailItem>
              )}
            </ul>
          </section>
        )}
      </div>
      {week.health && (
        <div className={s.label}>
          <Health health={week.health} />
        </div>
      )}
      <RailTip {...tip} />
    </nav>
  );
}

/** The delivery days of the person's markets, of one market when that is filtered. */
function Days({ week: { isFailed, refetch, ...week } }: { week: Week }) {
  const { hub, to } = useHubFilter();
  const { pathname } = useLocation();
  const now = useMarketNow();
  const days = hub ? week.days?.filter((row) => row.hub.id === hub.id) : week.days;
  const currentDay = useCurrentDay(week);
  const [boxes, shorts] = [currentDay("orders.read"), currentDay("orders.adjust")];
  if (days?.length === 0 && !boxes) return null;
  const isAt = (path: string) => `${pathname}/`.startsWith(`${path}/`);
  return (
    <div role="group" aria-labelledby="rail-week">
      <h2 id="rail-week" className={s.group}>
        {t.thisWeek}
      </h2>
      {days ? (
        <ul>
          {days.map((row) => (
            <Day key={`${row.hub.id} ${row.day}`} row={row} />
          ))}
        </ul>
      ) : (
        isFailed && (
          <p className={s.failed}>
            {t.daysFailed}
            <button type="button" className={s.retry} onClick={refetch}>
              {t.tryAgain}
            </button>
          </p>
        )
      )}
      {boxes && (
        <ul>
          <RailItem
            to={to(paths.boxes(boxes.hub.slug, boxes.day))}
            icon="wagon"
            tip={t.boxes}
            isCurrent={isAt(paths.boxes(boxes.hub.slug, boxes.day))}
          >
            {t.boxes}
          </RailItem>
          {shorts && (
            <RailItem
              to={to(paths.shorts(shorts.hub.slug, shorts.day))}
              icon="short"
              tip={t.shorts}
              isCurrent={isAt(paths.shorts(shorts.hub.slug, shorts.day))}
              end={<ShortsCount count={shorts.shorts} isOverdue={areShortsOverdue(shorts, now)} />}
            >
              {t.shorts}
            </RailItem>
          )}
        </ul>
      )}
    </div>
  );
}

function Day({ row: { hub, day } }: { row: Today["rows"][number] }) {
  const me = useMe();
  const { to } = useHubFilter();
  const { pathname } = useLocation();
  const isAt = (path: string) => `${pathname}/`.startsWith(`${path}/`);
  // Its boxes and shorts are entries of the rail.
  const isElsewhere = isAt(paths.boxes(hub.slug, day)) || isAt(paths.shorts(hub.slug, day));
  const isCurrent = isAt(paths.day(hub.slug, day)) && !isElsewhere;
  const today = dateInZone(useMarketNow(), hub.timeZone);
  return (
    <RailItem
      to={to(dayScreen(me, { hub, day }) ?? paths.today)}
      isCurrent={isCurrent}
      mark={<Leaf size="sm" date={day} />}
      tip={t.dayOf(hub.name, calendarDate(day), today)}
    >
      {hub.name}
      <VisuallyHidden>{t.onDay(calendarDate(day), today)}</VisuallyHidden>
    </RailItem>
  );
}

interface RailItemProps {
  to: string;
  icon?: IconName;
  mark?: ReactNode;
  /** Its name where there is no room for it. */
  tip: string;
  /** Also on what is below its address; by default on its address alone. */
  isCurrent?: boolean;
  /** After the name: how many. */
  end?: ReactNode;
  children: ReactNode;
}

function RailItem({ to, icon, mark, tip, isCurrent, end, children }: RailItemProps) {
  const { pathname } = useLocation();
  const isShown = isCurrent ?? to.split("?")[0] === pathname;
  return (
    <li>
      <Link to={to} className={s.item} aria-current={isShown ? "page" : undefined} data-tip={tip}>
        <span className={s.mark}>{mark ?? (icon && <Icon name={icon} size="sm" />)}</span>
        <span className={s.label}>{children}</span>
        {end}
      </Link>
    </li>
  );
}
