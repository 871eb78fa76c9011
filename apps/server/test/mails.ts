import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import PostalMime, { type Email } from "postal-mime";

/** Every mail in a market's mail folder, parsed. */
export async function mailsIn(dataDir: string): Promise<Email[]> {
  const folder = join(dataDir, "mail");
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith(".eml"))
      .map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  );
}
