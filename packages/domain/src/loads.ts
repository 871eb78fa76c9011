/** Who carries which box where (docs/product.md §14): pickup points and drivers. Server-side: routes carry turf. */

import type { DeliveryAddress, PickupPlace } from "./address.ts";
import { distanceKm } from "./geo.ts";
import { getOrThrow } from "./get-or-throw.ts";
import { planRoutes, type Point, routeKm, type RouteStop } from "./route.ts";
import { type Box, destinationsOf, type DayVersion, type RoutePlan, STORAGES, type Storage } from "./sheets.ts";

/** A doorstep on a driver's way. `place` counts from 1 and may have gaps. */
export interface DriverStop {
  place: number;
  box: Box;
  door: DeliveryAddress;
  units: Record<Storage, number>;
}
/** A driver with the stops in the order to drive; `km` between zip centroids, from the hub, without the way home. */
export interface DriverRoute {
  driver: number;
  km: number;
  stops: DriverStop[];
  /** Stop numbers without a delivery: cancelled, or moved to another stop. */
  gaps: number[];
}
/** The boxes that wait at one pickup point, by the name of who fetches them. */
interface PickupLoad {
  point: PickupPlace;
  boxes: { box: Box; units: Record<Storage, number> }[];
}
/** `unknown`: boxes with neither door nor pickup point, because the account was deleted after the cutoff. */
export interface Loads {
  routes: DriverRoute[];
  pickups: PickupLoad[];
  unknown: Box[];
}
/** Where the drivers start, and a zip's centroid (null for an unknown one). */
export interface RouteMap {
  start: Point;
  pointOf: (zipCode: string) => Point | null;
}

/** Units of a box by how they are packed. */
function unitsOf(box: Box): Record<Storage, number> {
  const units = Object.fromEntries(STORAGES.map((storage) => [storage, 0])) as Record<Storage, number>;
  for (const { storage, quantity } of box.lines) units[storage] += quantity;
  return units;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Two points of the same name are distinguished by their address. */
const placeKey = ({ name, address, zipCode, hours }: PickupPlace): string => [name, address, zipCode, hours].join("\n");

type Door = RouteStop & { box: Box };

const doorsOf = (boxes: readonly Box[], pointOf: RouteMap["pointOf"]): Door[] =>
  boxes
    .toSorted((a, b) => a.tote - b.tote)
    .flatMap((box) =>
      box.door ? [{ box, zipCode: box.door.zipCode, street: box.door.address, point: pointOf(box.door.zipCode) }] : [],
    );

/** The route whose last stop is nearest to the door; of equally near ones the one with fewer stops, then the first. */
function nearestRoute(routes: readonly (readonly Door[])[], door: Door): number {
  const [best] = routes
    .flatMap((stops, route) => {
      const last = stops.findLast(({ point }) => point !== null)?.point;
      const km = last && door.point ? distanceKm(last, door.point) : Infinity;
      return stops.length > 0 ? [{ route, km, stops: stops.length }] : [];
    })
    // Not a difference: infinite minus infinite is no number.
    .toSorted((a, b) => (a.km === b.km ? a.stops - b.stops || a.route - b.route : a.km < b.km ? -1 : 1));
  return best?.route ?? 0;
}

/**
 * The routes of a version. Without `previous`, or for another number of drivers, they are planned from scratch. Otherwise
 * every box of the previous version keeps its driver and stop, also when its address changes within the zip; a cancelled
 * one leaves a gap, as does one whose account was deleted, and what is new or has another zip comes at the end of the route that ends nearest to it.
 * Throws RangeError for less than one driver.
 */
export function planStops(
  boxes: readonly Box[],
  { start, pointOf, drivers, previous }: RouteMap & { drivers: number; previous: DayVersion | null },
): RoutePlan {
  const doors = doorsOf(boxes, pointOf);
  const plan = previous?.plan;
  if (!plan || plan.drivers !== drivers)
    return {
      drivers,
      routes: planRoutes(start, doors, drivers).map((route) => route.map(({ box }) => box.orderId)),
    };
  const doorOf = new Map(doors.map((door) => [door.box.orderId, door]));
  const boxOf = new Map(boxes.map((box) => [box.orderId, box]));
  const zipBefore = new Map(previous.boxes.map((box) => [box.orderId, box.door?.zipCode]));
  const isStaying = (orderId: number): boolean => {
    const box = boxOf.get(orderId);
    // What was cancelled or is fetched now gets its stop back if it is delivered after all.
    if (!box?.door) return !box || box.pickup !== null;
    const before = zipBefore.get(orderId);
    return before === undefined || before === box.door.zipCode;
  };
  const routes = plan.routes.map((route) => route.map((id) => (id !== null && isStaying(id) ? id : null)));
  const isPlanned = new Set(routes.flat());
  for (const door of doors) {
    if (isPlanned.has(door.box.orderId)) continue;
    if (routes.length === 0) routes.push([]);
    const live = routes.map((route) => route.flatMap((id) => (id === null ? [] : (doorOf.get(id) ?? []))));
    getOrThrow(routes, nearestRoute(live, door)).push(door.box.orderId);
  }
  return { drivers, routes };
}

/** Who carries which box of a version whose routes are planned. */
export function planLoads({ boxes, plan }: DayVersion & { plan: RoutePlan }, { start, pointOf }: RouteMap): Loads {
  const sorted = boxes.toSorted((a, b) => a.tote - b.tote);
  const boxOf = new Map(sorted.map((box) => [box.orderId, box]));
  const routes = plan.routes.flatMap((route, place): DriverRoute[] => {
    const stops = route.flatMap((id, stop): DriverStop[] => {
      const box = id === null ? undefined : boxOf.get(id);
      return box?.door ? [{ place: stop + 1, box, door: box.door, units: unitsOf(box) }] : [];
    });
    if (stops.length === 0) return [];
    const km = routeKm(
      start,
      stops.flatMap(({ box }) => doorsOf([box], pointOf)),
    );
    const isDriven = new Set(stops.map((stop) => stop.place));
    const gaps = route.flatMap((_, stop) => (isDriven.has(stop + 1) ? [] : [stop + 1]));
    return [{ driver: place + 1, km, stops, gaps }];
  });
  const waiting = sorted.flatMap((box) => (box.pickup && !box.door ? [{ box, pickup: box.pickup }] : []));
  const pickups = [...Map.groupBy(waiting, ({ pickup }) => placeKey(pickup)).values()]
    .map((here): PickupLoad => ({
      point: getOrThrow(here, 0).pickup,
      boxes: here
        .map(({ box }) => ({ box, units: unitsOf(box) }))
        .toSorted((a, b) => byText(lastName(a.box.name), lastName(b.box.name)) || a.box.tote - b.box.tote),
    }))
    .toSorted((a, b) => byText(a.point.name, b.point.name) || byText(a.point.address, b.point.address));
  const goesTo = destinationsOf({ plan });
  return { routes, pickups, unknown: sorted.filter((box) => goesTo(box) === null) };
}

/** "Anna Baker" is found under B. */
function lastName(name: string): string {
  const words = name.trim().toLowerCase().split(/\s+/);
  return [words.at(-1), ...words.slice(0, -1)].join(" ");
}
