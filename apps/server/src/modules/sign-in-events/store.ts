import type { Client, Prisma } from "@marketday/db";
import { addMs, Day } from "@marketday/domain/time";

const sentEvent = {
  id: true,
  event: true,
  visit: true,
  created_at: true,
  customer_id: true,
} satisfies Prisma.identify_eventSelect;
export type EventRow = Prisma.identify_eventGetPayload<{ select: typeof sentEvent }>;

/** An unsent event; null when it was sent or deleted. */
export const findUnnotified = (db: Client, id: number): Promise<EventRow | null> =>
  db.identify_event.findUnique({ where: { id, sent_at: null }, select: sentEvent });

const sentPerson = {
  id: true,
  email: true,
  first_name: true,
  last_name: true,
  zip_code: true,
  hub_id: true,
  subscribed_marketing_emails: true,
  subscribed_marketing_sms: true,
  utm_source: true,
  utm_campaign: true,
  trk: true,
} satisfies Prisma.customerSelect;

/** The customer's current data; null when the account is deleted. */
export async function findPerson(db: Client, customerId: number) {
  const row = await db.customer.findUnique({ where: { id: customerId, deleted_at: null }, select: sentPerson });
  return row?.email == null ? null : { ...row, email: row.email };
}

/** Marks an event as done: sent, rejected for good (`error`), or of a deleted account. */
export const markNotified = (db: Client, id: number, now: Date, error: string | null) =>
  db.identify_event.updateMany({
    where: { id },
    data: { sent_at: now, attempts: { increment: 1 }, last_error: error },
  });

/** Records a failed try for operators. */
export const markUnnotified = (db: Client, id: number, error: string) =>
  db.identify_event.updateMany({
    where: { id, sent_at: null },
    data: { attempts: { increment: 1 }, last_error: error.slice(0, 500) },
  });

/** Deletes events that were sent a week ago or failed for two days. At most `rows` at once. */
export async function deleteOldEvents(db: Client, now: Date, rows: number): Promise<number> {
  const isOld = {
    OR: [{ sent_at: { lt: addMs(now, -7 * Day.ms) } }, { sent_at: null, created_at: { lt: addMs(now, -2 * Day.ms) } }],
  };
  return (await db.identify_event.deleteMany({ where: isOld, limit: rows })).count;
}
