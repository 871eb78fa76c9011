import type { HubMap } from "@marketday/contracts/hubs";
import { contains, parseWkt, type Polygon, type Position, WktError } from "@marketday/domain/geo";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { bytesOfBody, type Cached, sharedOf, withoutInventory } from "../../lib/cache.ts";
import { findBoundaries } from "./directory-store.ts";
import { hubDirectory } from "./directory.ts";
import { atlas, type County } from "./map-atlas.ts";
import { type Frame, frameAround, linesPath, MAP_HEIGHT, MAP_WIDTH, ringsPath } from "./map-frame.ts";

/** A hub's place, area and zips, in degrees: everything a drawing depends on. */
export interface Drawn {
  lat: number;
  lng: number;
  /** WKT; an invalid one is left out. */
  boundaries: readonly string[];
  zips: readonly { zipCode: string; lat: number; lng: number }[];
}

/** Sample points of a county in each direction; fewer when there are many counties. */
const LOOKS = 12;
const FEW_LOOKS = 5;
const MANY_COUNTIES = 150;
/** The shares from which a county counts as delivered in full and in part. */
const ALL = 0.9;
const PART = 0.08;
/** The visible share of a county from which its name is drawn. */
const SEEN = 0.35;
const MARGIN = 24;

const polygonsOf = (boundaries: readonly string[]): Polygon[] =>
  boundaries.flatMap((wkt) => {
    try {
      return [parseWkt(wkt)];
    } catch (error) {
      if (error instanceof WktError) return [];
      throw error;
    }
  });

const inAny = (polygons: readonly Polygon[], [lng, lat]: Position): boolean =>
  polygons.some((polygon) => contains(polygon, lng, lat));

/** Points of a county on an even grid over its box; the center of each cell. */
function looksAt({ box, polygons }: County, looks: number): Position[] {
  const found: Position[] = [];
  for (let row = 0; row < looks; row += 1) {
    for (let column = 0; column < looks; column += 1) {
      const lng = box.west + ((column + 0.5) / looks) * (box.east - box.west);
      const lat = box.south + ((row + 0.5) / looks) * (box.north - box.south);
      if (inAny(polygons, [lng, lat])) found.push([lng, lat]);
    }
  }
  return found;
}

const isSeen = ([x, y]: readonly [number, number]): boolean =>
  x > MARGIN && x < MAP_WIDTH - MARGIN && y > MARGIN && y < MAP_HEIGHT - MARGIN;

/** A county's name in the middle of its visible part, and its delivered share; null: no label. */
function labelOf(
  county: County,
  { project }: Frame,
  area: readonly Polygon[],
  looks: number,
): HubMap["labels"][number] | null {
  const points = looksAt(county, looks);
  const within = points.filter((point) => inAny(area, point));
  const share = points.length === 0 ? 0 : within.length / points.length;
  const served = share >= ALL ? "all" : share >= PART ? "part" : null;
  const seen = (served === "part" ? within : points).map(project).filter(isSeen);
  if (seen.length === 0 || (served === null && seen.length < points.length * SEEN)) return null;
  const mean = (axis: 0 | 1) => Math.round(seen.reduce((sum, point) => sum + point[axis], 0) / seen.length);
  return { name: county.name, state: county.state, x: mean(0), y: mean(1), served };
}

/**
 * Draws a hub's area once, so that no browser needs map code, tiles or a map service for it (spec §7.12): state and
 * county lines, their names, the boundary, the hub and its zips, in one Web Mercator frame.
 */
export function drawHubMap({ lat, lng, boundaries, zips }: Drawn): HubMap {
  const area = polygonsOf(boundaries);
  const rings = area.flatMap(({ coordinates }) => coordinates);
  const around: Position[] = rings.length > 0 ? rings.flat() : zips.map((zip) => [zip.lng, zip.lat]);
  const frame = frameAround([...around, [lng, lat]]);
  const { bounds, project } = frame;
  const land = atlas();
  const counties = land.countiesIn(bounds);
  const looks = counties.length > MANY_COUNTIES ? FEW_LOOKS : LOOKS;
  const at = (position: Position) => {
    const [x, y] = project(position);
    return { x: Math.round(x), y: Math.round(y) };
  };
  return {
    viewBox: `0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`,
    bounds,
    counties: linesPath(frame, land.borders(counties)),
    states: linesPath(frame, land.states),
    boundary: ringsPath(frame, rings),
    labels: counties.flatMap((county) => labelOf(county, frame, area, looks) ?? []),
    pin: at([lng, lat]),
    zips: zips.map((zip) => ({ zipCode: zip.zipCode, ...at([zip.lng, zip.lat]) })),
  };
}

/** The drawing of a published hub, made once per state of the hub. Unknown hub: 404. */
export async function loadHubMap(deps: Deps, id: number): Promise<Cached<HubMap>> {
  const hub = (await hubDirectory(deps)).byId(id);
  if (!hub) throw notFound();
  const { value, etag } = await deps.cache.get(
    id,
    "boundaries",
    async () => (await findBoundaries(deps.db, id)) ?? [],
    { ...withoutInventory, dependsOn: ["listing"] },
  );
  const draw = async (): Promise<Cached<HubMap>> => {
    const zips = hub.zips.flatMap((zipCode) => deps.geocoder.place(zipCode) ?? []);
    return sharedOf(drawHubMap({ lat: hub.lat, lng: hub.lng, boundaries: value, zips }));
  };
  return deps.cache.derive(`map:${id}`, [hub, etag], draw, bytesOfBody);
}
