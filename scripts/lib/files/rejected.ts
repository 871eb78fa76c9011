import type { ImportType } from "@marketday/server/modules/imports/kind";
import { type Problem, problemText } from "@marketday/server/modules/imports/problem";
import { stringify } from "csv-stringify/sync";

import { guarded } from "./formula.ts";
import { WHY } from "./header.ts";
import { openTable } from "./open.ts";
import { BOM, openOutput } from "./write.ts";

/** Writes the rows of a file that were not taken, as they stood, with why: the file is read a second time for them. */
export async function writeRejected(
  path: string,
  kind: ImportType,
  rejected: readonly Problem[],
  to: string,
): Promise<void> {
  const why = Map.groupBy(rejected, ({ line }) => line);
  const { header: all, rows } = await openTable(path, kind);
  const header = all.filter((name) => name !== WHY && name !== "");
  const out = openOutput(to);
  await out.write(BOM + stringify([[...header, WHY]]));
  for await (const { line, cells } of rows) {
    const problems = why.get(line);
    if (!problems) continue;
    const text = problems.map((problem) => problemText(problem)).join("\n");
    await out.write(stringify([[...header.map((name) => guarded(cells[name] ?? "")), text]]));
  }
  await out.close();
}
