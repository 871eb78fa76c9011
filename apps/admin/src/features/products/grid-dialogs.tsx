import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import type { GridOffer } from "@marketday/contracts/admin/offers";
import type { SavedView } from "@marketday/contracts/admin/order-list";
import { useEffect } from "react";

import * as lists from "#messages/list";
import * as t from "#messages/products";

import type { Holds } from "../list/saved-views.ts";
import { LateDialog } from "../shell/late-dialog.tsx";
import type { ColumnKey } from "./columns.ts";
import type { Draft, RowIndex } from "./draft.ts";
import type { useSave } from "./use-save.ts";

const BulkDialog = lazyWithRetry(() => import("./bulk-dialog.tsx"));
const ColumnsDialog = lazyWithRetry(() => import("./columns-dialog.tsx"));
const LargeDialog = lazyWithRetry(() => import("./large-dialog.tsx"));
const ViewDialog = lazyWithRetry(() => import("../list/view-dialog.tsx"));

export type OpenDialog = "bulk" | "columns" | "save" | "rename";

interface GridDialogsProps {
  open: OpenDialog | null;
  /** Rows of a bulk change. */
  rows: readonly GridOffer[];
  draft: Draft;
  /** False: it was too much at once. */
  onBulk: (draft: Draft, cells: number) => boolean;
  columns: readonly ColumnKey[];
  onColumns: (columns: readonly ColumnKey[] | null) => void;
  /** The view that is shown, when it is a saved one. */
  saved: SavedView | null;
  /** What a new view holds. */
  holds: Holds;
  onSaved: (view: SavedView) => void;
  /** Of the rows of the list. */
  index: RowIndex;
  /** Its amounts to be confirmed open a dialog without being opened. */
  saving: ReturnType<typeof useSave>;
  onClose: () => void;
}

/** The dialogs of the grid. Their code is loaded after it. */
export function GridDialogs(props: GridDialogsProps) {
  const { open, rows, columns, saved, saving, onClose } = props;
  useEffect(() => {
    for (const { load } of [BulkDialog, ColumnsDialog, LargeDialog, ViewDialog]) void load();
  }, []);
  return (
    <>
      {open === "bulk" && (
        <LateDialog title={t.bulkTitle(rows.length)} onClose={onClose}>
          <BulkDialog rows={rows} draft={props.draft} onApply={props.onBulk} onClose={onClose} />
        </LateDialog>
      )}
      {open === "columns" && (
        <LateDialog title={t.columnsTitle} onClose={onClose}>
          <ColumnsDialog chosen={columns} onChoose={props.onColumns} onClose={onClose} />
        </LateDialog>
      )}
      {(open === "save" || open === "rename") && (
        <LateDialog title={open === "rename" ? lists.renameTitle : lists.saveTitle} onClose={onClose}>
          <ViewDialog
            screen="products"
            saved={open === "rename" ? saved : null}
            holds={props.holds}
            onSaved={props.onSaved}
            onClose={onClose}
          />
        </LateDialog>
      )}
      {saving.large && (
        <LateDialog title={t.largeTitle} onClose={saving.leaveLarge}>
          <LargeDialog
            cells={saving.large.cells}
            index={props.index}
            isSaving={saving.isSaving}
            onSave={saving.saveLarge}
            onClose={saving.leaveLarge}
          />
        </LateDialog>
      )}
    </>
  );
}
