import type { Context } from "../lib/context.ts";
import { ensureDeliveries } from "../modules/hubs/deliveries.ts";
import { hubDirectory } from "../modules/hubs/directory.ts";

/** Inserts every hub's delivery days 12 weeks ahead (docs/product.md §4). */
export async function planDeliveries({ deps, now }: Context): Promise<void> {
  const directory = await hubDirectory(deps);
  for (const hub of directory.all()) await ensureDeliveries(deps.db, hub, now);
}
