import { useAction } from "@marketday/client/forms/use-action.ts";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import { useMedia } from "@marketday/client/use-media.ts";
import type { GridOffer } from "@marketday/contracts/admin/offers";
import { CELLS_MAX } from "@marketday/domain/offer-fields";
import { parseOfferQuery } from "@marketday/domain/offer-query";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";

import * as lists from "#messages/list";
import * as t from "#messages/products";

import { getItem, removeItem, setItem } from "../../lib/storage.ts";
import { UNDO_MS } from "../actions/shown-actions.ts";
import { FILTER_ID, FilterBox } from "../list/filter-box.tsx";
import { wordsOf } from "../list/filter-text.ts";
import { ListMenu } from "../list/list-menu.tsx";
import { savedKey, useViewWrites, viewOf, viewsQuery } from "../list/saved-views.ts";
import { useTitles } from "../list/token-titles.ts";
import { ViewTabs } from "../list/view-tabs.tsx";
import { useFilterState } from "../orders/use-filter-state.ts";
import { useMe } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { PageHead } from "../shell/page-head.tsx";
import { useShortcuts } from "../shell/shortcuts.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { offersQuery } from "./api.ts";
import type { Pasted } from "./block.ts";
import { type ColumnKey, columnsOf, GRID_COLUMNS, usualColumns } from "./columns.ts";
import {
  cellKey,
  countDraft,
  type Draft,
  dropCells,
  indexRows,
  NO_CHANGES,
  offerOf,
  settle,
  settleSaved,
  takeBack,
  typeCell,
} from "./draft.ts";
import { downloadOffers } from "./export-offers.ts";
import { GridDialogs, type OpenDialog } from "./grid-dialogs.tsx";
import { GridInstead } from "./grid-instead.tsx";
import { canonical, GRID_SORT, gridViews, isChanged, readAddress, withAddress } from "./grid-views.ts";
import { OfferGrid } from "./offer-grid.tsx";
import { PRODUCT_FILTER } from "./product-filter.ts";
import { SaveBar } from "./save-bar.tsx";
import { settleKept, useDraft } from "./use-draft.ts";
import { itemsOf, useGrid } from "./use-grid.ts";
import { useSave } from "./use-save.ts";

import s from "./products.module.css";

const COLUMNS = "product-columns";
/** In the state of a history entry: it was made by typing, and what is typed next replaces it. */
const TYPED = { isTyped: true };
const NONE: ReadonlySet<number> = new Set();
const NO_OFFERS: readonly GridOffer[] = [];

const focusGrid = () => document.querySelector<HTMLElement>("[role=grid] td[data-focus]")?.focus();

/** Ids of the rows that have a change. */
const changedRows = (draft: Draft, rows: readonly GridOffer[]): ReadonlySet<number> =>
  new Set(
    rows
      .filter((row) => GRID_COLUMNS.some(({ field }) => field !== null && draft.has(cellKey(row, field))))
      .map(({ id }) => id),
  );

const pasteWords = ({ cells, beyond, fixed, empty }: Pasted): string =>
  [
    t.pasted(cells),
    ...(beyond > 0 ? [t.pastedBeyond(beyond)] : []),
    ...(fixed > 0 ? [t.pastedFixed(fixed)] : []),
    ...(empty > 0 ? [t.pastedEmpty(empty)] : []),
  ].join(" ");

