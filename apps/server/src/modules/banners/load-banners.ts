import type { Banner } from "@marketday/contracts/cart";
import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

import type { Deps } from "../../deps.ts";
import { withoutInventory } from "../../lib/cache.ts";

/**
 * The banners that the hub shows at `now`, and those of every hub, in their order. The rows are cached; their dates are compared with
 * `now` at each call. `hubId` null: a shopper without a hub.
 */
export async function loadBanners(deps: Deps, hubId: number | null, now: Date): Promise<Banner[]> {
  const { value } = await deps.cache.get(hubId, "banners", () => findBanners(deps.readDb, hubId, now), {
    ...withoutInventory,
    dependsOn: ["banner"],
  });
  return value
    .filter(({ starts_at: from, ends_at: until }) => (from === null || from <= now) && (until === null || now < until))
    .map(({ id, type, title, body, action }) => ({ id: `banner-${id}`, type, title, body, action }));
}

const BannerRow = z.object({
  id: z.number(),
  type: z.enum(["information", "warning", "other"]),
  title: z.string(),
  body: z.string(),
  /** A path of the shop. */
  action: z.string().nullable(),
  starts_at: z.date().nullable(),
  ends_at: z.date().nullable(),
});

/** The banners of the hub and those of every hub that have not ended, in their order. */
async function findBanners(conn: Conn, hubId: number | null, now: Date): Promise<z.infer<typeof BannerRow>[]> {
  return query(
    conn,
    sql`select b.id, b.type, b.title, b.body, b.action, b.starts_at, b.ends_at from banner b
        where (b.hub_id is null or b.hub_id = ${hubId}::int) and (b.ends_at is null or b.ends_at > ${now})
        order by b.position, b.id`,
    BannerRow,
  );
}
