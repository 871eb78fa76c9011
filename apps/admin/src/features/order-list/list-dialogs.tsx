import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import type { SavedView } from "@marketday/contracts/admin/order-list";
import { useEffect } from "react";

import * as views from "#messages/list";
import * as t from "#messages/order-list";

import { LateDialog } from "../shell/late-dialog.tsx";
import { COLUMN_KEYS, type ColumnKey } from "./columns.tsx";

const ColumnsDialog = lazyWithRetry(() => import("./columns-dialog.tsx"));
const ViewDialog = lazyWithRetry(() => import("../list/view-dialog.tsx"));
const RecallDialog = lazyWithRetry(() => import("./recall-dialog.tsx"));

export type OpenDialog = "columns" | "save" | "rename" | "recall";

interface ListDialogsProps {
  open: OpenDialog | null;
  columns: { chosen: readonly ColumnKey[]; usual: readonly ColumnKey[] };
  onColumns: (columns: readonly ColumnKey[] | null) => void;
  /** The view that is shown, when it is a saved one. */
  saved: SavedView | null;
  /** What a new view holds. */
  holds: { query: string; sort: string; columns: string[] };
  onSaved: (view: SavedView) => void;
  onRecall: (q: string) => void;
  onClose: () => void;
}

/** The dialogs of the list. Their code is loaded after it. */
export function ListDialogs({ open, columns, onColumns, saved, holds, onSaved, onRecall, onClose }: ListDialogsProps) {
  useEffect(() => {
    for (const { load } of [ColumnsDialog, ViewDialog, RecallDialog]) void load();
  }, []);
  switch (open) {
    case "columns":
      return (
        <LateDialog title={t.columnsTitle} onClose={onClose}>
          <ColumnsDialog all={COLUMN_KEYS} {...columns} onChoose={onColumns} onClose={onClose} />
        </LateDialog>
      );
    case "save":
    case "rename":
      return (
        <LateDialog title={open === "rename" ? views.renameTitle : views.saveTitle} onClose={onClose}>
          <ViewDialog
            screen="orders"
            saved={open === "rename" ? saved : null}
            holds={holds}
            onSaved={onSaved}
            onClose={onClose}
          />
        </LateDialog>
      );
    case "recall":
      return (
        <LateDialog title={t.recallTitle} onClose={onClose}>
          <RecallDialog onFind={onRecall} onClose={onClose} />
        </LateDialog>
      );
    case null:
      return null;
  }
}
