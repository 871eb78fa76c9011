import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useId,
  useState,
} from "react";

import * as t from "#messages";

import { Button } from "../button.tsx";
import { cx } from "../cx.ts";
import { Icon } from "../icon/icon.tsx";
import { announce } from "../live-region.tsx";
import { VisuallyHidden } from "../visually-hidden.tsx";
import { Compact } from "./compact.tsx";

import s from "./data-table.module.css";

export interface Column<Row> {
  key: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, tabular figures. */
  numeric?: boolean;
  /** Fixed: 72, 120, 200 or 320 px; for an amount 96, with its word 152. Without it an equal share of what is left. */
  width?: "xs" | "sm" | "md" | "lg" | "amount" | "money";
  /** Left out where the table is narrower than 1000 px. */
  spare?: boolean;
  /** The rows can be sorted by it (`onSort`). */
  sortable?: boolean;
  /**
   * Its place where the table is narrower than 640 px: above and below on the left, above and below on the right, or before both lines.
   * Without it the column is left out there.
   */
  narrow?: "start" | "title" | "note" | "end" | "endNote";
  /** Its width while a panel is beside the table (`isBeside`), "auto" an equal share. Without it the column is left out there. */
  beside?: "xs" | "sm" | "md" | "amount" | "money" | "auto";
}

interface Sum {
  label: string;
  value: ReactNode;
}

/** Rows that are chosen for one action. */
export interface TableSelection<Row> {
  keys: ReadonlySet<string | number>;
  /** A row is chosen or no longer; `isRange`: with all rows since the last one. The same function at each render spares the rows. */
  onToggle: (row: Row, isRange: boolean) => void;
  /** All rows that are shown, or none of them. */
  onToggleAll: () => void;
  /** "Select the order of Anna Castillo", and of all rows. */
  labelOf: (row: Row) => string;
  labelAll: string;
}

interface DataTableProps<Row> {
  /** Its accessible name, also in "Loading orders". */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined until they have loaded. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  /** Rows get the keyboard focus: arrows move it, Enter or a click opens. The same function at each render spares the rows. */
  onOpen?: (row: Row) => void;
  /** Arrows would leave the rows, at the last (1) or first one (-1): there may be another page. */
  onEdge?: ((by: 1 | -1) => void) | undefined;
  /** The column by which the rows are sorted. */
  sort?: { key: string; isDown: boolean };
  onSort?: (key: string) => void;
  /** Rows can be chosen: by their box, X, and Shift X for a range. */
  selection?: TableSelection<Row>;
  /** Arrows have moved the focus to a row: a list whose panel is open shows that one. */
  onMove?: ((row: Row) => void) | undefined;
  /** The one that is open in a panel. */
  openKey?: string | number | undefined;
  /** The panel of a row is open beside the table: it keeps its rows of one line and shows the columns with `beside`. */
  isBeside?: boolean;
  /** The element id of a row, to give the focus back to it. */
  rowId?: (row: Row) => string;
  /** Rows that have changed since they were read: marked, and read with this word. */
  changed?: { keys: ReadonlySet<string | number>; word: string | ((row: Row) => string) } | undefined;
  /** Of all rows that are filtered. */
  sums?: readonly Sum[];
  /** After the sums: other pages. */
  footEnd?: ReactNode;
  /** In place of the sums: what can be done with the chosen rows. */
  bar?: ReactNode;
  /** Of no rows: what was looked for, and one way on. */
  empty: { title: string; note?: string; action?: ReactNode };
  /** Why it did not load. With rows it is not shown: say from when they are in `stale`. */
  failure?: { title: string; note?: string; onRetry: () => void } | undefined;
  /** "As of 2:31 PM. You’re offline." */
  stale?: string | undefined;
  /** While a filter changes: the old rows stay, dimmed. */
  dim?: boolean;
}

const BONES = [0, 1, 2, 3, 4, 5];

