import {
  type BoundaryIndex,
  buildBoundaryIndex,
  distanceKm,
  type HubArea,
  parseWkt,
  type Polygon,
  WktError,
} from "@marketday/domain/geo";
import { Second } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import type { Geocoder } from "../../gateways/geocoder/geocoder.ts";
import { dropDeliveries } from "./deliveries.ts";
import { findHubs, type HubRow } from "./store.ts";

/** A published hub's own row with its zips and pickup points; amounts in cents, rates in parts per million. */
export type HubFacts = Omit<HubRow, "boundaries">;

/** A place in degrees, with its zip code if known. */
type Place = { zipCode: string } | { lat: number; lng: number; zipCode?: string };

/** All published hubs, in memory. */
export interface HubDirectory {
  byId(id: number): HubFacts | undefined;
  /** Ids ascending. */
  all(): HubFacts[];
  /**
   * Every hub whose accessibleZipCodes contains the place's zip or whose boundary contains the point, nearest first; a zip
   * is taken at its centroid (docs/product.md §3).
   */
  serving(place: Place): HubFacts[];
}

/** Builds a directory from rows. An invalid polygon matches no place and is reported to `onBadBoundary`. */
export function buildDirectory(
  rows: readonly HubRow[],
  geocoder: Pick<Geocoder, "place">,
  onBadBoundary: (hubId: number, error: WktError) => void = () => undefined,
): HubDirectory {
  const hubs = rows.map((row): HubFacts => {
    const { boundaries: _boundaries, ...facts } = row;
    return facts;
  });
  const byId = new Map(hubs.map((hub) => [hub.id, hub]));
  const byZip = new Map<string, number[]>();
  for (const hub of hubs) for (const zip of hub.zips) byZip.set(zip, [...(byZip.get(zip) ?? []), hub.id]);

  const areas = rows.map(({ id, boundaries }): HubArea => {
    const polygons = boundaries.flatMap((wkt): Polygon[] => {
      try {
        return [parseWkt(wkt)];
      } catch (error) {
        if (!(error instanceof WktError)) throw error;
        onBadBoundary(id, error);
        return [];
      }
    });
    return { hubId: id, polygons };
  });
  const index: BoundaryIndex = buildBoundaryIndex(areas);

  return {
    byId: (id) => byId.get(id),
    all: () => [...hubs],
    serving(place) {
      const point = "lat" in place ? place : geocoder.place(place.zipCode);
      const ids = new Set(place.zipCode === undefined ? [] : byZip.get(place.zipCode));
      if (point) for (const id of index.find(point.lng, point.lat)) ids.add(id);
      const serving = [...ids].map((id) => byId.get(id)!);
      if (!point) return serving;
      const far = new Map(serving.map((hub) => [hub.id, distanceKm(point, hub)]));
      return serving.toSorted((a, b) => far.get(a.id)! - far.get(b.id)! || a.id - b.id);
    },
  };
}

interface Held {
  directory?: HubDirectory;
  loading?: Promise<void>;
  /** Incremented with each drop, so that rows read before one are not used after it. */
  version: number;
  loaded: number;
  windowStart: number;
  spentMs: number;
}

/** The copies of the servers in this process, by their cache, so that two servers in a test do not share one. */
const held = new WeakMap<object, Held>();

/** The maximum part of each second for loading, with any number of notifications. */
const BUSIEST_MS = 0.2 * Second.ms;

const heldBy = (deps: Pick<Deps, "cache">): Held => {
  let entry = held.get(deps.cache);
  if (!entry) held.set(deps.cache, (entry = { version: 1, loaded: 0, windowStart: -Infinity, spentMs: 0 }));
  return entry;
};

async function load(entry: Held, deps: Deps, started: number): Promise<void> {
  const { version } = entry;
  const rows = await findHubs(deps.db);
  entry.directory = buildDirectory(rows, deps.geocoder, (hubId, error) =>
    deps.log.warn({ hubId, err: error }, "a boundary is no polygon"),
  );
  entry.loaded = version;
  entry.spentMs += deps.clock.elapsed() - started;
}

/** Every published hub, read once and again after `dropDirectory`. */
export async function hubDirectory(deps: Deps): Promise<HubDirectory> {
  const entry = heldBy(deps);
  // Again after a drop during a shared read.
  for (let tries = 0; tries < 2; tries += 1) {
    if (entry.directory && entry.loaded === entry.version) return entry.directory;
    const now = deps.clock.elapsed();
    if (now - entry.windowStart >= Second.ms) Object.assign(entry, { windowStart: now, spentMs: 0 });
    if (entry.directory && entry.spentMs >= BUSIEST_MS) return entry.directory;
    await (entry.loading ??= load(entry, deps, now).finally(() => (entry.loading = undefined)));
  }
  return entry.directory!;
}

/** For tests: the next caller reads it again at once. */
export function forgetDirectory(deps: Pick<Deps, "cache">): void {
  held.delete(deps.cache);
  dropDeliveries(deps);
}

/** Called for channel `hubs`, when hubs or their deliveries changed. */
export function dropDirectory(deps: Pick<Deps, "cache">): void {
  heldBy(deps).version += 1;
  dropDeliveries(deps);
}
