import type { FieldChange, FieldChanges } from "@marketday/server/lib/field-changes";
import { shown } from "@marketday/server/lib/file-problem";

/** Lines of one run. */
const SHOWN = 50;
/** Characters of a value that is printed whole. */
const WHOLE = 60;
/** Characters before the first difference of long values. */
const CONTEXT = 15;

/** Two values as they are printed: of long ones the part from shortly before their first difference. */
function shownValues({ before, after }: FieldChange): [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start = Math.max(before.length, after.length) > WHOLE ? Math.max(0, same - CONTEXT) : 0;
  const part = (value: string): string => `${start > 0 ? "…" : ""}${shown(value.slice(start))}`;
  return [part(before), part(after)];
}

/** The changed values, old → new: "brown-eggs: storage dry → cold". */
export function fieldLines({ changes, count }: FieldChanges, dryRun: boolean): string[] {
  if (count === 0) return [];
  return [
    `Values that ${dryRun ? "would change" : "changed"}:`,
    ...changes.slice(0, SHOWN).map((change) => {
      const [before, after] = shownValues(change);
      return `  ${change.subject}: ${change.field} ${before} → ${after}`;
    }),
    ...(count > SHOWN ? [`  … and ${(count - SHOWN).toLocaleString("en-US")} more; --json lists up to 1,000`] : []),
  ];
}

/** What the help of imports says about cells that are empty. */
export const ABOUT_EMPTY = [
  "An empty cell (in JSON: a missing name, null or an empty text) of something that exists leaves the value as it is; the word",
  "`none` (in JSON also an empty list) empties it. Something new has the default. A cell with a list is the whole list.",
  "A dry run lists each value that would change, old → new. A text that is the word itself is written 'none.",
].join("\n");
