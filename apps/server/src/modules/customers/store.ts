import type { Client, Tx } from "@marketday/db";

import type { CustomerId, StaffId } from "../identity/context.ts";

/** A person, their market and the markets in which they have ordered. */
export async function findPerson(db: Client, id: number) {
  const row = await db.customer.findUnique({
    where: { id },
    select: {
      id: true,
      email: true,
      first_name: true,
      last_name: true,
      deleted_at: true,
      hub: { select: { id: true, name: true, time_zone: true } },
      orders: { select: { hub_id: true }, distinct: ["hub_id"] },
    },
  });
  if (!row) return null;
  const own = row.hub?.id;
  return {
    id: row.id,
    email: row.email,
    /** Empty when the account was deleted. */
    name: `${row.first_name} ${row.last_name}`.trim(),
    isDeleted: row.deleted_at !== null,
    hub: row.hub,
    /** Their own market first. */
    hubIds: [...new Set([...(own === undefined ? [] : [own]), ...row.orders.map(({ hub_id: hubId }) => hubId)])],
  };
}
export type Person = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

/** A delivery of a market; null: it is of another one, or there is none. */
export const findDelivery = (db: Client, id: number, hubId: number) =>
  db.delivery.findFirst({ where: { id, hub_id: hubId }, select: { id: true, day: true } });

/** Whether a customer skips a delivery. */
export const isSkipping = async (db: Client, customerId: CustomerId, deliveryId: number): Promise<boolean> =>
  (await db.subscription_skip.count({ where: { customer_id: customerId, delivery_id: deliveryId } })) > 0;

export const insertNote = (
  tx: Tx,
  note: { customerId: CustomerId; staffId: StaffId; text: string; now: Date },
): Promise<{ id: number }> =>
  tx.customer_note.create({
    data: { customer_id: note.customerId, staff_id: note.staffId, text: note.text, created_at: note.now },
    select: { id: true },
  });

/** Removes a note. False: it is removed, or the customer has no such note. */
export const removeNote = async (tx: Tx, customerId: CustomerId, id: number, now: Date): Promise<boolean> =>
  (
    await tx.customer_note.updateMany({
      where: { id, customer_id: customerId, removed_at: null },
      data: { removed_at: now },
    })
  ).count === 1;

/** Puts a removed note back. False: it is there, or was deleted with the account. */
export const restoreNote = async (tx: Tx, customerId: CustomerId, id: number): Promise<boolean> =>
  (
    await tx.customer_note.updateMany({
      where: { id, customer_id: customerId, removed_at: { not: null } },
      data: { removed_at: null },
    })
  ).count === 1;
