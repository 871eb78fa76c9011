import type { ImportType } from "@marketday/server/modules/imports/kind";
import type { RawFile } from "@marketday/server/modules/imports/raw-file";

import { openCsv } from "./csv.ts";
import { openJson } from "./json.ts";

/** Opens a file of a kind as JSON or CSV, by its extension. */
export const openTable = (path: string, kind: ImportType): Promise<Omit<RawFile, "name">> =>
  path.endsWith(".json") || path.endsWith(".jsonl") ? openJson(path, kind) : openCsv(path, kind);
