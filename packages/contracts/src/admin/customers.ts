import { z } from "zod";

import { Address, Amount, CalendarDate, emailSaying, IdParams, Instant, Money, PageQuery, line } from "../common.ts";
import { StaffAction } from "./actions.ts";
import { adminEndpoint } from "./endpoint.ts";

const Hub = z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() });

/** A person in the list. */
const ListedCustomer = z.object({
  id: z.number().int(),
  /** Empty when the account was deleted. */
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  /** Null: they have not chosen one. */
  hub: Hub.nullable(),
  /** Boxes that were not cancelled. */
  orders: z.number().int(),
  lastDay: CalendarDate.nullable(),
  credit: Money,
  /** What of the person the text was found in, where the row does not show it: "card 4242", "order 123 456 789". */
  found: z.string().nullable(),
});
export type ListedCustomer = z.infer<typeof ListedCustomer>;

/**
 * People by name, email, phone (any way of writing it), the last four digits of a saved card, or an order number; without a text the
 * newest. A person belongs to the markets of the staff member when they shop there or have ordered there. Header `x-total-results`.
 */
export const listCustomers = adminEndpoint({
  method: "GET",
  url: "/customers",
  access: { permission: "people.read", where: "any" },
  schema: {
    querystring: z.object({
      ...PageQuery.shape,
      q: z.string().max(200).default(""),
      hub: z.string().max(200).optional(),
    }),
    response: { 200: z.object({ customers: z.array(ListedCustomer), total: z.number().int() }) },
  },
});

/** One person, as the staff reads them. */
export const Customer = z
  .object({
    id: z.number().int(),
    /** Raised by every change that the staff makes: `expectedVersion`. */
    version: z.string(),
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    hub: Hub.nullable(),
    /** Null: home delivery to the default address, if there is one. */
    pickupPoint: z.string().nullable(),
    addresses: z.array(Address.extend({ id: z.number().int(), isDefault: z.boolean() })),
    since: Instant,
    deletedAt: Instant.nullable(),
    credit: Money,
    /** "Visa ending 4242, expires 4/28". */
    cards: z.array(z.string()),
    consent: z.object({ orderEmails: z.boolean(), marketEmails: z.boolean(), texts: z.boolean() }),
    autoCheckout: z.enum(["off", "cart", "subscriptions"]),
    isGlutenFree: z.boolean(),
    isVegan: z.boolean(),
    /** The last day of a wagon pass, or the day on which it renews. */
    passUntil: CalendarDate.nullable(),
    /** Null also for someone whom the person of the staff may not read. */
    referredBy: z.object({ id: z.number().int(), name: z.string() }).nullable(),
    /** Boxes, newest first, at most 50; `orderCount`: all. In the markets that the person of the staff may see. */
    orders: z.array(
      z.object({
        id: z.number().int(),
        hub: Hub,
        day: CalendarDate,
        status: z.enum(["open", "packing", "delivered", "cancelled"]),
        units: z.number().int(),
        total: Money,
      }),
    ),
    orderCount: z.number().int(),
    /** Total of the boxes that were not cancelled, in the same markets. */
    spent: Money,
    /**
     * Entries of store credit in all markets, newest first, at most 100: they sum to `credit` when there are no more. `what`: kind of
     * booking ("credit", "gift_card", "refund" …). Without `orderId` and `reason` where the order is of a market that the person of the
     * staff may not see.
     */
    creditEntries: z.array(
      z.object({
        at: Instant,
        what: z.string(),
        reason: z.string(),
        by: z.string().nullable(),
        orderId: z.number().int().nullable(),
        amount: Money,
      }),
    ),
    subscriptions: z.array(
      z.object({
        id: z.number().int(),
        kind: z.enum(["product", "bundle"]),
        title: z.string(),
        vendor: z.string(),
        quantity: z.number().int(),
        /** Weeks between two deliveries. */
        every: z.number().int(),
        next: CalendarDate.nullable(),
        isPaused: z.boolean(),
      }),
    ),
    problems: z.array(
      z.object({
        id: z.number().int(),
        orderId: z.number().int(),
        at: Instant,
        message: z.string(),
        isOpen: z.boolean(),
      }),
    ),
    /** Of the staff, newest first; shoppers never see them. */
    notes: z.array(z.object({ id: z.number().int(), text: z.string(), by: z.string(), at: Instant })),
    /** Newest first, at most 100: from the audit log and the mails. */
    history: z.array(
      z.object({
        at: Instant,
        kind: z.enum(["audit", "mail"]),
        what: z.string(),
        who: z.string().nullable(),
        why: z.string(),
      }),
    ),
    can: z.object({
      grant: z.boolean(),
      /** Most that this person may grant in one action; null: any amount. */
      grantLimit: Money.nullable(),
      skip: z.boolean(),
      export: z.boolean(),
      delete: z.boolean(),
    }),
  })
  .meta({ id: "Customer" });
export type Customer = z.infer<typeof Customer>;

