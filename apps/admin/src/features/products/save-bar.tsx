import { Kbd } from "@marketday/ui/admin/kbd.tsx";

import * as t from "#messages/products";

import type { DraftCounts } from "./draft.ts";

import s from "./save-bar.module.css";

interface SaveBarProps {
  counts: DraftCounts;
  isOnlyChanged: boolean;
  isSaving: boolean;
  failure: string | null;
  onOnlyChanged: () => void;
  onNextProblem: () => void;
  onDiscardElsewhere: () => void;
  onDiscard: () => void;
  onSave: () => void;
}

/** Below the grid, as long as something is changed: how much, what is to be fixed, and the one button that saves all of it. */
export function SaveBar(props: SaveBarProps) {
  const { isOnlyChanged, isSaving, failure, onOnlyChanged, onNextProblem, onDiscard, onSave } = props;
  const { cells, rows } = props.counts;
  const [invalid, conflicts, elsewhere] = [
    props.counts.invalid.size,
    props.counts.conflicts.size,
    props.counts.elsewhere.size,
  ];
  const isBlocked = invalid + conflicts > 0;
  return (
    <div className={s.bar} role="group" aria-label={t.saveBar}>
      <strong className={s.count}>{t.changes(cells)}</strong>
      <ul className={s.facts}>
        <li data-kind="edited">{t.inRows(rows)}</li>
        {invalid > 0 && <li data-kind="invalid">{t.toFix(invalid)}</li>}
        {conflicts > 0 && <li data-kind="conflict">{t.changedSince(conflicts)}</li>}
        {elsewhere > 0 && <li>{t.elsewhere(elsewhere)}</li>}
      </ul>
      <button type="button" className={s.link} aria-pressed={isOnlyChanged} onClick={onOnlyChanged}>
        {isOnlyChanged ? t.showAll : t.showOnly}
      </button>
      {isBlocked && (
        <button type="button" className={s.link} onClick={onNextProblem}>
          {t.nextProblem}
        </button>
      )}
      {elsewhere > 0 && (
        <button type="button" className={s.link} onClick={props.onDiscardElsewhere}>
          {t.discardElsewhere}
        </button>
      )}
      {failure !== null && (
        <p className={s.failure} role="alert">
          {failure}
        </p>
      )}
      <span className={s.end}>
        <button type="button" className={s.link} onClick={onDiscard}>
          {t.discard}
        </button>
        <button
          type="button"
          className={s.save}
          aria-disabled={isBlocked || isSaving || undefined}
          aria-busy={isSaving || undefined}
          onClick={() => !isBlocked && !isSaving && onSave()}
        >
          {isSaving ? t.saving : isBlocked ? t.fixFirst(invalid, conflicts) : t.save(cells)}
          <Kbd keys={t.keys.save} inButton />
        </button>
      </span>
    </div>
  );
}
