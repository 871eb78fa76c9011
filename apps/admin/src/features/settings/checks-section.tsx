import { useMarketNow } from "@marketday/client/clock.ts";
import { useAction } from "@marketday/client/forms/use-action.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { CheckResult, SystemHealth } from "@marketday/contracts/admin/settings";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import type { MarkShape } from "@marketday/ui/admin/mark.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/settings";

import { call } from "../../lib/api.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { when } from "../session/when.ts";
import { healthQuery } from "./api.ts";

import s from "./settings.module.css";

/** What the last checks found; "Check now" runs them, and says what to do about each problem. */
export function ChecksSection({ checks }: { checks: SystemHealth["checks"] }) {
  const client = useQueryClient();
  const now = useMarketNow();
  const { running, error, attempt } = useAction();
  const [result, setResult] = useState<CheckResult>();
  const { failed, problems, checkedAt } = checks;
  // The hourly checks have run again since.
  const shown = result && (checkedAt === null || result.checkedAt >= checkedAt) ? result : undefined;
  const check = () =>
    void attempt(
      "check",
      async () => {
        const found = await call(calls.runChecks);
        setResult(found);
        announce(wordsFor(found.failed));
        await client.invalidateQueries({ queryKey: healthQuery().queryKey });
      },
      // The server goes on, and stores what it finds.
      (cause) => (cause instanceof ApiError && cause.isOffline ? t.checksTakeLonger : messageOf(cause)),
    );
  return (
    <section className={s.section} aria-labelledby="settings-checks">
      <div className={s.title}>
        <h2 id="settings-checks">{t.checks}</h2>
        <Compact>
          <Button kind="outline" busy={running !== null && t.checking} onClick={check}>
            {t.checkNow}
          </Button>
        </Compact>
      </div>
      <p className={s.note}>{t.checksNote}</p>
      {error && <AlertBox key={error}>{error}</AlertBox>}
      <p className={s.state}>
        <StatusMark shape={failed === null ? "ahead" : failed > 0 ? "late" : "done"}>
          {failed === null ? t.notChecked : wordsFor(failed)}
        </StatusMark>
        {checkedAt !== null && <span className={s.note}>{t.checkedAgo(when(checkedAt, now))}</span>}
      </p>
      {shown ? (
        <Findings findings={shown.findings} />
      ) : (
        problems.length > 0 && (
          <>
            <ul className={s.problems}>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
              {failed !== null && failed > problems.length && <li>{t.andMore(failed - problems.length)}</li>}
            </ul>
            <p className={s.note}>{t.whatToDo}</p>
          </>
        )
      )}
    </section>
  );
}

const wordsFor = (failed: number): string => (failed > 0 ? t.someFailed(failed) : t.allPassed);

const shapes: Readonly<Record<CheckResult["findings"][number]["kind"], MarkShape>> = {
  wrong: "late",
  work: "due",
  information: "ahead",
};

/** Each kind of finding with what to do about it, and the things it is about. */
function Findings({ findings }: Pick<CheckResult, "findings">) {
  if (findings.length === 0) return <p>{t.nothingFound}</p>;
  return (
    <ul className={s.findings}>
      {findings.map(({ check, kind, advice, problems }) => (
        <li key={`${check} ${advice}`}>
          <StatusMark shape={shapes[kind]}>{t.findingNames[check] ?? check}</StatusMark>
          <p>{advice}</p>
          <ul className={s.problems}>
            {problems.map((problem, at) => (
              // Two may read the same.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={`${at} ${problem}`}>{problem}</li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
