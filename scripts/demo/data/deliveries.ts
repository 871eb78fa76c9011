import { addDays, type CalendarDate, dateInZone, WEEKDAYS } from "@marketday/domain/calendar-date";
import { deliveryDayOf } from "@marketday/domain/delivery";
import { addMs, Day, Hour, Minute } from "@marketday/domain/time";

import { hubPlans } from "./hubs.ts";
import type { DeliveryRow, LooseRow } from "./rows.ts";

/** Weeks with orders before the current one, and weeks after it. */
const WEEKS = 12;

/** Delivery days of the past 12 weeks, of the current one and of the next 12, by hub, without closures. */
export function buildDeliveries(monday: CalendarDate, closures: ReadonlyMap<number, CalendarDate>): DeliveryRow[] {
  const rows: DeliveryRow[] = [];
  for (const hub of hubPlans) {
    const offset = (WEEKDAYS.indexOf(hub.weekday) + 6) % 7;
    for (let week = -WEEKS; week <= WEEKS; week++) {
      const day = addDays(monday, week * 7 + offset);
      if (closures.get(hub.id) === day) continue;
      const { cutoff, autoCheckoutAt } = deliveryDayOf(day, hub.zone);
      rows.push({
        id: rows.length + 1,
        hub_id: hub.id,
        day,
        cutoff_at: cutoff.toISOString(),
        auto_checkout_at: autoCheckoutAt.toISOString(),
      });
    }
  }
  return rows;
}

/** Runs of the steps of deliveries that are over at `now`, as done. */
export function buildRuns(deliveries: readonly DeliveryRow[], now: Date): LooseRow[] {
  return deliveries.flatMap((delivery) => {
    const hub = hubPlans.find(({ id }) => id === delivery.hub_id);
    const cutoff = new Date(delivery.cutoff_at);
    const opened = addMs(cutoff, -7 * Day.ms);
    const steps: [string, Date][] = [
      ["open", opened],
      ["auto_checkout", new Date(delivery.auto_checkout_at)],
      ["cutoff", cutoff],
    ];
    if (hub && dateInZone(now, hub.zone) > delivery.day) steps.push(["close", addMs(cutoff, 47 * Hour.ms)]);
    // An auto-checkout before its cutoff is left to the jobs.
    const over = steps.filter(([step, at]) => at <= now && (step !== "auto_checkout" || cutoff <= now));
    return over.map(([step, at]) => ({
      delivery_id: delivery.id,
      step,
      state: "done",
      lease_until: at.toISOString(),
      started_at: at.toISOString(),
      done_at: addMs(at, Minute.ms).toISOString(),
    }));
  });
}
