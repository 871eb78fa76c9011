import type { ListedOrder } from "@marketday/contracts/admin/order-list";

import { boxStatus, dollars, serializeBoxMoney } from "../orders/box-money.ts";
import type { ListedBox } from "./boxes-sql.ts";

const flagsOf = (box: ListedBox): ListedOrder["flags"] => [
  ...(box.has_notes ? (["note"] as const) : []),
  ...(box.is_auto ? (["auto"] as const) : []),
  ...(box.is_first ? (["first"] as const) : []),
  ...(box.has_problem ? (["problem"] as const) : []),
];

/** A box in the list. `readsPeople`: of its hub; without it only the city of an address is shown. */
export const toListedOrder = (box: ListedBox, readsPeople: boolean): ListedOrder => ({
  orderId: box.id,
  hub: box.hub,
  day: box.day,
  tote: box.tote,
  customerId: box.customer_id,
  name: box.name,
  status: boxStatus(box.statuses),
  lines: box.lines,
  units: box.units,
  matchingUnits: box.matching_units,
  place: readsPeople && box.zip !== "" ? `${box.place} ${box.zip}`.trim() : box.place,
  isPickup: box.type === "pickup",
  driver: box.driver,
  stop: box.stop,
  total: dollars(box.total_cents),
  money: serializeBoxMoney(box),
  placedAt: box.placed_at.toISOString(),
  flags: flagsOf(box),
});
