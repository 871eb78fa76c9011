import { BOM, escapeFormula } from "@marketday/server/lib/csv";
import { type Problem, problemText } from "@marketday/server/lib/file-problem";
import type { ImportType } from "@marketday/server/modules/imports/kind";
import { stringify } from "csv-stringify/sync";

import { PROBLEM_COLUMN } from "./header.ts";
import { openTable } from "./read-table.ts";
import { openOutput } from "./write.ts";

/** Writes the rejected rows of a file unchanged, each with the reason. It reads the file a second time. */
export async function writeRejected(
  path: string,
  kind: ImportType,
  rejected: readonly Problem[],
  to: string,
): Promise<void> {
  const problemsByLine = Map.groupBy(rejected, ({ line }) => line);
  const { header: all, rows } = await openTable(path, kind);
  const header = all.filter((name) => name !== PROBLEM_COLUMN && name !== "");
  const out = openOutput(to);
  await out.write(BOM + stringify([[...header, PROBLEM_COLUMN]]));
  for await (const { line, cells } of rows) {
    const problems = problemsByLine.get(line);
    if (!problems) continue;
    const text = problems.map((problem) => problemText(problem)).join("\n");
    await out.write(stringify([[...header.map((name) => escapeFormula(cells[name] ?? "")), text]]));
  }
  await out.close();
}
