import type { DayDoor } from "@marketday/contracts/admin/door";
import { addCents, cents, toDollars } from "@marketday/domain/money";

import type { DoorBoxRow, DoorRow } from "./door-sql.ts";

type Group = DayDoor["groups"][number];
type DoorBox = Group["boxes"][number];

/** A box as it is listed. Money of a box that has an unpaid order is due, also when another order of it was paid. */
const toBox = (row: DoorBoxRow): DoorBox => ({
  orderId: row.orderId,
  tote: row.tote,
  name: row.name,
  place: row.pickup ?? row.city,
  stop: row.stop,
  state: row.dueCents > 0 ? "due" : "paid",
  // What was recorded has the orders of other days in it.
  amount: toDollars(cents(row.dueCents > 0 ? row.dueCents + row.elsewhereCents : row.paidCents)),
  elsewhere: toDollars(cents(row.elsewhereCents)),
  isDeclined: row.isDeclined,
  paidAt: row.paidAt === null ? null : new Date(row.paidAt).toISOString(),
  paidBy: row.paidBy,
});

const dueOf = (rows: readonly DoorBoxRow[]): number =>
  toDollars(addCents(...rows.map((row) => cents(row.dueCents > 0 ? row.dueCents + row.elsewhereCents : 0))));

/** Also of boxes that are due again, so that the sums of all days are the money that was collected. */
const paidOf = (rows: readonly DoorBoxRow[]): number =>
  toDollars(addCents(...rows.map(({ collectedCents }) => cents(collectedCents))));

/** Drivers by number, pickup points by name, then what is on no sheet. */
const compareGroups = (one: Group, other: Group): number => {
  if (one.driver !== null || other.driver !== null) return (one.driver ?? Infinity) - (other.driver ?? Infinity);
  if (one.pickup === null || other.pickup === null) return Number(one.pickup === null) - Number(other.pickup === null);
  return one.pickup.localeCompare(other.pickup, "en");
};

/** A driver's number or a pickup point's name; a box without a tote is on no sheet. */
const placeOf = ({ driver, pickup, tote }: DoorBoxRow): string =>
  driver !== null ? `driver ${driver}` : pickup !== null && tote !== null ? `pickup ${pickup}` : "";

/** Money at the door as the admin API answers it. */
export function serializeDoor({ hub, cutoff_at, is_closed, boxes }: DoorRow, day: string): DayDoor {
  const groups = [...Map.groupBy(boxes, placeOf)].map(([place, rows]): Group => ({
    driver: rows[0]!.driver,
    pickup: place.startsWith("pickup") ? rows[0]!.pickup : null,
    boxes: rows.toSorted((one, other) => (one.stop ?? 0) - (other.stop ?? 0)).map(toBox),
    due: dueOf(rows),
    paid: paidOf(rows),
  }));
  return {
    hub,
    day,
    isClosed: is_closed,
    cutoffAt: cutoff_at.toISOString(),
    groups: groups.toSorted(compareGroups),
    due: dueOf(boxes),
    paid: paidOf(boxes),
  };
}
