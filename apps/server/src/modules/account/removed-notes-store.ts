import type { Db } from "@marketday/db";

/** Deletes notes on orders that were removed before an instant: at most `rows` at once. */
export const deleteRemovedOrderNotes = async (db: Db, before: Date, rows: number): Promise<number> =>
  (await db.order_note.deleteMany({ where: { removed_at: { lt: before } }, limit: rows })).count;

/** Deletes notes on people that were removed before an instant: at most `rows` at once. */
export const deleteRemovedNotes = async (db: Db, before: Date, rows: number): Promise<number> =>
  (await db.customer_note.deleteMany({ where: { removed_at: { lt: before } }, limit: rows })).count;
