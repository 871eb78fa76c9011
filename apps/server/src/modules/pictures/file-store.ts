import type { Db } from "@marketday/db";

/** The name of a picture's file, or null when there is no such picture. */
export const findPictureFile = async (db: Db, id: string): Promise<string | null> =>
  (await db.picture.findUnique({ where: { id }, select: { file: true } }))?.file ?? null;

/** The files of imported pictures, as `{id}-{name}`, oldest first. */
export async function findUploadedFiles(db: Db): Promise<string[]> {
  const pictures = await db.picture.findMany({
    where: { file: { not: null } },
    select: { id: true, file: true },
    orderBy: [{ created_at: "asc" }, { id: "asc" }],
  });
  return pictures.flatMap(({ id, file }) => (file?.startsWith(`${id}-`) ? [file] : []));
}
