import { useMarketNow } from "@marketday/client/clock.ts";
import type { StaffAction } from "@marketday/contracts/admin/actions";
import { calendarDate, dateInZone } from "@marketday/domain/calendar-date";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import type { MarkShape } from "@marketday/ui/admin/mark.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";

import * as t from "#messages/actions";

import { hasPermission, useMe } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { actionsQuery } from "./api.ts";
import { type Undo, useUndo } from "./use-undo.ts";
import { didWords, effectWords, pathOf, screenPermission } from "./words.ts";

import s from "./recent-changes.module.css";

/** What the staff did in the last day in the markets that one may see: who, what, when, what became of it, and its Undo. */
export function RecentChanges({ onClose }: { onClose: () => void }) {
  const { hub } = useHubFilter();
  const query = useQuery(actionsQuery);
  const undo = useUndo();
  const { data, isLoadingError, refetch } = query;
  const shown = hub ? data?.filter((action) => action.hub === null || action.hub.id === hub.id) : data;
  return (
    <Dialog size="panel" onClose={onClose}>
      <DialogBody>
        <DialogTitle>{t.title}</DialogTitle>
        <p className={s.intro}>{t.intro}</p>
        {shown ? (
          <>
            <StaleNote
              query={query}
              zone={hub?.timeZone ?? shown.find((action) => action.hub)?.hub?.timeZone ?? "UTC"}
            />
            {shown.length === 0 ? (
              <div className={s.empty}>
                <p>
                  <b>{t.empty}</b>
                </p>
                <p>{t.emptyHint}</p>
              </div>
            ) : (
              <ol className={s.list} aria-label={t.list}>
                {shown.map((action) => (
                  <Change key={action.id} action={action} undo={undo} onLeave={onClose} />
                ))}
              </ol>
            )}
          </>
        ) : isLoadingError ? (
          <ErrorState message={t.failed} retryLabel={t.tryAgain} onRetry={() => void refetch()} />
        ) : (
          <Skeleton label={t.loading}>
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
          </Skeleton>
        )}
      </DialogBody>
    </Dialog>
  );
}

const shapes: Record<StaffAction["state"], MarkShape> = {
  held: "now",
  running: "now",
  done: "ok",
  undone: "off",
  refused: "late",
};

interface ChangeProps {
  action: StaffAction;
  undo: Undo;
  onLeave: () => void;
}

function Change({ action, undo, onLeave }: ChangeProps) {
  const me = useMe();
  const now = useMarketNow();
  const { to } = useHubFilter();
  const { id, summary, state, hub, day, by, isOwn, canUndo, createdAt, problem } = action;
  const did = didWords(summary);
  const sentence = `${isOwn ? t.you : by} ${did}`;
  const effects = effectWords(summary);
  const failure = undo.failureOf(id) ?? problem;
  const { timeZone } = hub ?? me.hubs[0] ?? { timeZone: "UTC" };
  const today = dateInZone(now, timeZone);
  return (
    <li className={s.change}>
      <p className={s.words}>
        {hasPermission(me, screenPermission(summary.kind), hub?.id) ? (
          <Link to={to(pathOf(action))} className={s.link} onClick={onLeave}>
            {sentence}
          </Link>
        ) : (
          <span>{sentence}</span>
        )}
        {effects !== "" && <span className={s.effects}>{effects}</span>}
      </p>
      <p className={s.facts}>
        <StatusMark shape={shapes[state]} quiet>
          {t.states[state]}
        </StatusMark>
        <span>{t.time(new Date(createdAt), timeZone, now)}</span>
        {hub && <span>{day === null ? hub.name : t.place(hub.name, calendarDate(day), today)}</span>}
      </p>
      {failure !== null && (
        <p className={s.failure}>
          <Icon name="warn" size="sm" />
          <span>{failure}</span>
        </p>
      )}
      {canUndo && (
        <span className={s.undo}>
          <Compact>
            <Button
              kind="outline"
              icon="undo"
              busy={undo.isUndoing(id) && t.undoing}
              aria-label={t.undoOf(did)}
              onClick={() => undo.undo(action)}
            >
              {t.undo}
            </Button>
          </Compact>
        </span>
      )}
    </li>
  );
}
