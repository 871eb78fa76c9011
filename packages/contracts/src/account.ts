import { FULFILLMENT_PROBLEMS } from "@marketday/domain/fulfillment";
import { HANDLE_MAX, NAME_MAX } from "@marketday/domain/limits";
import { z } from "zod";

import {
  Address,
  AddressInput,
  BodyId,
  CalendarDate,
  Email,
  Instant,
  line,
  Money,
  OptionalPhone,
  Picture,
  ZipCode,
} from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { HomeDelivery, PickupPoint } from "./hubs.ts";

/**
 * How a customer receives orders: the checkout preselects it and automatic orders use it (docs/product.md §9). `deliveryFee`: of
 * each box, 0 for pickup and with a wagon pass. `problem`: why no order can go there now, and what to do.
 */
export const Fulfillment = z
  .object({
    type: z.enum(["delivery", "pickup"]),
    deliveryAddress: Address.nullable(),
    pickupPoint: PickupPoint.nullable(),
    deliveryFee: Money,
    problem: z.object({ code: z.enum(FULFILLMENT_PROBLEMS), message: z.string() }).nullable(),
  })
  .meta({ id: "Fulfillment" });
export type Fulfillment = z.infer<typeof Fulfillment>;

/** A hub as a customer carries it: enough to say where and when (nearest first). */
const CustomerHub = z.object({
  id: z.number().int(),
  name: z.string(),
  deliveryDay: z.string(),
  nextDeliveryDate: CalendarDate.nullable(),
});

/**
 * spec §3 Session / customer, every field always there, plus what docs/product.md §3 adds. A guest's `id` is a UUID;
 * a guest is recognized by a non-positive numeric id or an id with a hyphen.
 */
export const Customer = z
  .object({
    id: z.union([z.number().int(), z.string()]),
    customerId: z.union([z.number().int(), z.string()]),
    isGuest: z.boolean(),
    email: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    /** Falls back to first plus last name. */
    handle: z.string().nullable(),
    phone: z.string().nullable(),
    avatar: Picture.nullable(),
    image: Picture.nullable(),
    dataSource: z.string().nullable(),
    deliveryAddress: Address.nullable(),
    /** Null: there is neither an address nor a pickup point. */
    fulfillment: Fulfillment.nullable(),
    /** The first hub's delivery weekday. */
    deliveryDate: z.string().nullable(),
    hasPassword: z.boolean(),
    hubs: z.array(CustomerHub),
    hubId: z.number().int().nullable(),
    /** For the delivery address, else the ZIP code or point; of a change: for the place that was changed. Null: no place, or no market. */
    homeDelivery: HomeDelivery.nullish(),
    isGlutenFree: z.boolean(),
    isVegan: z.boolean(),
    isWagonPassActive: z.boolean(),
    lastOrderDate: CalendarDate.nullable(),
    paymentInfo: z
      .object({ brand: z.string(), last4: z.string(), expMonth: z.number().int(), expYear: z.number().int() })
      .nullable(),
    paymentType: z.enum(["card", "offline"]).nullable(),
    playerId: z.string().nullable(),
    os: z.string().nullable(),
    subscribedAllMessages: z.boolean(),
    subscribedMarketingEmails: z.boolean(),
    subscribedMarketingSms: z.boolean(),
    trk: z.string().nullable(),
    zipCode: z.string().nullable(),
    utmSource: z.string().nullable(),
    utmCampaign: z.string().nullable(),
    credit: Money,
    unreadCount: z.number().int(),
  })
  .meta({ id: "Customer" });
export type Customer = z.infer<typeof Customer>;

/** spec §7.1. A guest gets their own (guest) profile; without a session: 401 `login_required`. */
export const getProfile = endpoint({ method: "GET", url: "/account/profile", schema: { response: { 200: Customer } } });

/** What a customer may change of themselves (docs/product.md §3); what is left out stays. `handle` is the form's username. */
export const ProfileChange = z
  .object({
    firstName: line(NAME_MAX, "Your first name is required"),
    lastName: line(NAME_MAX, "Your last name is required"),
    handle: line(HANDLE_MAX, "A username is required"),
    email: Email,
    /** Needed to change the email; counts as a login when it is wrong (docs/product.md §17). */
    currentPassword: z.string("Enter your current password").max(1024),
    phone: OptionalPhone.nullable(),
    zipCode: ZipCode,
    /** One that differs from the stored one sets home delivery, unless a pickup point comes with it. */
    deliveryAddress: AddressInput,
    /** Where orders are picked up from now on, an open pickup point of the customer's hub; null: home delivery. */
    pickupPointId: BodyId.nullable(),
    isGlutenFree: z.boolean(),
    isVegan: z.boolean(),
    subscribedAllMessages: z.boolean(),
    subscribedMarketingEmails: z.boolean(),
    subscribedMarketingSms: z.boolean(),
  })
  .partial();
export type ProfileChange = z.infer<typeof ProfileChange>;

/**
 * spec §7.1. A taken e-mail: 409 `email_taken`. Another e-mail without `currentPassword`: 400 `password_required`; with a
 * wrong one: 400 `wrong_password`. No open pickup point of the hub: 422 `pickup_required`; home delivery without an address: 422
 * `address_required`.
 */
export const putProfile = endpoint({
  method: "PUT",
  url: "/account/profile",
  schema: { body: ProfileChange, response: { 200: Customer } },
});

const NO_PASSWORD = "Enter your current password";
const Password = z.object({ password: z.string(NO_PASSWORD).min(1, NO_PASSWORD).max(1024) });
const Done = z.object({ success: z.literal(true) });

/** docs/product.md §3: mails a link to one's data, good for a day. A wrong password: 400, and it counts as a failed login. */
export const exportAccount = endpoint({
  method: "POST",
  url: "/account/export",
  schema: { body: Password, response: { 200: Done } },
});

/**
 * docs/product.md §3: deletes the account for good; its orders are kept without the person. 409 `order_open` while something is
 * still to be delivered or paid.
 */
export const deleteAccount = endpoint({
  method: "DELETE",
  url: "/account",
  schema: { body: Password, response: { 200: Done } },
});

/** A browser in which this account is logged in. */
export const AccountSession = z
  .object({
    id: z.uuid(),
    /** "Chrome on Android", as far as known. */
    device: z.string(),
    createdAt: Instant,
    lastSeenAt: Instant,
    isCurrent: z.boolean(),
  })
  .meta({ id: "AccountSession" });
export type AccountSession = z.infer<typeof AccountSession>;

const Sessions = z.array(AccountSession);

/** Where one is logged in, this browser first. */
export const listSessions = endpoint({
  method: "GET",
  url: "/account/sessions",
  schema: { response: { 200: Sessions } },
});
/** Logs one browser out; not one's own: 404. Answers those that are left. */
export const endSession = endpoint({
  method: "DELETE",
  url: "/account/sessions/:id",
  schema: { params: z.object({ id: z.uuid() }), response: { 200: Sessions } },
});
/** Logs every browser out but this one. */
export const endOtherSessions = endpoint({
  method: "DELETE",
  url: "/account/sessions",
  schema: { response: { 200: Sessions } },
});

/** docs/product.md §7: one's own link, the credit there is, and how far each friend got. */
export const Referrals = z
  .object({
    link: z.string(),
    credit: Money,
    friends: z.array(z.object({ name: z.string(), state: z.enum(["registered", "ordered", "credited"]) })),
  })
  .meta({ id: "Referrals" });
export type Referrals = z.infer<typeof Referrals>;

export const getReferrals = endpoint({ method: "GET", url: "/referrals", schema: { response: { 200: Referrals } } });
