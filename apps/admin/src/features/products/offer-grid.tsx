import type { GridOffer } from "@marketday/contracts/admin/offers";
import type { OfferField } from "@marketday/domain/offer-fields";
import { VendorMark } from "@marketday/ui/admin/vendor-mark.tsx";
import { cx } from "@marketday/ui/cx.ts";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from "react";

import * as t from "#messages/products";

import {
  clearRange,
  copyBlock,
  fillDown,
  pasteBlock,
  type Pasted,
  type Place,
  type Range,
  readBlock,
} from "./block.ts";
import type { GridColumn } from "./columns.ts";
import {
  canChange,
  cellKey,
  type Draft,
  dropCells,
  keepMine,
  type Notes,
  offerOf,
  type RowIndex,
  shownCell,
  typeCell,
} from "./draft.ts";
import { shownText } from "./offer-cell.tsx";
import { OfferRow } from "./offer-row.tsx";
import type { Items, useGrid } from "./use-grid.ts";
import { useWindow } from "./use-window.ts";

import s from "./offer-grid.module.css";

/** The height of a row, px, as in the styles. */
const ROW = 36;
/** Messages of so many rows at the end are above their cells. */
const LOW = 5;

interface OfferGridProps {
  shown: Items;
  /** Of all rows of the list. */
  index: RowIndex;
  columns: readonly GridColumn[];
  grid: ReturnType<typeof useGrid>;
  draft: Draft;
  notes: Notes;
  saved: ReadonlySet<string>;
  selected: ReadonlySet<number>;
  zone: string;
  dim: boolean;
  /** False: it was too much at once. */
  onChange: (to: (draft: Draft) => Draft) => boolean;
  onPasted: (pasted: Pasted) => void;
  onToggle: (offerId: number) => void;
  onToggleAll: () => void;
  onFold: (vendor: string) => void;
}

/** Where the focus goes by a key, with Ctrl as far as there are cells. */
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-20, 0],
  PageDown: [20, 0],
};
const STAY = [0, 0] as const;

const closest = (target: EventTarget | null, selector: string): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;
const isEditor = (target: EventTarget): target is HTMLInputElement => closest(target, "[data-editor]") !== null;
/** Keys and clipboard of a message's buttons are theirs. */
const isOfCell = (target: EventTarget): boolean =>
  closest(target, "[data-focus]") !== null && !closest(target, "[data-note]");

/** The place of the cell that an element is in. */
function placeOf(target: EventTarget | null): Place | null {
  const [row, column] = closest(target, "td[data-place]")?.dataset["place"]?.split(":").map(Number) ?? [];
  return row === undefined || column === undefined ? null : { row, column };
}

