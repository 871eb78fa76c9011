import {
  CART_QUANTITY_MAX,
  CONTACT_MESSAGE_MAX,
  NAME_MAX,
  REPORTED_ITEMS_MAX,
  ZIP_PLUS_FOUR_PATTERN,
} from "@marketday/domain/limits";
import { cleanCode } from "@marketday/domain/text";
import { z } from "zod";

import { BodyId, emailSaying, IdParams, line, OptionalPhone, prose } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** The longest proof a bot check hands out, with room. */
const TOKEN_MAX = 4_000;

const challenge = z.object({
  parameters: z.looseObject({
    algorithm: z.string(),
    nonce: z.string(),
    salt: z.string(),
    cost: z.number(),
    keyLength: z.number(),
    keyPrefix: z.string(),
  }),
  signature: z.string(),
});

/**
 * docs/product.md §11: a proof-of-work puzzle for the browser, good for a quarter of an hour and one message. Null: the bot
 * check is an outside service's (`BOT_CHECK=turnstile`).
 */
export const getChallenge = endpoint({
  method: "GET",
  url: "/problems/challenge",
  schema: { response: { 200: z.object({ challenge: challenge.nullable() }) } },
});

/**
 * spec §7.11, §5 Contact form with its messages. `token`: what the bot check gave. 400 `bot_check` for a bad, old or
 * used one; 503 `bot_check_down` when it cannot be reached (failures.md E5: fails closed).
 */
export const contactUs = endpoint({
  method: "POST",
  url: "/problems/contact-us",
  schema: {
    body: z.object({
      firstName: line(NAME_MAX, "Your first name is required"),
      lastName: line(NAME_MAX, "Your last name is required"),
      emailAddress: emailSaying("Valid email is required"),
      zipCode: z
        .string("Valid zip code is required")
        .overwrite(cleanCode)
        .regex(ZIP_PLUS_FOUR_PATTERN, "Valid zip code is required"),
      phoneNumber: OptionalPhone.nullish().transform((phone) => phone ?? null),
      message: prose(CONTACT_MESSAGE_MAX, "Write a message"),
      token: z.string().max(TOKEN_MAX),
    }),
    response: { 200: z.object({ success: z.literal(true) }) },
  },
});

/** The items of an order's box that a report is about, each with how many of it. */
export const ReportedItems = z
  .array(z.object({ variantId: BodyId, quantity: z.number().int().min(1).max(CART_QUANTITY_MAX) }))
  .max(REPORTED_ITEMS_MAX)
  .refine((items) => new Set(items.map(({ variantId }) => variantId)).size === items.length);
export type ReportedItem = z.output<typeof ReportedItems>[number];

/**
 * docs/product.md §11: something is wrong with an order. A form (`multipart/form-data`): `message`, at most 500 characters;
 * `items`, `ReportedItems` as JSON, optional; and at most four files `photos`, JPEG, PNG or WebP of at most 5 MB, which are
 * encoded again. 400 `bad_photo`, 400 `invalid` for items that the box does not have, 413 `too_large`.
 */
export const reportProblem = endpoint({
  method: "POST",
  url: "/problems/orders/:id",
  schema: { params: IdParams, response: { 200: z.object({ success: z.literal(true) }) } },
});
