import type { Hub } from "@marketday/contracts/hubs";

import type { Deps } from "../../deps.ts";
import { type Cached, cachedOf } from "../../lib/cache.ts";
import { type NextDelivery, nextDeliveries } from "./deliveries.ts";
import { hubDirectory, type HubDirectory } from "./directory.ts";
import { serializeHub } from "./serialize.ts";

/** The serialized list, until the hubs or their next deliveries change. */
const lists = new WeakMap<HubDirectory, { deliveries: ReadonlyMap<number, NextDelivery>; cached: Cached<Hub[]> }>();

/** Every published hub (spec §7.2), by name. */
export async function listHubs(deps: Deps, now: Date): Promise<Cached<Hub[]>> {
  const directory = await hubDirectory(deps);
  const deliveries = await nextDeliveries(deps, now);
  const before = lists.get(directory);
  if (before?.deliveries === deliveries) return before.cached;
  const hubs = directory.all().toSorted((a, b) => a.name.localeCompare(b.name, "en") || a.id - b.id);
  const cached: Cached<Hub[]> = {
    ...cachedOf(hubs.map((hub) => serializeHub(hub, deliveries.get(hub.id) ?? null))),
    encoded: {},
  };
  lists.set(directory, { deliveries, cached });
  return cached;
}
