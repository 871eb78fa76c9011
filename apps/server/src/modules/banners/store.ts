import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

const BannerRow = z.object({
  id: z.number(),
  type: z.enum(["information", "warning", "other"]),
  title: z.string(),
  body: z.string(),
  /** A path of the shop. */
  action: z.string().nullable(),
});
export type BannerRow = z.infer<typeof BannerRow>;

/** The hub's current banners and those of every hub, in their order. */
export async function findBanners(conn: Conn, hubId: number, now: Date): Promise<BannerRow[]> {
  return query(
    conn,
    sql`select b.id, b.type, b.title, b.body, b.action from banner b
        where (b.hub_id is null or b.hub_id = ${hubId}::int)
          and (b.starts_at is null or b.starts_at <= ${now}) and (b.ends_at is null or b.ends_at > ${now})
        order by b.position, b.id`,
    BannerRow,
  );
}
