import { dateInZone } from "@marketday/domain/calendar-date";
import { explainOrder } from "@marketday/domain/order-state";

import type { OrderForMail } from "./find-order-for-mail.ts";

const paidInFull = {
  paymentProblem: null,
  packed: "all",
  isPaidAtDoor: false,
  missing: [],
  refunds: { done: null, underway: null, byHand: null, failed: null },
  waived: null,
} as const;

/**
 * Where a paid order is between its cutoff and the end of its day; empty otherwise. Also empty on its day where the hub packs no
 * unpaid orders: it may have been paid after the others were packed.
 */
export function explainPacked(order: OrderForMail): string[] {
  const { status, type, day, cutoff_at: cutoff, time_zone: timeZone, pickup, now } = order;
  const today = dateInZone(now, timeZone);
  if (status !== "pending" || day < today || (day === today && !order.packs_unpaid)) return [];
  const place = { type, deliveryDate: day, cutoff, timeZone, pickupPoint: pickup?.name ?? null };
  return explainOrder({ ...paidInFull, ...place, status }, now);
}
