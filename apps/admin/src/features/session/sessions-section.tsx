import { useMarketNow } from "@marketday/client/clock.ts";
import { useAction } from "@marketday/client/forms/use-action.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/session";

import { call } from "../../lib/api.ts";
import { AlertBox } from "./alert-box.tsx";
import { type Security, securityQuery } from "./security-query.ts";
import { when } from "./when.ts";

import s from "./security-page.module.css";

/** Every browser in which the person is signed in; each can be signed out from here. */
export function SessionsSection({ sessions }: { sessions: Security["sessions"] }) {
  const client = useQueryClient();
  const now = useMarketNow();
  const { running, error, attempt } = useAction();
  const end = (id: string, done: string) =>
    void attempt(id, async () => {
      await call(calls.endStaffSession, { params: { id } });
      await client.invalidateQueries({ queryKey: securityQuery.queryKey });
      toast({ text: done });
      document.getElementById("security-sessions")?.focus();
    });
  return (
    <section className={s.section} aria-labelledby="security-sessions">
      <div className={s.title}>
        <h2 id="security-sessions" tabIndex={-1}>
          {t.sessions}
        </h2>
        {sessions.length > 1 && (
          <Compact>
            <Button kind="outline" busy={running === "others" && t.ending} onClick={() => end("others", t.othersEnded)}>
              {t.endOthers}
            </Button>
          </Compact>
        )}
      </div>
      <ul className={s.rows} aria-labelledby="security-sessions">
        {sessions.map(({ id, device, createdAt, lastSeenAt, isThis }) => (
          <li key={id} className={s.row}>
            <span className={s.what}>
              <strong>{device}</strong>
              <small>{t.sessionFacts(when(lastSeenAt, now), when(createdAt, now))}</small>
            </span>
            {isThis ? (
              <Chip tone="kale">{t.thisBrowser}</Chip>
            ) : (
              <Compact size="sm">
                <Button
                  kind="quiet"
                  aria-label={t.endSessionOf(device)}
                  busy={running === id && t.ending}
                  onClick={() => end(id, t.sessionEnded(device))}
                >
                  {t.endSession}
                </Button>
              </Compact>
            )}
          </li>
        ))}
      </ul>
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </section>
  );
}
