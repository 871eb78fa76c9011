import { cleanCode } from "@marketday/domain/text";
import { z } from "zod";

import { Customer } from "./account.ts";
import { emailSaying, Id, Instant, Origin, STATES, ZipCode, line } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { HomeDelivery } from "./hubs.ts";

/** The state of this browser's session (docs/product.md §3). All null without one. */
export const Session = z
  .object({
    /** A customer's number, a guest's UUID. */
    customerId: z.union([z.number().int(), z.string()]).nullable(),
    hubId: z.number().int().nullable(),
    isGuest: z.boolean().nullable(),
    expiresAt: Instant.nullable(),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof Session>;

/** spec §7.1. An ended customer session is 401 `session_expired`; an ended guest session is 200 with nulls. */
export const getAuth = endpoint({ method: "GET", url: "/auth", schema: { response: { 200: Session } } });

const coordinate = (limit: number) => z.coerce.number().min(-limit).max(limit);

/** Coverage of a place: every hub that serves it, nearest first; the first is the default. */
export const Coverage = z.object({
  hubs: z.array(z.object({ id: z.number().int(), name: z.string(), deliveryDay: z.string() })),
  hubId: z.number().int(),
});

/**
 * `POST /auth/guest` (spec §7.1): a zip, or a point, or a hub. With `check=true` it changes nothing and answers the
 * coverage; no hub serves it: 404 "Sorry, we do not currently support your location."
 */
export const createGuest = endpoint({
  method: "POST",
  url: "/auth/guest",
  schema: {
    querystring: z.object({
      zipCode: ZipCode.optional(),
      lat: coordinate(90).optional(),
      lng: coordinate(180).optional(),
      hubId: Id.optional(),
      check: z.stringbool().optional(),
      referredByCustomerId: z.string().overwrite(cleanCode).max(40).optional(),
      ...Origin.shape,
    }),
    response: { 200: z.union([Customer, Coverage]) },
  },
});

const LOGIN_NEEDS = "Enter your email and your password.";

/** spec §7.1. Wrong: 401 "Invalid email or password. Please check those values." */
export const login = endpoint({
  method: "POST",
  url: "/auth/login",
  schema: {
    body: z.object({
      username: z.string(LOGIN_NEEDS).overwrite(cleanCode).min(1, LOGIN_NEEDS).max(254),
      password: z.string(LOGIN_NEEDS).min(1, LOGIN_NEEDS).max(1024),
      playerId: line(200).nullish(),
      os: line(50).nullish(),
    }),
    response: { 200: Customer },
  },
});

/** spec §5 Register: the messages are the screen's; the call refuses the same values. */
export const register = endpoint({
  method: "POST",
  url: "/auth/register",
  schema: {
    body: z.object({
      email: z
        .string({ error: "Email is required. please try again." })
        .min(1, "Email is required. please try again.")
        .pipe(emailSaying("Email is requried")),
      password: z.string("Password is too short").min(1, "Password is too short").max(1024),
      zipCode: z.string("Zip Code is required").min(5, "Zip Code is required").pipe(ZipCode),
      firstName: line(100, "Your first name is requried"),
      lastName: line(100, "Your last name is requried"),
      /** spec §2.2; what is missing is taken from the guest of this browser. */
      ...Origin.shape,
      /** Unknown, own or malformed ids are ignored (failures.md K6). */
      referredByCustomerId: z
        .union([z.string().overwrite(cleanCode).max(40), z.number()])
        .nullish()
        .catch(undefined),
    }),
    response: { 200: Customer },
  },
});

/** spec §7.1. Ends this session and clears the cookie; fine without one. */
export const logout = endpoint({
  method: "PUT",
  url: "/auth/logout",
  schema: { response: { 200: z.object({ success: z.literal(true) }) } },
});

const NO_EMAIL = "Please enter an email address.";

/**
 * spec §7.1. Known and unknown addresses are answered alike, with the same work done; at most 3 mails an hour and 10 a day
 * go to one address (failures.md E7).
 */
export const forgotPassword = endpoint({
  method: "POST",
  url: "/auth/forgot",
  schema: {
    body: z.object({
      email: emailSaying(NO_EMAIL),
    }),
    response: { 200: z.object({ message: z.literal("Check your email for instructions.") }) },
  },
});

/**
 * spec §7.1: `true`, or `"EXPIRED"` for a link that is used, superseded, older than an hour or unknown. Ends every other
 * session. `jwt` is what older clients repeat in the body; the token of the address counts.
 */
export const resetPassword = endpoint({
  method: "POST",
  url: "/auth/reset/:token",
  schema: {
    params: z.object({ token: z.string().overwrite(cleanCode).min(1).max(1000) }),
    body: z.object({
      password: z.string({ error: "A password is required." }).min(1, "A password is required.").max(1024),
      jwt: z.string().max(1000).nullish(),
    }),
    response: { 200: z.union([z.literal(true), z.literal("EXPIRED")]) },
  },
});

const NO_OLD_PASSWORD = "Enter your current password";

/** spec §7.1: changes the password and ends every other session. A wrong old one is 400 and counts as a failed login. */
export const updatePassword = endpoint({
  method: "POST",
  url: "/auth/update",
  schema: {
    body: z.object({
      oldPassword: z.string(NO_OLD_PASSWORD).min(1, NO_OLD_PASSWORD).max(1024),
      newPassword: z.string("A password is required.").min(1, "A password is required.").max(1024),
    }),
    response: { 200: z.object({ success: z.literal(true) }) },
  },
});

/**
 * spec §7.1, docs/product.md §3: a token that opens this session in a web view, once, for 60 s:
 * `/embed/bridge?token=&to=/path`.
 */
export const getBridge = endpoint({
  method: "GET",
  url: "/auth/bridge",
  schema: { response: { 200: z.object({ token: z.string(), expiresAt: Instant }) } },
});

/**
 * docs/product.md §3 "Market of a session": whether the session's market delivers to a ZIP code. Without a market: whether any does;
 * none: 404 `not_served`.
 */
export const homeDeliveryAt = endpoint({
  method: "GET",
  url: "/geo/home-delivery",
  schema: { querystring: z.object({ zipCode: ZipCode }), response: { 200: HomeDelivery } },
});

/** docs/product.md §3: the post office's city ("" where it is unknown) and the state of a ZIP code, for address forms. None: 404. */
export const zipPlace = endpoint({
  method: "GET",
  url: "/geo/zip/:zipCode",
  schema: {
    params: z.object({ zipCode: ZipCode }),
    response: { 200: z.object({ city: z.string(), state: z.enum(STATES) }) },
  },
});

/** docs/product.md §3: the zip at a point, from the offline tables. Nothing near: 404. */
export const zipAt = endpoint({
  method: "GET",
  url: "/geo/zip",
  schema: {
    querystring: z.object({ lat: coordinate(90), lng: coordinate(180) }),
    response: { 200: z.object({ zipCode: ZipCode, city: z.string(), state: z.string() }) },
  },
});
