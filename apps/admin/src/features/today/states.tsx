import type { Today } from "@marketday/contracts/admin/today";
import { CommandHint } from "@marketday/ui/admin/command-hint.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton } from "@marketday/ui/skeleton.tsx";
import type { ReactNode } from "react";

import * as t from "#messages/today";

import { Counts } from "./counts.tsx";

import s from "./today.module.css";

const ROWS = [0, 1, 2, 3, 4];

/** The board before it has loaded, with the heights that it will have. */
export const BoardSkeleton = () => (
  <Skeleton label={t.board}>
    <div className={s.boneCard} />
    <div className={s.boneRows}>
      {ROWS.map((row) => (
        <div key={row} className={s.boneRow}>
          <span className={s.bone} />
          <span className={s.bone} />
          <span className={s.bone} />
        </div>
      ))}
    </div>
  </Skeleton>
);

export const Failed = ({ message, onRetry }: { message: string; onRetry: () => void }) => (
  <div className={s.state}>
    <ErrorState message={t.failed} retryLabel={t.retry} onRetry={onRetry}>
      {message}
    </ErrorState>
  </div>
);

const Empty = ({ title, body, children }: { title: string; body: string; children?: ReactNode }) => (
  <div className={s.empty}>
    <h2 className={s.emptyTitle}>{title}</h2>
    <p>{body}</p>
    {children}
  </div>
);

interface WithCounts {
  counts: Today["counts"];
  now: Date;
}

export const NoMarkets = ({ counts, now }: WithCounts) => (
  <>
    <Empty title={t.noMarkets} body={t.noMarketsBody}>
      <CommandHint command={t.importHubs} />
    </Empty>
    <Counts counts={counts} rows={[]} now={now} />
  </>
);

/** `hub`: the name of the one that is shown; null: all. */
export const NoDays = ({ hub, counts, now }: WithCounts & { hub: string | null }) => (
  <>
    <Empty title={hub === null ? t.noDays : t.noDaysIn(hub)} body={t.noDaysBody} />
    <Counts counts={counts} rows={[]} now={now} />
  </>
);
