import type { Deps } from "../../deps.ts";
import { sanitizeDescription, SANITIZER_VERSION } from "../../lib/sanitize.ts";
import { type Described, DESCRIPTIONS, findTexts, replaceTexts, type TextsRow } from "./description-sql.ts";
import { findSanitizer, setSanitizer } from "./sanitizer-store.ts";

/** Rows per statement. */
const AT_ONCE = 500;

async function cleanRows(
  deps: Pick<Deps, "db">,
  { table, columns }: Described,
  rows: readonly TextsRow[],
): Promise<number> {
  let count = 0;
  for (const [place, column] of columns.entries()) {
    const changes = rows.flatMap(({ id, texts }) => {
      const before = texts[place];
      if (before == null) return [];
      const after = sanitizeDescription(before);
      return after === before ? [] : [{ id, before, after }];
    });
    if (changes.length > 0) await replaceTexts(deps.db, table, column, changes);
    count += changes.length;
  }
  return count;
}

/**
 * Sanitizes every stored description again when the rules have changed since the last time (failures.md H3). After a kill it starts
 * over; a description that is written meanwhile stays.
 * @returns how many texts changed
 */
export async function resanitizeDescriptions(deps: Pick<Deps, "db" | "log">, now: Date): Promise<number> {
  if ((await findSanitizer(deps.db)) === SANITIZER_VERSION) return 0;
  let changed = 0;
  for (const described of DESCRIPTIONS) {
    let last = 0;
    for (;;) {
      const rows = await findTexts(deps.db, described, last, AT_ONCE);
      changed += await cleanRows(deps, described, rows);
      last = rows.at(-1)?.id ?? 0;
      if (rows.length < AT_ONCE) break;
    }
  }
  await setSanitizer(deps.db, SANITIZER_VERSION, now);
  if (changed > 0) deps.log.info({ changed }, "descriptions were cleaned by new rules");
  return changed;
}
