import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { itemTitle } from "@marketday/domain/sheets";

import type { VendorList } from "../week/snapshot.ts";
import { VendorChange } from "../week/vendor-changes.ts";
import type { MailContent } from "./layout.ts";

/** The orders have closed: what this vendor brings for the day, in units. */
export function vendorOrder(list: VendorList): MailContent {
  const day = formatLong(calendarDate(list.day));
  const units = list.lines.reduce((sum, line) => sum + line.quantity, 0);
  return {
    subject: `${list.market}: ${units === 1 ? "1 item" : `${units} items`} to bring for ${day}`,
    heading: `${list.vendor}, here is your order`,
    parts: [
      `Orders of ${list.market} for ${day} have closed. Please bring:`,
      {
        rows: list.lines.map((line) => [itemTitle(line), String(line.quantity)]),
        total: ["Items in all", String(units)],
      },
      ...(list.version > 1 ? [`This is version ${list.version} of the day's list and replaces the ones before.`] : []),
    ],
  };
}

/** Orders of a closed day were cancelled or came short: what this vendor brings less of. */
export function vendorChange(data: unknown): MailContent {
  const { vendor, market, day: date, lines } = VendorChange.parse(data);
  const day = formatLong(calendarDate(date));
  return {
    subject: `${market}: bring less for ${day}`,
    heading: `${vendor}, your order has changed`,
    parts: [
      `Some orders of ${market} for ${day} were canceled or changed. Please bring less of:`,
      {
        rows: lines.map((line) => [itemTitle(line), `${line.after === 0 ? "none" : line.after} (was ${line.before})`]),
      },
      "Everything else stays as on the list we emailed you.",
    ],
  };
}
