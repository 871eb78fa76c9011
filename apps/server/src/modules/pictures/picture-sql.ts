import { type AnyTx, query, sql } from "@marketday/db";
import { z } from "zod";

const IdRow = z.object({ id: z.string() });

/** The pictures with this name or id, newest first. */
export const findSamePictures = (tx: AnyTx, { id, name }: { id: string; name: string }): Promise<{ id: string }[]> =>
  query(tx, sql`select id from picture where substr(file, 18) = ${name} or id = ${id} order by created_at desc`, IdRow);

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
