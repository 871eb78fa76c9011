import { useMarketNow } from "@marketday/client/clock.ts";
import type { Today } from "@marketday/contracts/admin/today";
import { Mark } from "@marketday/ui/admin/mark.tsx";

import * as t from "#messages/shell";

import { useMe } from "../session/api.ts";

import s from "./health.module.css";

const HOUR = 3_600_000;

/** The checks and the last backup, in two lines. */
export function Health({ health }: { health: Today["health"] }) {
  const { hubs } = useMe();
  const now = useMarketNow();
  const { failed, checkedAt, lastBackupAt } = health;
  const checks = failed === null ? t.checksNotRun : failed > 0 ? t.checksFailed(failed) : t.checksPassed;
  const backup =
    lastBackupAt === null
      ? t.noBackup
      : t.backupAge(Math.max(0, Math.floor((now.getTime() - Date.parse(lastBackupAt)) / HOUR)));
  const at = checkedAt === null ? null : t.time(new Date(checkedAt), hubs[0]?.timeZone ?? "UTC", now);
  return (
    <p className={s.health}>
      <span className={s.mark}>
        <Mark shape={failed === null ? "ahead" : failed > 0 ? "late" : "done"} />
      </span>
      <span className={s.words}>
        <span>{checks}</span>
        <span>{[at, backup].filter((part) => part !== null).join(" · ")}</span>
      </span>
    </p>
  );
}
