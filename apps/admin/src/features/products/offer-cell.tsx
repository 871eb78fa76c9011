import type { GridOffer } from "@marketday/contracts/admin/offers";
import type { OfferField } from "@marketday/domain/offer-fields";
import { STORAGES } from "@marketday/domain/sheets";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { cx } from "@marketday/ui/cx.ts";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { useId } from "react";

import * as t from "#messages/products";

import type { GridColumn } from "./columns.ts";
import { canChange, cellKey, type Draft, noteOf, type Notes, shownCell } from "./draft.ts";
import type { Editing } from "./use-grid.ts";

import s from "./offer-grid.module.css";

interface OfferCellProps {
  row: GridOffer;
  column: GridColumn;
  /** "row:column" in the grid, by which a press finds it. */
  place: string;
  draft: Draft;
  notes: Notes;
  /** Keys of cells that were just saved. */
  saved: ReadonlySet<string>;
  zone: string;
  isFocus: boolean;
  isInRange: boolean;
  /** It has the handle by which the first row of the range is filled down. */
  hasHandle: boolean;
  /** It is at the end of the grid: its message is above it. */
  isLow: boolean;
  /** It is in the right half of the grid: its message ends where it ends. */
  isEnd: boolean;
  editing: Editing | null;
  onType: (text: string) => void;
}

/** A stored text as people read it: "6.50" with a dollar sign, tags with commas. */
function cellWords(field: OfferField, text: string): string {
  if (text === "") return "";
  if (field === "price" || field === "sale_price") return `$${text}`;
  if (field === "offered" || field === "published") return text === "yes" ? t.yes : t.no;
  return shownText(field, text);
}

/** A text as its cell shows it: amounts without a sign, which is in the head. */
export const shownText = (field: OfferField, text: string): string =>
  field === "tags" ? text.replaceAll("|", ", ") : text;

const timeOf = (at: string | null, zone: string): string | null =>
  at === null ? null : new Date(at).toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit", timeZone: zone });

/** A cell of the grid: what is in it, what was typed, and what is wrong with it. The grid takes its keys and presses. */
export function OfferCell(props: OfferCellProps) {
  const { row, column, draft, isFocus, isInRange, editing } = props;
  const id = useId();
  const { field, kind } = column;
  const frame = {
    "data-place": props.place,
    "data-focus": isFocus ? "" : undefined,
    "data-range": isInRange ? "" : undefined,
    tabIndex: isFocus ? 0 : -1,
    "aria-selected": isInRange,
  };
  if (field === null)
    return (
      <td {...frame} className={cx(s.cell, s.read, kind === "number" && s.number)} aria-readonly="true">
        <span className={s.text}>{column.read?.(row)}</span>
      </td>
    );
  const key = cellKey(row, field);
  const cell = shownCell(draft, row, field);
  const note = noteOf(props.notes, draft, key);
  const isSaved = props.saved.has(key) && !cell.edit;
  const message = cell.message ?? note?.problem ?? null;
  const state = message !== null ? "invalid" : note?.conflict ? "conflict" : cell.state;
  const hasNote = isFocus && editing === null && (state === "conflict" || state === "invalid");
  const isFixed = !canChange(row, field);
  return (
    <td
      {...frame}
      className={cx(s.cell, kind === "number" && s.number)}
      data-state={isSaved ? "saved" : state}
      aria-readonly={isFixed || undefined}
      aria-invalid={state === "invalid" || undefined}
      aria-describedby={hasNote ? `${id}-note` : undefined}
      title={cell.edit && !hasNote ? t.wasBefore(cellWords(field, cell.edit.from)) : undefined}
    >
      {editing ? (
        <Editor key={editing.field} column={column} editing={editing} onType={props.onType} />
      ) : kind === "switch" ? (
        <Switch isOn={cell.text === "yes"} isFixed={isFixed} label={t.heads[column.key]} />
      ) : (
        <span className={s.text}>
          {cell.text === "" ? <span className={s.none}>{t.none}</span> : shownText(field, cell.text)}
        </span>
      )}
      {isSaved && (
        <span className={s.check}>
          <Icon name="check" size="sm" />
          <VisuallyHidden>{t.saved}</VisuallyHidden>
        </span>
      )}
      {state === "edited" && <VisuallyHidden>{t.edited}</VisuallyHidden>}
      {props.hasHandle && !editing && <span className={s.handle} data-handle="" />}
      {hasNote && (
        <div
          id={`${id}-note`}
          className={s.note}
          data-note=""
          data-state={state}
          data-low={props.isLow ? "" : undefined}
          data-end={props.isEnd ? "" : undefined}
        >
          {state === "conflict" && cell.edit ? (
            <>
              <p>
                <b>
                  {t.conflict(
                    note?.conflict?.by ?? null,
                    cellWords(field, row.cells[field]),
                    timeOf(note?.conflict?.at ?? null, props.zone),
                  )}
                </b>{" "}
                {t.conflictBefore(cellWords(field, cell.edit.from))}
              </p>
              <Compact>
                <div className={s.noteButtons}>
                  <Button data-do="theirs">{t.takeTheirs(cellWords(field, row.cells[field]))}</Button>
                  <Button kind="outline" data-do="mine">
                    {t.keepMine(cellWords(field, cell.text))}
                  </Button>
                </div>
              </Compact>
            </>
          ) : (
            <b>{message}</b>
          )}
        </div>
      )}
    </td>
  );
}

const Switch = ({ isOn, isFixed, label }: { isOn: boolean; isFixed: boolean; label: string }) => (
  <button
    type="button"
    role="switch"
    tabIndex={-1}
    className={s.switch}
    aria-checked={isOn}
    aria-label={label}
    aria-disabled={isFixed || undefined}
  >
    <span />
  </button>
);

interface EditorProps {
  column: GridColumn;
  editing: Editing;
  onType: (text: string) => void;
}

function Editor({ column, editing: { text, isReplaced }, onType }: EditorProps) {
  const list = useId();
  return (
    <>
      <input
        className={s.editor}
        data-editor=""
        aria-label={t.heads[column.key]}
        value={text}
        list={column.kind === "choice" ? list : undefined}
        inputMode={column.kind === "number" ? "decimal" : undefined}
        autoComplete="off"
        ref={(input) => {
          if (!input || document.activeElement === input) return;
          input.focus({ preventScroll: true });
          if (isReplaced) input.setSelectionRange(input.value.length, input.value.length);
          else input.select();
        }}
        onChange={({ target }) => onType(target.value)}
      />
      {column.kind === "choice" && (
        <datalist id={list}>
          {STORAGES.map((storage) => (
            <option key={storage} value={storage}>
              {storage}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}