/** Offers as a grid: cells are typed into, filled down, pasted and copied as in a spreadsheet. Rows out of sight are not rendered. */
export function OfferGrid(props: OfferGridProps) {
  const { shown, index, columns, grid, draft, notes, saved, selected, zone, dim, onChange, onPasted } = props;
  const { items, rows, places } = shown;
  const { focus, range, editing, setEditing, go } = grid;
  const table = useRef<HTMLTableElement>(null);
  const { box, from, to } = useWindow(items.length, ROW);
  const sheet = { rows, columns };
  const focusRow = rows[focus.row];
  const focusColumn = columns[focus.column];
  const focusPlace = places[focus.row] ?? -1;
  /** The grid has the focus, or had it when what had it was removed. */
  const hasFocus = useRef(false);
  const drag = useRef<{ from: Place; fillsFrom: number | null } | null>(null);
  const pointer = useRef("mouse");

  useEffect(() => {
    const onFocusIn = ({ target }: globalThis.FocusEvent) => {
      hasFocus.current = target instanceof Node && (table.current?.contains(target) ?? false);
    };
    document.addEventListener("focusin", onFocusIn);
    return () => document.removeEventListener("focusin", onFocusIn);
  }, []);
  // The focus moves with the cell.
  useLayoutEffect(() => {
    const element = box.current;
    if (!hasFocus.current || !element || focusPlace === -1) return;
    showRow(element, focusPlace * ROW);
    const cell = table.current?.querySelector<HTMLElement>("td[data-focus]");
    if (!cell) return;
    showColumn(element, cell);
    if (!editing) cell.focus({ preventScroll: true });
    // Another cell is another focus; the list may be scrolled away from it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [focusRow?.id, focusColumn?.key, editing === null]);
  // What had it was removed with its message or its row.
  useLayoutEffect(() => {
    if (!hasFocus.current || document.activeElement !== document.body) return;
    table.current?.querySelector<HTMLElement>("td[data-focus]")?.focus({ preventScroll: true });
  });

  const type = (row: GridOffer, field: OfferField, text: string) => onChange((now) => typeCell(now, row, field, text));
  const onType = useCallback((text: string) => setEditing((now) => now && { ...now, text }), [setEditing]);
  const toggle = (row: GridOffer, field: OfferField) =>
    type(row, field, shownCell(draft, row, field).text === "yes" ? "no" : "yes");
  /** Ends the typing, and takes what is in the editor. */
  const commit = (move: readonly [number, number] = STAY) => {
    if (!editing) return;
    setEditing(null);
    // Its row may be another one by now.
    type(offerOf(index, editing.row.id) ?? editing.row, editing.field, editing.text);
    if (move !== STAY) go({ row: focus.row + move[0], column: focus.column + move[1] });
  };
  const begin = (text: string | null) => {
    const field = focusColumn?.field ?? null;
    if (!focusRow || !focusColumn || field === null || !canChange(focusRow, field)) return;
    if (focusColumn.kind === "switch") {
      if (text === null || text === " ") toggle(focusRow, field);
      return;
    }
    setEditing({
      row: focusRow,
      field,
      column: focusColumn.key,
      text: text ?? shownText(field, shownCell(draft, focusRow, field).text),
      isReplaced: text !== null,
    });
  };
  const fill = (over: Range) => {
    const tall = over.bottom > over.top ? over : { ...over, top: Math.max(over.top - 1, 0) };
    onChange((now) => fillDown(now, sheet, tall));
  };

  const onEditorKey = (event: KeyboardEvent<HTMLTableElement>, { isReplaced }: NonNullable<typeof editing>) => {
    const { key, shiftKey } = event;
    const isArrow = key === "ArrowUp" || key === "ArrowDown" || key === "PageUp" || key === "PageDown";
    if (key === "Enter") commit([shiftKey ? -1 : 1, 0]);
    else if (key === "Tab") commit([0, shiftKey ? -1 : 1]);
    else if (key === "Escape") setEditing(null);
    // In a list of choices the arrows choose.
    else if (isReplaced && isArrow && focusColumn?.kind !== "choice") commit(MOVES[key]);
    // What is typed is saved too: the page has the key next.
    else if (key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey)) return commit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (editing && isEditor(event.target)) return onEditorKey(event, editing);
    if (!isOfCell(event.target)) {
      if (event.key === "Escape" && closest(event.target, "[data-note]"))
        closest(event.target, "td[data-focus]")?.focus({ preventScroll: true });
      return;
    }
    const { key, shiftKey } = event;
    const isCtrl = event.ctrlKey || event.metaKey;
    const move = MOVES[key];
    if (move) {
      const far = isCtrl ? grid.lastRow + grid.lastColumn + 1 : 1;
      go({ row: focus.row + move[0] * far, column: focus.column + move[1] * far }, shiftKey);
    } else if (key === "Home") go({ row: isCtrl ? 0 : focus.row, column: 0 }, shiftKey);
    else if (key === "End") go({ row: isCtrl ? grid.lastRow : focus.row, column: grid.lastColumn }, shiftKey);
    else if (key === "F2" || (key === "Enter" && !isCtrl)) begin(null);
    else if (key === "Delete" || key === "Backspace") onChange((now) => clearRange(now, sheet, range));
    else if (key.toLowerCase() === "d" && isCtrl) fill(range);
    else if (key === " " && shiftKey && focusRow) props.onToggle(focusRow.id);
    // No text of a cell begins with the key of the filter.
    else if (key.length === 1 && key !== "/" && !isCtrl && !event.altKey) begin(key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onCopy = (event: ClipboardEvent) => {
    if (!isOfCell(event.target) || isEditor(event.target)) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", copyBlock(draft, sheet, range));
    if (event.type === "cut") onChange((now) => clearRange(now, sheet, range));
  };
  const onPaste = (event: ClipboardEvent) => {
    if (!isOfCell(event.target) || isEditor(event.target)) return;
    event.preventDefault();
    const pasted = pasteBlock(draft, sheet, range, readBlock(event.clipboardData.getData("text/plain")));
    if (!onChange(() => pasted.draft)) return;
    const { top, left, bottom, right } = pasted.range;
    grid.select({ row: top, column: left }, { row: bottom, column: right });
    onPasted(pasted);
  };

  /** A press selects, with Shift or a drag a rectangle; from the handle the first row is filled down over it. */
  const onPointerDown = (event: PointerEvent) => {
    pointer.current = event.pointerType;
    drag.current = null;
    const place = placeOf(event.target);
    if (!place || event.button !== 0 || isEditor(event.target) || closest(event.target, "[data-note]")) return;
    commit();
    // A finger scrolls: it chooses with the click.
    if (event.pointerType === "touch") return;
    const isFilling = closest(event.target, "[data-handle]") !== null;
    if (!isFilling) go(place, event.shiftKey);
    if (closest(event.target, "button")) return;
    const corner = event.shiftKey ? grid.anchor : place;
    drag.current = isFilling
      ? { from: { row: range.top, column: range.left }, fillsFrom: range.bottom }
      : { from: corner, fillsFrom: null };
  };
  const endDrag = () => {
    const before = drag.current?.fillsFrom ?? null;
    if (before !== null && range.bottom > before) fill(range);
    drag.current = null;
  };
  const endAnywhere = useEffectEvent((event: globalThis.PointerEvent) => {
    if (event.type === "pointercancel") drag.current = null;
    else endDrag();
  });
  // Also outside the table.
  useEffect(() => {
    const end = (event: globalThis.PointerEvent) => endAnywhere(event);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    return () => {
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
  }, []);
  const onPointerMove = (event: PointerEvent) => {
    if (!drag.current) return;
    if (event.buttons === 0) return endDrag();
    const place = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    if (!place) return;
    const { from: start, fillsFrom } = drag.current;
    const end = fillsFrom !== null ? { row: Math.max(place.row, start.row), column: range.right } : place;
    if (end.row !== focus.row || end.column !== focus.column) grid.select(start, end);
  };
  const onClick = ({ target }: MouseEvent) => {
    const place = placeOf(target);
    const [row, field] = [place && rows[place.row], place && columns[place.column]?.field];
    if (!place || !row) return;
    const decision = closest(target, "[data-do]")?.dataset["do"];
    if (decision && field) {
      onChange((now) => (decision === "mine" ? keepMine(now, row, field) : dropCells(now, [cellKey(row, field)])));
      return;
    }
    if (closest(target, "[data-note]") || isEditor(target)) return;
    if (closest(target, "[role=switch]") && field) {
      go(place);
      toggle(row, field);
    } else if (pointer.current === "touch" && place.row === focus.row && place.column === focus.column) begin(null);
    else if (pointer.current === "touch") go(place);
  };
  const onDoubleClick = ({ target }: MouseEvent) => {
    if (placeOf(target) && !closest(target, "[data-note], [data-editor], [role=switch]")) begin(null);
  };
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    if (!isEditor(target)) return;
    // The focus goes where it was put, not to the cell.
    if (relatedTarget !== null && !table.current?.contains(relatedTarget)) hasFocus.current = false;
    commit();
  };

  const inSight = items.slice(from, to);
  const kept = focusPlace !== -1 && (focusPlace < from || focusPlace >= to) ? focusPlace : null;
  const areAll = rows.length > 0 && rows.every(({ id }) => selected.has(id));
  const renderItem = (place: number) => {
    const item = items[place]!;
    if (item.kind === "vendor")
      return (
        <tr key={item.key} className={s.vendor} aria-rowindex={place + 2}>
          {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- Its button has the name. */}
          <th colSpan={columns.length + 3} scope="colgroup">
            <div>
              <button type="button" aria-expanded={item.isOpen} onClick={() => props.onFold(item.vendor.slug)}>
                <Icon name={item.isOpen ? "down" : "next"} size="sm" />
                <VendorMark id={item.vendor.id} name={item.vendor.name} />
              </button>
              <span>{t.ofVendor(item.count)}</span>
            </div>
          </th>
        </tr>
      );
    const { row, at } = item;
    const isInRange = at >= range.top && at <= range.bottom;
    return (
      <OfferRow
        key={item.key}
        item={item}
        columns={columns}
        draft={draft}
        notes={notes}
        saved={saved}
        zone={zone}
        rowIndex={place + 2}
        isSelected={selected.has(row.id)}
        hasPicture={item.isFirst}
        isLow={rows.length > LOW + 3 && at >= rows.length - LOW}
        focusColumn={at === focus.row ? focus.column : null}
        rangeLeft={isInRange ? range.left : null}
        rangeRight={isInRange ? range.right : null}
        isRangeEnd={at === range.bottom}
        editing={editing?.row.id === row.id ? editing : null}
        onToggle={props.onToggle}
        onType={onType}
      />
    );
  };
  const above = from - (kept !== null && kept < from ? 1 : 0);
  const below = items.length - to - (kept !== null && kept >= to ? 1 : 0);
  return (
    <div ref={box} className={s.box} data-dim={dim ? "" : undefined}>
      {/* The cell that has the focus takes the keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <table
        ref={table}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- A table whose cells take keys is a grid.
        role="grid"
        aria-label={t.grid}
        aria-rowcount={items.length + 1}
        aria-multiselectable="true"
        className={s.table}
        onKeyDown={onKeyDown}
        onCopy={onCopy}
        onCut={onCopy}
        onPaste={onPaste}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        onBlur={onBlur}
      >
        <colgroup>
          <col className={s.selectCol} />
          <col className={s.nameCol} />
          {columns.map(({ key, width }) => (
            <col key={key} width={width} />
          ))}
          <col />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- Its box has the label. */}
            <th scope="col" className={s.select}>
              <label>
                <VisuallyHidden>{t.selectAll}</VisuallyHidden>
                <input
                  type="checkbox"
                  checked={areAll}
                  ref={(input) => {
                    if (input) input.indeterminate = selected.size > 0 && !areAll;
                  }}
                  onChange={props.onToggleAll}
                />
              </label>
            </th>
            <th scope="col" className={s.name}>
              {t.product}
            </th>
            {columns.map(({ key, kind }) => (
              <th key={key} scope="col" className={cx(kind === "number" && s.number)} title={t.columnHints[key]}>
                {t.heads[key]}
              </th>
            ))}
            {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- Not a control. */}
            <td />
          </tr>
        </thead>
        <tbody>
          {/* One list: a row that is kept is the same row as in sight, with what is typed into it. */}
          {[
            kept !== null && kept < from && renderItem(kept),
            above > 0 && <Gap key="above" rows={above} columns={columns.length + 3} />,
            ...inSight.map((_, place) => renderItem(from + place)),
            below > 0 && <Gap key="below" rows={below} columns={columns.length + 3} />,
            kept !== null && kept >= to && renderItem(kept),
          ]}
        </tbody>
      </table>
    </div>
  );
}

/** Scrolls as far as a row needs to be in sight, below the head. */
function showRow(box: HTMLElement, top: number): void {
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + 2 * ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * ROW - box.clientHeight;
}

/** Scrolls as far as a cell needs to be in sight, beside the name. */
function showColumn(box: HTMLElement, cell: HTMLElement): void {
  const [at, around] = [cell.getBoundingClientRect(), box.getBoundingClientRect()];
  const start = cell.closest("tr")?.querySelector("th")?.getBoundingClientRect().right ?? around.left;
  if (at.left < start) box.scrollLeft -= start - at.left;
  else if (at.right > around.left + box.clientWidth) box.scrollLeft += at.right - around.left - box.clientWidth;
}

/** In place of rows out of sight. */
const Gap = ({ rows, columns }: { rows: number; columns: number }) => (
  <tr aria-hidden="true">
    {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- Not a control. */}
    <td colSpan={columns} className={s.gap} ref={(cell) => cell?.style.setProperty("height", `${rows * ROW}px`)} />
  </tr>
);
