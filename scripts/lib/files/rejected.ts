import type { Kind } from "@marketday/server/modules/imports/kind";
import { type Problem, problemText } from "@marketday/server/modules/imports/problem";
import { stringify } from "csv-stringify/sync";

import { guarded } from "./formula.ts";
import { WHY } from "./header.ts";
import { openTable } from "./open.ts";
import { openOutput } from "./write.ts";

/** Writes the rows of a file that were not taken, as they stood, with why: the file is read a second time for them. */
export async function writeRejected(path: string, kind: Kind, rejected: readonly Problem[], to: string): Promise<void> {
  const why = new Map(rejected.map((problem) => [problem.line, problemText(problem)]));
  const { header: all, rows } = await openTable(path, kind);
  const header = all.filter((name) => name !== WHY);
  const out = openOutput(to);
  await out.write(stringify([[...header, WHY]]));
  for await (const { line, cells } of rows) {
    const problem = why.get(line);
    if (problem) await out.write(stringify([[...header.map((name) => guarded(cells[name] ?? "")), problem]]));
  }
  await out.close();
}
