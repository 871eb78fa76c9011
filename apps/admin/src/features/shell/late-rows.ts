import type { Command } from "./commands.ts";

/** Rows of the palette that the server finds. */
export interface LateRows {
  rows: readonly Command[];
  /** The answer for this text has not arrived. */
  isPending: boolean;
}

export const NO_ROWS: LateRows = { rows: [], isPending: false };
export const SEARCHING: LateRows = { rows: [], isPending: true };

/** The rows of several searches once each has its answer, or failed: none is inserted above another. */
export function joinLateRows(searches: readonly LateRows[]): LateRows {
  if (searches.some(({ isPending }) => isPending)) return SEARCHING;
  return { rows: searches.flatMap(({ rows }) => rows), isPending: false };
}
