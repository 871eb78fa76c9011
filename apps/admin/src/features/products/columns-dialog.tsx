import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";

import * as t from "#messages/products";

import { type ColumnKey, GRID_COLUMNS } from "./columns.ts";

import s from "./products.module.css";

interface ColumnsDialogProps {
  chosen: readonly ColumnKey[];
  /** Null: the usual ones. */
  onChoose: (keys: readonly ColumnKey[] | null) => void;
  onClose: () => void;
}

/** Of a dialog: which columns the grid shows. */
export default function ColumnsDialog({ chosen, onChoose, onClose }: ColumnsDialogProps) {
  return (
    <>
      <DialogTitle>{t.columnsTitle}</DialogTitle>
      <DialogBody>
        <p className={s.quiet}>{t.columnsLead}</p>
        <ul className={s.columnList}>
          {GRID_COLUMNS.map(({ key }) => (
            <li key={key}>
              <Checkbox
                checked={chosen.includes(key)}
                onChange={({ target }) =>
                  onChoose(target.checked ? [...chosen, key] : chosen.filter((one) => one !== key))
                }
              >
                {t.heads[key]}
              </Checkbox>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFoot row>
        <Compact>
          <Button onClick={onClose}>{t.done}</Button>
          <Button
            kind="quiet"
            onClick={() => {
              onChoose(null);
              onClose();
            }}
          >
            {t.usual}
          </Button>
        </Compact>
      </DialogFoot>
    </>
  );
}
