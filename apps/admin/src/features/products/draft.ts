import type { GridOffer } from "@marketday/contracts/admin/offers";
import { checkOfferRow, readOfferCell } from "@marketday/domain/offer-cells";
import { isOfMarket, type OfferField } from "@marketday/domain/offer-fields";

/** A cell that was changed and not saved yet. Immutable: what is typed next is another edit. */
export interface Edit {
  /** The row it was typed in; what is of a product or a variant is the same in all its rows. */
  offerId: number;
  field: OfferField;
  /** What was there when it was changed first. */
  from: string;
  /** As it was typed. */
  typed: string;
}

/** Changes by `cellKey`. Immutable: each change is a new one. */
export type Draft = ReadonlyMap<string, Edit>;
export const NO_CHANGES: Draft = new Map();

type RowIds = Pick<GridOffer, "id" | "variantId" | "product">;
const ownerKeys = (row: RowIds) => [`o${row.id}`, `v${row.variantId}`, `p${row.product.id}`] as const;

/** Rows that share a cell have the same key: a product's storage, a variant's unit. */
export function cellKey(row: RowIds, field: OfferField): string {
  const [offer, variant, product] = ownerKeys(row);
  if (isOfMarket(field)) return `${offer}:${field}`;
  return field === "unit" ? `${variant}:${field}` : `${product}:${field}`;
}

/** The rows of a list by what their cells are of: a row of each offer, variant and product. */
export type RowIndex = ReadonlyMap<string, GridOffer>;

export function indexRows(rows: readonly GridOffer[]): RowIndex {
  const index = new Map<string, GridOffer>();
  for (const row of rows) for (const key of ownerKeys(row)) if (!index.has(key)) index.set(key, row);
  return index;
}

/** A row that has a cell; undefined: none of the list. */
const rowOf = (index: RowIndex, key: string): GridOffer | undefined => index.get(key.slice(0, key.indexOf(":")));

/** The row of an offer; undefined: the list does not have it. */
export const offerOf = (index: RowIndex, offerId: number): GridOffer | undefined => index.get(`o${offerId}`);

/** The text that is saved for an edit; null: it is wrong. */
const valueOf = ({ field, typed }: Edit): string | null => {
  const read = readOfferCell(field, typed);
  return "value" in read ? read.value : null;
};

/** A cell as it is shown. */
export interface ShownCell {
  text: string;
  state: "plain" | "edited" | "invalid" | "conflict";
  /** Of an invalid one: what to write. */
  message: string | null;
  edit: Edit | null;
}

/** What is in a cell of a row with what was changed; what is wrong stays as it is stored. */
const textOf = (draft: Draft, row: GridOffer, field: OfferField): string => {
  const edit = draft.get(cellKey(row, field));
  return (edit && valueOf(edit)) ?? row.cells[field];
};

export function shownCell(draft: Draft, row: GridOffer, field: OfferField): ShownCell {
  const edit = draft.get(cellKey(row, field)) ?? null;
  const now = row.cells[field];
  // A sale price can be wrong by the price beside it.
  const wrong =
    field === "sale_price" && (edit || draft.has(cellKey(row, "price")))
      ? checkOfferRow({ price: textOf(draft, row, "price"), sale_price: textOf(draft, row, "sale_price") })
      : null;
  if (!edit) return { text: now, state: wrong ? "invalid" : "plain", message: wrong?.message ?? null, edit };
  const read = readOfferCell(field, edit.typed);
  if ("message" in read) return { text: edit.typed, state: "invalid", message: read.message, edit };
  if (wrong) return { text: read.value, state: "invalid", message: wrong.message, edit };
  if (edit.from !== now && read.value !== now) return { text: read.value, state: "conflict", message: null, edit };
  return { text: read.value, state: "edited", message: null, edit };
}

/** Whether the person changes a cell here. */
export const canChange = (row: GridOffer, field: OfferField): boolean =>
  isOfMarket(field) ? row.canChange : row.canChange && row.canChangeAll;

/** Types a text into a cell. Empty texts are written as `none`. */
export type TypeText = (row: GridOffer, field: OfferField, text: string) => void;

/**
 * Many cells typed as one change; `now` is the draft as it becomes. What is there already is no change, and what the person may not change
 * stays.
 * @returns the draft itself when nothing is another
 */
export function typeCells(draft: Draft, write: (type: TypeText, now: Draft) => void): Draft {
  const next = new Map(draft);
  let isChanged = false;
  write((row, field, text) => {
    if (!canChange(row, field)) return;
    const key = cellKey(row, field);
    const before = next.get(key);
    const edit: Edit = { offerId: row.id, field, from: before?.from ?? row.cells[field], typed: text || "none" };
    if (valueOf(edit) === row.cells[field]) isChanged = next.delete(key) || isChanged;
    else if (before?.typed !== edit.typed) {
      next.set(key, edit);
      isChanged = true;
    }
  }, next);
  return isChanged ? next : draft;
}