/** A list of things: head, rows and the sums of what is filtered; in place of its rows loading, empty or failed. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, sums, footEnd, bar, sort, onSort, failure, stale, dim, isBeside = false } = props;
  const keys = useId();
  const isWaiting = rows === undefined && failure === undefined;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => announce(t.loading(label)), 1000);
    return () => clearTimeout(timer);
  }, [isWaiting, label]);
  return (
    <div className={s.frame} data-beside={isBeside ? "" : undefined}>
      {stale !== undefined && rows !== undefined && (
        <p className={s.stale} role="status">
          <Icon name="clock" size="sm" />
          <span>{stale}</span>
        </p>
      )}
      <table
        className={s.table}
        aria-label={label}
        aria-busy={isWaiting || undefined}
        aria-describedby={props.onOpen && rows?.length ? keys : undefined}
        data-dim={dim ? "" : undefined}
      >
        <thead className={s.head}>
          <tr className={s.row}>
            {props.selection && <SelectAll {...props.selection} rows={rows} rowKey={props.rowKey} />}
            {columns.map(({ key, head, numeric, width, beside, narrow, spare, sortable }) => (
              <th
                key={key}
                scope="col"
                className={cx(s.cell, s.headCell, numeric && s.numeric)}
                data-width={isBeside ? beside : width}
                data-spare={spare ? "" : undefined}
                data-left-out={beside === undefined ? "" : undefined}
                data-narrow={narrow}
                aria-sort={sort?.key === key ? (sort.isDown ? "descending" : "ascending") : undefined}
              >
                {sortable && onSort ? (
                  <button type="button" className={s.sort} onClick={() => onSort(key)}>
                    <span>{head}</span>
                    {sort?.key === key && <Icon name={sort.isDown ? "down" : "up"} size="sm" />}
                  </button>
                ) : (
                  head
                )}
              </th>
            ))}
          </tr>
        </thead>
        {rows && rows.length > 0 && <Rows {...props} rows={rows} />}
        {isWaiting && <Bones columns={columns} hasBoxes={props.selection !== undefined} />}
      </table>
      {props.onOpen && rows && rows.length > 0 && (
        <p id={keys} hidden>
          {t.openRow}
        </p>
      )}
      <Instead {...props} />
      {bar ? (
        <div className={s.dock}>{bar}</div>
      ) : (
        rows &&
        rows.length > 0 &&
        (sums || footEnd) && (
          <div className={s.foot}>
            {sums && (
              <dl className={s.sums}>
                {sums.map(({ label, value }) => (
                  <div key={label} className={s.sum}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            )}
            {footEnd && <div className={s.footEnd}>{footEnd}</div>}
          </div>
        )
      )}
    </div>
  );
}

/** Chooses all rows that are shown, or none. */
function SelectAll<Row>({
  keys,
  labelAll,
  onToggleAll,
  rows = [],
  rowKey,
}: TableSelection<Row> & { rows: readonly Row[] | undefined; rowKey: DataTableProps<Row>["rowKey"] }) {
  const count = rows.filter((row) => keys.has(rowKey(row))).length;
  const areAll = count > 0 && count === rows.length;
  return (
    // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- Its box has the label.
    <th scope="col" className={cx(s.cell, s.headCell, s.select)}>
      <label className={s.choice}>
        <VisuallyHidden>{labelAll}</VisuallyHidden>
        <input
          type="checkbox"
          disabled={rows.length === 0}
          checked={areAll}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && !areAll;
          }}
          onChange={onToggleAll}
        />
      </label>
    </th>
  );
}

/** What the arrow, J and K keys, Home and End do to the place of the focus. */
const moves: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  j: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  k: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** Gives a cell that is cut its whole text as a tooltip. */
function nameCut({ target }: { target: EventTarget }): void {
  const cell = target instanceof Element ? target.closest("td") : null;
  if (!cell) return;
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent;
  else cell.removeAttribute("title");
}

/** Whether a click or a key is meant for a control in the row. */
const isOfControl = ({ target }: { target: EventTarget }) =>
  target instanceof Element && target.closest("a, button, input, label, select, textarea, summary") !== null;

/** Arrows and letters move from row to row also while the box of one has the focus. */
const isBox = ({ target }: { target: EventTarget }) => target instanceof HTMLInputElement && target.type === "checkbox";

function Rows<Row>({
  columns,
  rows,
  rowKey,
  rowId,
  onOpen,
  onMove,
  onEdge,
  openKey,
  changed,
  selection,
}: DataTableProps<Row> & { rows: readonly Row[] }) {
  // One row is in the tab order; it stays the same one when rows come and go.
  const [focused, setFocused] = useState<string | number | null>(null);
  const at = Math.max(
    rows.findIndex((row) => rowKey(row) === focused),
    0,
  );
  const shown = useShownRows(
    rows.length,
    rows.findIndex((row) => rowKey(row) === openKey),
  );
  const find = (element: Element) => rows[[...(element.parentElement?.children ?? [])].indexOf(element)];
  const press = (event: KeyboardEvent<HTMLTableSectionElement>) => {
    const element = event.target instanceof Element ? event.target.closest("tr") : null;
    if (!element || event.metaKey || event.ctrlKey || event.altKey) return;
    if (isOfControl(event) && !(isBox(event) && event.key !== "Enter")) return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>(":scope > tr")];
    const next = moves[event.key]?.(all.indexOf(element), rows.length - 1);
    if (next !== undefined) {
      event.preventDefault();
      all[next]?.focus();
      const row = rows[next];
      if (row && all[next] !== element) onMove?.(row);
      else if (/^(?:j|ArrowDown)$/.test(event.key)) onEdge?.(1);
      else if (/^(?:k|ArrowUp)$/.test(event.key)) onEdge?.(-1);
    } else if (selection && (event.key === "x" || event.key === "X")) {
      event.preventDefault();
      const row = find(element);
      if (row) selection.onToggle(row, event.shiftKey);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const row = find(element);
      if (row) onOpen?.(row);
    }
  };
  const keys = onOpen && {
    onKeyDown: press,
    onPointerOver: nameCut,
    onClick: (event: MouseEvent) => {
      const element = event.target instanceof Element ? event.target.closest("tr") : null;
      const row = element && !isOfControl(event) ? find(element) : undefined;
      if (row) onOpen(row);
    },
    onFocus: ({ target }: { target: Element }) => {
      const row = find(target.closest("tr") ?? target);
      if (row) setFocused(rowKey(row));
    },
  };
  return (
    // The rows are what has the focus; with its keys and clicks here, a row is rendered again only for what it shows.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tbody {...keys}>
      {rows.slice(0, shown).map((row, index) => {
        const key = rowKey(row);
        return (
          <TableRow
            key={key}
            id={rowId?.(row)}
            row={row as object}
            columns={columns as readonly Column<object>[]}
            opens={onOpen !== undefined}
            isInOrder={index === at}
            isOpen={openKey === key}
            changed={wordOf(changed, key, row)}
            {...(selection && {
              isChosen: selection.keys.has(key),
              chooseLabel: selection.labelOf(row),
              onChoose: selection.onToggle as (row: object, isRange: boolean) => void,
            })}
          />
        );
      })}
    </tbody>
  );
}

