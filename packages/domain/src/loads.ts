/** Who carries which box where (decisions §14): pickup points and drivers. Server-side: routes carry turf. */

import { at } from "./at.ts";
import { planRoutes, type Point, routeKm, type RouteStop } from "./route.ts";
import { type Box, type Doorstep, type PickupPlace, STORAGES, type Storage } from "./sheets.ts";

/** A doorstep on a driver's way. `place` counts from 1. */
export interface DriverStop {
  place: number;
  box: Box;
  door: Doorstep;
  units: Record<Storage, number>;
}
/** A driver with the stops in the order to drive; `km` between zip centroids, from the hub, without the way home. */
export interface DriverRoute {
  driver: number;
  km: number;
  stops: DriverStop[];
}
/** The boxes that wait at one pickup point, by the name of who fetches them. */
export interface PickupLoad {
  point: PickupPlace;
  boxes: { box: Box; units: Record<Storage, number> }[];
}
/** A box that says neither door nor pickup point: its account was deleted after the cutoff. */
export interface Loads {
  routes: DriverRoute[];
  pickups: PickupLoad[];
  unknown: Box[];
}

/** Units of a box by how they are packed. */
export function unitsOf(box: Box): Record<Storage, number> {
  const units = Object.fromEntries(STORAGES.map((storage) => [storage, 0])) as Record<Storage, number>;
  for (const { storage, quantity } of box.lines) units[storage] += quantity;
  return units;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Two points of the same name are told apart by their address. */
const placeKey = ({ name, address, zipCode, hours }: PickupPlace): string => [name, address, zipCode, hours].join("\n");

/** What is shared out over so many drivers; `pointOf` gives a zip's centroid, null for an unknown one. */
export function planLoads(
  boxes: readonly Box[],
  { start, drivers, pointOf }: { start: Point; drivers: number; pointOf: (zipCode: string) => Point | null },
): Loads {
  const sorted = boxes.toSorted((a, b) => a.tote - b.tote);
  const stops = sorted.flatMap((box): (RouteStop & { box: Box; door: Doorstep })[] =>
    box.door
      ? [{ box, door: box.door, zipCode: box.door.zipCode, street: box.door.address, point: pointOf(box.door.zipCode) }]
      : [],
  );
  const routes = planRoutes(start, stops, drivers).map((route, place) => ({
    driver: place + 1,
    km: routeKm(start, route),
    stops: route.map(({ box, door }, stop) => ({ place: stop + 1, box, door, units: unitsOf(box) })),
  }));
  const waiting = sorted.flatMap((box) => (box.pickup && !box.door ? [{ box, pickup: box.pickup }] : []));
  const pickups = [...Map.groupBy(waiting, ({ pickup }) => placeKey(pickup)).values()]
    .map((here): PickupLoad => ({
      point: at(here, 0).pickup,
      boxes: here
        .map(({ box }) => ({ box, units: unitsOf(box) }))
        .toSorted((a, b) => byText(lastName(a.box.name), lastName(b.box.name)) || a.box.tote - b.box.tote),
    }))
    .toSorted((a, b) => byText(a.point.name, b.point.name) || byText(a.point.address, b.point.address));
  return { routes, pickups, unknown: sorted.filter(({ door, pickup }) => !door && !pickup) };
}

/** "Anna Baker" is found under B. */
function lastName(name: string): string {
  const words = name.trim().toLowerCase().split(/\s+/);
  return [words.at(-1), ...words.slice(0, -1)].join(" ");
}
