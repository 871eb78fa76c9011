import type { AuditEntry, AuditList } from "@marketday/contracts/admin/audit";

/** The entries of a page as they were when it was shown: new ones are counted, and no row moves. */
export interface FrozenPage {
  /** Its filter and place. */
  key: string;
  rows: readonly AuditEntry[];
  /** Entries above the first row that are not shown yet. */
  added: number;
}

/**
 * The page after an answer for it: of another page, its rows; of the same page, the rows that are shown as they are now, and how many are
 * new. On a page that is not the first, nothing comes above.
 */
export function nextPage(shown: FrozenPage | null, key: string, { entries, hasNewer }: AuditList): FrozenPage {
  // Nothing is shown, so nothing can move.
  if (shown?.key !== key || shown.rows.length === 0) return { key, rows: entries, added: 0 };
  const now = new Map(entries.map((entry) => [entry.id, entry]));
  const known = new Set(shown.rows.map(({ id }) => id));
  const first = shown.rows[0]!;
  const isNew = ({ id, at }: AuditEntry) => !known.has(id) && (at > first.at || (at === first.at && id > first.id));
  return {
    key,
    rows: shown.rows.map((row) => now.get(row.id) ?? row),
    added: hasNewer ? 0 : entries.filter(isNew).length,
  };
}
