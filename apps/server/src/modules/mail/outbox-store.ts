import type { Client, Db, Prisma } from "@marketday/db";

const sentColumns = {
  id: true,
  key: true,
  template: true,
  to_email: true,
  data: true,
  is_secret: true,
} satisfies Prisma.mailSelect;
/** The data is always an object. */
export type MailRow = Prisma.mailGetPayload<{ select: typeof sentColumns }> & { data: Record<string, unknown> };

/** A mail that is due and unsent; null otherwise. */
export const findUnsent = async (db: Db, id: number, now: Date): Promise<MailRow | null> =>
  (await db.mail.findFirst({
    where: { id, sent_at: null, OR: [{ next_at: null }, { next_at: { lte: now } }] },
    select: sentColumns,
  })) as MailRow | null;

/** Marks a mail as sent. Secret data is deleted. */
export async function markSent(db: Db, { id, is_secret }: Pick<MailRow, "id" | "is_secret">, now: Date): Promise<void> {
  await db.mail.updateMany({
    where: { id },
    data: { sent_at: now, attempts: { increment: 1 }, last_error: null, ...(is_secret && { data: {} }) },
  });
}

/** Stores the error of a failed attempt, for operators. */
export async function markUnsent(db: Db, id: number, error: string): Promise<void> {
  await db.mail.updateMany({
    where: { id, sent_at: null },
    data: { attempts: { increment: 1 }, last_error: error.slice(0, 500) },
  });
}

/** Deletes mails that were sent before an instant: at most `rows` at once. */
export const deleteSentMails = async (db: Db, before: Date, rows: number): Promise<number> =>
  (await db.mail.deleteMany({ where: { sent_at: { lt: before } }, limit: rows })).count;

/** Deletes a mail that was sent about an event that may happen again. */
export const deleteSent = (db: Client, key: string) => db.mail.deleteMany({ where: { key, sent_at: { not: null } } });

/** Deletes a mail that was not sent yet and is no longer true. */
export const deleteUnsent = (db: Client, key: string) => db.mail.deleteMany({ where: { key, sent_at: null } });

/** The customer with this address, and whether they subscribed to the market's messages; null: there is none. */
export const findRecipient = (
  db: Db,
  email: string,
): Promise<{ id: number; subscribed_all_messages: boolean } | null> =>
  db.customer.findUnique({ where: { email, deleted_at: null }, select: { id: true, subscribed_all_messages: true } });

/** Unsubscribes a customer from the market's messages; false if there is no such customer. */
export async function unsubscribeRecipient(db: Db, customerId: number): Promise<boolean> {
  const { count } = await db.customer.updateMany({
    where: { id: customerId, deleted_at: null },
    data: { subscribed_all_messages: false, subscribed_marketing_emails: false },
  });
  return count === 1;
}
