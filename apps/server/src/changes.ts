import type { FastifyInstance } from "fastify";

import type { Deps } from "./deps.ts";
import type { InventoryChange } from "./lib/cache.ts";
import { dropDirectory } from "./modules/hubs/directory.ts";

/** The notifications of the database after which cached data is stale. */
export const CHANGE_CHANNELS = ["catalogue", "inventory", "hubs", "session"];

/** Marks as stale what a notification of these channels says has changed. Other channels are ignored. */
export function applyChange(
  { app, deps }: { app: FastifyInstance; deps: Deps },
  channel: string,
  payload: string,
): void {
  if (channel === "catalogue") deps.cache.drop(payload === "" ? null : Number(payload));
  else if (channel === "inventory") deps.cache.dropInventory(JSON.parse(payload) as InventoryChange);
  else if (channel === "hubs") dropDirectory(deps);
  else if (channel === "session") app.dropSession(payload);
}

/** Forgets all cached data, because notifications were lost. */
export function forgetCached({ app, deps }: { app: FastifyInstance; deps: Deps }): void {
  deps.cache.clear();
  dropDirectory(deps);
  app.dropSession(null);
}
