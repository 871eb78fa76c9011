import type { LargeChange } from "@marketday/contracts/admin/offers";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/products";

import { offerOf, type RowIndex } from "./draft.ts";

import s from "./products.module.css";

interface LargeDialogProps {
  cells: readonly LargeChange[];
  /** Of the rows of the list. */
  index: RowIndex;
  isSaving: boolean;
  onSave: () => void;
  onClose: () => void;
}

const amount = (value: number | null): string => (value === null ? t.none : formatMoney(value));

/** Of a dialog: amounts that change so much that they are confirmed first. */
export default function LargeDialog({ cells, index, isSaving, onSave, onClose }: LargeDialogProps) {
  return (
    <>
      <DialogTitle>{t.largeTitle}</DialogTitle>
      <DialogBody>
        <p className={s.quiet}>{t.largeLead}</p>
        <ul className={s.amounts}>
          {cells.map(({ offerId, field, from, to }) => {
            const row = offerOf(index, offerId);
            return (
              <li key={`${offerId}:${field}`}>
                <span>
                  {t.largeCell(
                    row ? `${row.cells.title} ${row.variant}, ${row.hub.name}` : String(offerId),
                    t.heads[field],
                  )}
                </span>
                <b>{t.fromTo(amount(from), amount(to))}</b>
              </li>
            );
          })}
        </ul>
      </DialogBody>
      <DialogFoot row>
        <Compact>
          <Button busy={isSaving && t.saving} onClick={onSave}>
            {t.largeSave}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {t.goBack}
          </Button>
        </Compact>
      </DialogFoot>
    </>
  );
}
