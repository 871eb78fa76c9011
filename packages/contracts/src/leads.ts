import { NAME_MAX } from "@marketday/domain/limits";
import { z } from "zod";

import { Email, line, Phone, prose, ZipCode } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** What an applicant writes about themselves, characters. */
const APPLICATION_TEXT_MAX = 1_000;

const about = { email: Email, zipCode: ZipCode };
const optional = (max: number) => line(max).default("");
/** A page of theirs, shown to operators as text. */
const website = optional(200);
const text = prose(APPLICATION_TEXT_MAX);

/** spec §2.4 Email capture: a visitor leaves an address. */
const EmailLead = z.object({ kind: z.literal("email"), email: Email, zipCode: ZipCode.nullish() });
/** No market delivers to this zip yet: tell me when one does. */
const ZipLead = z.object({ kind: z.literal("zip"), ...about });
/** spec §2.1 /join. */
const VendorLead = z.object({
  kind: z.literal("vendor"),
  ...about,
  business: line(NAME_MAX, "Enter the name of your farm or business"),
  name: line(NAME_MAX, "Your name is required"),
  phone: Phone,
  website,
  /** What they grow or make. */
  products: prose(APPLICATION_TEXT_MAX, "Tell us what you grow or make"),
});
const DriverLead = z.object({
  kind: z.literal("driver"),
  ...about,
  name: line(NAME_MAX, "Your name is required"),
  phone: Phone,
  /** What they drive, and when they can. */
  vehicle: line(200, "Tell us what you drive"),
  days: z
    .array(z.enum(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]))
    .min(1)
    .max(7),
  message: text.default(""),
});
const JobLead = z.object({
  kind: z.literal("job"),
  ...about,
  name: line(NAME_MAX, "Your name is required"),
  phone: Phone,
  /** What they would like to do. */
  position: line(NAME_MAX, "Tell us what you would like to do"),
  message: prose(APPLICATION_TEXT_MAX, "Write a message"),
});

/** A lead: an email address, or an application. */
export const NewLead = z.discriminatedUnion("kind", [EmailLead, ZipLead, VendorLead, DriverLead, JobLead]);
export type NewLead = z.output<typeof NewLead>;

/**
 * docs/product.md §11. Applications are mailed to the operators and confirmed to their senders; the same one twice in an
 * hour is one. Answered alike whether the address is known or not.
 */
export const createLead = endpoint({
  method: "POST",
  url: "/leads",
  schema: { body: NewLead, response: { 200: z.object({ success: z.literal(true) }) } },
});
