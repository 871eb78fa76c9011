import { useMarketNow } from "@marketday/client/clock.ts";
import type { SystemHealth } from "@marketday/contracts/admin/settings";
import { CommandHint } from "@marketday/ui/admin/command-hint.tsx";
import { type Column, DataTable } from "@marketday/ui/admin/data-table.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";

import * as t from "#messages/settings";

import { when } from "../session/when.ts";

import s from "./settings.module.css";

type Backup = SystemHealth["backups"]["found"][number];

/** A backup is late after this, ms: it is made every night. */
const LATE_MS = 26 * 3_600_000;

const columnsAt = (now: Date): Column<Backup>[] => [
  {
    key: "taken",
    head: t.taken,
    narrow: "title",
    cell: ({ takenAt }) => (takenAt === null ? t.damagedNote : when(takenAt, now)),
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

/** How old the last backup is, those in the market's folder, and the command that makes one. */
export function BackupsSection({ backups: { lastAt, folder, found } }: Pick<SystemHealth, "backups">) {
  const now = useMarketNow();
  const isLate = lastAt !== null && now.getTime() - Date.parse(lastAt) > LATE_MS;
  return (
    <section className={s.section} aria-labelledby="settings-backups">
      <div className={s.title}>
        <h2 id="settings-backups">{t.backups}</h2>
      </div>
      <p className={s.state}>
        <StatusMark shape={lastAt === null ? "late" : isLate ? "due" : "done"}>
          {lastAt === null ? t.noBackup : t.lastBackup(when(lastAt, now))}
        </StatusMark>
        {lastAt !== null && found.length === 0 && <span className={s.note}>{t.elsewhere}</span>}
      </p>
      {lastAt === null && <p>{t.noBackupNote}</p>}
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
        </>
      )}
      <p className={s.command}>
        {t.makeBackup} <CommandHint command="backup --keep 14" />
      </p>
    </section>
  );
}
