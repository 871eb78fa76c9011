import { calendarDate, type CalendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { z } from "zod";

import type { MailContent } from "../../lib/mail-template.ts";
import { fromData, type MailTemplates } from "../mail/template.ts";
import { PickupPlaceRow } from "./pickup-point-sql.ts";

/** A pickup point before and after a change. */
const PickupChange = z.object({
  market: z.string(),
  orderId: z.number(),
  /** YYYY-MM-DD */
  days: z.array(z.string()),
  /** The market's; missing in mails of an earlier version. */
  timeZone: z.string().default("UTC"),
  before: PickupPlaceRow,
  after: PickupPlaceRow,
});

const linesOf = ({ name, address, city, state, zip_code: zip, hours }: PickupPlaceRow): string =>
  `${name}\n${address}, ${city}, ${state} ${zip}\n${hours}`;

/** "Thursday, November 26 and Thursday, December 3" */
const daysText = (days: readonly string[], today: CalendarDate): string =>
  new Intl.ListFormat("en-US").format(days.map((day) => formatLong(calendarDate(day), today)));

/** The market changed the name, the address or the hours of a pickup point where the customer has orders. */
const pickupPointChanged = (
  { market, orderId, days, timeZone, before, after }: z.infer<typeof PickupChange>,
  _market: string,
  now: Date,
): MailContent => ({
  subject: `Your pickup point has changed: ${after.name}`,
  heading: "Your pickup point has changed",
  parts: [
    `You pick up your ${days.length === 1 ? "order" : "orders"} from ${market} for ${daysText(days, dateInZone(now, timeZone))} here:`,
    linesOf(after),
    "Before the change it was:",
    linesOf(before),
    "If this doesn’t work for you, reply to this email or call us and we’ll sort it out.",
  ],
  link: { label: "See your order", path: `/order-complete/${orderId}` },
});

const barn = {
  name: "Depot Barn",
  address: "211 1st Street SW",
  city: "Carmel",
  state: "IN",
  zip_code: "46032",
  hours: "Thursday 3 to 7 PM",
};

export const hubMails: MailTemplates = {
  "pickup-point-changed": fromData(
    "The market changed a pickup point where the customer has orders",
    PickupChange,
    pickupPointChanged,
    {
      market: "Carmel market",
      orderId: 123_456_789,
      days: ["2026-11-26"],
      timeZone: "America/Indiana/Indianapolis",
      before: barn,
      after: { ...barn, name: "Depot Barn (rear door)", hours: "Thursday 4 to 7 PM" },
    },
  ),
};
