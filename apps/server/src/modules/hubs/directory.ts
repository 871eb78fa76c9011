import type { Hub } from "@marketday/contracts/hubs";
import {
  type BoundaryIndex,
  buildBoundaryIndex,
  distanceKm,
  type HubArea,
  parseWkt,
  type Polygon,
  WktError,
} from "@marketday/domain/geo";

import type { Deps } from "../../deps.ts";
import type { Geocoder } from "../../gateways/geocoder/geocoder.ts";
import { bytesOfBody, type Cached, sharedOf } from "../../lib/cache.ts";
import { nextDeliveries } from "./deliveries.ts";
import { findHubs, type HubFacts, type HubRow } from "./directory-store.ts";
import { serializeHub } from "./serialize.ts";

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

/** Every published hub, from the cache. */
export async function hubDirectory(deps: Deps): Promise<HubDirectory> {
  const load = async () =>
    buildDirectory(await findHubs(deps.db), deps.geocoder, (hubId, error) =>
      deps.log.warn({ hubId, err: error }, "a boundary is no polygon"),
    );
  return (await deps.cache.getFresh("hubs", "directory", load, { isCostly: true, bytes: 0 })).value;
}

/** The list of every published hub (spec §7.2), by name. */
export async function listHubs(deps: Deps, now: Date): Promise<Cached<Hub[]>> {
  const directory = await hubDirectory(deps);
  const deliveries = await nextDeliveries(deps, now);
  const make = async (): Promise<Cached<Hub[]>> => {
    const hubs = directory.all().toSorted((a, b) => a.name.localeCompare(b.name, "en") || a.id - b.id);
    return sharedOf(hubs.map((hub) => serializeHub(hub, deliveries.get(hub.id) ?? null)));
  };
  return deps.cache.derive("hubs", [directory, deliveries], make, bytesOfBody);
}
