import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useState } from "react";

import * as t from "#messages";

import { Button } from "../button.tsx";
import { cx } from "../cx.ts";
import { Icon } from "../icon/icon.tsx";
import { announce } from "../live-region.tsx";
import { Compact } from "./compact.tsx";

import s from "./data-table.module.css";

export interface Column<Row> {
  key: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, tabular figures. */
  numeric?: boolean;
  /** Fixed: 72, 120, 200 or 320 px. Without it an equal share of what is left. */
  width?: "xs" | "sm" | "md" | "lg";
  /**
   * Its place where the table is narrower than 640 px: above and below on the left, above and below on the right. Without it the column
   * is left out there.
   */
  narrow?: "title" | "note" | "end" | "endNote";
}

interface Sum {
  label: string;
  value: ReactNode;
}

interface DataTableProps<Row> {
  /** Its accessible name, also in "Loading orders". */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined until they have loaded. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  /** Rows get the keyboard focus: arrows move it, Enter or a click opens. */
  onOpen?: (row: Row) => void;
  /** The one that is open in a panel. */
  openKey?: string | number | undefined;
  /** Of all rows that are filtered. */
  sums?: readonly Sum[];
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
  const { label, columns, rows, sums, failure, stale, dim } = props;
  const keys = useId();
  const isWaiting = rows === undefined && failure === undefined;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => announce(t.loading(label)), 1000);
    return () => clearTimeout(timer);
  }, [isWaiting, label]);
  return (
    <div className={s.frame}>
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
            {columns.map(({ key, head, numeric, width, narrow }) => (
              <th
                key={key}
                scope="col"
                className={cx(s.cell, s.headCell, numeric && s.numeric)}
                data-width={width}
                data-narrow={narrow}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        {rows && rows.length > 0 && <Rows {...props} rows={rows} />}
        {isWaiting && <Bones columns={columns} />}
      </table>
      {props.onOpen && rows && rows.length > 0 && (
        <p id={keys} hidden>
          {t.openRow}
        </p>
      )}
      <Instead {...props} />
      {sums && rows && rows.length > 0 && (
        <dl className={s.foot}>
          {sums.map(({ label, value }) => (
            <div key={label} className={s.sum}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
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

/** Whether a click or a key is meant for a control in the row. */
const isOfControl = ({ target }: { target: EventTarget }) =>
  target instanceof Element && target.closest("a, button, input, select, textarea, summary") !== null;

function Rows<Row>({ columns, rows, rowKey, onOpen, openKey }: DataTableProps<Row> & { rows: readonly Row[] }) {
  // One row is in the tab order; it stays the same one when rows come and go.
  const [current, setCurrent] = useState<string | number | null>(null);
  const at = Math.max(
    rows.findIndex((row) => rowKey(row) === current),
    0,
  );
  const press = (event: KeyboardEvent<HTMLTableRowElement>, index: number, row: Row) => {
    if (isOfControl(event) || event.metaKey || event.ctrlKey || event.altKey) return;
    const next = moves[event.key]?.(index, rows.length - 1);
    if (next !== undefined) {
      event.preventDefault();
      event.currentTarget.parentElement?.querySelectorAll<HTMLElement>(":scope > tr")[next]?.focus();
    } else if (event.key === "Enter") {
      event.preventDefault();
      onOpen?.(row);
    }
  };
  const click = (event: MouseEvent, row: Row) => {
    if (!isOfControl(event)) onOpen?.(row);
  };
  return (
    <tbody>
      {rows.map((row, index) => {
        const key = rowKey(row);
        const opens = onOpen && {
          tabIndex: index === at ? 0 : -1,
          onFocus: () => setCurrent(key),
          onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => press(event, index, row),
          onClick: (event: MouseEvent) => click(event, row),
        };
        return (
          <tr key={key} className={cx(s.row, onOpen && s.opens)} aria-current={openKey === key || undefined} {...opens}>
            {columns.map(({ key, cell, numeric, width, narrow }) => (
              <td key={key} className={cx(s.cell, numeric && s.numeric)} data-width={width} data-narrow={narrow}>
                {cell(row)}
              </td>
            ))}
          </tr>
        );
      })}
    </tbody>
  );
}

const Bones = <Row,>({ columns }: { columns: readonly Column<Row>[] }) => (
  <tbody aria-hidden="true">
    {BONES.map((bone) => (
      <tr key={bone} className={s.row}>
        {columns.map(({ key, numeric, width, narrow }) => (
          // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- Not a control; the table is busy.
          <td key={key} className={cx(s.cell, numeric && s.numeric)} data-width={width} data-narrow={narrow}>
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
