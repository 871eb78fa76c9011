import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import type { Backups } from "@marketday/contracts/admin/settings";
import { BACKUP_DUE_MS, BACKUP_LATE_MS } from "@marketday/domain/today";
import { CommandHint } from "@marketday/ui/admin/command-hint.tsx";
import { type Column, DataTable } from "@marketday/ui/admin/data-table.tsx";
import type { MarkShape } from "@marketday/ui/admin/mark.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";

import * as t from "#messages/settings";

import { when } from "../session/when.ts";
import { backupsQuery } from "./api.ts";

import s from "./settings.module.css";

type Backup = Backups["found"][number];

const columnsAt = (now: Date): Column<Backup>[] => [
  {
    key: "taken",
    head: t.taken,
    narrow: "title",
    cell: ({ takenAt }) => (takenAt === null ? t.notKnown : when(takenAt, now)),
  },
  { key: "name", head: t.backupName, narrow: "note", cell: ({ name }) => <span translate="no">{name}</span> },
  { key: "size", head: t.size, width: "sm", numeric: true, narrow: "endNote", cell: ({ bytes }) => t.megabytes(bytes) },
  {
    key: "state",
    head: t.state,
    width: "md",
    narrow: "end",
    cell: ({ takenAt }) => (
      <StatusMark shape={takenAt === null ? "due" : "ok"} quiet>
        {takenAt === null ? t.damaged : t.complete}
      </StatusMark>
    ),
  },
];

/** As loud as in Today. */
function shapeOf(lastAt: string | null, now: Date): MarkShape {
  if (lastAt === null) return "due";
  const age = now.getTime() - Date.parse(lastAt);
  return age >= BACKUP_LATE_MS ? "late" : age >= BACKUP_DUE_MS ? "due" : "done";
}

/** How old the last backup is, those in its folder, and the command that makes one. */
export function BackupsSection() {
  const { data, error, refetch } = useQuery(backupsQuery);
  return (
    <section className={s.section} aria-labelledby="settings-backups">
      <div className={s.title}>
        <h2 id="settings-backups">{t.backups}</h2>
      </div>
      {data ? (
        <BackupList {...data} />
      ) : error ? (
        <ErrorState message={t.failedBackups} onRetry={() => void refetch()}>
          {messageOf(error)}
        </ErrorState>
      ) : (
        <Skeleton label={t.loadingBackups}>
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
    </section>
  );
}

function BackupList({ lastAt, folder, found }: Backups) {
  const now = useMarketNow();
  return (
    <>
      <p className={s.state}>
        <StatusMark shape={shapeOf(lastAt, now)}>
          {lastAt === null ? t.noBackup : t.lastBackup(when(lastAt, now))}
        </StatusMark>
      </p>
      {lastAt === null && <p>{t.noBackupNote}</p>}
      {lastAt !== null && found.length === 0 && <p className={s.note}>{t.elsewhere(folder)}</p>}
      {found.length > 0 && (
        <>
          <p className={s.note}>{t.backupsNote(folder)}</p>
          <DataTable
            label={t.backups}
            columns={columnsAt(now)}
            rows={found}
            rowKey={({ name }) => name}
            empty={{ title: t.noBackup }}
          />
          {found.some(({ takenAt }) => takenAt === null) && <p className={s.note}>{t.damagedNote}</p>}
        </>
      )}
      <p className={s.command}>
        {t.makeBackup} <CommandHint command={`backup --into ${lastAt === null ? "backups" : folder} --keep 14`} />
      </p>
    </>
  );
}
