import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import type { ImportType } from "@marketday/server/modules/imports/kind";
import type { RawFile } from "@marketday/server/modules/imports/raw-file";

import { openCsv } from "./csv.ts";
import { openJson } from "./json.ts";

/** Opens a file of a kind as JSON or CSV, by its extension. */
export const openTable = (path: string, kind: ImportType): Promise<Omit<RawFile, "name">> =>
  path.endsWith(".json") || path.endsWith(".jsonl") ? openJson(path, kind) : openCsv(path, kind);

/** About this many rows make 15 MB of garbage. */
const ROWS = 1_250;
let collect: (() => void) | undefined;

/**
 * Passes rows on and collects garbage every `ROWS` rows. Without it the process takes most of the memory of the machine
 * before it collects, which an import beside a running server must not do.
 */
export async function* throttleMemory<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
  setFlagsFromString("--expose-gc");
  collect ??= runInNewContext("gc") as () => void;
  let count = 0;
  for await (const row of rows) {
    yield row;
    count += 1;
    if (count % ROWS === 0) collect();
  }
}
