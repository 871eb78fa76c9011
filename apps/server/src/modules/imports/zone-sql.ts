import { query, sql, type AnyTx } from "@marketday/db";

/** The zones of the hubs, for times that name none. */
export interface Zones {
  byHub: ReadonlyMap<string, string>;
  /** The zone of all hubs; null when they differ, or there is none. */
  only: string | null;
}

/** Reads the zones of the hubs. */
export async function findZones(tx: AnyTx): Promise<Zones> {
  const rows = await query<{ slug: string; time_zone: string }>(tx, sql`select slug, time_zone from hub`);
  const zones = new Set(rows.map(({ time_zone: zone }) => zone));
  return {
    byHub: new Map(rows.map(({ slug, time_zone: zone }) => [slug, zone])),
    only: zones.size === 1 ? [...zones][0]! : null,
  };
}
