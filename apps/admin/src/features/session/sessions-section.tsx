import { useAction } from "@marketday/client/forms/use-action.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/session";

import { call } from "../../lib/api.ts";
import { AlertBox } from "./alert-box.tsx";
import { type Security, securityQuery } from "./security-query.ts";
import { SessionRows } from "./session-rows.tsx";

import s from "./security-page.module.css";

/** Every browser in which the person is signed in; each can be signed out from here. */
export function SessionsSection({ sessions }: { sessions: Security["sessions"] }) {
  const client = useQueryClient();
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
      <SessionRows
        labelledBy="security-sessions"
        sessions={sessions}
        ending={running}
        onEnd={({ id, device }) => end(id, t.sessionEnded(device))}
      />
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </section>
  );
}
