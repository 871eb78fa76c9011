import { useMarketNow } from "@marketday/client/clock.ts";
import { useAction } from "@marketday/client/forms/use-action.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { SystemHealth } from "@marketday/contracts/admin/settings";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/settings";

import { call } from "../../lib/api.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { when } from "../session/when.ts";
import { healthQuery } from "./api.ts";

import s from "./settings.module.css";

type Work = SystemHealth["work"][number];

const keyOf = ({ job, subject }: Work): string => `${job} ${subject}`;
const nameOf = (job: string): string => t.jobs[job] ?? job;

/** "Tried 3 times, first 2 hours ago. Again at 2:45 PM." */
function triesOf({ job, tries, since, nextAt, canRetry }: Work, now: Date): string {
  const tried = t.triedSince(tries, when(since, now));
  if (!canRetry) return `${tried} ${t.notOurs[job] ?? t.notAgain}`;
  const at = nextAt === null ? null : new Date(nextAt);
  if (at === null) return t.againSoon(tried);
  return at <= now ? t.againNow(tried) : t.againAt(tried, at);
}

interface WorkSectionProps {
  work: SystemHealth["work"];
  total: number;
  onRetried: () => void;
}

/** Emails, charges and steps of the week that failed. Each can be tried again at once. */
export function WorkSection({ work, total, onRetried }: WorkSectionProps) {
  const client = useQueryClient();
  const now = useMarketNow();
  const { running, error, attempt } = useAction();
  const retry = (key: string, item?: Work) =>
    void attempt(key, async () => {
      const { retried } = await call(calls.retryWork, {
        body: item ? { work: { job: item.job, subject: item.subject } } : {},
      });
      toast({ text: retried === 0 ? t.noneLeft : t.retried(retried) });
      onRetried();
      await client.invalidateQueries({ queryKey: healthQuery().queryKey });
      // What has succeeded leaves the list, with its button.
      document.getElementById("settings-work")?.focus();
    });
  return (
    <section className={s.section} aria-labelledby="settings-work">
      <div className={s.title}>
        <h2 id="settings-work" tabIndex={-1}>
          {t.work} {total > 0 && <span className={s.count}>{t.workCount(total)}</span>}
        </h2>
        {work.some(({ canRetry }) => canRetry) && (
          <Compact>
            <Button
              kind="outline"
              disabled={running !== null}
              busy={running === "all" && t.retrying}
              onClick={() => retry("all")}
            >
              {t.retryAll}
            </Button>
          </Compact>
        )}
      </div>
      <p className={s.note}>{work.length === 0 ? t.noWorkNote : t.workNote}</p>
      {error && <AlertBox key={error}>{error}</AlertBox>}
      {work.length === 0 ? (
        <StatusMark shape="done">{t.noWork}</StatusMark>
      ) : (
        <ul className={s.rows} aria-labelledby="settings-work">
          {work.map((each) => (
            <li key={keyOf(each)} className={s.row}>
              <span className={s.what}>
                <strong>
                  {nameOf(each.job)} · <span translate="no">{each.subject}</span>
                </strong>
                <span>{each.reason === "" ? t.noReason : each.reason}</span>
                <small>{triesOf(each, now)}</small>
              </span>
              {each.canRetry && (
                <Compact size="sm">
                  <Button
                    kind="outline"
                    aria-label={t.retryOf(nameOf(each.job), each.subject)}
                    disabled={running !== null}
                    busy={running === keyOf(each) && t.retrying}
                    onClick={() => retry(keyOf(each), each)}
                  >
                    {t.retry}
                  </Button>
                </Compact>
              )}
            </li>
          ))}
        </ul>
      )}
      {total > work.length && <p className={s.note}>{t.shownOf(work.length, total)}</p>}
    </section>
  );
}
