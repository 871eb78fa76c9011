import { useMarketNow } from "@marketday/client/clock.ts";
import type { OpenSession } from "@marketday/contracts/admin/session";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Chip } from "@marketday/ui/chip.tsx";

import * as t from "#messages/session";

import { when } from "./when.ts";

import s from "./security-page.module.css";

interface SessionRowsProps {
  /** The id of the heading that names the list. */
  labelledBy: string;
  sessions: readonly OpenSession[];
  /** The session that is being ended; null: none is. */
  ending: string | null;
  onEnd: (session: OpenSession) => void;
}

/** Browsers in which a person is signed in. The one in use has no button: it is signed out in the menu. */
export function SessionRows({ labelledBy, sessions, ending, onEnd }: SessionRowsProps) {
  const now = useMarketNow();
  return (
    <ul className={s.rows} aria-labelledby={labelledBy}>
      {sessions.map((session) => (
        <li key={session.id} className={s.row}>
          <span className={s.what}>
            <strong>{session.device}</strong>
            <small>{t.sessionFacts(when(session.lastSeenAt, now), when(session.createdAt, now))}</small>
          </span>
          {session.isThis ? (
            <Chip tone="kale">{t.thisBrowser}</Chip>
          ) : (
            <Compact size="sm">
              <Button
                kind="quiet"
                aria-label={t.endSessionOf(session.device)}
                busy={ending === session.id && t.ending}
                onClick={() => onEnd(session)}
              >
                {t.endSession}
              </Button>
            </Compact>
          )}
        </li>
      ))}
    </ul>
  );
}
