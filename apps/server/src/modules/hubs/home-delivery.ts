import type { HomeDelivery } from "@marketday/contracts/hubs";
import { formatHomeDelivery } from "@marketday/domain/home-delivery";

import type { HubDirectory } from "./directory.ts";

/** A ZIP code, with a point in it where one is known (degrees). */
interface Spot {
  zipCode: string;
  lat: number | null;
  lng: number | null;
}
/** Where an order would go. */
export interface Door extends Spot {
  /** An address was typed: the point may be another place of its ZIP code, where the person came in. */
  isAddress: boolean;
}

/**
 * The hubs that deliver to a door, nearest first: by its point where there is one, else by the centroid of its ZIP code, and by
 * their lists of ZIP codes. For an address the point adds hubs to those of its ZIP code.
 */
export function hubsAtDoor(directory: HubDirectory, { zipCode, lat, lng, isAddress }: Door) {
  if (lat === null || lng === null) return directory.serving({ zipCode });
  const atPoint = directory.serving({ lat, lng, zipCode });
  return isAddress ? [...new Set([...atPoint, ...directory.serving({ zipCode })])] : atPoint;
}

/** Whether a hub delivers to a door, and what it offers instead (docs/product.md §3 "Market of a session"). Null: the hub is not published. */
export function homeDeliveryOf(directory: HubDirectory, hubId: number, door: Door): HomeDelivery | null {
  const hub = directory.byId(hubId);
  if (!hub) return null;
  const serving = hubsAtDoor(directory, door);
  const isPossible = serving.some(({ id }) => id === hubId);
  const [other] = serving;
  const note = formatHomeDelivery(
    door.zipCode,
    { name: hub.name, deliveryDay: hub.delivery_day, delivers: isPossible },
    hub.pickup_points,
    other ? { name: other.name, deliveryDay: other.delivery_day } : null,
  );
  return { zipCode: door.zipCode, isPossible, note };
}

/** Where a person lives or came in: a ZIP code, and a point in it (degrees). */
export interface Person {
  zip_code: string | null;
  lat: number | null;
  lng: number | null;
}

/** The point that is known of a person, if it is in this ZIP code. */
const spotIn = (zipCode: string, person: Person): Spot =>
  person.zip_code === zipCode ? { zipCode, lat: person.lat, lng: person.lng } : { zipCode, lat: null, lng: null };

/** An address in this ZIP code, of a person. */
export const addressDoor = (zipCode: string, person: Person): Door => ({ ...spotIn(zipCode, person), isAddress: true });

/** A ZIP code that a person lives in, without an address. */
export const personDoor = (zipCode: string, person: Person): Door => ({ ...spotIn(zipCode, person), isAddress: false });
