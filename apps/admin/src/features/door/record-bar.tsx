import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import type { Ref } from "react";

import * as t from "#messages/door";

import { sumOf } from "./format.ts";
import type { Ticks } from "./use-ticks.ts";

import s from "./record-bar.module.css";

interface RecordBarProps {
  ref: Ref<HTMLDivElement>;
  ticks: Ticks;
  isRecording: boolean;
  failure: string | null;
  onRecord: () => void;
  onClear: () => void;
}

/** What is ticked, in the place of the foot, with the one button that records it. */
export function RecordBar({ ref, ticks, isRecording, failure, onRecord, onClear }: RecordBarProps) {
  const { ticked, due } = ticks;
  const isShown = ticked.length > 0;
  return (
    <div ref={ref} className={s.dock} data-ticked={isShown ? "" : undefined}>
      {failure !== null && (
        <p className={s.failure} role="alert">
          {failure}
        </p>
      )}
      {isShown ? (
        <section className={s.bar} aria-label={t.bar}>
          <p className={s.words}>
            <b>{t.boxesTicked(ticked.length)}</b>
            <span>{formatMoney(sumOf(ticked))}</span>
          </p>
          <Compact>
            <span className={s.clear}>
              <Button kind="quiet" disabled={isRecording} aria-label={t.clearTicks} onClick={onClear}>
                {t.clear}
              </Button>
            </span>
            <span className={s.record}>
              <Button busy={isRecording && t.recording} onClick={onRecord}>
                {t.record(ticked.length, sumOf(ticked))}
              </Button>
            </span>
          </Compact>
        </section>
      ) : (
        <p className={s.foot}>
          <span>{t.toCollectFrom(due.length)}</span>
          <b>{formatMoney(sumOf(due))}</b>
        </p>
      )}
    </div>
  );
}