function wordOf<Row>(changed: DataTableProps<Row>["changed"], key: string | number, row: Row): string | undefined {
  if (!changed?.keys.has(key)) return undefined;
  return typeof changed.word === "string" ? changed.word : changed.word(row);
}

interface TableRowProps {
  id: string | undefined;
  row: object;
  columns: readonly Column<object>[];
  opens: boolean;
  isInOrder: boolean;
  isOpen: boolean;
  changed: string | undefined;
  /** Undefined: rows are not chosen. */
  isChosen?: boolean;
  chooseLabel?: string;
  onChoose?: (row: object, isRange: boolean) => void;
}

/** A row. Opening one of 200 renders two again. */
const TableRow = memo(function TableRow(props: TableRowProps) {
  const { id, row, columns, opens, isInOrder, isOpen, changed, isChosen, chooseLabel, onChoose } = props;
  return (
    <tr
      id={id}
      className={cx(s.row, opens && s.opens)}
      aria-current={isOpen || undefined}
      data-changed={changed === undefined ? undefined : ""}
      data-chosen={isChosen ? "" : undefined}
      tabIndex={opens ? (isInOrder ? 0 : -1) : undefined}
    >
      {isChosen !== undefined && (
        // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- Its box has the label.
        <td className={cx(s.cell, s.select)} data-narrow="start">
          <label className={s.choice}>
            <VisuallyHidden>{chooseLabel}</VisuallyHidden>
            <input
              type="checkbox"
              tabIndex={isInOrder ? 0 : -1}
              checked={isChosen}
              onChange={({ nativeEvent }) => onChoose?.(row, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
            />
          </label>
        </td>
      )}
      {columns.map(({ key, cell, numeric, narrow, spare, beside }, place) => (
        <td
          key={key}
          className={cx(s.cell, numeric && s.numeric)}
          data-narrow={narrow}
          data-spare={spare ? "" : undefined}
          data-left-out={beside === undefined ? "" : undefined}
        >
          {cell(row)}
          {place === 0 && changed !== undefined && <VisuallyHidden>{changed}</VisuallyHidden>}
        </td>
      ))}
    </tr>
  );
});

/** Rows that are rendered at once; the others follow without blocking the page. */
const FIRST_ROWS = 50;

/** How many of the rows are rendered: the first ones and the one that is open (its place, -1 none), then all. */
function useShownRows(count: number, open: number): number {
  const [areAll, setAll] = useState(count <= FIRST_ROWS);
  useEffect(() => {
    startTransition(() => setAll(true));
  }, []);
  return areAll ? count : Math.max(FIRST_ROWS, open + 1);
}

const Bones = <Row,>({ columns, hasBoxes }: { columns: readonly Column<Row>[]; hasBoxes: boolean }) => (
  <tbody aria-hidden="true">
    {BONES.map((bone) => (
      <tr key={bone} className={s.row}>
        {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- Not a control; the table is busy. */}
        {hasBoxes && <td className={cx(s.cell, s.select)} />}
        {columns.map(({ key, numeric, narrow, spare }) => (
          // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- Not a control; the table is busy.
          <td
            key={key}
            className={cx(s.cell, numeric && s.numeric)}
            data-narrow={narrow}
            data-spare={spare ? "" : undefined}
          >
            <span className={s.bone} />
          </td>
        ))}
      </tr>
    ))}
  </tbody>
);

/** What is in the place of rows that are not there. */
function Instead<Row>({ rows, empty, failure }: DataTableProps<Row>) {
  if (rows === undefined && failure)
    return (
      <div className={s.instead} role="alert">
        <p className={s.failed}>{failure.title}</p>
        {failure.note && <p className={s.note}>{failure.note}</p>}
        <Compact size="sm">
          <Button kind="outline" onClick={failure.onRetry}>
            {t.tryAgain}
          </Button>
        </Compact>
      </div>
    );
  if (rows?.length !== 0) return null;
  return (
    <div className={s.instead}>
      <p className={s.title}>{empty.title}</p>
      {empty.note && <p className={s.note}>{empty.note}</p>}
      {empty.action}
    </div>
  );
}
