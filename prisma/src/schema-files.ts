import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The `prisma/` folder of the repository. */
export const packageDir = dirname(dirname(fileURLToPath(import.meta.url)));

/** `[path relative to the folder, text]` of each schema file: schema.prisma first, then models/ by name. */
export type SchemaFiles = [path: string, text: string][];

/** Reads the datamodel of `dir`. */
export async function readSchema(dir: string = packageDir): Promise<SchemaFiles> {
  const models = (await readdir(join(dir, "models")).catch(() => [])).filter((name) => name.endsWith(".prisma"));
  const paths = ["schema.prisma", ...models.toSorted().map((name) => `models/${name}`)];
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => [path, await readFile(join(dir, path), "utf8")]),
  );
}
