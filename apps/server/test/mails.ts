import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import PostalMime, { type Email } from "postal-mime";

/** Every mail that is in a market's folder by now, parsed as a mail program would. */
export async function mailsIn(dataDir: string): Promise<Email[]> {
  const folder = join(dataDir, "mail");
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith(".eml"))
      .map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  );
}
