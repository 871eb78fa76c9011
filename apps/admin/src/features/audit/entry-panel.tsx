import { useAction } from "@marketday/client/forms/use-action.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { AuditEntry } from "@marketday/contracts/admin/audit";
import { calendarDate } from "@marketday/domain/calendar-date";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { SidePanel } from "@marketday/ui/admin/side-panel.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import * as t from "#messages/audit";

import { paths } from "../../lib/paths.ts";
import { cacheAction, undoAction } from "../actions/api.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { hasPermission, useMe } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { entryQuery } from "./api.ts";
import { changesOf, detailsOf } from "./changes.ts";
import { pathOf, personOf, phraseOf, subjectOf, titleOf } from "./words.ts";

import s from "./audit.module.css";

interface EntryPanelProps {
  id: string;
  /** Its row, from which it is known before all of it has loaded. */
  row: AuditEntry | undefined;
  link: string;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
  isWhole: boolean;
}

export const entryTitleId = (id: string): string => `audit-entry-${id}`;

/** One entry beside the list: who, when, from where and why, what changed, and its undo. */
export function EntryPanel({ id, row, ...panel }: EntryPanelProps) {
  const { data, error, refetch } = useQuery({ ...entryQuery(id), enabled: /^\d{1,9}$/.test(id) });
  const isGone = !/^\d{1,9}$/.test(id) || (error instanceof ApiError && (error.status === 404 || error.status === 400));
  const entry = isGone ? undefined : (data ?? row);
  return (
    <SidePanel
      {...panel}
      label={t.entryNumber(id)}
      titleId={entryTitleId(id)}
      title={entry ? titleOf(entry) : t.title}
      foot={data && !isGone && <Undo key={id} entry={data} />}
    >
      {entry ? (
        <Facts entry={entry} isWhole={data !== undefined} />
      ) : isGone ? (
        <p>{t.gone}</p>
      ) : error ? (
        <ErrorState message={t.failedEntry} onRetry={() => void refetch()}>
          {messageOf(error)}
        </ErrorState>
      ) : (
        <Skeleton label={t.loadingEntry}>
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
    </SidePanel>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Facts({ entry, isWhole }: { entry: AuditEntry; isWhole: boolean }) {
  const me = useMe();
  const { to } = useHubFilter();
  const path = pathOf(entry);
  const needs =
    entry.subject.kind === "customer" ? "people.read" : entry.subject.kind === "staff" ? "staff.write" : "orders.read";
  const about = subjectOf(entry);
  const changes = changesOf(entry);
  const details = isWhole || !entry.isCut ? detailsOf(entry) : [];
  return (
    <>
      <dl className={s.facts}>
        <Fact name={t.who}>{personOf(entry, me.email)}</Fact>
        <Fact name={t.when}>{t.exactTime(new Date(entry.at))}</Fact>
        <Fact name={t.entrance}>{t.entrances[entry.by.kind]}</Fact>
        <Fact name={t.about}>
          {path !== null && hasPermission(me, needs, needs === "staff.write" ? "all" : undefined) ? (
            <Link to={to(path)} className={s.link}>
              {about}
            </Link>
          ) : (
            about
          )}
        </Fact>
        {entry.hub && <Fact name={t.market}>{entry.hub.name}</Fact>}
        {entry.day !== null && <Fact name={t.day}>{t.date(calendarDate(entry.day))}</Fact>}
        <Fact name={t.why}>{entry.reason === "" ? t.noReason : entry.reason}</Fact>
      </dl>
      {changes.length > 0 && (
        <section className={s.section} aria-labelledby="audit-changes">
          <h3 id="audit-changes">{t.changed}</h3>
          <table className={s.changes}>
            <thead>
              <tr>
                <th scope="col">{t.field}</th>
                <th scope="col">{t.before}</th>
                <th scope="col">{t.after}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ field, before, after }, place) => (
                // Two values of a list may have the same name.
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={`${field} ${place}`}>
                  <th scope="row">{field}</th>
                  <td>{before}</td>
                  <td>{after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {details.length > 0 && (
        <section className={s.section} aria-labelledby="audit-details">
          <h3 id="audit-details">{t.details}</h3>
          <dl className={s.facts}>
            {details.map(({ field, value }, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- two stored names may have the same words
              <Fact key={`${field} ${place}`} name={field}>
                {value}
              </Fact>
            ))}
          </dl>
        </section>
      )}
      {entry.change && (
        <p>
          <Link to={to(`${paths.audit}?change=${entry.change.id}`)} className={s.link}>
            {t.wholeChange}
          </Link>
        </p>
      )}
    </>
  );
}

/** What an undo makes old besides the log, by the first part of the key. */
const OLD = new Set(["audit", "today", "day", "order", "orders", "customer", "customers", "inbox"]);

function Undo({ entry }: { entry: AuditEntry & { undo: { canUndo: boolean; reason: string } | null } }) {
  const client = useQueryClient();
  const { running, error, attempt } = useAction();
  const { change, undo } = entry;
  if (!change) return null;
  if (change.state === "undone")
    return (
      <StatusMark shape="off" quiet>
        {t.wasUndone}
      </StatusMark>
    );
  const run = async () => {
    try {
      cacheAction(client, await undoAction(change.id));
      announce(t.undoneNow);
    } finally {
      await client.invalidateQueries({ predicate: ({ queryKey }) => OLD.has(String(queryKey[0])) });
    }
  };
  return (
    <div className={s.undo}>
      {undo?.canUndo && (
        <Compact>
          <Button
            kind="outline"
            icon="undo"
            busy={running !== null && t.undoing}
            aria-label={`${t.undo}: ${phraseOf(entry)}`}
            onClick={() => void attempt("undo", run, messageOf)}
          >
            {t.undo}
          </Button>
        </Compact>
      )}
      {undo && !undo.canUndo && <p className={s.reason}>{t.cannotUndo(undo.reason)}</p>}
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </div>
  );
}
