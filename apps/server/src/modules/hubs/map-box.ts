import type { Position } from "@marketday/domain/geo";

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
