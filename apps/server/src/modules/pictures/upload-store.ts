import { type Conn, execute, query, raw, sql, type AnyTx } from "@marketday/db";
import { z } from "zod";

/** The columns that refer to pictures: they are updated when a file is replaced. */
const USES = [
  ["product_picture", "picture_id"],
  ["vendor", "avatar_id"],
  ["vendor", "hero_id"],
  ["collection", "image_id"],
  ["bundle", "image_id"],
  ["post", "text_image_id"],
  ["blog_post", "image_id"],
] as const;

/** What writing a picture did. `replaced`: a picture with the same name had different content. */
export type WrittenPicture = "created" | "replaced" | "unchanged";

interface NewPicture {
  id: string;
  name: string;
  alt: string;
  thumbhash: string;
}

/** Writes a picture of a file. A different picture with the same name is replaced wherever it is used. */
export async function writePicture(tx: AnyTx, picture: NewPicture, now: Date): Promise<WrittenPicture> {
  const same = await query(
    tx,
    sql`select id from picture where substr(file, 18) = ${picture.name} or id = ${picture.id} order by created_at desc`,
    z.object({ id: z.string() }),
  );
  if (same.some(({ id }) => id === picture.id)) return "unchanged";
  await execute(
    tx,
    sql`insert into picture (id, alt, thumbhash, file, created_at) values (${picture.id}, ${picture.alt}, ${picture.thumbhash}, ${`${picture.id}-${picture.name}`}, ${now})`,
  );
  if (same.length === 0) return "created";
  const before = same.map(({ id }) => id);
  for (const [table, column] of USES)
    await execute(
      tx,
      sql`update ${raw(table)} set ${raw(column)} = ${picture.id} where ${raw(column)} = any(${before}::text[])`,
    );
  await execute(
    tx,
    sql`delete from picture where id = any(${before}::text[]) and not exists (select 1 from customer c where c.avatar_id = picture.id)`,
  );
  return "replaced";
}

/** The files of imported pictures, as `{id}-{name}`, oldest first. */
export const findUploadedFiles = async (db: Conn): Promise<string[]> =>
  (
    await query(
      db,
      sql`select file from picture where file is not null and id || '-' = substr(file, 1, 17) order by created_at, id`,
      z.object({ file: z.string() }),
    )
  ).map(({ file }) => file);
