import type { Position } from "@marketday/domain/geo";

/** The size of every drawing, in its units. */
export const MAP_WIDTH = 1000;
export const MAP_HEIGHT = 680;

/** The margin on each side, as a share of the size. */
const AIR = 0.28;
/** The margin around a single place, degrees. */
const LEAST_SPAN = 0.4;
/** The projection excludes the poles. */
const FARTHEST = 85;

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const degrees = (radians: number) => (radians * 180) / Math.PI;

/** Web Mercator with the longitude unchanged, as maps in browsers use it. */
const mercator = (lat: number) =>
  degrees(Math.log(Math.tan(Math.PI / 4 + radians(Math.min(Math.max(lat, -FARTHEST), FARTHEST)) / 2)));
const latitude = (y: number) => degrees(2 * Math.atan(Math.exp(radians(y))) - Math.PI / 2);

/** A section of the map, and the conversion of degrees to the drawing's units. */
export interface Frame {
  /** The section in degrees. */
  bounds: Box;
  /** `[x, y]`, y downwards. */
  project: (position: Position) => [number, number];
}

/** The frame around positions, with a margin, always of the same shape. */
export function frameAround(positions: readonly Position[]): Frame {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lng, lat] of positions) {
    const y = mercator(lat);
    [west, east] = [Math.min(west, lng), Math.max(east, lng)];
    [south, north] = [Math.min(south, y), Math.max(north, y)];
  }
  const x = (west + east) / 2;
  const y = (south + north) / 2;
  const wide = Math.max(east - west, LEAST_SPAN) * (1 + 2 * AIR);
  const high = Math.max(north - south, LEAST_SPAN) * (1 + 2 * AIR);
  // The same number of units per degree in both directions, so that shapes are not distorted.
  const scale = Math.min(MAP_WIDTH / wide, MAP_HEIGHT / high);
  const left = x - MAP_WIDTH / scale / 2;
  const top = y + MAP_HEIGHT / scale / 2;
  return {
    bounds: {
      west: left,
      east: left + MAP_WIDTH / scale,
      north: latitude(top),
      south: latitude(top - MAP_HEIGHT / scale),
    },
    project: ([lng, lat]) => [(lng - left) * scale, (top - mercator(lat)) * scale],
  };
}

/** Whether a segment may be visible, in the frame and a margin for the width of a line. */
const nearFrame = ([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): boolean =>
  Math.max(ax, bx) > -20 &&
  Math.min(ax, bx) < MAP_WIDTH + 20 &&
  Math.max(ay, by) > -20 &&
  Math.min(ay, by) < MAP_HEIGHT + 20;

/** Steps shorter than this are not drawn, units. */
const LEAST_STEP = 0.6;
const tenth = (value: number) => Math.round(value * 10) / 10;

/** Points → one run of an SVG path, relative, to a tenth of a unit; `closed` for rings. */
function run(points: readonly (readonly [number, number])[], closed: boolean): string {
  const [first] = points;
  if (!first) return "";
  let [atX, atY] = [tenth(first[0]), tenth(first[1])];
  let steps = "";
  points.forEach(([px, py], place) => {
    const [x, y] = [tenth(px), tenth(py)];
    const last = place === points.length - 1;
    if (place === 0 || (!last && Math.hypot(x - atX, y - atY) < LEAST_STEP) || (last && x === atX && y === atY)) return;
    steps += `${steps ? " " : ""}${tenth(x - atX)} ${tenth(y - atY)}`;
    [atX, atY] = [x, y];
  });
  if (!steps) return "";
  return `M${tenth(first[0])} ${tenth(first[1])}l${steps}${closed ? "z" : ""}`;
}

/** Rings → one path; draw it with the even-odd rule, so that holes are holes. */
export const ringsPath = ({ project }: Frame, rings: readonly (readonly Position[])[]): string =>
  rings.map((ring) => run(ring.map(project), true)).join("");

/** Lines → one path of their visible parts. */
export function linesPath({ project }: Frame, lines: readonly (readonly Position[])[]): string {
  const runs: [number, number][][] = [];
  for (const line of lines) {
    let current: [number, number][] | null = null;
    let before: [number, number] | null = null;
    for (const position of line) {
      const point = project(position);
      if (before && nearFrame(before, point)) {
        if (!current) runs.push((current = [before]));
        current.push(point);
      } else current = null;
      before = point;
    }
  }
  return runs.map((points) => run(points, false)).join("");
}

/** West, south, east, north in degrees. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** The smallest box around positions. */
export function bboxOf(positions: readonly Position[]): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [lng, lat] of positions) {
    box.west = Math.min(box.west, lng);
    box.east = Math.max(box.east, lng);
    box.south = Math.min(box.south, lat);
    box.north = Math.max(box.north, lat);
  }
  return box;
}
