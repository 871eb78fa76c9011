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

const amountOf = (rows: readonly DoorBoxRow[], state: DoorBox["state"]): number =>
  toDollars(
    addCents(
      ...rows.map(({ dueCents, elsewhereCents, paidCents }) => {
        if (state === "due") return cents(dueCents > 0 ? dueCents + elsewhereCents : 0);
        return cents(dueCents > 0 ? 0 : paidCents);
      }),
    ),
  );

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
    due: amountOf(rows, "due"),
    paid: amountOf(rows, "paid"),
  }));
  return {
    hub,
    day,
    isClosed: is_closed,
    cutoffAt: cutoff_at.toISOString(),
    groups: groups.toSorted(compareGroups),
    due: amountOf(boxes, "due"),
    paid: amountOf(boxes, "paid"),
  };
}
