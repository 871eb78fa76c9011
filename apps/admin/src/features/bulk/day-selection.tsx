import type { DayBoxes } from "@marketday/contracts/admin/orders";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/bulk";

import { BulkActions } from "./bulk-actions.tsx";

import s from "../order-list/selection-bar.module.css";

/** In place of the sums of a day's boxes: how many are chosen, their total, and what can be done with them. */
export function DaySelection({ boxes, onClear }: { boxes: DayBoxes["boxes"]; onClear: () => void }) {
  const cents = boxes.reduce(
    (sum, { status, total }) => sum + (status === "cancelled" ? 0 : Math.round(total * 100)),
    0,
  );
  return (
    <div className={s.bar} role="group" aria-label={t.selection}>
      <strong className={s.count}>{t.selected(boxes.length)}</strong>
      <dl className={s.sums}>
        <div>
          <dt>{t.total}</dt>
          <dd>{formatMoney(cents / 100)}</dd>
        </div>
      </dl>
      <span className={s.line} />
      <div className={s.actions}>
        <BulkActions orderIds={boxes.map(({ orderId }) => orderId)} onClear={onClear} />
      </div>
      <button type="button" className={s.clear} onClick={onClear}>
        {t.clear}
        <Kbd keys={t.escape} inButton />
      </button>
    </div>
  );
}
