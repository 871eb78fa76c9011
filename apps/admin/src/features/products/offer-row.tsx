import { Picture } from "@marketday/ui/picture.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { memo } from "react";

import * as t from "#messages/products";

import type { GridColumn } from "./columns.ts";
import type { Draft, Notes } from "./draft.ts";
import { OfferCell } from "./offer-cell.tsx";
import type { Editing, Item } from "./use-grid.ts";

import s from "./offer-grid.module.css";

interface OfferRowProps {
  item: Extract<Item, { kind: "offer" }>;
  columns: readonly GridColumn[];
  draft: Draft;
  notes: Notes;
  saved: ReadonlySet<string>;
  zone: string;
  /** In the table, from 1. */
  rowIndex: number;
  isSelected: boolean;
  isLow: boolean;
  /** With the picture and the title of its product: the rows below are its other variants and markets. */
  hasPicture: boolean;
  /** The column that has the focus; null: another row has it. */
  focusColumn: number | null;
  /** The columns of the selected rectangle; null: it is of other rows. */
  rangeLeft: number | null;
  rangeRight: number | null;
  isRangeEnd: boolean;
  editing: Editing | null;
  onToggle: (offerId: number) => void;
  onType: (text: string) => void;
}

const nameOf = ({ row }: OfferRowProps["item"]): string =>
  [row.cells.title, row.variant, row.hub.name].filter(Boolean).join(", ");

/** An offer in the grid. It is rendered again only when something of it changes: hundreds are in sight. */
export const OfferRow = memo(function OfferRow(props: OfferRowProps) {
  const { item, columns, focusColumn, rangeLeft, rangeRight, editing, isSelected, hasPicture } = props;
  const { row, at } = item;
  return (
    <tr className={s.row} aria-rowindex={props.rowIndex} data-selected={isSelected ? "" : undefined}>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- Its box has the label. */}
      <td className={s.select}>
        <label>
          <VisuallyHidden>{t.selectOffer(nameOf(item))}</VisuallyHidden>
          <input type="checkbox" tabIndex={-1} checked={isSelected} onChange={() => props.onToggle(row.id)} />
        </label>
      </td>
      <th scope="row" className={s.name}>
        <div>
          <span className={s.picture}>{hasPicture && <Picture picture={row.picture} alt="" sizes="28px" />}</span>
          {hasPicture ? <b>{row.cells.title}</b> : <VisuallyHidden>{row.cells.title}</VisuallyHidden>}{" "}
          <span>{row.variant}</span>
        </div>
      </th>
      {columns.map((column, place) => {
        const isInRange = rangeLeft !== null && rangeRight !== null && place >= rangeLeft && place <= rangeRight;
        return (
          <OfferCell
            key={column.key}
            row={row}
            column={column}
            place={`${at}:${place}`}
            draft={props.draft}
            notes={props.notes}
            saved={props.saved}
            zone={props.zone}
            isFocus={place === focusColumn}
            isInRange={isInRange}
            isEnd={place * 2 >= columns.length}
            hasHandle={props.isRangeEnd && place === rangeRight && column.field !== null}
            isLow={props.isLow}
            editing={editing?.column === column.key ? editing : null}
            onType={props.onType}
          />
        );
      })}
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- Not a control. */}
      <td />
    </tr>
  );
});
