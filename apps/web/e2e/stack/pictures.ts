import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { pictureFile, picturePath, sharedPicture } from "../../../../scripts/demo/data/pictures.ts";
import { storeUpload } from "../../../server/src/modules/pictures/import-pictures.ts";
import { createRenderer, widths } from "../../../server/src/modules/pictures/render.ts";
import { stock } from "./stock.ts";

/**
 * A new folder with the pictures of the stack's products in every size a browser requests, so that no test waits for a
 * rendering. All servers of a run share it: files are named by their content.
 */
export async function renderPictures(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "marketday-e2e-pictures-"));
  const uploads = join(folder, "uploads");
  await mkdir(uploads);
  const files = new Map<string, string>();
  for (const [, key] of stock) {
    const { id } = sharedPicture(key);
    const name = pictureFile(key);
    await storeUpload(uploads, { id, name, path: picturePath(key) });
    files.set(id, `${id}-${name}`);
  }
  const render = createRenderer({ dir: folder, find: (id) => Promise.resolve(files.get(id) ?? null) });
  await Promise.all([...files.keys()].flatMap((id) => widths.map((width) => render(id, width, "avif"))));
  return folder;
}
