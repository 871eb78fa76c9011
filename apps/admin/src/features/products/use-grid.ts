import type { GridOffer } from "@marketday/contracts/admin/offers";
import type { OfferField } from "@marketday/domain/offer-fields";
import { useState } from "react";

import { type Place, type Range, rangeOf } from "./block.ts";
import type { ColumnKey, GridColumn } from "./columns.ts";

/** A row of the table: a vendor with its offers, or an offer (`at`: its place among the offers). */
export type Item =
  | { kind: "vendor"; key: string; vendor: GridOffer["vendor"]; count: number; isOpen: boolean }
  | { kind: "offer"; key: string; row: GridOffer; at: number; isFirst: boolean };

/** What the table shows. */
export interface Items {
  items: readonly Item[];
  /** The offers among them, in their order. */
  rows: readonly GridOffer[];
  /** The place of each of these among the items. */
  places: readonly number[];
}

/** The rows of the table: offers by vendor. Those of a vendor that is folded up are none. */
export function itemsOf(offers: readonly GridOffer[], folded: ReadonlySet<string>): Items {
  const items: Item[] = [];
  const rows: GridOffer[] = [];
  const places: number[] = [];
  let vendor = "";
  let product = 0;
  const counts = new Map<string, number>();
  for (const { vendor: of } of offers) counts.set(of.slug, (counts.get(of.slug) ?? 0) + 1);
  for (const row of offers) {
    const { slug } = row.vendor;
    if (slug !== vendor) {
      vendor = slug;
      items.push({
        kind: "vendor",
        key: `v:${slug}`,
        vendor: row.vendor,
        count: counts.get(slug)!,
        isOpen: !folded.has(slug),
      });
    }
    if (folded.has(slug)) continue;
    places.push(items.length);
    items.push({ kind: "offer", key: `o:${row.id}`, row, at: rows.length, isFirst: row.product.id !== product });
    product = row.product.id;
    rows.push(row);
  }
  return { items, rows, places };
}

/** A cell by what it is of: rows come and go above it. `row`: where it was, for when its offer is no longer shown. */
interface Spot {
  offerId: number;
  column: ColumnKey;
  row: number;
}

/** The cell whose text is being typed. */
export interface Editing {
  row: GridOffer;
  field: OfferField;
  column: ColumnKey;
  /** As it is typed so far. */
  text: string;
  /** The text was replaced by the first key, instead of opened. */
  isReplaced: boolean;
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(value, most));

/** The selection of a grid (one cell that has the focus, and a rectangle from an anchor to it), and the cell that is being typed into. */
export function useGrid(rows: readonly GridOffer[], columns: readonly GridColumn[]) {
  const [selection, setSelection] = useState<{ anchor: Spot; focus: Spot } | null>(null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const lastRow = Math.max(rows.length - 1, 0);
  const lastColumn = Math.max(columns.length - 1, 0);
  const spotOf = ({ row, column }: Place): Spot | null => {
    const [at, of] = [clamp(row, lastRow), columns[clamp(column, lastColumn)]];
    const offer = rows[at];
    return offer && of ? { offerId: offer.id, column: of.key, row: at } : null;
  };
  const placeOf = (spot: Spot | undefined): Place => {
    if (!spot) return { row: 0, column: 0 };
    const isThere = rows[spot.row]?.id === spot.offerId;
    const row = isThere ? spot.row : rows.findIndex(({ id }) => id === spot.offerId);
    const column = columns.findIndex(({ key }) => key === spot.column);
    return { row: row === -1 ? clamp(spot.row, lastRow) : row, column: Math.max(column, 0) };
  };
  const focus = placeOf(selection?.focus);
  const anchor = placeOf(selection?.anchor);
  const range: Range = rangeOf(anchor, focus);
  const select = (from: Place, to: Place) => {
    const [first, last] = [spotOf(from), spotOf(to)];
    if (first && last) setSelection({ anchor: first, focus: last });
  };
  return {
    focus,
    anchor,
    range,
    editing,
    setEditing,
    /** Moves the focus; with `isRange` the rectangle grows. */
    go: (to: Place, isRange = false) => select(isRange ? anchor : to, to),
    select,
    /** Moves the focus to a cell that may not be shown yet. */
    goTo: (offerId: number, column: ColumnKey) => {
      const spot = { offerId, column, row: focus.row };
      setSelection({ anchor: spot, focus: spot });
    },
    lastRow,
    lastColumn,
  };
}
