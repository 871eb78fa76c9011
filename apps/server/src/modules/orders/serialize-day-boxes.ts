import type { DayBoxes } from "@marketday/contracts/admin/orders";

import { boxStatus, dollars, serializeBoxMoney } from "./box-money.ts";
import type { DayBoxesRow } from "./day-boxes-sql.ts";

/** The boxes of a delivery day as the admin API answers them. */
export function serializeDayBoxes({ hub, boxes }: DayBoxesRow, day: string): DayBoxes {
  const live = boxes.filter((box) => !box.is_cancelled);
  return {
    hub,
    day,
    boxes: boxes.map((box) => ({
      orderId: box.id,
      tote: box.tote,
      name: box.name,
      status: boxStatus(box.statuses),
      units: box.units,
      place: box.place,
      isPickup: box.type === "pickup",
      driver: box.driver,
      stop: box.stop,
      total: dollars(box.total_cents),
      money: serializeBoxMoney(box),
      hasNotes: box.has_notes,
    })),
    total: dollars(live.reduce((sum, box) => sum + box.total_cents, 0)),
    due: dollars(live.reduce((sum, box) => sum + box.collect_cents, 0)),
  };
}