/** Every offer as a grid: found by a filter, changed as in a spreadsheet, and saved at once or not at all. */
export default function ProductsPage() {
  const { search, state: entry } = useLocation() as ReturnType<typeof useLocation> & { state: unknown };
  const navigate = useNavigate();
  const isNarrow = useMedia("(max-width: 639.98px)");
  const me = useMe();
  const { hub } = useHubFilter();
  const address = readAddress(search);
  const { q } = address;
  const saved = useQuery(viewsQuery("products"));
  const views = useMemo(() => gridViews(saved.data ?? []), [saved.data]);
  const view = viewOf(views, address, canonical);
  const isEdited = isChanged(view, address);
  const writes = useViewWrites("products");
  const filter = { q, hub: hub?.slug ?? null };
  const query = useQuery(offersQuery(filter));
  const { data, error, isPlaceholderData, refetch } = query;
  const isOld = isPlaceholderData;
  const parsed = parseOfferQuery(q);
  const titles = useTitles(PRODUCT_FILTER, parsed.tokens);
  const zone = (hub ?? me.hubs[0])?.timeZone ?? "UTC";
  const file = useAction();

  const { draft, change, settle: settleDraft, undo, redo, canUndo, canRedo } = useDraft();
  /** Ids of the rows that were changed when only these were to be shown; null: all rows. */
  const [changed, setChanged] = useState<ReadonlySet<number> | null>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useFilterState(JSON.stringify(filter), NONE);
  const [own, setOwn] = useState<readonly ColumnKey[] | null>(() => getItem<ColumnKey[]>("local", COLUMNS));
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [isSaveAsked, askSave] = useState(false);

  const isOneHub = hub !== null || me.hubs.length < 2;
  const usual = useMemo(() => usualColumns(isOneHub), [isOneHub]);
  const chosenText = (address.columns ?? view.columns ?? own ?? usual).join();
  const columns = useMemo(() => columnsOf(chosenText.split(",")), [chosenText]);
  const columnKeys = columns.map(({ key }) => key);
  const all = data?.offers ?? NO_OFFERS;
  const index = useMemo(() => indexRows(all), [all]);
  const only = draft.size > 0 ? changed : null;
  const shown = useMemo(() => itemsOf(only ? all.filter(({ id }) => only.has(id)) : all, folded), [all, only, folded]);
  const { rows } = shown;
  const grid = useGrid(rows, columns);
  useUnsaved(draft.size > 0 || grid.editing !== null);
  const saving = useSave({
    onSaved: (sent, saved) => {
      const after = (now: Draft) => settleSaved(now, sent, saved);
      settleKept(after);
      settleDraft(after);
    },
    onGone: (gone) => {
      if (gone.length === 0) return;
      settleDraft((now) => dropCells(now, gone));
      toast({ text: t.goneDropped(gone.length), tone: "error" });
    },
  });
  const { notes } = saving;
  const counts = useMemo(() => countDraft(draft, index, notes), [draft, index, notes]);
  const isBlocked = counts.invalid.size + counts.conflicts.size > 0;

  const settleStored = useEffectEvent((stored: typeof index) => settleDraft((now) => settle(now, stored)));
  // A list that was kept in memory may be older than the draft.
  const isFresh = !isOld && !query.isFetching && !query.isStale;
  // What someone else stored too is no change any more.
  useEffect(() => {
    if (isFresh) settleStored(index);
  }, [index, isFresh]);
  const { editing, setEditing } = grid;
  const isEditingLost =
    editing !== null &&
    (rows[grid.focus.row]?.id !== editing.row.id || columns[grid.focus.column]?.key !== editing.column);
  const keepLost = useEffectEvent(() => {
    if (!editing) return;
    setEditing(null);
    change((now) => typeCell(now, offerOf(index, editing.row.id) ?? editing.row, editing.field, editing.text));
  });
  // Its row or column left the grid while it was typed: what is typed so far is a change.
  useEffect(() => {
    if (isEditingLost) keepLost();
  }, [isEditingLost]);
  useEffect(() => {
    if (file.error !== null) toast({ text: file.error, tone: "error" });
  }, [file.error]);
  const hasChanges = draft.size > 0;
  useEffect(() => {
    // The bar is gone, and with it the button that was pressed.
    if (hasChanges) return;
    setChanged(null);
    if (document.activeElement === document.body) focusGrid();
  }, [hasChanges]);

  const save = () => {
    if (draft.size === 0 || saving.isSaving) return;
    if (isBlocked) announce(t.fixFirst(counts.invalid.size, counts.conflicts.size));
    else saving.save(draft);
  };
  const saveAsked = useEffectEvent(save);
  // Once what was being typed is a change.
  useEffect(() => {
    if (!isSaveAsked) return;
    askSave(false);
    saveAsked();
  }, [isSaveAsked]);
  const tryChange = (to: (draft: Draft) => Draft): boolean => {
    const { size } = to(draft);
    if (size > CELLS_MAX && size > draft.size) {
      toast({ text: t.tooMany(CELLS_MAX, size), tone: "error" });
      return false;
    }
    change(to);
    return true;
  };
  const undoStep = () => {
    undo();
    announce(t.undone);
  };
  /** A toast that takes a step back, and leaves what was typed since. */
  const offerUndo = (text: string, after: Draft) =>
    toast({
      text,
      duration: UNDO_MS,
      action: { label: t.undo, run: () => change((now) => takeBack(now, draft, after)) },
    });
  /** A saved view holds its columns; those of the market's own views are of this browser. Null: the usual ones. */
  const chooseColumns = (next: readonly ColumnKey[] | null) => {
    if (next?.length === 0) return;
    if (view.saved || address.columns !== null) {
      const chosen = columnsOf(next ?? usual).map(({ key }) => key);
      void navigate(withAddress(search, { ...(view.saved && { view: view.key }), columns: chosen }), { replace: true });
      return;
    }
    setOwn(next);
    if (next === null) removeItem("local", COLUMNS);
    else setItem("local", COLUMNS, next);
  };
  /** Goes to the next cell that is wrong or in conflict, wherever it is. */
  const nextProblem = () => {
    const problems = new Set([...counts.invalid, ...counts.conflicts]);
    const { focus } = grid;
    const places = all.flatMap((row, at) =>
      GRID_COLUMNS.flatMap(({ field, key }, column) =>
        field !== null && problems.has(cellKey(row, field)) ? [{ row, at, column, key }] : [],
      ),
    );
    const now = all.findIndex(({ id }) => id === rows[focus.row]?.id);
    const column = GRID_COLUMNS.findIndex(({ key }) => key === columns[focus.column]?.key);
    const next = places.find((place) => place.at > now || (place.at === now && place.column > column)) ?? places[0];
    if (!next) {
      // It is of rows that the filter leaves out.
      void navigate(withAddress(search, { q: "" }));
      return;
    }
    if (only?.has(next.row.id) === false) setChanged(null);
    setFolded((before) => new Set([...before].filter((vendor) => vendor !== next.row.vendor.slug)));
    if (!columnKeys.includes(next.key)) chooseColumns([...columnKeys, next.key]);
    grid.goTo(next.row.id, next.key);
    requestAnimationFrame(focusGrid);
  };
  const discard = () => {
    change(() => NO_CHANGES);
    offerUndo(t.discarded(draft.size), NO_CHANGES);
  };
  const discardElsewhere = () => {
    const after = dropCells(draft, counts.elsewhere);
    change(() => after);
    offerUndo(t.discarded(counts.elsewhere.size), after);
  };
  const toggle = useCallback(
    (id: number) =>
      void setSelected((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [setSelected],
  );
  useShortcuts([
    {
      keys: "[Shift]+/",
      shown: "/",
      label: t.shortcuts.filter,
      run: () => document.getElementById(FILTER_ID)?.focus(),
    },
    {
      keys: "$mod+s",
      label: t.shortcuts.save,
      isEverywhere: true,
      run: (event) => {
        event.preventDefault();
        if (document.querySelector("dialog[open]") === null) askSave(true);
      },
    },
    ...(canUndo
      ? [
          {
            keys: "$mod+z",
            label: t.shortcuts.undo,
            run: (event: KeyboardEvent) => {
              event.preventDefault();
              undoStep();
            },
          },
        ]
      : []),
    ...(canRedo
      ? [
          {
            keys: "$mod+Shift+z",
            label: t.shortcuts.redo,
            run: (event: KeyboardEvent) => {
              event.preventDefault();
              redo();
              announce(t.redone);
            },
          },
        ]
      : []),
  ]);

  const count = data?.count ?? 0;
  const holds = { query: q, sort: GRID_SORT, columns: columnKeys };
  const exportFile = () => void file.attempt("export", () => downloadOffers(filter));
  const words = wordsOf(parsed, (token) => PRODUCT_FILTER.format(token, titles));
  const chosen = selected.size > 0 ? all.filter(({ id }) => selected.has(id)) : rows;
  const refusal = error && "code" in error && error.code === "bad_filter" ? error.message : null;
  const isEmpty = all.length === 0 && !isOld;
  return (
    <div className={s.page}>
      <PageHead title={t.title} note={data && t.countOf(count, data.all)} isLive>
        <span className={s.hints}>
          <span>
            <Kbd keys={t.keys.edit} /> {t.keyEdit}
          </span>
          <span>
            <Kbd keys={t.keys.fill} /> {t.keyFill}
          </span>
          <span>
            <Kbd keys={t.keys.undo} /> {t.keyUndo}
          </span>
        </span>
        {!isNarrow && count > 0 && (
          <Compact>
            <Button kind="outline" icon="out" busy={file.running !== null && t.exporting} onClick={exportFile}>
              {t.exportCount(count)}
            </Button>
          </Compact>
        )}
        <ListMenu
          view={view}
          isEdited={isEdited}
          isNarrow={isNarrow}
          before={
            isNarrow
              ? [
                  ...(count > 0 ? [{ label: t.exportCount(count), run: exportFile }] : []),
                  { label: t.columns, run: () => setDialog("columns") },
                ]
              : []
          }
          onUpdate={() => view.saved && void writes.update(view.saved, holds)}
          onDelete={() => {
            if (!view.saved) return;
            void writes.remove(view.saved);
            void navigate(withAddress(search, { view: null, columns: null }), { replace: true });
          }}
          onOpen={setDialog}
        />
      </PageHead>
      {data && !isOld && <StaleNote query={query} zone={zone} />}
      <ViewTabs
        views={views}
        current={view}
        isChanged={isEdited}
        count={isOld ? undefined : data?.count}
        to={(one) => withAddress(search, { view: one.key, q: one.q, columns: null })}
        onSave={() => setDialog("save")}
      />
      <div className={s.filters}>
        <FilterBox
          kind={PRODUCT_FILTER}
          q={q}
          isNarrow={isNarrow}
          refusal={refusal}
          onFilter={(next, isTyped) =>
            void navigate(
              withAddress(search, { q: next }),
              isTyped ? { replace: (entry as typeof TYPED | null)?.isTyped === true, state: TYPED } : {},
            )
          }
        />
        <Compact>
          <Button kind="outline" id="bulk" disabled={rows.length === 0} onClick={() => setDialog("bulk")}>
            {t.bulk}
          </Button>
          {!isNarrow && (
            <Button kind="outline" id="columns" icon="columns" onClick={() => setDialog("columns")}>
              {t.columns}
            </Button>
          )}
        </Compact>
      </div>
      {data && data.count > data.offers.length && <p className={s.part}>{t.more(data.offers.length)}</p>}
      {data === undefined || isEmpty ? (
        <GridInstead
          list={data}
          error={error}
          refusal={refusal}
          words={words}
          clear={withAddress(search, { q: "" })}
          onRetry={() => void refetch()}
        />
      ) : (
        <OfferGrid
          shown={shown}
          index={index}
          columns={columns}
          grid={grid}
          draft={draft}
          notes={notes}
          saved={saving.saved}
          selected={selected}
          zone={zone}
          dim={isOld}
          onChange={tryChange}
          onPasted={(pasted) => toast({ text: pasteWords(pasted), duration: UNDO_MS })}
          onToggle={toggle}
          onToggleAll={() =>
            setSelected((before) => (rows.every(({ id }) => before.has(id)) ? NONE : new Set(rows.map(({ id }) => id))))
          }
          onFold={(vendor) =>
            setFolded((before) => {
              const next = new Set(before);
              if (!next.delete(vendor)) next.add(vendor);
              return next;
            })
          }
        />
      )}
      {hasChanges && (
        <SaveBar
          counts={counts}
          isOnlyChanged={only !== null}
          isSaving={saving.isSaving}
          failure={saving.failureOf(draft)}
          onOnlyChanged={() => setChanged(only ? null : changedRows(draft, all))}
          onNextProblem={nextProblem}
          onDiscardElsewhere={discardElsewhere}
          onDiscard={discard}
          onSave={save}
        />
      )}
      <GridDialogs
        open={dialog}
        rows={chosen}
        draft={draft}
        onBulk={(next, cells) => {
          if (!tryChange(() => next)) return false;
          offerUndo(t.bulkDone(cells), next);
          return true;
        }}
        columns={columnKeys}
        onColumns={chooseColumns}
        saved={view.saved}
        holds={holds}
        onSaved={(made) => {
          toast({ text: lists.viewSaved(made.name) });
          void navigate(withAddress(search, { view: savedKey(made), columns: null }), { replace: true });
        }}
        index={index}
        saving={saving}
        onClose={() => setDialog(null)}
      />
    </div>
  );
}
