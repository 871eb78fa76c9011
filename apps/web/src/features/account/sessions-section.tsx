import { useMarketNow } from "@marketday/client/clock.ts";
import { useAction } from "@marketday/client/forms/use-action.ts";
import { cacheAnswer } from "@marketday/client/query-client.ts";
import type { AccountSession } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import { Button } from "@marketday/ui/button.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { call } from "../../lib/api.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { ago } from "../shop/ago.ts";
import { accountKeys, sessionsQuery } from "./api.ts";

import s from "./profile.module.css";

/** As many as are shown at first. */
const FEW = 4;

/** Every browser in which one is logged in; each can be logged out from here. */
export function SessionsSection() {
  const client = useQueryClient();
  const { data: sessions, isError, refetch } = useQuery(sessionsQuery);
  const { running, error, attempt } = useAction();
  const now = useMarketNow();
  const [isWhole, setWhole] = useState(false);
  const end = (name: string, ask: () => Promise<AccountSession[]>) =>
    void attempt(name, async () => {
      cacheAnswer(client, accountKeys.sessions, await ask());
    });

  return (
    <section className={s.section} aria-labelledby="sessions-title">
      <h3 id="sessions-title">Where you're logged in</h3>
      {sessions ? (
        <ul className={s.sessions}>
          {(isWhole ? sessions : sessions.slice(0, FEW)).map(({ id, device, lastSeenAt, isCurrent }) => (
            <li key={id} className={s.session}>
              <span className={s.device}>
                {device}
                <small>Last seen {ago(lastSeenAt, now)}</small>
              </span>
              {isCurrent ? (
                <Chip tone="kale">This browser</Chip>
              ) : (
                <Button
                  kind="quiet"
                  busy={running === id && "Logging out…"}
                  aria-label={`Log out ${device}`}
                  onClick={() => end(id, () => call(calls.endSession, { params: { id } }))}
                >
                  Log out
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : isError ? (
        <ErrorState message="This list could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <Skeleton label="your sessions">
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
      {sessions && sessions.length > 1 && (
        <div className={s.buttons}>
          {sessions.length > FEW && !isWhole && (
            <Button kind="link" onClick={() => setWhole(true)}>
              Show all {sessions.length}
            </Button>
          )}
          <Button
            kind="outline"
            busy={running === "others" && "Logging out…"}
            onClick={() => end("others", () => call(calls.endOtherSessions))}
          >
            Log out everywhere else
          </Button>
        </div>
      )}
      {error && <AlertBox>{error}</AlertBox>}
    </section>
  );
}