/** The draft after something was typed into a cell. */
export const typeCell = (draft: Draft, row: GridOffer, field: OfferField, text: string): Draft =>
  typeCells(draft, (type) => type(row, field, text));

/** The draft without some of its changes: what is stored stays. */
export function dropCells(draft: Draft, keys: Iterable<string>): Draft {
  const next = new Map(draft);
  for (const key of keys) next.delete(key);
  return next.size === draft.size ? draft : next;
}

/** The draft after a conflict was decided for what was typed: it replaces what is stored now. */
export function keepMine(draft: Draft, row: GridOffer, field: OfferField): Draft {
  const key = cellKey(row, field);
  const edit = draft.get(key);
  return edit ? new Map(draft).set(key, { ...edit, from: row.cells[field] }) : draft;
}

/** A draft as it is now: what someone else stored too is no change any more. Of rows that the list does not have, edits stay. */
export const settle = (draft: Draft, index: RowIndex): Draft =>
  dropCells(
    draft,
    [...draft].flatMap(([key, edit]) => {
      const row = rowOf(index, key);
      return row && valueOf(edit) === row.cells[edit.field] ? [key] : [];
    }),
  );

/** A draft after a save: what was sent is stored. What was typed meanwhile is a change of what is stored now. */
export function settleSaved(draft: Draft, sent: Draft, saved: readonly GridOffer[]): Draft {
  const index = indexRows(saved);
  const next = new Map(draft);
  for (const [key, edit] of sent) {
    const newer = next.get(key);
    const row = rowOf(index, key);
    if (newer === edit) next.delete(key);
    else if (newer && row) next.set(key, { ...newer, from: row.cells[newer.field] });
  }
  return settle(next, index);
}

/** A draft without what one step changed, as far as nothing else was typed there since. */
export function takeBack(draft: Draft, before: Draft, after: Draft): Draft {
  const next = new Map(draft);
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, became] = [before.get(key), after.get(key)];
    if (was === became || next.get(key) !== became) continue;
    if (was) next.set(key, was);
    else next.delete(key);
  }
  return next;
}

/** Why the server refused a cell of a save. It is about one edit: another one is not refused yet. */
export interface Note {
  edit: Edit;
  /** The prices of its row as they were sent: a sale price is wrong by the price beside it. */
  beside: readonly (Edit | undefined)[];
  /** What to write. */
  problem: string | null;
  /** Who changed it meanwhile, and when (an instant), where that is known; null: it was not changed. */
  conflict: { by: string | null; at: string | null } | null;
}

/** By `cellKey`. */
export type Notes = ReadonlyMap<string, Note>;

/** The changes of both prices of an offer. */
export const besideOf = (draft: Draft, offerId: number): (Edit | undefined)[] =>
  (["price", "sale_price"] as const).map((field) => draft.get(`o${offerId}:${field}`));

/** Why the server refused a cell as it is now; null: it did not. */
export function noteOf(notes: Notes, draft: Draft, key: string): Note | null {
  const note = notes.get(key);
  if (!note || draft.get(key) !== note.edit) return null;
  const beside = besideOf(draft, note.edit.offerId);
  return note.conflict || beside.every((edit, place) => edit === note.beside[place]) ? note : null;
}

/** What the save bar says of a draft. */
export interface DraftCounts {
  cells: number;
  rows: number;
  /** Keys of cells that are wrong or in conflict; nothing is saved before there is none. */
  invalid: ReadonlySet<string>;
  conflicts: ReadonlySet<string>;
  /** Keys of cells of rows that the list does not have; they are saved too. */
  elsewhere: ReadonlySet<string>;
}

export function countDraft(draft: Draft, index: RowIndex, notes: Notes): DraftCounts {
  const invalid = new Set<string>();
  const conflicts = new Set<string>();
  const elsewhere = new Set<string>();
  for (const [key, edit] of draft) {
    const row = rowOf(index, key);
    const note = noteOf(notes, draft, key);
    if (row) {
      const { state } = shownCell(draft, row, edit.field);
      if (state === "invalid") invalid.add(key);
      if (state === "conflict") conflicts.add(key);
      const sale = cellKey(row, "sale_price");
      if (edit.field === "price" && shownCell(draft, row, "sale_price").state === "invalid") invalid.add(sale);
    } else {
      elsewhere.add(key);
      if (valueOf(edit) === null) invalid.add(key);
    }
    if (invalid.has(key) || conflicts.has(key)) continue;
    if (note?.problem != null) invalid.add(key);
    if (note?.conflict) conflicts.add(key);
  }
  return {
    cells: draft.size,
    rows: new Set([...draft.values()].map(({ offerId }) => offerId)).size,
    invalid,
    conflicts,
    elsewhere,
  };
}
