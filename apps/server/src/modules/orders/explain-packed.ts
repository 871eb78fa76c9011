import { dateInZone } from "@marketday/domain/calendar-date";
import { explainOrder } from "@marketday/domain/order-state";

import type { OrderForMail } from "./find-order-for-mail.ts";

const nothing = {
  paymentProblem: null,
  packed: "all",
  isPaidAtDoor: false,
  missing: [],
  refunds: { done: null, underway: null, byHand: null, failed: null },
  waived: null,
} as const;

/** Where a closed order is that was paid, so it is packed; nothing once its day is over. For the mail that it is paid. */
export function explainPacked(order: OrderForMail): string[] {
  const { status, type, day, cutoff_at: cutoff, time_zone: timeZone, pickup, now } = order;
  if (status !== "pending" || day < dateInZone(now, timeZone)) return [];
  const place = { type, deliveryDate: day, cutoff, timeZone, pickupPoint: pickup?.name ?? null };
  return explainOrder({ ...nothing, ...place, status }, now);
}
