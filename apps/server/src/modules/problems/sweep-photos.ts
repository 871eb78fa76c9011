import { readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

import { Day } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import { deletePhotos, photoPath } from "./photos.ts";
import { findKeptPhotos } from "./store.ts";

/** Deletes files without a report after a day: of a deleted account, or of a server that died before the insert. */
export async function sweepPhotos({ db, env }: Pick<Deps, "db" | "env">, now: Date): Promise<void> {
  const folder = dirname(photoPath(env.dataDir, "x"));
  const names = (await readdir(folder).catch(() => [])).filter((name) => /\.(?:jpg|upload)$/.test(name));
  if (names.length === 0) return;
  const known = new Set(await findKeptPhotos(db, names));
  for (const name of names.filter((file) => !known.has(file))) {
    const made = await stat(photoPath(env.dataDir, name)).catch(() => null);
    if (made && now.getTime() - made.mtimeMs > Day.ms) await deletePhotos(env.dataDir, [name]);
  }
}