/** One person. 404 for one who belongs to none of the staff member's markets. */
export const getCustomer = adminEndpoint({
  method: "GET",
  url: "/customers/:id",
  access: { permission: "people.read", where: "any" },
  schema: { params: IdParams, response: { 200: Customer } },
});

/** A delivery day of the person's market, as their own "Your next boxes" has it. */
const CustomerBox = z.object({
  deliveryId: z.number().int(),
  day: CalendarDate,
  cutoffAt: Instant,
  autoCheckoutAt: Instant,
  /** "ordered": by auto-checkout. "closed": auto-checkout is over and ordered nothing. */
  state: z.enum(["planned", "skipped", "ordered", "closed"]),
  isSkipped: z.boolean(),
  /** It can still be skipped, or come after all. */
  isOpen: z.boolean(),
  /** The box that is ordered for the day. */
  orderId: z.number().int().nullable(),
  /** What auto-checkout would order: "2 × Pasture Eggs". */
  items: z.array(z.string()),
  total: Money,
});
export type CustomerBox = z.infer<typeof CustomerBox>;

/**
 * The next three boxes of a person, by the function that the shopper's own page and auto-checkout use; none when the person's market is not
 * one of the staff member's.
 */
export const listCustomerBoxes = adminEndpoint({
  method: "GET",
  url: "/customers/:id/boxes",
  access: { permission: "people.read", where: "any" },
  schema: { params: IdParams, response: { 200: z.array(CustomerBox) } },
});

/**
 * Gives store credit at the market's expense, as `market credit grant`; undone as long as it is not spent. 403 `over_limit` above the
 * role's limit; 403 `step_up_required` from `GIVE_STEP_UP_CENTS` on; 409 `already_given` for the same amount and reason within 24 hours,
 * also from the command line; 409 `deleted`. The email to the person leaves after 10 seconds.
 */
export const grantCredit = adminEndpoint({
  method: "POST",
  url: "/customers/:id/credit",
  access: { permission: "credit.grant", where: "any" },
  idempotent: true,
  schema: {
    params: IdParams,
    body: z.object({ amount: Amount, reason: line(500, "Give a reason") }),
    response: { 200: StaffAction },
  },
});

/**
 * Skips a delivery day for a person, or takes it back, by the rules and with the messages of the shopper's own page: 422 `no_delivery`
 * when the day takes no more orders. 409 `conflict` with the person's boxes as `current` when it is so already; 409 `deleted`.
 */
export const putCustomerSkip = adminEndpoint({
  method: "PUT",
  url: "/customers/:id/skips/:delivery",
  access: { permission: "orders.adjust", where: "any" },
  idempotent: true,
  schema: {
    params: z.object({ id: IdParams.shape.id, delivery: IdParams.shape.id }),
    body: z.object({ isSkipped: z.boolean() }),
    response: { 200: StaffAction },
  },
});

/**
 * Pauses or resumes all automatic orders of a person: auto-checkout off, as the shopper's own switch does. 409 `conflict` with the person
 * as `current` when someone changed it meanwhile; 409 `deleted`.
 */
export const putCustomerPause = adminEndpoint({
  method: "PUT",
  url: "/customers/:id/pause",
  access: { permission: "orders.adjust", where: "any" },
  idempotent: true,
  schema: {
    params: IdParams,
    body: z.object({ autoCheckout: Customer.shape.autoCheckout, expectedVersion: line(100) }),
    response: { 200: StaffAction },
  },
});

/** Adds a note that only the staff reads; undone, it is removed. 409 `deleted`. */
export const addCustomerNote = adminEndpoint({
  method: "POST",
  url: "/customers/:id/notes",
  access: { permission: "people.read", where: "any" },
  idempotent: true,
  schema: { params: IdParams, body: z.object({ text: line(2000, "Write a note") }), response: { 200: StaffAction } },
});

/** Removes a note; undone, it is there again. 404 when it is removed already. */
export const removeCustomerNote = adminEndpoint({
  method: "DELETE",
  url: "/customers/:id/notes/:note",
  access: { permission: "people.read", where: "any" },
  schema: {
    params: z.object({ id: IdParams.shape.id, note: IdParams.shape.id }),
    response: { 200: StaffAction },
  },
});

/** All data that the market has about a person, as JSON for them; audited. As `market customers export`. */
export const exportCustomer = adminEndpoint({
  method: "POST",
  url: "/customers/:id/export",
  access: { permission: "people.export", where: "all" },
  stepUp: true,
  schema: { params: IdParams, response: { 200: z.record(z.string(), z.unknown()) } },
});

/**
 * Deletes an account for good and emails the person, as `market customers delete`. `email`: typed, it must be theirs: 422 `wrong_email`.
 * 409 `order_open` while an order is on its way; 409 `deleted`.
 */
export const deleteCustomer = adminEndpoint({
  method: "POST",
  url: "/customers/:id/delete",
  access: { permission: "people.delete", where: "all" },
  stepUp: true,
  schema: {
    params: IdParams,
    body: z.object({ email: emailSaying("Type the email address"), reason: line(500, "Give a reason") }),
    response: { 204: z.void() },
  },
});
