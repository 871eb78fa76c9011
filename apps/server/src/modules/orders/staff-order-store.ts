import type { Client } from "@marketday/db";

/** An order as the staff find it: its market, its day and its customer. */
export async function findStaffOrder(db: Client, orderId: number) {
  const row = await db.order.findUnique({
    where: { id: orderId },
    select: {
      id: true,
      add_on_to_id: true,
      delivery_id: true,
      hub: { select: { id: true, name: true } },
      customer: { select: { id: true, first_name: true, last_name: true, email: true, deleted_at: true } },
    },
  });
  if (!row) return null;
  const { customer } = row;
  const hasAccount = customer !== null && customer.deleted_at === null;
  return {
    id: row.id,
    boxId: row.add_on_to_id ?? row.id,
    deliveryId: row.delivery_id,
    hub: row.hub,
    /** Who gets its emails; null: the account was deleted, or has no address. */
    customerId: hasAccount && customer.email !== null ? customer.id : null,
    /** Empty when the account was deleted. */
    name: hasAccount ? `${customer.first_name} ${customer.last_name}`.trim() : "",
  };
}
export type StaffOrder = NonNullable<Awaited<ReturnType<typeof findStaffOrder>>>;
