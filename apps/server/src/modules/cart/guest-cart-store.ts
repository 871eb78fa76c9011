import type { Tx } from "@marketday/db";

import type { CustomerId, GuestId } from "../identity/context.ts";

/** The cart of a guest who registers becomes the customer's. */
export const giveGuestCart = (tx: Tx, guestId: GuestId, customerId: CustomerId) =>
  tx.cart.updateMany({
    where: { guest_id: guestId },
    data: { customer_id: customerId, guest_id: null, version: { increment: 1 } },
  });
