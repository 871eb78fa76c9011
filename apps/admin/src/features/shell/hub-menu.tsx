import { useMarketNow } from "@marketday/client/clock.ts";
import { dateInZone } from "@marketday/domain/calendar-date";
import { Leaf } from "@marketday/ui/admin/leaf.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import * as t from "#messages/shell";

import { useMe } from "../session/api.ts";
import { useHubFilter } from "./hub-filter.ts";
import { Menu } from "./menu.tsx";

import s from "./hub-menu.module.css";

/** The filter by market: which one is shown, and links to the same screen of another. */
export function HubMenu({ wide = false }: { wide?: boolean }) {
  const { hubs } = useMe();
  const { hub, here } = useHubFilter();
  const now = useMarketNow();
  const only = hubs.length === 1 ? hubs[0]! : null;
  const shown = hub ?? only;
  const zone = (shown ?? hubs[0])?.timeZone ?? "UTC";
  const face = (
    <span className={s.face}>
      <Leaf size="sm" date={dateInZone(now, zone)} />
      <VisuallyHidden>{t.marketFilter}</VisuallyHidden>
      <span className={s.words}>
        <b className={s.name}>{shown?.name ?? (hubs.length === 0 ? t.noMarket : t.allMarkets)}</b>
        <small className={s.note}>{shown ? t.deliversOn(shown.deliveryDay) : t.marketCount(hubs.length)}</small>
      </span>
      {!only && hubs.length > 0 && (
        <span className={s.arrow}>
          <Icon name="down" size="sm" />
        </span>
      )}
    </span>
  );
  // Nothing to choose from.
  if (hubs.length < 2) return <div className={wide ? s.wide : undefined}>{face}</div>;
  return (
    <Menu title={t.marketsMenu} face={face} wide={wide}>
      <ul>
        <li>
          <Link to={here(null)} className={s.item} aria-current={hub === null ? "true" : undefined}>
            <span>{t.allMarkets}</span>
            <small>{t.marketCount(hubs.length)}</small>
          </Link>
        </li>
        {hubs.map(({ slug, name, deliveryDay }) => (
          <li key={slug}>
            <Link to={here(slug)} className={s.item} aria-current={hub?.slug === slug ? "true" : undefined}>
              <span>{name}</span>
              <small>{t.deliversOn(deliveryDay)}</small>
            </Link>
          </li>
        ))}
      </ul>
    </Menu>
  );
}
