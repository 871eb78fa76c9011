import type { GridOffer } from "@marketday/contracts/admin/offers";
import type { OfferField } from "@marketday/domain/offer-fields";

import * as t from "#messages/products";

export type ColumnKey = keyof typeof t.heads;

/** A column of the grid. */
export interface GridColumn {
  key: ColumnKey;
  /** Null: it is only read. */
  field: OfferField | null;
  /** switch: yes or no. choice: one of a few words. */
  kind: "number" | "switch" | "choice" | "text";
  /** Its width, px. */
  width: number;
  /** What a column that is only read shows. */
  read?: (row: GridOffer) => string;
}

const count = (value: number): string => (value === 0 ? t.none : t.number(value));

/** All columns in their order. */
export const GRID_COLUMNS: readonly GridColumn[] = [
  { key: "market", field: null, kind: "text", width: 128, read: ({ hub }) => hub.name },
  { key: "price", field: "price", kind: "number", width: 80 },
  { key: "sale_price", field: "sale_price", kind: "number", width: 84 },
  { key: "inventory", field: "inventory", kind: "number", width: 74 },
  { key: "weekly_inventory", field: "weekly_inventory", kind: "number", width: 74 },
  { key: "sold", field: null, kind: "number", width: 64, read: ({ sold }) => count(sold) },
  { key: "watching", field: null, kind: "number", width: 82, read: ({ watching }) => count(watching) },
  { key: "offered", field: "offered", kind: "switch", width: 84 },
  { key: "storage", field: "storage", kind: "choice", width: 84 },
  { key: "tags", field: "tags", kind: "text", width: 200 },
  { key: "unit", field: "unit", kind: "text", width: 96 },
  { key: "title", field: "title", kind: "text", width: 220 },
  { key: "published", field: "published", kind: "switch", width: 98 },
];

export const isColumn = (key: string): key is ColumnKey => GRID_COLUMNS.some((column) => column.key === key);

/** The columns that are shown before anyone chose others. */
export const usualColumns = (isOneHub: boolean): ColumnKey[] =>
  GRID_COLUMNS.filter(
    ({ key }) => key !== "unit" && key !== "title" && key !== "published" && (key !== "market" || !isOneHub),
  ).map(({ key }) => key);

/** Columns by their keys, in the order of the grid. */
export const columnsOf = (keys: readonly string[]): GridColumn[] =>
  GRID_COLUMNS.filter(({ key }) => keys.includes(key));
