import type { Tx } from "@marketday/db";
import { AUTO_CHECKOUT } from "@marketday/domain/subscription";

import { NO_AUTO_ORDER } from "./day-box-store.ts";

/** A customer whose automatic order for a day was still to come. */
export interface WaitingCustomer {
  customerId: number;
  name: string;
  email: string | null;
  phone: string | null;
}

/**
 * The customers whose automatic order for a delivery was still to come at `now`, by id: its cycle is open and their cart has something
 * to order, but they have no order for the day, did not skip it, and were not emailed that it is closed.
 */
export async function findWaitingCustomers(tx: Tx, deliveryId: number, now: Date): Promise<WaitingCustomer[]> {
  const day = { id: deliveryId };
  const ofDay = { delivery_id: deliveryId };
  const customers = await tx.customer.findMany({
    where: {
      auto_checkout_status: { gt: 0 },
      deleted_at: null,
      hub: { deliveries: { some: { ...day, cutoff_at: { gt: now }, runs: { some: { step: "open" } } } } },
      skips: { none: ofDay },
      orders: { none: { ...ofDay, status: { not: "cancelled" } } },
      AND: [
        {
          OR: [
            { hub: { deliveries: { some: { ...day, runs: { none: { step: "auto_checkout" } } } } } },
            { auto_checkout_results: { some: { ...ofDay, done_at: null } } },
          ],
        },
        {
          OR: [
            { auto_checkout_status: AUTO_CHECKOUT.fullCart, cart: { items: { some: {} } } },
            { cart: { items: { some: { subscription_interval: { not: null } } } } },
          ],
        },
      ],
    },
    select: { id: true, first_name: true, last_name: true, email: true, phone: true },
    orderBy: { id: "asc" },
  });
  const mailKey = (id: number) => `${NO_AUTO_ORDER}:${deliveryId}:${id}`;
  const mails = await tx.mail.findMany({
    where: { key: { in: customers.map(({ id }) => mailKey(id)) } },
    select: { key: true },
  });
  const mailed = new Set(mails.map(({ key }) => key));
  return customers
    .filter(({ id }) => !mailed.has(mailKey(id)))
    .map(({ id, first_name: first, last_name: last, email, phone }) => ({
      customerId: id,
      name: `${first} ${last}`.trim(),
      email,
      phone,
    }));
}
