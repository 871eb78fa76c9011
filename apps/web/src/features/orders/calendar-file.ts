import type { Order } from "@marketday/contracts/orders";
import { addDays, calendarDate } from "@marketday/domain/calendar-date";

import { addressLine } from "../account/fulfillment.ts";

/** A text value: backslash, comma, semicolon and line ends are escaped (RFC 5545 §3.3.11). */
const text = (value: string): string => value.replaceAll(/[\\,;]/g, (mark) => `\\${mark}`).replaceAll(/\r?\n/g, "\\n");

/** A line of at most 75 bytes, the rest on lines that begin with a space (RFC 5545 §3.1). */
function folded(line: string): string {
  const encoder = new TextEncoder();
  const lines: string[] = [];
  let current = "";
  for (const char of line) {
    if (encoder.encode(current + char).length > 75) {
      lines.push(current);
      current = " ";
    }
    current += char;
  }
  return [...lines, current].join("\r\n");
}

const compact = (date: string): string => date.replaceAll("-", "");
/** An instant in UTC, seconds. */
const stamp = (instant: Date): string => `${instant.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

const placeOf = ({ deliveryAddress, pickupAddress }: Order): string => {
  if (deliveryAddress) return addressLine(deliveryAddress);
  if (!pickupAddress) return "";
  const { name, address, city, state, zipCode } = pickupAddress;
  return `${name}, ${address}, ${city}, ${state} ${zipCode}`;
};

/**
 * The delivery day as a calendar file (RFC 5545): an event of the whole day, by the market's own date. The same order makes
 * the same event, so a second download moves it and adds none.
 */
export function calendarFile(order: Order, { host, marketName, now }: { host: string; marketName: string; now: Date }) {
  const { id, type, deliveryDate, pickupAddress, hub } = order;
  const day = calendarDate(deliveryDate);
  const what = type === "pickup" ? "Pick up your market order" : "Your market order arrives";
  const about = [`Order #${id}, ${hub.name}`, pickupAddress?.hours, `https://${host}/order-complete/${id}`];
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//${text(marketName)}//Orders//EN`,
    "BEGIN:VEVENT",
    `UID:order-${id}@${host}`,
    `DTSTAMP:${stamp(now)}`,
    `DTSTART;VALUE=DATE:${compact(day)}`,
    `DTEND;VALUE=DATE:${compact(addDays(day, 1))}`,
    `SUMMARY:${text(`${what} · ${marketName}`)}`,
    `LOCATION:${text(placeOf(order))}`,
    `DESCRIPTION:${text(about.filter(Boolean).join("\n"))}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return `${lines.map(folded).join("\r\n")}\r\n`;
}
