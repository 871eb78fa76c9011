import type { Client, Tx } from "@marketday/db";
import { calendarDate, type CalendarDate, dateFromUtc, dateToUtc } from "@marketday/domain/calendar-date";

export interface NewDelivery {
  hubId: number;
  day: CalendarDate;
  cutoff: Date;
  autoCheckoutAt: Date;
}

/** Adds delivery days; existing ones stay. @returns the number of new days */
export async function insertDeliveries(db: Client, deliveries: readonly NewDelivery[]): Promise<number> {
  const { count } = await db.delivery.createMany({
    data: deliveries.map(({ hubId, day, cutoff, autoCheckoutAt }) => ({
      hub_id: hubId,
      day: dateToUtc(day),
      cutoff_at: cutoff,
      auto_checkout_at: autoCheckoutAt,
    })),
    skipDuplicates: true,
  });
  return count;
}

/** The weekday, zone and closed dates that a hub's delivery days follow. */
export async function findRule(
  db: Client,
  hubId: number,
): Promise<{ delivery_day: string; time_zone: string; closures: CalendarDate[] } | null> {
  const hub = await db.hub.findUnique({
    where: { id: hubId },
    select: { delivery_day: true, time_zone: true, closures: { select: { day: true } } },
  });
  return hub && { ...hub, closures: hub.closures.map(({ day }) => dateFromUtc(day)) };
}

/** Those of these dates that have orders to deliver, with how many. */
export async function findDatesWithOrders(
  tx: Tx,
  slug: string,
  days: readonly string[],
): Promise<{ day: CalendarDate; orders: number }[]> {
  const toDeliver = { status: { in: ["future", "open", "pending"] } };
  const deliveries = await tx.delivery.findMany({
    where: { hub: { slug }, day: { in: days.map((day) => dateToUtc(calendarDate(day))) }, orders: { some: toDeliver } },
    select: { day: true, _count: { select: { orders: { where: toDeliver } } } },
    orderBy: { day: "asc" },
  });
  return deliveries.map(({ day, _count }) => ({ day: dateFromUtc(day), orders: _count.orders }));
}

/** Deletes delivery days. */
export const deleteDays = (tx: Tx, ids: readonly number[]): Promise<unknown> =>
  tx.delivery.deleteMany({ where: { id: { in: [...ids] } } });
