import { execute, query, raw, sql, type AnyTx } from "@marketday/db";
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

/** The pictures with these names or ids, the newest of each. */
export async function findPictureIds(tx: AnyTx, names: readonly string[]): Promise<Map<string, string>> {
  const found = await query(
    tx,
    sql`select distinct on (n.name) n.name, p.id from unnest(${[...names]}::text[]) as n (name)
        join picture p on p.id = n.name or substr(p.file, 18) = n.name order by n.name, p.created_at desc`,
    z.object({ name: z.string(), id: z.string() }),
  );
  return new Map(found.map(({ name, id }) => [name, id]));
}
