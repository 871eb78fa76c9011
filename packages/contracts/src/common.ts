import type { DeliveryAddress } from "@marketday/domain/address";
import { isCalendarDate } from "@marketday/domain/calendar-date";
import {
  ADDRESS_LINE_MAX,
  DELIVERY_NOTES_MAX,
  EMAIL_MAX,
  EMAIL_MIN,
  EMAIL_PATTERN,
  TRK_LENGTH,
  US_PHONE_PATTERN,
  ZIP_PATTERN,
} from "@marketday/domain/limits";
import { cleanCode, cleanLine, cleanPhone, cleanText, cleanZip } from "@marketday/domain/text";
import { z } from "zod";

/** Dollars with at most two decimals, as every amount on the wire (docs/product.md §2). */
export const Money = z.number().meta({ id: "Money", description: "US dollars, at most two decimals" });
/** An amount in a body, dollars: with a third decimal it is refused. */
export const Amount = z
  .number("Enter an amount, like 7.94.")
  .refine((amount) => Math.round(amount * 100) / 100 === amount, "Enter an amount with at most two decimals.");
/** A calendar date, `YYYY-MM-DD`, that there is: no 30 February. */
export const CalendarDate = z
  .string("Choose a date")
  .regex(/^\d{4}-\d{2}-\d{2}$/, "Choose a date")
  .refine((text): boolean => isCalendarDate(text), "Choose a date");
/** An instant, ISO-8601 in UTC. */
export const Instant = z.string();

const ID_MAX = 2_147_483_647;
/** Positive integer in a path or a query, no larger than the database has. */
export const Id = z.coerce.number().int().positive().max(ID_MAX);
/** The same in a body, where a number is a number. */
export const BodyId = z.number().int().positive().max(ID_MAX);
export const IdParams = z.object({ id: Id });
/** An id, or the slug of a thing that has one. */
export const IdOrSlugParams = z.object({ id: z.string().min(1).max(200) });

const page = z.coerce.number().int().min(1).max(1_000_000);
/** `?page=` and `?perPage=`; without them the headers `x-current-page` and `x-rows-per-page` count. */
export const PageQuery = z.object({ page: page.optional(), perPage: page.optional() });

/** Five digits; of ZIP+4, its first five. */
export const ZipCode = z.string("Must be 5 digits").overwrite(cleanZip).regex(ZIP_PATTERN, "Must be 5 digits");

/** A picture; its sizes are at `{url}/{160|320|480|960}.{avif|webp|jpg}`. */
export const Picture = z.object({ url: z.string(), alt: z.string(), thumbhash: z.string() }).meta({ id: "Picture" });
export type Picture = z.infer<typeof Picture>;

export const Address = z
  .object({
    address: z.string(),
    address2: z.string(),
    city: z.string(),
    state: z.string(),
    zipCode: z.string(),
    instructions: z.string(),
  })
  .meta({ id: "Address" }) satisfies z.ZodType<DeliveryAddress>;
export type Address = z.infer<typeof Address>;

/** US states plus DC (spec §5 Address form). */
export const STATES = [
  "AL",
  "AK",
  "AZ",
  "AR",
  "CA",
  "CO",
  "CT",
  "DE",
  "DC",
  "FL",
  "GA",
  "HI",
  "ID",
  "IL",
  "IN",
  "IA",
  "KS",
  "KY",
  "LA",
  "ME",
  "MD",
  "MA",
  "MI",
  "MN",
  "MS",
  "MO",
  "MT",
  "NE",
  "NV",
  "NH",
  "NJ",
  "NM",
  "NY",
  "NC",
  "ND",
  "OH",
  "OK",
  "OR",
  "PA",
  "RI",
  "SC",
  "SD",
  "TN",
  "TX",
  "UT",
  "VT",
  "VA",
  "WA",
  "WV",
  "WI",
  "WY",
] as const;

/** An email address as `isEmail` of the domain accepts it, in lower case; refused with `message` (failures.md E4). */
export const emailSaying = (message: string) =>
  z
    .string(message)
    .overwrite(cleanCode)
    .min(EMAIL_MIN, message)
    .max(EMAIL_MAX, message)
    .regex(EMAIL_PATTERN, message)
    .transform((email) => email.toLowerCase());
export const Email = emailSaying("Valid email is required");

const text = (clean: (typed: string) => string) => (max: number, missing?: string) =>
  z
    .string(missing)
    .overwrite(clean)
    .min(missing === undefined ? 0 : 1, missing)
    .max(max);

/**
 * One line of text, cleaned: without control characters, so that it can stand in a mail header (failures.md E3).
 * @param missing the message for an empty value; without it the field is optional
 */
export const line = text(cleanLine);

/** Several lines of text, cleaned. `missing`: as for `line`. */
export const prose = text(cleanText);

/** A code that someone typed or pasted: never with spaces. */
export const code = (max: number) =>
  z
    .string()
    .overwrite((typed) => cleanCode(typed).replaceAll(" ", ""))
    .max(max);

const NOT_A_PHONE = "Phone Number not valid";
/** A US phone number with the marks between its groups (spec §5). */
export const Phone = z
  .string(NOT_A_PHONE)
  .overwrite(cleanPhone)
  .max(30, NOT_A_PHONE)
  .regex(US_PHONE_PATTERN, NOT_A_PHONE);
/** The same, or none: empty is null. */
export const OptionalPhone = z
  .string(NOT_A_PHONE)
  .transform((typed) => cleanPhone(typed) || null)
  .pipe(Phone.nullable());

/** An address as it is typed (spec §5 Address form, with its messages). */
export const AddressInput = z.object({
  address: line(ADDRESS_LINE_MAX, "Address is required"),
  address2: line(ADDRESS_LINE_MAX).default(""),
  city: line(100, "City is required"),
  state: z.enum(STATES, "Choose a state"),
  zipCode: ZipCode,
  instructions: prose(DELIVERY_NOTES_MAX).default(""),
});

/** Where a shopper came from (spec §2.2); kept with the guest, the customer and the order. */
export const Origin = z.object({
  trk: line(500)
    .transform((trk) => [...trk].slice(0, TRK_LENGTH).join(""))
    .optional()
    .catch(undefined),
  utmSource: line(200).optional().catch(undefined),
  utmCampaign: line(200).optional().catch(undefined),
  playerId: line(200).optional().catch(undefined),
  os: line(50).optional().catch(undefined),
});
