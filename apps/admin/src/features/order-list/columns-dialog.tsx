import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { useState } from "react";

import * as t from "#messages/order-list";

import type { ColumnKey } from "./columns.tsx";

import s from "./order-list.module.css";

interface ColumnsDialogProps {
  all: readonly ColumnKey[];
  chosen: readonly ColumnKey[];
  usual: readonly ColumnKey[];
  /** Null: the usual ones. */
  onChoose: (columns: readonly ColumnKey[] | null) => void;
  onClose: () => void;
}

/** Of a dialog: which columns the list shows, and in which order. */
export default function ColumnsDialog({ all, chosen, usual, onChoose, onClose }: ColumnsDialogProps) {
  const [keys, setKeys] = useState<readonly ColumnKey[]>([...chosen, ...all.filter((key) => !chosen.includes(key))]);
  const [shown, setShown] = useState<ReadonlySet<ColumnKey>>(new Set(chosen));
  const move = (at: number, by: 1 | -1) => {
    const next = [...keys];
    const [key] = next.splice(at, 1);
    if (key !== undefined) next.splice(at + by, 0, key);
    setKeys(next);
  };
  const choose = () => {
    const columns = keys.filter((key) => shown.has(key));
    onChoose(columns.join() === usual.join() ? null : columns);
    onClose();
  };
  return (
    <>
      <DialogTitle>{t.columnsTitle}</DialogTitle>
      <DialogBody>
        <p className={s.quiet}>{t.columnsLead}</p>
        <ul className={s.columnList}>
          {keys.map((key, at) => (
            <li key={key}>
              <Checkbox
                checked={shown.has(key)}
                aria-disabled={key === "name" || undefined}
                onChange={({ target }) => {
                  if (key === "name") return;
                  const next = new Set(shown);
                  if (target.checked) next.add(key);
                  else next.delete(key);
                  setShown(next);
                }}
              >
                {t.columnNames[key]}
              </Checkbox>
              <span className={s.moves}>
                <IconButton
                  icon="up"
                  label={t.moveUp(t.columnNames[key])}
                  aria-disabled={at === 0 || undefined}
                  onClick={() => at > 0 && move(at, -1)}
                />
                <IconButton
                  icon="down"
                  label={t.moveDown(t.columnNames[key])}
                  aria-disabled={at === keys.length - 1 || undefined}
                  onClick={() => at < keys.length - 1 && move(at, 1)}
                />
              </span>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFoot row>
        <Compact>
          <Button onClick={choose}>{t.doneColumns}</Button>
          <Button
            kind="quiet"
            onClick={() => {
              onChoose(null);
              onClose();
            }}
          >
            {t.usualColumns}
          </Button>
        </Compact>
      </DialogFoot>
    </>
  );
}
