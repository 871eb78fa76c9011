import type { DayDoor } from "@marketday/contracts/admin/door";
import { addDollars } from "@marketday/domain/money";
import { formatTotes } from "@marketday/domain/totes";

import * as t from "#messages/door";

import { formatOrderNumber } from "../../lib/order-number.ts";
import type { DoorBox, DoorGroup } from "./api.ts";

/** "Driver 1", "Pickup: Depot", "On no sheet" */
export const formatGroup = ({ driver, pickup }: Pick<DoorGroup, "driver" | "pickup">): string =>
  driver === null ? (pickup === null ? t.noSheet : t.pickup(pickup)) : t.driver(driver);

/** "Tote 12"; without one "Order 312 325 384". */
export const formatBox = ({ tote, orderId }: Pick<DoorBox, "tote" | "orderId">): string =>
  tote === null ? t.order(formatOrderNumber(orderId)) : t.tote(tote);

export const formatName = ({ name }: Pick<DoorBox, "name">): string => (name === "" ? t.deletedAccount : name);

/** The command that records these boxes as paid, without `./market`; by order numbers when a box is in no tote. */
export function formatCommand({ hub, day }: Pick<DayDoor, "hub" | "day">, boxes: readonly DoorBox[]): string {
  const totes = boxes.flatMap(({ tote }) => tote ?? []).toSorted((a, b) => a - b);
  if (totes.length === boxes.length) return `orders paid ${hub.slug} ${day} --tote ${formatTotes(totes)}`;
  return `orders paid ${boxes.map(({ orderId }) => orderId).join(" ")}`;
}

/** Of these boxes, in dollars. */
export const sumOf = (boxes: readonly Pick<DoorBox, "amount">[]): number =>
  addDollars(...boxes.map(({ amount }) => amount));

export const isDue = ({ state }: Pick<DoorBox, "state">): boolean => state === "due";
