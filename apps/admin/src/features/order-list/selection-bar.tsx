import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/order-list";

import { BulkActions } from "../bulk/bulk-actions.tsx";
import type { Selection } from "./selection.ts";

import s from "./selection-bar.module.css";

interface SelectionBarProps {
  selection: Selection;
  /** Orders that match, on all pages. */
  all: number;
  /** What the filter names, whose units are counted. */
  matching: string | null;
  isSelectingAll: boolean;
  onSelectAll: () => void;
  onClear: () => void;
}

/** In place of the sums of the list: how many orders are chosen, their sums, and what can be done with them. */
export function SelectionBar(props: SelectionBarProps) {
  const { selection, all, matching, isSelectingAll, onSelectAll, onClear } = props;
  const { ids, sums } = selection;
  return (
    <div className={s.bar} role="group" aria-label={t.selection}>
      <strong className={s.count}>{t.selected(ids.size)}</strong>
      <dl className={s.sums}>
        {sums.lines !== null && (
          <div>
            <dt>{t.sumLines}</dt>
            <dd>{t.number(sums.lines)}</dd>
          </div>
        )}
        <div>
          <dt>{t.sumTotal}</dt>
          <dd>{formatMoney(sums.total / 100)}</dd>
        </div>
        {sums.due > 0 && (
          <div>
            <dt>{t.sumOwes}</dt>
            <dd>{formatMoney(sums.due / 100)}</dd>
          </div>
        )}
        {sums.matchingUnits !== null && (
          <div>
            <dt>{matching ?? t.sumMatching}</dt>
            <dd>{t.number(sums.matchingUnits)}</dd>
          </div>
        )}
      </dl>
      {ids.size < all && (
        <button type="button" className={s.link} aria-busy={isSelectingAll || undefined} onClick={onSelectAll}>
          {isSelectingAll ? t.selectingAll : t.selectAll(all)}
        </button>
      )}
      <span className={s.line} />
      <div className={s.actions}>
        <BulkActions orderIds={[...ids]} onClear={onClear} />
      </div>
      <button type="button" className={s.clear} onClick={onClear}>
        {t.clear}
        <Kbd keys={t.escape} inButton />
      </button>
    </div>
  );
}
