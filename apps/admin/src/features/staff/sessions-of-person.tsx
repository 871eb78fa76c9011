import { useAction } from "@marketday/client/forms/use-action.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { OpenSession } from "@marketday/contracts/admin/session";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";

import * as session from "#messages/session";
import * as t from "#messages/staff";

import { call } from "../../lib/api.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { SessionRows } from "../session/session-rows.tsx";
import { useStepUp } from "../session/step-up.tsx";
import { accessQuery, type StaffMember } from "./api.ts";

import s from "./staff.module.css";

interface SessionsOfPersonProps {
  person: StaffMember;
  firstName: string;
  sessions: readonly OpenSession[];
}

/** Where a person is signed in; an owner ends one session or all. In one's own list the browser in use stays. */
export function SessionsOfPerson({ person, firstName, sessions }: SessionsOfPersonProps) {
  const client = useQueryClient();
  const withStepUp = useStepUp();
  const { running, error, attempt } = useAction();
  const heading = `staff-sessions-${person.id}`;
  const isOwn = sessions.some(({ isThis }) => isThis);
  const end = (which: string, subject: { title: string; effect: string; action: string }, done: string) =>
    void attempt(which, async () => {
      const input = { params: { id: person.id, session: which } };
      try {
        const answer = await withStepUp(subject, () => call(calls.endSessionsOfStaff, input));
        if (!answer) return;
        toast({ text: done });
        document.getElementById(heading)?.focus();
      } finally {
        await client.invalidateQueries({ queryKey: accessQuery(person.id).queryKey });
      }
    });
  const endAll = () =>
    end(
      "all",
      {
        title: isOwn ? session.endOthers : t.endAllSubject(person.name),
        effect: isOwn ? t.endOthersEffect : t.endAllEffect(firstName),
        action: session.endSession,
      },
      isOwn ? session.othersEnded : t.allEnded(person.name),
    );
  const others = sessions.filter(({ isThis }) => !isThis);
  return (
    <section className={s.signedIn} aria-labelledby={heading}>
      <h3 id={heading} tabIndex={-1}>
        {t.signedInWhere(firstName)}
      </h3>
      {sessions.length === 0 ? (
        <p>{t.signedInNowhere(firstName)}</p>
      ) : (
        <SessionRows
          labelledBy={heading}
          sessions={sessions}
          ending={running}
          onEnd={({ id, device }) =>
            end(
              id,
              {
                title: t.endOneSubject(person.name, device),
                effect: t.endOneEffect(firstName),
                action: session.endSession,
              },
              t.oneEnded(person.name, device),
            )
          }
        />
      )}
      {others.length > (isOwn ? 0 : 1) && (
        <Compact>
          <Button kind="outline" busy={running === "all" && session.ending} onClick={endAll}>
            {isOwn ? session.endOthers : t.endAll}
          </Button>
        </Compact>
      )}
      {isOwn && <p className={s.quiet}>{t.ownSessionNote}</p>}
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </section>
  );
}
