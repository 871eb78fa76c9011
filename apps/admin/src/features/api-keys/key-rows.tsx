import { useMarketNow } from "@marketday/client/clock.ts";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";

import * as t from "#messages/api-keys";
import * as session from "#messages/session";

import { deviceDay, when } from "../session/when.ts";
import type { ApiKey } from "./api.ts";

import s from "../session/security-page.module.css";

/** "Nov 28, 2027", where the device is. */
export const untilOf = (instant: string, now: Date): string =>
  session.day(deviceDay(new Date(instant)), deviceDay(now));

interface KeyRowsProps {
  /** The id of the heading that names the list. */
  labelledBy: string;
  keys: readonly ApiKey[];
  onRevoke: (key: ApiKey) => void;
}

/** API keys of a person: what each may do, until when, and when it was used last. */
export function KeyRows({ labelledBy, keys, onRevoke }: KeyRowsProps) {
  const now = useMarketNow();
  return (
    <ul className={s.rows} aria-labelledby={labelledBy}>
      {keys.map((key) => {
        const until = untilOf(key.expiresAt, now);
        const opens = key.permissions.filter((permission) => !key.lost.includes(permission));
        const wordsOf = (permissions: ApiKey["permissions"]) =>
          permissions.map((permission) => session.permissions[permission]);
        return (
          <li key={key.id} className={s.row}>
            <Icon name="key" size="sm" />
            <span className={s.what}>
              <strong>{key.name}</strong>
              <small>
                {key.isExpired
                  ? t.expiredFacts(key.start, until)
                  : t.facts(key.start, until, key.lastUsedAt === null ? null : when(key.lastUsedAt, now))}
              </small>
              {opens.length > 0 && <small>{t.can(wordsOf(opens))}</small>}
              {key.lost.length > 0 && <small>{t.lost(wordsOf(key.lost))}</small>}
            </span>
            {key.isExpired && <Chip>{t.expired}</Chip>}
            <Compact size="sm">
              <Button
                kind="quiet"
                aria-label={key.isExpired ? t.removeOf(key.name, key.start) : t.revokeOf(key.name, key.start)}
                onClick={() => onRevoke(key)}
              >
                {key.isExpired ? t.removeExpired : t.revoke}
              </Button>
            </Compact>
          </li>
        );
      })}
    </ul>
  );
}
